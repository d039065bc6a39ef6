import { describe, expect, it } from 'vitest';
import { pinnedIn, protectedIn } from './protected-lines.ts';

it('[P21] a signature over several lines is one head', () => {
  const lines = ['def load(', '    path,', '    kind):', '    return add(', '        path,', '    )'];
  expect(protectedIn(lines, { sourceType: 'code' }).wholes).toEqual([{ start: 1, end: 3 }]);
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
