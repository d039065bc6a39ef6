import { describe, expect, it } from 'vitest';
import { applyObservationMasking } from '../../../../packages/secateur/src/masking/mask.ts';
import { readUpstreamAnswer } from '../../../../packages/secateur/src/servers/gateway/answer.ts';
import type { Shortening } from '../../../../packages/secateur/src/servers/gateway/savings.ts';
import {
  type AnsweredRequest,
  type ShortenDeps,
  shortenAnswer,
} from '../../../../packages/secateur/src/servers/gateway/shorten.ts';
import { handClock } from '../../../support/hand-clock.ts';

const limits = { maxChars: 150, headChars: 10, tailChars: 10, maxMediaBytes: 100, maxResultChars: 100_000 };
/** 400 lines of five characters. Ten characters show two lines, and the hidden rest is longer than a notice. */
const LINES = 'abcd\n'.repeat(400);
const mask = (text: string) => applyObservationMasking(text, limits);

interface Wanted extends Partial<AnsweredRequest>, Partial<Pick<ShortenDeps, 'prune' | 'limits'>> {
  /** Texts the store cannot take. */
  readonly refused?: readonly string[];
}

/** Returns the shortened response; ids count the texts that were stored. */
async function shorten(message: object | string, wanted: Wanted = {}) {
  const isText = typeof message === 'string';
  const bytes = Buffer.from(isText ? message : JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }));
  const stored: { text: string; identity: readonly string[] }[] = [];
  const shortenings: Shortening[] = [];
  const logged: unknown[] = [];
  const clock = handClock();
  const after = await shortenAnswer(
    readUpstreamAnswer(bytes, '1'),
    {
      ...{ method: 'tools/call', params: { name: 'read' }, client: 'editor', recoverTool: 'recover_text' },
      ...{ signal: new AbortController().signal },
      ...wanted,
    },
    {
      ...{ server: 'files', limits, prune: undefined, isOff: () => false, clock },
      ...wanted,
      recovery: {
        remember: async (text, identity) => {
          clock.advance(1.3);
          if (wanted.refused?.includes(text)) return { kind: 'unavailable', id: 'prn_x', cause: undefined };
          stored.push({ text, identity });
          return { kind: 'stored', id: `prn_${stored.length}` };
        },
      },
      log: { emit: (event) => void logged.push(event) },
      onShortened: (shortening) => void shortenings.push(shortening),
    },
  );
  const { result, error } = JSON.parse(after.toString());
  return { isSame: after === bytes, result, error, stored, shortenings, logged };
}

const textBlock = (text: string) => ({ type: 'text', text });
const HIDDEN = '2000 characters, 400 lines, hidden: 3-398';
const EXAMPLE = '{"prune_id":"prn_1","ranges":[{"start_line":3,"end_line":102}],"include_line_numbers":true}';
const NOTICE = `Shortened by the gateway, nothing is lost. To read hidden lines call recover_text with ${EXAMPLE}.\n`;

describe('[G16] the notice of a shortened result', () => {
  const masked = [{ prune_id: 'prn_1', path: expect.any(String), original_chars: 2000 }];
  it.each([
    [
      'tools/call',
      { content: [textBlock(LINES)] },
      {
        content: [textBlock(mask(LINES)), textBlock(`${NOTICE}- /content/0/text: prune_id prn_1, ${HIDDEN}`)],
        _meta: { 'secateur/masked': [{ ...masked[0], path: '/content/0/text' }] },
      },
    ],
    [
      'resources/read',
      { contents: [{ uri: 'file:///a', text: LINES }], _meta: { mine: 1 } },
      {
        contents: [
          { uri: 'file:///a', text: mask(LINES) },
          {
            uri: 'secateur://masked',
            mimeType: 'text/plain',
            text: `${NOTICE}- /contents/0/text: prune_id prn_1, ${HIDDEN}`,
          },
        ],
        _meta: { mine: 1, 'secateur/masked': masked },
      },
    ],
    [
      'prompts/get',
      { messages: [{ role: 'assistant', content: textBlock(LINES) }] },
      {
        messages: [
          { role: 'assistant', content: textBlock(mask(LINES)) },
          {
            role: 'user',
            content: textBlock(`${NOTICE}- /messages/0/content/text: prune_id prn_1, ${HIDDEN}`),
          },
        ],
        _meta: { 'secateur/masked': masked },
      },
    ],
    [
      'tools/call',
      { 'a/b~c': [LINES], _meta: null },
      {
        'a/b~c': [mask(LINES)],
        content: [textBlock(`${NOTICE}- /a~1b~0c/0: prune_id prn_1, ${HIDDEN}`)],
        _meta: { 'secateur/masked': [{ ...masked[0], path: '/a~1b~0c/0' }] },
      },
    ],
  ])('shorten adds a notice to the result of %s', async (method, result, expected) => {
    expect((await shorten({ result }, { method })).result).toEqual(expected);
  });

  it('shorten adds no notice to a result that is a plain string', async () => {
    expect((await shorten({ result: LINES })).result).toBe(mask(LINES));
  });

  it('shorten adds no hint after a marker in a field other than content', async () => {
    expect((await shorten({ result: { summary: LINES } })).result.summary).toBe(mask(LINES));
  });
});

