import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  FirstMatches,
  MessageReader,
} from '../../../packages/serving/src/workspace/search-files/message-reader.ts';
import { temporaryTree } from '../../support/temporary-tree.ts';

it('MessageReader parses the same matches from the output of ripgrep however it is split into chunks', async () => {
  const huge = `${'\\"é'.repeat(200_000)} hit`;
  const root = await temporaryTree({
    'a.txt': 'hit é\nmiss\nhit hit\n',
    'b.txt': Buffer.concat([Buffer.from('hit \xff\n', 'latin1'), Buffer.from(huge)]),
  });
  const output = execFileSync(rgPath, ['--json', '--sort=path', 'hit', root.real], { maxBuffer: 1 << 26 });
  const read = (cuts: readonly number[]) => {
    const matches = new FirstMatches(100);
    const reader = new MessageReader(matches, (printed) => relative(root.real, printed));
    const ends = [...cuts].sort((a, b) => a - b);
    for (const [index, end] of [...ends, output.length].entries())
      reader.push(output.subarray(ends[index - 1] ?? 0, end));
    expect(reader.summarised).toBe(true);
    return matches.sorted();
  };
  const whole = read([]);
  // The enormous line was shown in part.
  expect(whole.hasCutLines).toBe(true);
  expect(whole.matches.map(({ path, line }) => `${path}:${line}`)).toEqual([
    'a.txt:1',
    'a.txt:3',
    'b.txt:1',
    'b.txt:2',
  ]);
  const cut = fc.oneof(fc.nat(1_500), fc.nat(output.length));
  fc.assert(
    fc.property(fc.array(cut, { maxLength: 12 }), (cuts) => {
      expect(read(cuts)).toEqual(whole);
    }),
    { numRuns: 50 },
  );
});

it('MessageReader distinguishes a complete search from an interrupted search, and counts skipped messages', async () => {
  const root = await temporaryTree({ 'a.txt': 'hit\n'.repeat(70), 'b.txt': 'hit\n'.repeat(3) });
  const output = execFileSync(rgPath, ['--json', '--sort=path', 'hit', root.real]);
  const matches = new FirstMatches(1);
  const reader = new MessageReader(matches, (printed) => relative(root.real, printed));
  const end = output.lastIndexOf('\n', output.length - 2) + 1;
  reader.push(output.subarray(0, end));
  expect(reader.summarised).toBe(false);
  reader.push(output.subarray(end));
  expect(reader.summarised).toBe(true);
  expect(matches.seen).toBe(73);
  expect(matches.sorted().matches).toMatchObject([{ path: 'a.txt', line: 1 }]);
});

it('MessageReader keeps the first matches in path order, in whatever order they arrive [F7]', () => {
  const match = fc.record({
    path: fc.constantFrom('a', 'a-b', 'a/b', 'a/c/d', 'b'),
    line: fc.integer({ min: 1, max: 60 }),
  });
  fc.assert(
    fc.property(fc.array(match, { maxLength: 400 }), fc.integer({ min: 1, max: 40 }), (found, limit) => {
      const first = new FirstMatches(limit);
      const all = new FirstMatches(10_000);
      for (const { path, line } of found) {
        const each = { path, line, column: 1, text: '' };
        if (first.wants(path)) first.add(each, false);
        all.add(each, false);
      }
      const everything = all.sorted().matches;
      expect(first.sorted()).toEqual({
        matches: everything.slice(0, limit),
        hasMore: everything.length > limit,
        hasCutLines: false,
      });
    }),
  );
});
