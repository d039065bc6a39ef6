import { describe, expect, it } from 'vitest';
import { type Asked, pinnedIn, protectedIn, quiet } from './protected-lines.ts';

describe('[P27] a protected line knows its rule', () => {
  const ruleOf = (line: string, asked: Asked) =>
    protectedIn([...quiet(4), line, ...quiet(4)], asked).pinnedBy[4];

  it.each<[string, string, Asked]>([
    ['directive', '⟦NO_PRUNE_BEGIN⟧', { sourceType: 'docs' }],
    ['handle', '✂ 3-9', { sourceType: 'docs' }],
    ['boundary', '==> src/a.py <==', { sourceType: 'code' }],
    ['boundary', '+new', { sourceType: 'docs', shape: 'diff' }],
    ['failure', 'ERROR it broke', { sourceType: 'logs' }],
    ['failure', 'ERROR it broke', { sourceType: 'docs', shape: 'logs' }],
    ['failure', 'ERROR it broke', { sourceType: 'code', shape: 'test-run' }],
    ['literal', 'the zeppelin', { sourceType: 'docs', question: 'where is the zeppelin?' }],
    ['structure', '# Title', { sourceType: 'docs', structure: 'pinned' }],
  ])('%s: %s', (rule, line, asked) => {
    expect(ruleOf(line, asked)).toBe(rule);
  });

  it('structure: the names of the columns', () => {
    const { pinnedBy } = protectedIn(['name | age', 'a | 1', 'b | 2'], { shape: 'table' });
    expect(pinnedBy).toEqual(['structure', undefined, undefined]);
  });
});

describe('[P21] what the sender says of a text', () => {
  const files = [...quiet(6), '# file: a.py', ...quiet(6)];
  const fence = ['first', '```', 'code', '```', 'last'];
  const wholesOf = (lines: readonly string[], asked: Asked) => protectedIn(lines, asked).wholes;

  it.each(['code', 'data', 'markup'] as const)('counts where it looks like %s', (shape) => {
    expect(pinnedIn(files, { sourceType: 'code', shape })).toContain(7);
    expect(wholesOf(fence, { sourceType: 'docs', shape })).toEqual([{ start: 2, end: 4 }]);
  });

  it.each(['logs', 'search', 'listing', 'table'] as const)('has no say where it looks like %s', (shape) => {
    expect(pinnedIn(files, { sourceType: 'code', shape })).not.toContain(7);
    expect(wholesOf(fence, { sourceType: 'docs', shape })).toEqual([]);
  });

  it('counts in a short diff, and has no say in a long one', () => {
    const head = ['diff --git a/x b/x', '--- a/x', '+++ b/x', '@@ -1,9 +1,9 @@'];
    const short = [...head, '```', ' total = 1', '```', ' last = 2'];
    const long = [
      ...short,
      ...Array.from({ length: 500 }, (_, at) => ` value ${at} of the same long story that goes on`),
    ];
    expect(wholesOf(short, { sourceType: 'docs', shape: 'diff' })).toEqual([{ start: 5, end: 7 }]);
    expect(wholesOf(long, { sourceType: 'docs', shape: 'diff' })).toEqual([
      { start: 1, end: 3 },
      { start: 4, end: long.length },
    ]);
  });
});

describe('[P21] where all structure is asked for', () => {
  const lines = [
    '<!-- a note -->',
    '<!-- more -->',
    'text',
    'import os',
    'def load():',
    '    return 1',
    '# Title',
    'text',
  ];

  it('heads stay with what gives order, and the header of code', () => {
    expect(pinnedIn(lines, { sourceType: 'code', structure: 'pinned' })).toEqual([1, 2, 4, 5]);
    expect(pinnedIn(lines, { sourceType: 'code' })).toEqual([]);
  });

  it('the first lines of a document are no header', () => {
    expect(pinnedIn(lines, { sourceType: 'docs', structure: 'pinned' })).toEqual([7]);
    expect(pinnedIn(lines, { sourceType: 'docs' })).toEqual([]);
  });

  it('a signature of several lines stays whole', () => {
    const signature = ['def load(', '    path,', '):', '    return 1'];
    expect(pinnedIn(signature, { sourceType: 'code', structure: 'pinned' })).toEqual([1, 2, 3]);
  });
});
