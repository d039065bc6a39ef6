import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { sendJson, standInPruner, startFocus } from '../../../support/focus.ts';
import { SOURCE } from '../../../support/hook-events.ts';
import { temporaryTree } from '../../../support/temporary-tree.ts';

it('an unexpected exception returns -32603 to the client and writes a stack trace to the log [FT16] [FE9] [F13]', async () => {
  const ledger = {
    record: () => {
      throw new Error('secret-internal-detail');
    },
  };
  const focus = await startFocus({
    root: await temporaryTree({ 'a.ts': SOURCE }),
    endpoint: 'embedded',
    ledger,
  });
  const args = { path: 'a.ts', context_focus_question: 'How long is the delay of retryDelay?' };
  const { error } = await focus.rpc('tools/call', { name: 'read', arguments: args });
  expect(error.code).toBe(-32603);
  expect(JSON.stringify(error)).not.toContain('secret-internal-detail');
  expect(await focus.event('tool.internal_error')).toMatchObject({
    level: 'error',
    request_id: expect.any(String),
    data: { tool: 'read', stack: expect.stringMatching(/secret-internal-detail[\s\S]*at /) },
  });
  expect(await focus.call('read', { path: 'a.ts' })).toMatchObject({
    structuredContent: { content: SOURCE },
  });
});

it('the focus server logs a response that cannot be written, and closes its connection [FE8]', async () => {
  const focus = await startFocus({ root: await temporaryTree({ 'big.txt': 'x'.repeat(8_000_000) }) });
  const { hostname, port } = new URL(focus.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const params = { name: 'read', arguments: { path: 'big.txt' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  socket.write(
    `POST /mcp HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await once(socket, 'readable');
  socket.destroy();
  expect((await focus.event('tool.respond_failed')).data).toEqual({ tool: 'read' });
  expect(focus.eventNames()).not.toContain('tool.respond_ok');
});

it('events of the focus tools contain names, sizes and codes, but no file contents, output or environment [F13]', async () => {
  const root = await temporaryTree({ 'a.txt': 'CONTENT-OF-FILE\n'.repeat(200) });
  const focus = await startFocus({ root, endpoint: 'embedded' });
  await focus.call('read', { path: 'a.txt', context_focus_question: 'QUESTION-TEXT?' });
  await focus.call('bash', {
    cmd: 'echo PRINTED-TEXT; echo TO-STDERR >&2; exit 1',
    env: { MY_TOKEN: 'SECRET-VALUE' },
  });
  await focus.call('grep', { pattern: 'CONTENT', paths: ['.'] });
  await eventually(async () =>
    focus.eventNames().filter((name) => name === 'tool.respond_ok').length === 3 ? true : undefined,
  );
  expect(JSON.stringify(focus.events)).not.toMatch(
    /CONTENT-OF|QUESTION-TEXT|PRINTED-TEXT|TO-STDERR|SECRET-VALUE/,
  );
});

it('the focus server sends the user of an endpoint URL as credentials, and logs the URL without them [F13]', async () => {
  let authorization: string | undefined;
  const pruner = await standInPruner((_body, response) => {
    authorization = response.req.headers.authorization;
    sendJson(response, { output: 'x', output_bytes: 1 });
  });
  const endpoint = `${pruner.url.replace('http://', 'http://someone:p%40ss@')}?key=hidden`;
  const focus = await startFocus({ root: await temporaryTree({ 'a.txt': 'text' }), endpoint });
  const { structuredContent } = await focus.call('read', { path: 'a.txt', context_focus_question: 'What?' });
  expect(structuredContent).toMatchObject({ content: 'x', pruning: { applied: true } });
  expect(authorization).toBe(`Basic ${Buffer.from('someone:p@ss').toString('base64')}`);
  expect((await focus.event('pruner.call_start')).data?.endpoint).toBe(pruner.url);
});