describe('[G16] the recovery hint of shortened error data', () => {
  const error = (data: unknown) => ({ error: { code: -1, message: 'm', data } });

  it('shorten adds a recovery hint to error data independently of the result', async () => {
    const both = await shorten({ result: { content: [LINES] }, ...error({ trace: LINES }) });
    const paths = (listed: { path: string }[]) => listed.map(({ path }) => path);
    expect(paths(both.result._meta['secateur/masked'])).toEqual(['/content/0']);
    expect(paths(both.error.data['secateur/masked'])).toEqual(['/trace']);
    const short = { content: ['short'] };
    expect((await shorten({ result: short, ...error([LINES]) })).result).toEqual(short);
    const { error: whole } = await shorten({ result: { content: [LINES] }, ...error({ a: 1 }) });
    expect(whole.data).toEqual({ a: 1 });
  });

  it('shorten adds the hint as a member to error data that is an object, with paths relative to the data', async () => {
    const { error: seen } = await shorten(error({ trace: [LINES] }), { method: 'foo/bar' });
    const masked = [{ prune_id: 'prn_1', path: '/trace/0', original_chars: 2000 }];
    expect(seen).toEqual(error({ trace: [mask(LINES)], 'secateur/masked': masked }).error);
  });

  it('shorten adds the hint as the last item to error data that is a list', async () => {
    const { error: seen } = await shorten(error([LINES]));
    expect(seen.data).toEqual([mask(LINES), `${NOTICE}- /data/0: prune_id prn_1, ${HIDDEN}`]);
  });

  it('shorten adds the hint after the marker in error data that is a string, as in structured content', async () => {
    const note = '[recover_text prune_id=prn_1 hidden lines 3-398]\n';
    const noted = mask(LINES).replace('] ...\n', `] ...\n${note}`);
    expect((await shorten(error(LINES))).error.data).toBe(noted);
    const { result } = await shorten({ result: { structuredContent: { a: LINES } } });
    expect(result.structuredContent).toEqual({ a: noted });
    const plain = await shorten(error(LINES), { recoverTool: undefined });
    expect(plain.error.data).toContain('[secateur recover prune_id=prn_1 hidden lines 3-398]\n');
  });
});

