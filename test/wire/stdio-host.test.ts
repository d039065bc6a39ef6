import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { serveStdio } from '../../src/wire/stdio-host.ts';
import { echoServer } from './echo-server.ts';

test('[P7] answers one message a line and ends after the input has', async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const host = serveStdio(echoServer(), { input, output });
  input.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":"b","method":"tools/call",');
  input.end('"params":{"name":"echo","arguments":{"text":"hé"}}}');
  await host.closed;
  const lines = (output.read() as Buffer).toString().trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 'b', result: { content: [{ type: 'text', text: 'hé' }] } },
  ]);
});
