import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../packages/base/src/text/json.ts';
import { editJson, type JsonEdit } from '../../../../packages/base/src/text/json-edit.ts';
import { DEFAULT_LIMITS } from '../../../../packages/secateur/src/masking/mask.ts';
import { findListCuts } from '../../../../packages/secateur/src/servers/gateway/list-cuts.ts';

const LIMITS = { ...DEFAULT_LIMITS, maxMediaBytes: 1000, maxResultChars: 2000 };
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

/** The result after its cuts, and how many elements each cut array keeps. */
function cut(result: JsonObject) {
  const cuts = findListCuts(result, LIMITS, []);
  const edits = cuts.flatMap(({ path, dropped }) =>
    dropped.map((range): JsonEdit => ({ kind: 'drop', path: path.slice(1), ...range })),
  );
  const after = JSON.parse(editJson(JSON.stringify(result), edits)) as JsonObject;
  return { after, paths: cuts.map(({ path }) => path.join('/')), cuts };
}

it('[G30] findListCuts shortens the longest arrays first and keeps short arrays unchanged', () => {
  const { after, paths } = cut({
    structuredContent: { columns: numbers(40), a: numbers(900), b: numbers(450) },
  });
  expect(paths).toEqual(['result/structuredContent/a', 'result/structuredContent/b']);
  const { columns, a, b } = after.structuredContent as Record<string, number[]>;
  expect(columns).toEqual(numbers(40));
  expect(a).toHaveLength(b?.length ?? 0);
});

it('[G30] findListCuts keeps every page and shortens the rows of each page', () => {
  const pages = numbers(5).map((page) => ({ page, rows: numbers(500) }));
  const { after, paths } = cut({ structuredContent: { pages } });
  expect(paths).toHaveLength(5);
  expect((after.structuredContent as { pages: unknown[] }).pages).toHaveLength(5);
});

it('[G30] findListCuts shortens arrays inside the elements that it keeps', () => {
  const rows = numbers(100).map((id) => ({ id, values: numbers(100) }));
  const { after } = cut({ structuredContent: { rows } });
  expect(JSON.stringify(after).length).toBeLessThan(2100);
  const shown = (after.structuredContent as { rows: { id: number; values: number[] }[] }).rows;
  expect(shown.at(0)?.values.at(0)).toBe(0);
  expect(shown.at(-1)).toMatchObject({ id: 99 });
  expect(shown.at(-1)?.values.at(-1)).toBe(99);
});

it('[G30] findListCuts applies the size limit to content and to structuredContent separately', () => {
  const content = numbers(20).map((at) => ({ type: 'text', text: `${at} ${'x'.repeat(40)}` }));
  expect(cut({ content, structuredContent: { rows: numbers(400) } }).paths).toEqual([]);
});

it('[G30] findListCuts keeps the first and the last element, even if they exceed the size limit', () => {
  const rows = numbers(9).map((id) => ({ id, text: 'x'.repeat(1500) }));
  const { after } = cut({ structuredContent: { rows } });
  expect((after.structuredContent as { rows: { id: number }[] }).rows.map(({ id }) => id)).toEqual([0, 8]);
});

it('[G30] findListCuts keeps an array if the notice would be longer than its removed elements', () => {
  const lists = Object.fromEntries(numbers(50).map((at) => [`key${at}`, numbers(20)]));
  expect(cut({ structuredContent: lists }).paths).toEqual([]);
});

it('[G30] findListCuts uses the length of a long string after masking', () => {
  const limits = { ...LIMITS, maxChars: 200, headChars: 20, tailChars: 20 };
  const content = [{ type: 'text', text: 'x'.repeat(9000) }, ...numbers(30).map((at) => ({ n: at }))];
  expect(findListCuts({ content }, limits, [])).toEqual([]);
});

it('[G30] findListCuts does not touch arrays in schemas and metadata', () => {
  const schema = { enum: numbers(2000) };
  expect(cut({ _meta: schema, content: [{ inputSchema: schema, uri: ['x'] }] }).paths).toEqual([]);
});

it('[G30] findListCuts keeps the beginning and the end of every array in order, for any result', () => {
  const element = fc.oneof(
    fc.integer(),
    fc.string({ maxLength: 60 }),
    fc.record({ id: fc.nat(), text: fc.string() }),
  );
  const list = fc.array(element, { maxLength: 400, size: 'max' });
  fc.assert(
    fc.property(fc.record({ rows: list, groups: fc.array(list, { maxLength: 5 }) }), (structuredContent) => {
      const result = JSON.parse(JSON.stringify({ structuredContent })) as JsonObject;
      for (const { list: before, dropped } of cut(result).cuts) {
        expect(dropped[0]?.start).toBeGreaterThanOrEqual(1);
        expect(dropped.at(-1)?.end).toBeLessThan(before.length);
      }
    }),
    { numRuns: 100 },
  );
});