describe('[G16] the notice', () => {
  const notice = async (content: readonly object[], wanted: Wanted = {}): Promise<string> =>
    (await shorten({ result: { content } }, wanted)).result.content.at(-1).text;

  it('the notice contains the recovery command if the recovery tool is switched off', async () => {
    const text = await notice([textBlock(LINES)], { recoverTool: undefined });
    expect(text).toContain('nothing is lost. secateur recover prn_1 gives it back.\n- /content/0/text');
  });

  it('the notice lists each text once and shows an example for the first text', async () => {
    const other = 'efgh\n'.repeat(400);
    const text = await notice([LINES, other, LINES].map(textBlock));
    expect(text).toBe(
      `${NOTICE}- /content/0/text: prune_id prn_1, ${HIDDEN}\n- /content/1/text: prune_id prn_2, ${HIDDEN}`,
    );
  });

  it.each([
    {
      of: 'that is cut inside lines',
      text: LINES.slice(0, -3),
      headChars: 12,
      lines: '400 lines, hidden: 3-398',
    },
    { of: 'without an end', text: LINES.slice(0, -1), headChars: 10, lines: '400 lines, hidden: 3-398' },
    { of: 'of blank lines', text: '\n'.repeat(2000), headChars: 10, lines: '2000 lines, hidden: 11-1990' },
    { of: 'of one line', text: 'x'.repeat(2000), headChars: 10, lines: '1 line, hidden: 1-1' },
    { of: 'without a head', text: LINES, headChars: 0, lines: '400 lines, hidden: 1-398' },
  ])('the notice counts the lines of a text $of', async ({ text, headChars, lines }) => {
    expect(await notice([textBlock(text)], { limits: { ...limits, headChars } })).toContain(lines);
  });

  it('the example in the notice requests at most a hundred lines', async () => {
    expect(await notice([textBlock('abcd\n'.repeat(200))])).toContain('{"start_line":3,"end_line":102}');
    expect(await notice([textBlock('abcd\n'.repeat(104))])).toContain('{"start_line":3,"end_line":102}');
    expect(await notice([textBlock('abcd\n'.repeat(103))])).toContain('{"start_line":3,"end_line":101}');
  });

  it('the notice states character positions only if a line is too long to be recovered as a whole', async () => {
    const line = 'x'.repeat(4000);
    const fits = await notice([textBlock(`ab\n${line}\n${LINES}`)]);
    expect(fits).toContain('"ranges":[{"start_line":2,"end_line":101}],"include_line_numbers":true}');
    expect(fits).toMatch(/402 lines, hidden: 2-400$/);
    const long = await notice([textBlock(`ab\n${line}x\n${LINES}`)]);
    expect(long).toContain(
      '"ranges":[{"start_line":2,"end_line":2,"start_char":8,"end_char":4001}],"include_line_numbers":false}',
    );
    expect(long).toMatch(/402 lines, hidden: 2-400 \(characters 8-4001 of the first of them\)$/);
  });

  it('the notice states no character positions of a long line if only its end is hidden', async () => {
    const head = { limits: { ...limits, headChars: 5000 } };
    const shown = await notice([textBlock(`${'x'.repeat(5000)}\n${LINES}`)], head);
    expect(shown).toContain('"ranges":[{"start_line":1,"end_line":100}]');
    expect(shown).toMatch(/401 lines, hidden: 1-399$/);
    const almost = await notice([textBlock(`${'x'.repeat(5001)}\n${LINES}`)], head);
    expect(almost).toContain('"start_char":5001,"end_char":5001}');
  });

  it('the example in the notice requests at most 4,000 characters of a long line', async () => {
    const text = await notice([textBlock('x'.repeat(9000))]);
    expect(text).toContain('"start_char":11,"end_char":4010}');
    expect(text).toMatch(/1 line, hidden: 1-1 \(characters 11-8990 of the first of them\)$/);
    const whole = await notice([{ type: 'image', data: 'A'.repeat(5000) }]);
    expect(whole).toContain('"start_char":1,"end_char":4000}');
    expect(whole).toMatch(/hidden: 1-1 \(characters 1-5000 of the first of them\)$/);
  });
});

