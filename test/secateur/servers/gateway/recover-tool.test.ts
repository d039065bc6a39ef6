import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { systemClock } from '../../../../packages/base/src/runtime/time.ts';
import { type Recovered, recoverTextTool } from '../../../../packages/engine/src/recover-text.ts';
import { createRecovery } from '../../../../packages/engine/src/recovery/recovery.ts';
import { MemoryStore } from '../../../../packages/engine/src/recovery/stores/memory.ts';
import { readUpstreamAnswer } from '../../../../packages/secateur/src/servers/gateway/answer.ts';
import { InjectedRecoverTool } from '../../../../packages/secateur/src/servers/gateway/answer-edit.ts';
import { readClientMessage } from '../../../../packages/secateur/src/servers/gateway/client-call.ts';

async function start() {
  const store = new MemoryStore({ ttlMs: 600_000, maxBytes: 1 << 20, clock: systemClock, randomBytes });
  const recovery = createRecovery({ store, randomBytes });
  const recovered: Recovered[] = [];
  const onRecovered = (each: Recovered) => void recovered.push(each);
  const tool = new InjectedRecoverTool(recoverTextTool({ recovery, onRecovered }));
  const { id } = await recovery.remember('one\ntwo\nthree', []);
  return { tool, recovered, id };
}

/** The upstream's answer to `tools/list` as its client gets it. */
async function listed(tool: InjectedRecoverTool, result: unknown, params = {}) {
  const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
  const after = await tool.addTo(readUpstreamAnswer(bytes, '1'), params);
  const { tools } = (JSON.parse(after.toString()).result ?? {}) as { tools: { name: string }[] };
  return { isSame: after === bytes, tools };
}

const named = (...names: string[]) => ({ tools: names.map((name) => ({ name })) });

/** Returns the gateway's own response to a call of its recovery tool. */
async function call(tool: InjectedRecoverTool, fields: object, headers = {}) {
  const message = { jsonrpc: '2.0', id: 1e21, method: 'tools/call', ...fields };
  const text = await tool.answer({
    ...({ verb: 'POST', body: Buffer.alloc(0), acceptsEvents: false, client: 'editor' } as const),
    headers,
    message: readClientMessage(Buffer.from(JSON.stringify(message))),
    signal: new AbortController().signal,
  });
  return text === undefined ? undefined : JSON.parse(text);
}

const asking = (prune_id: string, start_line: number, name = 'recover_text') => ({
  params: {
    name,
    arguments: { prune_id, ranges: [{ start_line, end_line: start_line }], include_line_numbers: false },
  },
});

it('[G16] the recovery tool has the first of its possible names that no upstream tool has', async () => {
  const { tool, id } = await start();
  expect((await listed(tool, named('read'))).tools).toMatchObject([
    { name: 'read' },
    { name: 'recover_text', inputSchema: { type: 'object' } },
  ]);
  const taken = await listed(tool, named('recover_text', 'secateur_recover_text'));
  expect(taken.tools[2]?.name).toBe('secateur_gateway_recover_text');
  expect(tool.name).toBe('secateur_gateway_recover_text');
  expect(await call(tool, asking(id, 1))).toBeUndefined();
  expect(await call(tool, asking(id, 1, tool.name))).toMatchObject({ result: { content: [{}] } });
});

it('[G16] the recovery tool chooses its name after all pages of tools were read, and again when the first page is read again', async () => {
  const { tool } = await start();
  const first = await listed(tool, { ...named('recover_text'), nextCursor: 'x' });
  expect(first.isSame).toBe(true);
  const last = await listed(tool, named('read'), { cursor: 'x' });
  expect(last.tools.map(({ name }) => name)).toEqual(['read', 'secateur_recover_text']);
  expect((await listed(tool, named('read'))).tools[1]?.name).toBe('recover_text');
});

it('[G16] the recovery tool returns a result that is not a list of tools unchanged, and keeps malformed items of a list', async () => {
  const { tool } = await start();
  for (const result of [null, { tools: { name: 'recover_text' } }, 'none'])
    expect((await listed(tool, result)).isSame).toBe(true);
  expect((await listed(tool, { tools: [null, 7] })).tools).toMatchObject([null, 7, { name: 'recover_text' }]);
});

it('[G16] the recovery tool returns lines with the id of the call, and reports the client that received them', async () => {
  const { tool, id, recovered } = await start();
  const answer = await call(tool, asking(id, 2));
  expect(answer).toMatchObject({ jsonrpc: '2.0', id: 1e21 });
  expect(JSON.parse(answer.result.content[0].text).raw_text).toBe('two');
  expect(answer.result).not.toHaveProperty('resultType');
  expect(recovered).toEqual([{ pruneId: id, text: 'two', client: 'editor' }]);
  const modern = await call(tool, asking(id, 2), { 'mcp-protocol-version': '2026-07-28' });
  expect(modern.result.resultType).toBe('complete');
});

it('[G16] before tools/list, a call that the recovery tool cannot serve is forwarded to the upstream', async () => {
  const { tool, id } = await start();
  const unknown = asking(`prn_${'0'.repeat(26)}`, 1);
  expect(await call(tool, unknown)).toBeUndefined();
  expect(await call(tool, { params: { name: 'recover_text' } })).toBeUndefined();
  // The gateway stored the text, so it answers the call itself.
  expect(await call(tool, asking(id, 9))).toMatchObject({ id: 1e21, error: { code: -32005 } });
  await listed(tool, named('read'));
  expect(await call(tool, unknown)).toMatchObject({ id: 1e21, error: { code: -32004 } });
  expect(await call(tool, { params: { name: 'recover_text' } })).toMatchObject({ error: { code: -32602 } });
});

it('[G16] the recovery tool responds only to calls of its own name', async () => {
  const { tool, id } = await start();
  expect(await call(tool, { ...asking(id, 1), method: 'prompts/get' })).toBeUndefined();
  expect(await call(tool, { ...asking(id, 1), id: undefined })).toBeUndefined();
  expect(await call(tool, asking(id, 1, 'read'))).toBeUndefined();
});
