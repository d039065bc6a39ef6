import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../../packages/base/src/runtime/event-log.ts';
import { systemClock } from '../../../../packages/base/src/runtime/time.ts';
import { recoverTextTool } from '../../../../packages/engine/src/recover-text.ts';
import { applyObservationMasking } from '../../../../packages/secateur/src/masking/mask.ts';
import {
  answerEdit,
  type EditDeps,
  InjectedRecoverTool,
  ToolFilter,
} from '../../../../packages/secateur/src/servers/gateway/answer-edit.ts';
import type { ClientCall } from '../../../../packages/secateur/src/servers/gateway/client-call.ts';

const ID = 'prn_00000000000000000000000000';
const limits = { maxChars: 200, headChars: 20, tailChars: 20, maxMediaBytes: 100, maxResultChars: 100_000 };

const CALL: ClientCall = {
  verb: 'POST',
  headers: {},
  body: Buffer.alloc(0),
  message: { kind: 'none' },
  acceptsEvents: false,
  signal: new AbortController().signal,
};

const PARTS: EditDeps = {
  server: 'files',
  limits,
  recovery: { remember: async () => ({ kind: 'stored', id: ID }) },
  prune: undefined,
  isOff: () => false,
  recoverTool: undefined,
  log: silentLog,
  clock: systemClock,
  onShortened: () => {},
};

const asking = (method: string, idText = '1'): ClientCall => ({
  ...CALL,
  message: { kind: 'request', idText, method, params: {}, text: '' },
});

function edit(idText = '1', method = 'tools/call') {
  return answerEdit(asking(method, idText), PARTS);
}

const NO_ANSWERS: Record<string, string | Buffer> = {
  'an HTML page': '<html><body>502 Bad Gateway</body></html>',
  nothing: '',
  'a list': '[{"jsonrpc":"2.0","id":1,"result":{}}]',
  'some other object': '{"foo":1}',
  'an error for another request': '{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"m"}}',
  'a request': '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  'a request that also has a result': '{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}',
  'a request with its name in escapes': '{"jsonrpc":"2.0","id":1,"m\\u0065thod":"ping","result":{}}',
  'an answer and more': '{"jsonrpc":"2.0","id":1,"result":{}}{"a":1}',
  'an answer cut off': '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"abc',
  'bytes that are not UTF-8': Buffer.from('{"jsonrpc":"2.0","id":1,"result":"caf\xe9"}', 'latin1'),
  'a line break inside a string': '{"jsonrpc":"2.0","id":1,"result":"a\nb"}',
};

describe('[G20] [G15] the response of an upstream', () => {
  it.each(Object.entries(NO_ANSWERS))('the gateway rejects %s as a response', async (_name, body) => {
    const refused = expect(edit().body(Buffer.from(body))).rejects;
    await refused.toMatchObject({ code: 'upstream_invalid_response' });
  });

  it.each(['2', '"1"', 'null', '{"a":1}'])(
    'the gateway rejects a response with the id 1 to the request %s',
    async (idText) => {
      const refused = expect(edit(idText).body(Buffer.from('{"id":1,"result":{}}'))).rejects;
      await refused.toMatchObject({
        code: 'upstream_invalid_response',
        message: expect.stringContaining('another'),
      });
    },
  );

  it.each([
    ['1', '{"jsonrpc":"2.0","id":1,"result":{}}'],
    ['1', ' {"id" : 1.0 , "result":null}\n'],
    ['12345678901234567890', '{"id":12345678901234567890,"result":{}}'],
    ['"é"', '{"id":"\\u00e9","result":{}}'],
    ['1', '{"id":null,"error":{"code":-32700,"message":"Parse error"}}'],
    ['1', '{"r\\u0065sult":1e400,"id":1}'],
  ])('[G15] the gateway returns the response to %s byte for byte: %s', async (idText, body) => {
    const bytes = Buffer.from(body);
    expect(await edit(idText).body(bytes)).toBe(bytes);
  });
});