describe('texts that the gateway stores', () => {
  it('[G16] shorten stores each text once under the name of the server', async () => {
    const other = 'efgh\n'.repeat(400);
    const { stored, result } = await shorten({
      result: { content: [LINES, other, LINES].map(textBlock), structuredContent: { other } },
    });
    expect(stored).toEqual([
      { text: LINES, identity: ['gateway', 'files'] },
      { text: other, identity: ['gateway', 'files'] },
    ]);
    const ids = result._meta['secateur/masked'].map((each: { prune_id: string }) => each.prune_id);
    expect(ids).toEqual(['prn_1', 'prn_2', 'prn_1', 'prn_2']);
  });

  it('[G16] if storing a text fails, shorten returns this text unchanged, logs the failure, and shortens the other texts', async () => {
    const lost = 'lost\n'.repeat(70);
    const { result, logged, shortenings } = await shorten(
      { result: { content: [lost, LINES].map(textBlock) } },
      { refused: [lost] },
    );
    expect(result.content.slice(0, 2)).toEqual([textBlock(lost), textBlock(mask(LINES))]);
    expect(logged).toEqual([
      { level: 'warn', event: 'recovery_unavailable', data: { server: 'files', chars: 350 } },
    ]);
    expect(shortenings).toMatchObject([
      { cuts: [{ pruneId: 'prn_1' }], passed: [{ path: ['result', 'content', 0, 'text'] }] },
    ]);
  });

  it('[G15] [AU1] shorten returns a result as the same object, and records it, if no long text could be stored', async () => {
    const { isSame, shortenings } = await shorten(
      { result: { content: [textBlock(LINES)] } },
      { refused: [LINES] },
    );
    expect(isSame).toBe(true);
    expect(shortenings).toMatchObject([{ cuts: [], passed: [{ original: LINES }] }]);
  });

  it('[G15] shorten returns a result without a long text as the same object, and records nothing', async () => {
    const { isSame, shortenings } = await shorten({ result: { content: [textBlock('short')] } });
    expect([isSame, shortenings]).toEqual([true, []]);
  });
});

describe('[AU1] shortenings are recorded', () => {
  it('shorten records server, client, limits and time', async () => {
    const { shortenings } = await shorten({ result: { content: [LINES, `${LINES}x`].map(textBlock) } });
    expect(shortenings).toMatchObject([
      { server: 'files', tool: 'read', client: 'editor', limits, durationMs: 3, passed: [] },
    ]);
    expect(shortenings[0]?.cuts.map(({ json }) => JSON.parse(json))).toEqual([
      mask(LINES),
      mask(`${LINES}x`),
    ]);
  });

  it.each([
    ['tools/call', { name: 7 }, 'tools/call'],
    ['prompts/get', { name: 'p' }, 'prompts/get'],
  ])('shorten records the method if it is not a tool call: %s', async (method, params, tool) => {
    const { shortenings } = await shorten({ result: { content: [textBlock(LINES)] } }, { method, params });
    expect(shortenings).toMatchObject([{ tool }]);
  });
});

describe('[G17] pruning before masking', () => {
  it('shorten prunes texts, and masks texts that are still too long', async () => {
    const asked: string[] = [];
    const params = { name: 'search', arguments: { query: 'x' } };
    const { result, stored, shortenings } = await shorten(
      { result: { content: [textBlock(LINES), textBlock('x'.repeat(400)), { type: 'image', data: LINES }] } },
      {
        params,
        prune: async (text, request) => {
          asked.push(text);
          expect(request.params).toBe(params);
          return { pruneId: 'prn_pruned', text: text === LINES ? 'what matters' : 'y'.repeat(300) };
        },
      },
    );
    expect(asked).toEqual([LINES, 'x'.repeat(400)]);
    expect(result.content[0].text).toBe('what matters');
    expect(result.content[1].text).toBe(mask('y'.repeat(300)));
    expect(result.content[3].text).toContain(
      'prune_id prn_pruned, 2000 characters, 400 lines, hidden: see its markers',
    );
    expect(stored).toHaveLength(1);
    expect(shortenings[0]?.cuts.map(({ isPruned }) => isPruned)).toEqual([true, true, false]);
  });

  it('shorten masks a text if pruning returns nothing', async () => {
    const { result } = await shorten(
      { result: { content: [textBlock(LINES)] } },
      { prune: async () => undefined },
    );
    expect(result.content[0].text).toBe(mask(LINES));
  });
});

it('[G20] shorten rejects JSON that is nested too deeply as an invalid response', async () => {
  const deep = `${'['.repeat(100_000)}"${LINES.replaceAll('\n', ' ')}"${']'.repeat(100_000)}`;
  await expect(shorten(`{"id":1,"result":${deep}}`)).rejects.toMatchObject({
    code: 'upstream_invalid_response',
    message: 'The upstream answered with JSON nested beyond reason',
    cause: expect.any(RangeError),
  });
});
