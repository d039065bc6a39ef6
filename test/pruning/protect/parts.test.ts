import { describe, expect, it } from 'vitest';
import { pinnedIn, protectedIn, quiet } from './protected-lines.ts';

describe('[P21] a fenced block goes or stays as one', () => {
  const blocksIn = (lines: readonly string[]) => protectedIn(lines, { sourceType: 'docs' }).wholes;

  it('up to a fence of its own kind that is as long and says nothing', () => {
    expect(
      blocksIn(['a', '````md', '```', '```js', '~~~~', '```` no', '`````  ', 'b', '```', 'c', '```']),
    ).toEqual([
      { start: 2, end: 7 },
      { start: 9, end: 11 },
    ]);
  });

  it('in a list and in a quotation', () => {
    expect(blocksIn(['- ```sh', '  ls', '  ```', '> ~~~', '> ls', '> ~~~', 'a'])).toEqual([
      { start: 1, end: 3 },
      { start: 4, end: 6 },
    ]);
  });

  it('to the end of the text where nobody closes it', () => {
    expect(blocksIn(['a', '```', 'b', 'c'])).toEqual([{ start: 2, end: 4 }]);
  });

  it('which three ticks on one line with their end do not open', () => {
    expect(blocksIn(['```inline``` code', 'a', 'b'])).toEqual([]);
    expect(blocksIn(['~~~ of `code`', 'a', 'b'])).toEqual([{ start: 1, end: 3 }]);
  });

  it('and with one line protected stays altogether, for the reason of that line', () => {
    const { pinned, pinnedBy, wholes } = protectedIn(['a', '```', 'b', '✂ 3-9', '```', 'c'], {
      sourceType: 'docs',
    });
    expect([...pinned]).toEqual([0, 1, 1, 1, 1, 0]);
    expect(pinnedBy).toEqual([undefined, 'handle', 'handle', 'handle', 'handle', undefined]);
    expect(wholes).toEqual([]);
  });
});

describe('[P21] a hit goes or stays with the lines shown around it', () => {
  const hitsIn = (lines: readonly string[]) => protectedIn(lines, { shape: 'search' }).wholes;
  const hit = (lines: number) => Array.from({ length: lines }, (_, at) => `a.ts-${at + 1}-  text ${at}`);

  it('up to eight lines, between separators and blank lines', () => {
    expect(hitsIn([...hit(3), '--', ...hit(8), '', ...hit(2)])).toEqual([
      { start: 1, end: 3 },
      { start: 5, end: 12 },
      { start: 14, end: 15 },
    ]);
    expect(hitsIn([...hit(9), '--', ...hit(1)])).toEqual([]);
  });

  it('but hits without separators are judged line by line', () => {
    expect(hitsIn([...hit(3), '', ...hit(3)])).toEqual([]);
  });
});

describe('[P21] a table keeps the names of its columns', () => {
  const namesIn = (lines: readonly string[]) => pinnedIn(lines, { shape: 'table' });

  it('with the rule below them', () => {
    expect(namesIn(['name | age', '-----+----', 'a | 1', 'b | 2'])).toEqual([1, 2]);
    expect(namesIn(['name | age', 'a | 1', '-----+----'])).toEqual([1]);
  });

  it('below blank lines and a rule', () => {
    expect(namesIn(['', '+------+-----+', '| name | age |', '| a    | 1   |'])).toEqual([3]);
    expect(namesIn(['', '+------+-----+'])).toEqual([]);
  });
});

describe('[P21] a diff', () => {
  const context = (count: number) => Array.from({ length: count }, (_, at) => ` context ${at} of the change`);
  const head = ['diff --git a/x b/x', 'index 0123456..89abcde 100644', '--- a/x', '+++ b/x'];

  it('keeps its changes and what places them', () => {
    const lines = [...head, '@@ -1,9 +1,9 @@', ...context(4), '-old', '+new', ...context(4)];
    expect(pinnedIn(lines, { sourceType: 'docs', shape: 'diff' })).toEqual([1, 2, 3, 4, 5, 10, 11]);
  });

  it('of more than 20,000 characters loses whole hunks instead, and one of 20,000 does not', () => {
    const hunk = ['@@ -1,9 +1,9 @@', '-old', '+new', ...context(4)];
    const short = [...head, ...hunk, ...hunk];
    const missing = 20_000 - short.join('\n').length - 1;
    const filled = (last: string) => [...short, ` ${last}`];
    const asked = { sourceType: 'docs', shape: 'diff' } as const;
    expect(protectedIn(filled('x'.repeat(missing - 2)), asked).wholes).toEqual([]);
    expect(protectedIn(filled('x'.repeat(missing - 1)), asked).wholes).toEqual([
      { start: 1, end: 4 },
      { start: 5, end: 11 },
      { start: 12, end: 19 },
    ]);
  });
});

describe('[P20] a protected block', () => {
  const [begin, end] = ['# ⟦NO_PRUNE_BEGIN⟧', '# ⟦NO_PRUNE_END⟧'];
  const staysIn = (lines: readonly string[]) => pinnedIn(lines, { sourceType: 'docs' });

  it('ends at its end; an end without a begin stays and ends nothing', () => {
    expect(staysIn(['a', end, 'b', begin, 'c', end, 'd'])).toEqual([2, 4, 5, 6]);
  });

  it('may begin and end in one line', () => {
    expect(staysIn(['a', `${begin} ${end}`, 'b'])).toEqual([2]);
  });
});

it('[P21] [P28] a line stays for the first rule that asks for it', () => {
  const lines = [...quiet(5), 'ERROR 8443 is taken', ...quiet(5), 'listening on 8443', ...quiet(9)];
  const { pinnedBy } = protectedIn(lines, { question: 'who listens on 8443?' });
  expect(pinnedBy[5]).toBe('failure');
  expect(pinnedBy[11]).toBe('literal');
});
