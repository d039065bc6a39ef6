import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { numberedLines, runningGateway, type TestGateway, textOf } from '../support/gateway.ts';
import { describeWith } from '../support/system-parts.ts';

const FILE = numberedLines(5000);

describeWith(['server-everything', 'server-filesystem'], 'real servers behind the gateway', (parts) => {
  let gateway: TestGateway;
  let everything: ChildProcess;
  const folder = mkdtempSync(join(tmpdir(), 'secateur-upstreams-'));

  beforeAll(async () => {
    writeFileSync(join(folder, 'long.txt'), FILE);
    const port = await freePort();
    everything = spawn(process.execPath, [parts['server-everything'], 'streamableHttp'], {
      env: { ...process.env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await once(everything.stderr as NodeJS.ReadableStream, 'data');
    gateway = await runningGateway({
      servers: {
        'everything-http': { url: `http://127.0.0.1:${port}/mcp` },
        'everything-stdio': { command: [process.execPath, parts['server-everything'], 'stdio'] },
        files: { command: [process.execPath, parts['server-filesystem'], folder] },
      },
    });
  });

  afterAll(async () => {
    await gateway.close();
    everything.kill();
  });

  describe.each(['everything-http', 'everything-stdio'])('%s', (server) => {
    it('[G1] the gateway responds to a client without a session', async () => {
      const echoed = await gateway.call(server, 'tools/call', { name: 'echo', arguments: { message: 'hi' } });
      expect(textOf(echoed)).toBe('Echo: hi');
      const tools = (await gateway.call(server, 'tools/list')).result?.tools as Array<{ name: string }>;
      expect(tools.map((tool) => tool.name)).toContain('recover_text');
    });

    it('[G1] concurrent clients without a session share one session of the gateway', async () => {
      const messages = Array.from({ length: 10 }, (_, at) => `caller ${at}`);
      const answers = await Promise.all(
        messages.map((message) =>
          gateway.call(server, 'tools/call', { name: 'echo', arguments: { message } }),
        ),
      );
      expect(answers.map((answer) => textOf(answer))).toEqual(messages.map((message) => `Echo: ${message}`));
    });

    it('[G1] [G13] an SDK client has its own session and receives progress and pictures', async () => {
      const client = await connect(gateway.url(server));
      const progress: number[] = [];
      const params = { name: 'trigger-long-running-operation', arguments: { duration: 0.3, steps: 3 } };
      await client.callTool(params, undefined, {
        onprogress: (update) => void progress.push(update.progress),
      });
      expect(progress).toEqual([1, 2, 3]);
      const image = await client.callTool({ name: 'get-tiny-image', arguments: {} });
      expect(JSON.stringify(image.content)).toContain('"type":"image"');
    });

    it('[G1] the gateway forwards a request of the upstream to the calling client, and forwards the response of the client to the upstream', async () => {
      const client = await connect(gateway.url(server), { sampling: {} });
      client.setRequestHandler(CreateMessageRequestSchema, async () => ({
        model: 'scripted',
        role: 'assistant',
        content: { type: 'text', text: 'forty-two' },
      }));
      const params = { name: 'trigger-sampling-request', arguments: { prompt: 'answer?', maxTokens: 10 } };
      expect(JSON.stringify(await client.callTool(params))).toContain('forty-two');
    });

    it('[G1] a client of the newest SDK can call tools through the gateway', async () => {
      const client = new ModernClient({ name: 'modern', version: '1' });
      await client.connect(new ModernTransport(new URL(gateway.url(server))));
      onTestFinished(() => client.close());
      const { content } = await client.callTool({ name: 'echo', arguments: { message: 'new' } });
      expect(content).toEqual([{ type: 'text', text: 'Echo: new' }]);
    });
  });

  it('[G16] the gateway masks a long file in content and structuredContent, and recover_text returns it completely', async () => {
    const client = await connect(gateway.url('files'));
    // Makes the client validate every result by the server's own schemas.
    await client.listTools();
    const read = await client.callTool({
      name: 'read_text_file',
      arguments: { path: join(folder, 'long.txt') },
    });
    const text = JSON.stringify(read);
    expect(text.length).toBeLessThan(12_000);
    const prune_id = /prn_[0-9A-Z]{10,26}/.exec(text)?.[0];
    const recovered = await client.callTool({
      name: 'recover_text',
      arguments: { prune_id, ranges: [{ start_line: 1, end_line: 5000 }], include_line_numbers: false },
    });
    const [block] = recovered.content as Array<{ text: string }>;
    expect((JSON.parse(block?.text ?? '') as { raw_text: string }).raw_text).toBe(FILE);
  });

  it('[G23] the gateway responds to a client without a session after the upstream was restarted', async () => {
    const port = await freePort();
    const start = async () => {
      const child = spawn(process.execPath, [parts['server-everything'], 'streamableHttp'], {
        env: { ...process.env, PORT: String(port) },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      await once(child.stderr as NodeJS.ReadableStream, 'data');
      return child;
    };
    const own = await runningGateway({ servers: { one: { url: `http://127.0.0.1:${port}/mcp` } } });
    onTestFinished(() => own.close());
    const params = { name: 'echo', arguments: { message: 'hi' } };
    const first = await start();
    expect(textOf(await own.call('one', 'tools/call', params))).toBe('Echo: hi');
    first.kill();
    await once(first, 'close');
    expect((await own.call('one', 'tools/call', params)).error?.code).toBe(-31002);
    const second = await start();
    onTestFinished(() => void second.kill());
    expect(textOf(await own.call('one', 'tools/call', params))).toBe('Echo: hi');
  });
});

async function connect(url: string, capabilities = {}): Promise<Client> {
  const client = new Client({ name: 'journey', version: '1' }, { capabilities });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)) as Parameters<Client['connect']>[0]);
  onTestFinished(() => client.close());
  return client;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