describe('[G15] large responses of an upstream', () => {
  it('the gateway returns a large response unchanged if it contains no long string', async () => {
    const row = '{"n":12345678901234567890,"z":-0,"e":1E400,"s":"\\u00e9\\/\\ud800"}';
    const bytes = Buffer.from(`{"id":1,"result":{"rows":[${Array(500).fill(row).join(' ,\n')}]}}`);
    expect(await edit().body(bytes)).toBe(bytes);
  });

  it('the gateway returns a response unchanged even if it is nested 100,000 levels deep', async () => {
    const bytes = Buffer.from(`{"id":1,"result":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    expect(await edit().body(bytes)).toBe(bytes);
  });

  it('[G20] the gateway rejects a response that is nested too deeply and contains a long string, and does not crash', async () => {
    const deep = `${'['.repeat(100_000)}"${'x'.repeat(300)}"${']'.repeat(100_000)}`;
    const refused = expect(edit().body(Buffer.from(`{"id":1,"result":${deep}}`))).rejects;
    await refused.toMatchObject({ code: 'upstream_invalid_response' });
  });
});

const LONG = 'abcd\n'.repeat(100);
const event = (data: string) => ({ raw: Buffer.from(`id: 7\ndata: ${data}\n\n`) });

describe('[G12] events of an upstream', () => {
  it.each([
    ['a comment', ': still busy\n\n', 'other'],
    ['news', event('{"jsonrpc":"2.0","method":"notifications/progress"}').raw, 'other'],
    ['a question of the server', event('{"id":1,"method":"ping","result":{}}').raw, 'other'],
    ['neither an answer nor a call', event('{"id":1}').raw, 'other'],
    ['no JSON', event('hello').raw, 'other'],
    ['the answer', event('{"id":1,"result":{}}').raw, 'answer'],
    ['the answer, its id written otherwise', event('{"id":1.0,"result":{}}').raw, 'answer'],
    ['an error that names no request', event('{"id":null,"error":{"code":1,"message":"m"}}').raw, 'answer'],
    ['the response to another call', event('{"id":2,"result":{}}').raw, 'foreign'],
    ['a result that names no request', event('{"id":null,"result":{}}').raw, 'foreign'],
    ['the long response to another call', event(JSON.stringify({ id: 2, result: LONG })).raw, 'foreign'],
  ])('the gateway returns %s unchanged and gives the event the correct role', async (_name, raw, role) => {
    const given = { raw: Buffer.from(raw) };
    const edited = await edit().event(given);
    expect(edited.role).toBe(role);
    expect(edited.event).toBe(given);
  });

  it('the gateway shortens a long response in an event and keeps the other fields of the event', async () => {
    const given = event(JSON.stringify({ id: 1, result: { content: [LONG] } }));
    const edited = await edit().event(given);
    expect(edited.role).toBe('answer');
    const [, idLine, json = ''] = /^(id: 7)\ndata: (.*)\n\n$/.exec(edited.event.raw.toString()) ?? [];
    expect(idLine).toBe('id: 7');
    expect(JSON.parse(json).result.content[0]).toBe(applyObservationMasking(LONG, limits));
  });

  it('the gateway returns a long event without a long string in its content unchanged', async () => {
    const given = event(JSON.stringify({ id: 1, result: { _meta: LONG } }));
    expect((await edit().event(given)).event).toBe(given);
  });
});

describe('[G12] an event stream without a request', () => {
  const resumed = answerEdit({ ...CALL, verb: 'GET' }, PARTS);
  const isShortened = async (result: unknown, to = resumed) => {
    const given = event(JSON.stringify({ id: 7, result }));
    const edited = await to.event(given);
    expect(edited.role).toBe('answer');
    return edited.event !== given;
  };

  it('the gateway shortens a response in a resumed stream if it looks like the result of a tool, resource or prompt', async () => {
    expect(await isShortened({ content: [LONG] })).toBe(true);
    expect(await isShortened({ contents: [{ uri: 'a', text: LONG }] })).toBe(true);
    expect(await isShortened({ messages: [LONG] })).toBe(true);
    for (const result of [{ tools: [LONG] }, { content: LONG }, LONG, [LONG]])
      expect(await isShortened(result)).toBe(false);
  });

  it('in the event stream of a call, the gateway decides by the method of the call and not by the form of the result', async () => {
    expect(await isShortened({ content: [LONG] }, answerEdit(CALL, PARTS))).toBe(false);
  });
});

describe('[G16] [T8] the result of tools/list', () => {
  const recovery = { maxRecoveredBytes: 1 } as Parameters<typeof recoverTextTool>[0]['recovery'];
  const recoverTool = () => new InjectedRecoverTool(recoverTextTool({ recovery }));
  const toolFilter = new ToolFilter({
    tools: { deny: ['delete_*'] },
    callerRules: () => undefined,
    isOwn: (name) => name === 'recover_text',
    onShortened: () => {},
  });
  const names = async (parts: Partial<EditDeps>, method = 'tools/list') => {
    const bytes = Buffer.from('{"id":1,"result":{"tools":[{"name":"read"},{"name":"delete_file"}]}}');
    const edited = await answerEdit(asking(method), { ...PARTS, ...parts }).body(bytes);
    const { tools } = JSON.parse(edited.toString()).result as { tools: { name: string }[] };
    return tools.map(({ name }) => name);
  };

  it('the result of tools/list is filtered, gets the recovery tool, or both', async () => {
    expect(await names({})).toEqual(['read', 'delete_file']);
    expect(await names({ recoverTool: recoverTool() })).toEqual(['read', 'delete_file', 'recover_text']);
    expect(await names({ toolFilter })).toEqual(['read']);
    expect(await names({ recoverTool: recoverTool(), toolFilter })).toEqual(['read', 'recover_text']);
    expect(await names({ toolFilter }, 'tools/other')).toEqual(['read', 'delete_file']);
  });

  it('the result of tools/list gets the recovery tool in an event stream, too', async () => {
    const given = event('{"id":1,"result":{"tools":[]}}');
    const parts = { ...PARTS, recoverTool: recoverTool() };
    const edited = await answerEdit(asking('tools/list'), parts).event(given);
    expect(edited.event.raw.toString()).toContain('recover_text');
  });
});

it('[G16] the notice in a shortened response uses the recovery tool name that tools/list shows', async () => {
  const parts = {
    ...PARTS,
    recoverTool: new InjectedRecoverTool(recoverTextTool({ recovery: {} as never })),
  };
  const body = Buffer.from(JSON.stringify({ id: 1, result: { content: [LONG] } }));
  const edited = (await answerEdit(asking('tools/call'), parts).body(body)).toString();
  expect(edited).toContain('To read hidden lines call recover_text with');
});

describe('any response of an upstream', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.string({ unit: 'binary', minLength: 190, maxLength: 400 }),
  );
  const value = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, text, fc.jsonValue(), tie('list'), tie('members')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    members: fc.dictionary(
      fc.oneof(
        fc.string({ maxLength: 6 }),
        fc.constantFrom('_meta', 'uri', 'text', 'data', 'type', '__proto__', '1', 'é'),
      ),
      tie('value'),
      { maxKeys: 4 },
    ),
  })).value;

  it('[G12] [G30] any response is valid JSON after shortening', async () => {
    const small = { ...limits, maxResultChars: 500 };
    const body = fc.record(
      { result: value, error: fc.record({ data: value }) },
      { requiredKeys: ['result'] },
    );
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom(0, 1), async (message, indent) => {
        const bytes = Buffer.from(JSON.stringify({ id: 1, ...message }, null, indent));
        const edited = await answerEdit(asking('tools/call'), { ...PARTS, limits: small }).body(bytes);
        expect(JSON.parse(edited.toString())).toMatchObject({ id: 1 });
      }),
      { numRuns: 300 },
    );
  });

  it('[G10] the gateway shortens strings exactly as applyObservationMasking does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), async (texts) => {
        const content = texts.map((each) => ({ type: 'text', text: each }));
        const bytes = Buffer.from(JSON.stringify({ id: 1, result: { content } }));
        const edited = JSON.parse((await edit().body(bytes)).toString()) as {
          result: { content: { text: string }[] };
        };
        const sent = (JSON.parse(bytes.toString()) as typeof edited).result.content;
        const masked = applyObservationMasking(sent, limits);
        expect(edited.result.content.slice(0, texts.length)).toEqual(masked);
      }),
      { numRuns: 300 },
    );
  });
});
