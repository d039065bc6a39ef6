import { describe, expect, it } from 'vitest';
import { pinnedIn, protectedIn } from './protected-lines.ts';

const call = (lines: number) => [
  'total = add(',
  ...Array.from({ length: lines - 2 }, (_, at) => `    value_${at},`),
  ')',
];
const wholesIn = (lines: readonly string[]) => protectedIn(lines, { sourceType: 'code' }).wholes;

describe('[P21] a statement over several lines goes or stays as one', () => {
  it('up to four lines', () => {
    expect(wholesIn(['first = 1', ...call(4), 'last = 2'])).toEqual([{ start: 2, end: 5 }]);
    expect(wholesIn(['first = 1', ...call(5), 'last = 2'])).toEqual([]);
  });

  it('and the next one below it as well', () => {
    expect(wholesIn([...call(3), ...call(4)])).toEqual([
      { start: 1, end: 3 },
      { start: 4, end: 7 },
    ]);
  });

  it('in any script; a block in braces is no statement', () => {
    expect(wholesIn(['naïve = añadir(“', '    長い)', 'last = 2'])).toEqual([{ start: 1, end: 2 }]);
    expect(wholesIn(['loop {', '    step()', '}'])).toEqual([]);
  });

  it('but not after a line that closes more than was opened', () => {
    expect(wholesIn(['), closed = 1', 'total = add(', '    value)', 'last = 2'])).toEqual([
      { start: 2, end: 3 },
    ]);
    expect(wholesIn(['total = add(', '    value))', 'last = 2'])).toEqual([]);
  });

  it('and not one whose brackets stand in a line too long to be read', () => {
    expect(wholesIn([`total = add(${'x'.repeat(289)}`, '    value)'])).toEqual([]);
    expect(wholesIn([`total = add(${'x'.repeat(288)}`, '    value)'])).toEqual([{ start: 1, end: 2 }]);
  });

  it('unless one of its lines is protected: then each stands for itself', () => {
    const lines = ['first = 1', 'total = add(', '✂ 3-9', ')', 'last = 2'];
    expect(protectedIn(lines, { sourceType: 'code' })).toMatchObject({ wholes: [] });
    expect(pinnedIn(lines, { sourceType: 'code' })).toEqual([3]);
  });
});

it('[P21] [P28] a statement of which a line is asked for stands line by line, whichever line it is', () => {
  const lines = ['first = add(', '    second,', '    third)', 'last = 2'];
  for (const [at, question] of ['first', 'second', 'third'].entries()) {
    expect(pinnedIn(lines, { sourceType: 'code', question })).toEqual([at + 1]);
    expect(protectedIn(lines, { sourceType: 'code', question }).wholes).toEqual([]);
  }
});

it('[P21] a signature over several lines is one head, not a statement beside it', () => {
  const lines = ['def load(', '    path,', '    kind):', '    return add(', '        path,', '    )'];
  expect(wholesIn(lines)).toEqual([
    { start: 1, end: 3 },
    { start: 4, end: 6 },
  ]);
});

describe('[P21] where all structure is asked for, code keeps', () => {
  const asked = { sourceType: 'code', structure: 'pinned' } as const;
  const body = Array.from({ length: 5 }, (_, at) => `    total += ${at}`);

  it('the comment at the top, up to thirty lines of it', () => {
    const comment = (count: number) =>
      Array.from({ length: count }, (_, at) => `# line ${at} of the licence`);
    const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
    expect(pinnedIn([...comment(3), 'total = 0', ...body, '# no header'], asked)).toEqual([1, 2, 3]);
    expect(pinnedIn([...comment(29), ...body], asked)).toEqual(numbers(29));
    expect(pinnedIn([...comment(40), ...body], asked)).toEqual(numbers(30));
    expect(pinnedIn(comment(4), asked)).toEqual(numbers(4));
  });

  it('what decorates a declaration, up to six lines of it', () => {
    const decorated = (count: number) => [
      'total = 0',
      ...Array.from({ length: count }, (_, at) => `@cached_${at}`),
      'def load(path):',
      ...body,
    ];
    expect(pinnedIn(decorated(2), asked)).toEqual([2, 3, 4]);
    expect(pinnedIn(decorated(7), asked)).toEqual([3, 4, 5, 6, 7, 8, 9]);
  });
});

it('[P21] where several files follow one another each one’s name stays', () => {
  const body = Array.from({ length: 5 }, (_, at) => `total += ${at}`);
  const boundaries = [
    '==> a.py <==',
    '// file: a.ts',
    '# Path: b/c.py',
    '<file name="a">',
    'diff --git a/x b/x',
    '+++ b/x',
    '## File: a.md',
  ];
  const lines = boundaries.flatMap((line) => [...body, line]);
  expect(pinnedIn([...lines, ...body], { sourceType: 'code' })).toEqual(
    boundaries.map((_, at) => (at + 1) * 6),
  );
});
