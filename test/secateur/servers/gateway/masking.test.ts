import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createRecovery } from '../../../../packages/engine/src/recovery/recovery.ts';
import type { RecoveryStore } from '../../../../packages/engine/src/recovery/store.ts';
import { applyObservationMasking } from '../../../../packages/secateur/src/masking/mask.ts';
import type { SavingsEntry } from '../../../../packages/secateur/src/savings/ledger.ts';
import {
  answering,
  numberedLines,
  type RpcAnswer,
  startGateway,
  startUpstream,
  textOf,
} from '../../../support/gateway.ts';

const long = numberedLines(5000);
const PRUNE_ID = /prn_[0-9A-Z]{10,26}/;

function metaOf(answer: RpcAnswer): Array<{ prune_id: string; path: string; original_chars: number }> {
  const meta = answer.result?._meta as Record<string, unknown>;
  return meta['secateur/masked'] as Array<{ prune_id: string; path: string; original_chars: number }>;
}

it('[G12] the gateway masks a long tool result', async () => {
  const upstream = await startUpstream(answering({ content: [{ type: 'text', text: long }] }));
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  const answer = await gateway.call('files', 'tools/call', { name: 'read' });
  expect(textOf(answer)).toBe(applyObservationMasking(long));
});

it('[A17] the gateway returns results unchanged while shortening is switched off', async () => {
  const upstream = await startUpstream(answering({ content: [{ type: 'text', text: long }] }));
  let isOff = true;
  const gateway = await startGateway({ servers: { files: { url: upstream.url } }, isOff: () => isOff });
  const answered = async () => textOf(await gateway.call('files', 'tools/call', { name: 'read' }));
  expect(await answered()).toBe(long);
  isOff = false;
  expect(await answered()).toBe(applyObservationMasking(long));
});

it('[G22] the gateway applies the limits of a tool only to results of that tool', async () => {
  const upstream = await startUpstream(answering({ content: [{ type: 'text', text: long }] }));
  const tools = { each: { read: { maxChars: 0 }, list: { maxChars: 100, headChars: 10, tailChars: 10 } } };
  const gateway = await startGateway({ servers: { files: { url: upstream.url, tools } } });
  const answered = async (name: string) => textOf(await gateway.call('files', 'tools/call', { name }));
  expect(await answered('read')).toBe(long);
  expect(await answered('list')).toBe(
    applyObservationMasking(long, { maxChars: 100, headChars: 10, tailChars: 10 }),
  );
  expect(await answered('other')).toBe(applyObservationMasking(long));
  expect(await answered('constructor')).toBe(applyObservationMasking(long));
});

it('[G12] the gateway does not shorten handshakes, tool schemas and cursors', async () => {
  const result = {
    nextCursor: long,
    tools: [{ name: 'a', description: long, inputSchema: { description: long } }],
  };
  const upstream = await startUpstream(answering(result));
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  for (const method of ['initialize', 'tools/list', 'server/discover']) {
    expect((await gateway.call('files', method)).result).toEqual(result);
  }
});

it('[G13] the gateway returns a screenshot of 300 kB byte for byte as a picture', async () => {
  const picture = { type: 'image', data: randomBytes(300_000).toString('base64'), mimeType: 'image/png' };
  const result = { content: [{ type: 'text', text: 'Here it is' }, picture] };
  const upstream = await startUpstream(answering(result));
  const gateway = await startGateway({ servers: { browser: { url: upstream.url } } });
  expect((await gateway.call('browser', 'tools/call', { name: 'screenshot' })).result).toEqual(result);
});

it('[G13] the gateway replaces a picture above max_media_bytes of its tool by a text block with the setting name', async () => {
  const picture = { type: 'image', data: randomBytes(30_000).toString('base64'), mimeType: 'image/png' };
  const upstream = await startUpstream(answering({ content: [picture] }));
  const tools = { each: { screenshot: { maxMediaBytes: 20_000 } } };
  const gateway = await startGateway({ servers: { browser: { url: upstream.url, tools } } });
  const answer = await gateway.call('browser', 'tools/call', { name: 'screenshot' });
  expect(textOf(answer)).toContain('image/png as base64, 30000 bytes, over max_media_bytes = 20000');
  expect((await gateway.call('browser', 'tools/call', { name: 'other' })).result?.content).toEqual([picture]);
});

it('[G15] the gateway forwards a body of max_chars bytes byte for byte', async () => {
  const head = '{ "jsonrpc": "2.0", "id": 1, "result": {"n": 12345678901234567890, "content": [{"text":"';
  const body = `${head}${'x'.repeat(4000 - head.length - 5)}"}]}}`;
  expect(Buffer.byteLength(body)).toBe(4000);
  const upstream = await startUpstream((_, response) => response.end(body));
  const gateway = await startGateway({
    servers: { files: { url: upstream.url, headChars: 10, tailChars: 10 } },
  });
  const response = await gateway.post('files', { jsonrpc: '2.0', id: 1, method: 'tools/call' });
  expect(await response.text()).toBe(body);
});

