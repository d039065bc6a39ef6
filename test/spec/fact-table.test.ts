import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ROW_BYTES } from '../../src/spec/prepare/fact-row.ts';
import { FactTable } from '../../src/spec/prepare/fact-table.ts';
import type { Brief } from '../../src/spec/prepare/record.ts';
import { heldSource } from '../../src/spec/prepare/record-source.ts';
import { hashInOrder, hashOfAll } from '../../src/spec/skeleton.ts';

const source = heldSource(Buffer.alloc(0));
const hash = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('hex'));
const count = fc.nat(0xffff_ffff);
const time = fc.double({ noNaN: true, min: 0, max: 1e15 });

const facts: fc.Arbitrary<Brief> = fc.record({
  kind: fc.constant('facts' as const),
  contentHash: hash,
  language: fc.string(),
  loc: count,
  hash,
  parserUsed: fc.string(),
  exports: count,
  outlineTokens: count,
  hasCallouts: fc.boolean(),
  hasInternals: fc.boolean(),
});
const note: fc.Arbitrary<Brief> = fc.record({
  kind: fc.constant('note' as const),
  note: fc.string(),
  contentHash: fc.oneof(hash, fc.constant('')),
});
const file = fc.record({
  brief: fc.oneof(facts, note),
  /** What the row said before. */
  before: fc.option(fc.oneof(facts, note), { nil: undefined }),
  lengths: fc.array(count, { minLength: 5, maxLength: 5 }),
  offset: fc.maxSafeNat(),
  stamp: fc.option(fc.record({ size: fc.maxSafeNat(), mtimeMs: time, ctimeMs: time, ino: fc.maxSafeNat() }), {
    nil: undefined,
  }),
});

function told(table: FactTable, row: number): Brief | undefined {
  const { hasRecord, hasFacts, note: text, contentHash, ...rest } = table.row(row);
  if (!hasRecord) return undefined;
  if (!hasFacts) return { kind: 'note', note: text, contentHash };
  const brief = table.facts(row, 'a')?.brief;
  if (brief === undefined) return undefined;
  const { language, loc, hash: structure, parserUsed, exports, outlineTokens } = brief;
  const { hasCallouts, hasInternals } = brief;
  return {
    ...{ kind: rest.kind, contentHash: brief.contentHash, language, loc, hash: structure, parserUsed },
    ...{ exports, outlineTokens, hasCallouts, hasInternals },
  };
}

function copyOf(table: FactTable, rows: readonly number[]): FactTable {
  const copy = new FactTable(table.words.list);
  copy.load(rows.length, source, (target) => {
    for (const [at, row] of rows.entries()) table.row(row).copyTo(target, at * ROW_BYTES);
  });
  return copy;
}

type FileRow = typeof file extends fc.Arbitrary<infer Value> ? Value : never;

function expectToTell(table: FactTable, row: number, { brief, lengths, offset, stamp }: FileRow): void {
  expect(told(table, row)).toEqual(brief);
  expect([0, 1, 2, 3, 4].map((part) => table.row(row).lengthOf(part))).toEqual(lengths);
  expect(table.row(row).offset).toBe(offset);
  expect(table.row(row).hasStamp).toBe(stamp !== undefined);
  if (stamp === undefined) return;
  expect(table.row(row).isStamped(stamp)).toBe(true);
  for (const key of ['size', 'mtimeMs', 'ctimeMs', 'ino'] as const)
    expect(table.row(row).isStamped({ ...stamp, [key]: -1 })).toBe(false);
}

it('[R10] a row says what it was told last, and a copy of it the same', () => {
  fc.assert(
    fc.property(fc.array(file, { maxLength: 5 }), fc.nat(1_100), (files, empty) => {
      const table = new FactTable();
      for (let each = 0; each < empty; each += 1) table.add();
      const rows = files.map(({ brief, before, lengths, offset, stamp }) => {
        const row = table.add();
        if (before !== undefined) table.setRecord(row, { brief: before, lengths: [9, 9], source, offset: 7 });
        table.setRecord(row, { brief, lengths, source, offset });
        table.row(row).setStamp(stamp);
        return row;
      });
      const copy = copyOf(table, rows);
      for (const [at, each] of files.entries()) {
        expectToTell(table, rows[at] ?? -1, each);
        expectToTell(copy, at, each);
      }
    }),
  );
});

it('a row nobody added is nobody’s', () => {
  expect(() => new FactTable().row(0)).toThrow(RangeError);
});

it('[R10] files in order are hashed as all of them are, and others are not', () => {
  const structure = fc.record({ filePath: fc.string(), hash: fc.string() });
  fc.assert(
    fc.property(fc.uniqueArray(structure, { selector: ({ filePath }) => filePath }), (files) => {
      const lines = files.map((each) => `${each.filePath}\0${each.hash}`);
      const ordered = [...files].sort((one, other) =>
        `${one.filePath}\0${one.hash}` < `${other.filePath}\0${other.hash}` ? -1 : 1,
      );
      expect(hashInOrder(ordered)).toBe(hashOfAll(files));
      const isInOrder = [...lines].sort().join('\n') === lines.join('\n');
      expect(hashInOrder(files) !== undefined).toBe(isInOrder);
    }),
  );
});
