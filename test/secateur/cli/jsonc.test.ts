import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  appendValue,
  parsedObject,
  removeValue,
  setValue,
  undoValue,
} from '../../../packages/secateur/src/cli/connect/pending-edits.ts';

const SPACES = [' ', '', '\n', '\n  ', '\r\n\t', ' /* a, "b": { */ ', ' // c ] }\n', '\n/**/\n'];

const leaf = fc.oneof(
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('a', '// no', '/* no */', ',}'),
);
const key = fc.constantFrom('a', 'b', 'c', 'd"', 'é');
const tree = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(key, tie('node'), { maxKeys: 3 }),
  ),
})).node;

interface Written {
  readonly value: Record<string, unknown>;
  readonly text: string;
}

/** An object, and a way in which a person may have written it. */
const written: fc.Arbitrary<Written> = fc
  .record({
    value: fc.dictionary(key, tree, { maxKeys: 3 }),
    dice: fc.infiniteStream(fc.nat(1000)),
  })
  .map(({ value, dice }) => {
    const roll = () => dice.next().value as number;
    return { value, text: space(roll) + print(value, roll) + space(roll) };
  });

function space(roll: () => number): string {
  return SPACES[roll() % SPACES.length] ?? '';
}

function print(value: unknown, roll: () => number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const items = Object.entries(value).map(
    ([name, each]) =>
      `${space(roll)}${isList ? '' : `${JSON.stringify(name)}${space(roll)}:${space(roll)}`}${print(each, roll)}${space(roll)}`,
  );
  const comma = items.length > 0 && roll() % 3 === 0 ? `,${space(roll)}` : space(roll);
  return `${isList ? '[' : '{'}${items.join(',')}${comma}${isList ? ']' : '}'}`;
}

function commentsIn(text: string): string[] {
  return text.match(/\/\* a, "b": \{ \*\/|\/\/ c \] \}|\/\*\*\//g) ?? [];
}

const plain = (text: string): unknown => JSON.parse(JSON.stringify(parsedObject(text, 'x.json')));

describe('edits of a settings file', () => {
  it('[A25] setValue and appendValue add one value and keep every other value and every comment', () => {
    fc.assert(
      fc.property(written, ({ value, text }) => {
        const set = setValue(text, ['new', 'in'], [1]);
        expect(plain(set)).toEqual({ ...value, new: { in: [1] } });
        const appended = appendValue(set, ['new', 'in'], { two: 2 });
        expect(plain(appended)).toEqual({ ...value, new: { in: [1, { two: 2 }] } });
        expect(commentsIn(appended)).toEqual(commentsIn(text));
        expect(plain(undoValue(appended, ['new', 'in'], text))).toEqual(value);
      }),
      { numRuns: 500 },
    );
  });

  it('[A25] removeValue removes one member or item and keeps every other value', () => {
    fc.assert(
      fc.property(written, fc.nat(), ({ value, text }, choice) => {
        const name = Object.keys(value)[choice % Math.max(1, Object.keys(value).length)];
        fc.pre(name !== undefined);
        const { [name ?? '']: gone, ...rest } = value;
        expect(plain(removeValue(text, [name ?? ''], text))).toEqual(rest);
        if (!Array.isArray(gone) || gone.length === 0) return;
        const at = choice % gone.length;
        const left = plain(removeValue(text, [name ?? '', at], text));
        expect(left).toEqual({ ...value, [name ?? '']: gone.toSpliced(at, 1) });
      }),
      { numRuns: 500 },
    );
  });

  it('[A25] undoValue restores the original text of a replaced value', () => {
    const before = '{ "a": { /* mine */ "b": [1,], }, }';
    const changed = setValue(before, ['a'], 'ours');
    expect(undoValue(changed, ['a'], before)).toBe(before);
  });
});