it('[G15] the gateway forwards a long body without long strings byte for byte', async () => {
  const body = `{"jsonrpc":"2.0","id":1,"result":{"rows":[${'12345678901234567890, '.repeat(900)}0]}}`;
  const upstream = await startUpstream((_, response) => response.end(body));
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  const response = await gateway.post('files', { jsonrpc: '2.0', id: 1, method: 'tools/call' });
  expect(await response.text()).toBe(body);
});

it('[G10] the gateway keeps all digits of a number if another part of the response is masked', async () => {
  const body = `{"jsonrpc":"2.0","id":1,"result":{"big":12345678901234567890,"content":[{"type":"text","text":${JSON.stringify(long)}}]}}`;
  const upstream = await startUpstream((_, response) => response.end(body));
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  const response = await gateway.post('files', { jsonrpc: '2.0', id: 1, method: 'tools/call' });
  expect(await response.text()).toContain('"big":12345678901234567890,');
});

it('[G16] a masked result lists the masked strings and the call that recovers them, and recover_text returns the lines', async () => {
  const upstream = await startUpstream(answering({ content: [{ type: 'text', text: long }] }));
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  const answer = await gateway.call('files', 'tools/call', { name: 'read' });
  const [entry, ...others] = metaOf(answer);
  expect(others).toEqual([]);
  expect(entry).toEqual({
    prune_id: expect.stringMatching(PRUNE_ID),
    path: '/content/0/text',
    original_chars: long.length,
  });
  expect(answer.result?.content).toHaveLength(2);
  const notice = textOf(answer, 1);
  const example = JSON.parse(notice.slice(notice.indexOf('{'), notice.indexOf('}.') + 1)) as object;
  expect(example).toMatchObject({ prune_id: entry?.prune_id });
  const recovered = await gateway.call('files', 'tools/call', {
    name: 'recover_text',
    arguments: { ...example, ranges: [{ start_line: 2500, end_line: 2501 }], include_line_numbers: false },
  });
  expect(JSON.parse(textOf(recovered))).toMatchObject({
    raw_text: long.split('\n').slice(2499, 2501).join('\n'),
  });
  expect(upstream.seen).toHaveLength(1);
});

it('[G16] recover_text returns the result format of the newest revision to clients of that revision', async () => {
  const upstream = await startUpstream(answering({ content: [{ type: 'text', text: long }] }));
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  const answer = await gateway.call('files', 'tools/call', { name: 'read' });
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const recovered = await gateway.call('files', 'tools/call', {
    _meta: meta,
    name: 'recover_text',
    arguments: {
      prune_id: metaOf(answer)[0]?.prune_id,
      ranges: [{ start_line: 1, end_line: 1 }],
      include_line_numbers: true,
    },
  });
  expect(recovered.result).toMatchObject({ resultType: 'complete' });
});

it('[G16] the notice in a masked result states the numbers of the hidden lines', async () => {
  const upstream = await startUpstream(answering({ content: [{ type: 'text', text: long }] }));
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  const answer = await gateway.call('files', 'tools/call', { name: 'read' });
  const [head = '', tail = ''] = textOf(answer).split(/\n\.\.\. \[.*\] \.\.\.\n/);
  const lastInHead = Number(/line (\d+)/g.exec(head.slice(head.lastIndexOf('line')))?.[1]);
  const firstWhole = Number(/\nline (\d+)/.exec(tail)?.[1]);
  expect(textOf(answer, 1)).toContain(`5000 lines, hidden: ${lastInHead}-${firstWhole - 1}`);
});

it('[G16] the gateway stores a repeated text once, and also writes the recovery hint into structured content', async () => {
  const result = { content: [{ type: 'text', text: long }], structuredContent: { content: long } };
  const upstream = await startUpstream(answering(result));
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  const answer = await gateway.call('files', 'tools/call', { name: 'read' });
  const ids = metaOf(answer).map((each) => each.prune_id);
  expect(ids[0]).toBe(ids[1]);
  const structured = answer.result?.structuredContent as { content: string };
  expect(Object.keys(structured)).toEqual(['content']);
  expect(structured.content).toContain(`recover_text prune_id=${ids[0]}`);
  expect(structured.content.endsWith(long.slice(-2000))).toBe(true);
});

