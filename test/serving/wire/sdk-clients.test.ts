import { fileURLToPath } from 'node:url';
import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as OldTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterEach, describe, expect, test } from 'vitest';
import { serveEcho } from './serve-echo.ts';

const program = {
  command: process.execPath,
  args: ['--import', 'tsx', fileURLToPath(new URL('./echo-stdio.ts', import.meta.url))],
};
const info = { name: 'test', version: '1' };

interface Connected {
  readonly client: Pick<Client, 'listTools' | 'close'> & {
    callTool(params: { name: string; arguments: object }, options?: CallOptions): Promise<unknown>;
  };
  readonly era: string | undefined;
}

interface CallOptions {
  onprogress?: (progress: unknown) => void;
  signal?: AbortSignal;
}

const open: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

async function connectNew(mode: VersionNegotiationMode, carrier: 'http' | 'stdio'): Promise<Connected> {
  const client = new Client(info, { versionNegotiation: { mode } });
  const url = carrier === 'http' ? new URL(`${(await serveEcho()).url}/mcp`) : undefined;
  await client.connect(
    url === undefined ? new StdioClientTransport(program) : new StreamableHTTPClientTransport(url),
  );
  open.push(client);
  return { client: client as unknown as Connected['client'], era: client.getNegotiatedProtocolVersion() };
}

async function connectOld(carrier: 'http' | 'stdio'): Promise<Connected> {
  const client = new OldClient(info);
  const url = carrier === 'http' ? new URL(`${(await serveEcho()).url}/mcp`) : undefined;
  const transport =
    url === undefined ? new OldStdioTransport(program) : (new OldHttpTransport(url) as OldTransport);
  await client.connect(transport);
  open.push(client);
  const callTool: Connected['client']['callTool'] = (params, options) =>
    client.callTool(
      params as { name: string; arguments: Record<string, unknown> },
      undefined,
      options as object,
    );
  return {
    client: { listTools: () => client.listTools() as never, callTool, close: () => client.close() },
    era: '2025-11-25',
  };
}

const connections: Array<[string, string, () => Promise<Connected>]> = [
  ['SDK v1 over HTTP', '2025-11-25', () => connectOld('http')],
  ['SDK v1 over stdio', '2025-11-25', () => connectOld('stdio')],
  ['SDK v2, handshake, over HTTP', '2025-11-25', () => connectNew('legacy', 'http')],
  ['SDK v2, handshake, over stdio', '2025-11-25', () => connectNew('legacy', 'stdio')],
  ['SDK v2, choosing itself, over HTTP', '2026-07-28', () => connectNew('auto', 'http')],
  ['SDK v2, choosing itself, over stdio', '2026-07-28', () => connectNew('auto', 'stdio')],
  ['SDK v2 at 2026-07-28 over HTTP', '2026-07-28', () => connectNew({ pin: '2026-07-28' }, 'http')],
  ['SDK v2 at 2026-07-28 over stdio', '2026-07-28', () => connectNew({ pin: '2026-07-28' }, 'stdio')],
];

describe.each(connections)('%s', (_, version, connect) => {
  test(`[P6] [W1] [W14] the SDK client uses ${version}: tools, calls, errors, progress, cancellation`, async () => {
    const { client, era } = await connect();
    expect(era).toBe(version);

    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['echo', 'fail', 'slow']);

    const echoed = await client.callTool({ name: 'echo', arguments: { text: 'hé' } });
    expect(echoed).toMatchObject({ content: [{ type: 'text', text: 'hé' }] });

    await expect(client.callTool({ name: 'fail', arguments: { how: 'known' } })).rejects.toMatchObject({
      code: -32004,
      message: expect.stringContaining('thing_not_found'),
      data: { code: 'thing_not_found', thing: 7, hint: 'Look again.' },
    });
    await expect(client.callTool({ name: 'echo', arguments: { text: 1, colour: 2 } })).rejects.toMatchObject({
      code: -32602,
      data: { field_errors: [{ field: 'text', message: 'must be a string' }, { field: 'colour' }] },
    });
    await expect(client.callTool({ name: 'fail', arguments: { how: 'bug' } })).rejects.toMatchObject({
      code: -32603,
      message: expect.not.stringContaining('hunter2'),
    });

    await expect(client.callTool({ name: 'fail', arguments: { how: 'unprintable' } })).rejects.toThrow();

    const seen: unknown[] = [];
    // The clients forget progress that comes in one piece with the answer, so the tool waits a little.
    const slow = { name: 'slow', arguments: { steps: 3, wait_ms: 200 } };
    await client.callTool(slow, { onprogress: (progress) => seen.push(progress) });
    expect(seen).toMatchObject([{ progress: 1 }, { progress: 2 }, { progress: 3, total: 3 }]);

    const stop = new AbortController();
    const waiting = client.callTool(
      { name: 'slow', arguments: { steps: 0, wait_ms: 60_000 } },
      { signal: stop.signal },
    );
    setTimeout(() => stop.abort(), 50);
    await expect(waiting).rejects.toThrow();
    // The connection still works after a cancelled call.
    expect(await client.callTool({ name: 'echo', arguments: { text: 'x' } })).toMatchObject({
      content: [{ text: 'x' }],
    });
  });
});
