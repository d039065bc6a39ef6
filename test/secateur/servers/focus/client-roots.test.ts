import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/secateur-cli.ts';
import { type SecateurProcess, startSecateur } from '../../../support/secateur-process.ts';

describe('[F15] the focus tools over HTTP', () => {
  const own = mkdtempSync(join(tmpdir(), 'secateur-own-'));
  let server: SecateurProcess;
  beforeAll(async () => {
    const root = project('the server', own);
    server = await startSecateur(['focus', '--root', root]);
  });
  afterAll(async () => {
    await server.stop();
    rmSync(own, { recursive: true });
  });

  async function connect(roots?: () => string[] | Promise<string[]>) {
    const capabilities = roots === undefined ? {} : { roots: { listChanged: true } };
    const client = new Client({ name: 'editor', version: '1' }, { capabilities });
    let asked = 0;
    if (roots !== undefined)
      client.setRequestHandler(ListRootsRequestSchema, async () => {
        asked += 1;
        return { roots: (await roots()).map((uri) => ({ uri })) };
      });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)) as Transport);
    const text = async (name: string, args: Record<string, unknown>) => {
      const { content } = await client.callTool({ name, arguments: args });
      return (content as { text: string }[])[0]?.text;
    };
    return { client, text, timesAsked: () => asked };
  }

  it('the focus tools work in the root of each client, and request the root of a client only once', async () => {
    const [first, second] = [project('first'), project('second')];
    const one = await connect(() => [pathToFileURL(first).href]);
    const two = await connect(() => [pathToFileURL(second).href]);
    expect(await one.text('read', { path: 'name.txt' })).toBe('1│ first');
    expect(await two.text('read', { path: `${second}/name.txt` })).toBe('1│ second');
    expect(await one.text('bash', { cmd: 'pwd -P' })).toContain(realpathSync(first));
    expect(await two.text('grep', { pattern: 'o', paths: ['.'] })).toBe('name.txt:1:second');
    expect([one.timesAsked(), two.timesAsked()]).toEqual([1, 1]);
    await expect(one.text('read', { path: `${second}/name.txt` })).rejects.toThrow(
      'within the root directory',
    );
    await Promise.all([one.client.close(), two.client.close()]);
  });

  it('the focus tools request the roots again after a client reported a change', async () => {
    const [before, after] = [project('before'), project('after')];
    let root = before;
    const { client, text } = await connect(() => [pathToFileURL(root).href]);
    expect(await text('read', { path: 'name.txt' })).toBe('1│ before');
    root = after;
    await client.sendRootsListChanged();
    expect(await text('read', { path: 'name.txt' })).toBe('1│ after');
    await client.close();
  });

  it('the focus tools request the roots again if a call was cancelled before its client had responded', async () => {
    const folder = project('mine');
    const left = new AbortController();
    let asked = 0;
    const { client, text } = await connect(() => {
      asked += 1;
      if (asked > 1) return [pathToFileURL(folder).href];
      left.abort();
      return new Promise<string[]>(() => {});
    });
    const given = client.callTool({ name: 'read', arguments: { path: 'name.txt' } }, undefined, {
      signal: left.signal,
    });
    await expect(given).rejects.toThrow();
    await expect.poll(() => text('read', { path: 'name.txt' })).toBe('1│ mine');
    await client.close();
  });

  it.each<[string, (() => string[]) | undefined]>([
    ['offers no roots', undefined],
    ['names none', () => []],
    ['names one this machine does not have', () => ['file:///nowhere/at/all']],
    ['names something else', () => ['https://example.org/', 'not a URI']],
    [
      'fails',
      () => {
        throw new Error('no');
      },
    ],
  ])('the focus tools work in --root for a client that %s', async (_what, roots) => {
    const { client, text } = await connect(roots);
    expect(await text('read', { path: 'name.txt' })).toBe('1│ the server');
    await client.close();
  });
});

/** Creates a folder with one file that contains the name of the folder. */
function project(name: string, folder = temporaryFolder()): string {
  writeFileSync(join(folder, 'name.txt'), `${name}\n`);
  return folder;
}