it('[G16] the gateway adds the notice to resources and prompts, and keeps existing metadata', async () => {
  const upstream = await startUpstream((seen, response) => {
    const { method } = JSON.parse(seen.body) as { method: string };
    const results: Record<string, unknown> = {
      'resources/read': { contents: [{ uri: 'file:///a', text: long }], _meta: { mine: 1 } },
      'prompts/get': { messages: [{ role: 'user', content: { type: 'text', text: long } }] },
    };
    answering(results[method])(seen, response);
  });
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  const read = await gateway.call('files', 'resources/read', { uri: 'file:///a' });
  expect(read.result?._meta).toMatchObject({ mine: 1, 'secateur/masked': [{ path: '/contents/0/text' }] });
  expect(read.result?.contents).toHaveLength(2);
  const prompt = await gateway.call('files', 'prompts/get', { name: 'p' });
  expect(prompt.result?.messages).toHaveLength(2);
});

it.each([
  ['object', { trace: long }],
  ['string', long],
  ['list', [long]],
])('[G16] the gateway masks long error data (%s) and adds a prune id', async (_, data) => {
  const upstream = await startUpstream((__, response) =>
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -1, message: 'm', data } })),
  );
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  const { error } = await gateway.call('files', 'foo/bar');
  const text = JSON.stringify(error?.data);
  expect(text.length).toBeLessThan(6000);
  expect(text).toMatch(PRUNE_ID);
  expect(text).toContain('KIMI_PROXY_OBSERVATION_MASKED');
  expect(error).toMatchObject({ code: -1, message: 'm' });
});

it('[G16] the gateway adds recover_text to the tools of the upstream', async () => {
  const upstream = await startUpstream(answering({ tools: [{ name: 'read', inputSchema: { maximum: 1 } }] }));
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  const { result } = await gateway.call('files', 'tools/list');
  expect(result?.tools).toMatchObject([
    { name: 'read', inputSchema: { maximum: 1 } },
    { name: 'recover_text', inputSchema: { required: ['prune_id', 'ranges', 'include_line_numbers'] } },
  ]);
});

it('[G16] the gateway adds recover_text only to the last page of tools', async () => {
  const upstream = await startUpstream((seen, response) => {
    const { params } = JSON.parse(seen.body) as { params: { cursor?: string } };
    const last = { tools: [{ name: 'b' }] };
    answering(params.cursor === undefined ? { tools: [{ name: 'a' }], nextCursor: 'x' } : last)(
      seen,
      response,
    );
  });
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  expect((await gateway.call('files', 'tools/list')).result?.tools).toHaveLength(1);
  expect((await gateway.call('files', 'tools/list', { cursor: 'x' })).result?.tools).toHaveLength(2);
});

it('[G16] the gateway gives its tool another name if the upstream has a recover_text, and forwards calls of the tool of the upstream', async () => {
  const upstream = await startUpstream((seen, response) => {
    const { method } = JSON.parse(seen.body) as { method: string };
    const tools = { tools: [{ name: 'recover_text' }] };
    answering(method === 'tools/list' ? tools : { content: [{ type: 'text', text: 'theirs' }] })(
      seen,
      response,
    );
  });
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  expect(textOf(await gateway.call('files', 'tools/call', { name: 'recover_text' }))).toBe('theirs');
  const { result } = await gateway.call('files', 'tools/list');
  expect(result?.tools).toMatchObject([{ name: 'recover_text' }, { name: 'secateur_recover_text' }]);
  expect(textOf(await gateway.call('files', 'tools/call', { name: 'recover_text' }))).toBe('theirs');
  const unknown = { prune_id: `prn_${'0'.repeat(26)}`, ranges: [{ start_line: 1, end_line: 1 }] };
  const own = await gateway.call('files', 'tools/call', {
    name: 'secateur_recover_text',
    arguments: { ...unknown, include_line_numbers: false },
  });
  expect(own.error).toMatchObject({ code: -32004, data: { code: 'prune_id_not_found' } });
});

it('[G16] the gateway adds no tool if inject_recover_tool is false', async () => {
  const upstream = await startUpstream(answering({ tools: [] }));
  const gateway = await startGateway({ servers: { files: { url: upstream.url, injectRecoverTool: false } } });
  expect((await gateway.call('files', 'tools/list')).result).toEqual({ tools: [] });
  await gateway.call('files', 'tools/call', { name: 'recover_text' });
  expect(upstream.seen).toHaveLength(2);
});

it('[G16] the gateway does not mask a text that cannot be stored', async () => {
  const upstream = await startUpstream(answering({ content: [{ type: 'text', text: long }] }));
  const full: RecoveryStore = {
    idKey: async () => randomBytes(32),
    put: () => Promise.reject(new Error('full')),
    putNew: () => Promise.reject(new Error('full')),
    forget: async () => false,
    get: async () => undefined,
    close: async () => {},
  };
  const recovery = createRecovery({ store: full, randomBytes });
  const gateway = await startGateway({ servers: { files: { url: upstream.url } }, recovery });
  const answer = await gateway.call('files', 'tools/call', { name: 'read' });
  expect(answer.result).toEqual({ content: [{ type: 'text', text: long }] });
});

it('[G12] the gateway masks each event before the stream has ended', async () => {
  const result = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: long }] } };
  let finish: () => void = () => {};
  const upstream = await startUpstream((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n');
    response.write(`id: 9\nevent: message\ndata: ${JSON.stringify(result)}\n\n`);
    finish = () => response.end(': bye\n\n');
  });
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  const response = await gateway.post(
    'files',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read' } },
    { accept: 'text/event-stream' },
  );
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes('secateur/masked')) finish();
  }
  expect(text).toMatch(
    /^data: \{"jsonrpc":"2.0","method":"notifications\/progress"\}\n\nid: 9\nevent: message\ndata: /,
  );
  expect(text).toContain('KIMI_PROXY_OBSERVATION_MASKED');
  expect(text.endsWith('\n\n: bye\n\n')).toBe(true);
  expect(text.length).toBeLessThan(6000);
});

it('[AU1] the ledger records saved and recovered tokens with server and client', async () => {
  const entries: Array<Omit<SavingsEntry, 'at'>> = [];
  const upstream = await startUpstream(answering({ content: [{ type: 'text', text: long }] }));
  const gateway = await startGateway({
    servers: { files: { url: upstream.url } },
    ledger: { record: (entry) => void entries.push(entry) },
  });
  const answer = await gateway.call('files', 'tools/call', { name: 'read' });
  await gateway.call('files', 'tools/call', {
    name: 'recover_text',
    arguments: {
      prune_id: metaOf(answer)[0]?.prune_id,
      ranges: [{ start_line: 1, end_line: 9 }],
      include_line_numbers: false,
    },
  });
  expect(entries).toMatchObject([
    {
      kind: 'masked',
      system: 'gateway',
      server: 'files',
      client: 'node',
      tool: 'read',
      pruneId: expect.any(String),
    },
    { kind: 'recovered', system: 'gateway', server: 'files', tool: 'recover_text', tokensBefore: 0 },
  ]);
  expect(entries[0]?.tokensBefore).toBeGreaterThan((entries[0]?.tokensAfter ?? 0) * 10);
});

it('[G16] recover_text returns a text of one huge line in parts, as the notice explains', async () => {
  const line = Array.from({ length: 3000 }, (_, index) => `{"n":${index}}`).join(',');
  const upstream = await startUpstream(answering({ content: [{ type: 'text', text: line }] }));
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  const masked = await gateway.call('files', 'tools/call', { name: 'read' });
  const content = masked.result?.content as { text: string }[] | undefined;
  const notice = content?.at(-1)?.text ?? '';
  expect(notice).toContain(`hidden: 1-1 (characters 2001-${line.length - 2000} of the first of them)`);
  const example = JSON.parse(/with (\{.*\})\.\n/.exec(notice)?.[1] ?? '') as Record<string, unknown>;
  const recovered = await gateway.call('files', 'tools/call', { name: 'recover_text', arguments: example });
  expect(JSON.parse(textOf(recovered))).toMatchObject({
    raw_text: line.slice(2000, 6000),
    metadata: {
      ranges: [{ start_line: 1, end_line: 1, start_char: 2001, end_char: 6000, total_chars: line.length }],
    },
  });
});

it('[G16] recover_text returns invalid_range with the number of characters if the requested characters do not exist', async () => {
  const upstream = await startUpstream(answering({ content: [{ type: 'text', text: 'x'.repeat(9000) }] }));
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  const [{ prune_id } = { prune_id: '' }] = metaOf(
    await gateway.call('files', 'tools/call', { name: 'read' }),
  );
  const ranges = [{ start_line: 1, end_line: 1, start_char: 9001 }];
  const recover = { name: 'recover_text', arguments: { prune_id, ranges, include_line_numbers: false } };
  const { error } = await gateway.call('files', 'tools/call', recover);
  expect(error).toMatchObject({ code: -32005, data: { code: 'invalid_range', max_char: 9000 } });
});

it('[G1] the gateway masks an event of several data lines to an event that clients can parse', async () => {
  const json = JSON.stringify(
    { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: long }] } },
    null,
    1,
  );
  const data = json.split('\n').map((line) => `data: ${line}\r\n`);
  const upstream = await startUpstream((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`id: 7\r\n${data.join('')}\r\n`);
  });
  const gateway = await startGateway({ servers: { files: { url: upstream.url } } });
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read' } };
  const response = await gateway.post('files', request, { accept: 'application/json, text/event-stream' });
  const lines = (await response.text()).trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toBe('id: 7');
  const answer = JSON.parse(lines[1]?.slice('data: '.length) ?? '') as RpcAnswer;
  expect(textOf(answer)).toBe(applyObservationMasking(long));
});
