import { expect, it } from 'vitest';
import { printsDiffOrGit, shownFile } from '../../../src/pruning/focus/command-line.ts';
import { firstErrorSurvives } from '../../../src/pruning/focus/first-error.ts';
import { readOutput } from '../../../src/pruning/focus/output-kind.ts';

it('knows when a command prints a diff or what git says', () => {
  const whole = [
    'git diff',
    'git -C sub log --oneline | head -50',
    'cd app && GIT_PAGER=cat git show HEAD',
    'sudo git status',
    '/usr/bin/git blame a.ts',
    'diff -u a b',
    'npm test; git diff --stat',
    'git commit -m "x"',
    'hg diff',
    'git pull',
  ];
  for (const command of whole) expect(printsDiffOrGit(command), command).toBe(true);
});

it('does not take a command for git because git has a part in it', () => {
  const prunable = [
    'npm test',
    'cd $(git rev-parse --show-toplevel) && npm test',
    'git checkout main && npm test',
    'git stash; cargo build 2>&1 | tail -100',
    'cat .gitignore',
    'legit status',
    'ls git',
    'pytest -k diff',
    'rg "patch|diff -u" src',
  ];
  for (const command of prunable) expect(printsDiffOrGit(command), command).toBe(false);
});

it('knows the file that a command only shows', () => {
  expect(shownFile('cat src/a.ts')).toBe('src/a.ts');
  expect(shownFile("sed -n '1,80p' a.py")).toBe('a.py');
  expect(shownFile('head -n 20 README.md')).toBe('README.md');
  expect(shownFile('cat a.ts b.ts | wc')).toBeUndefined();
  expect(shownFile('npm test')).toBeUndefined();
});

it('reads source, prose and logs as what they are', () => {
  const kinds = {
    'a.ts': 'code',
    'README.md': 'docs',
    'build.log': 'logs',
    'data.json': 'code',
  };
  for (const [path, sourceType] of Object.entries(kinds)) {
    expect(readOutput({ tool: 'read', path }, ['x']), path).toMatchObject({
      kind: 'prunable',
      texts: [{ sourceType }],
    });
  }
  expect(readOutput({ tool: 'bash', command: 'npm test' }, ['a', 'b'])).toMatchObject({
    texts: [{ sourceType: 'logs' }, { sourceType: 'logs' }],
  });
  expect(readOutput({ tool: 'bash', command: 'cat x.rs' }, ['a'])).toMatchObject({
    texts: [{ sourceType: 'code' }],
  });
});

const DIFF = ['--- a/x', '+++ b/x', '@@ -1,3 +1,3 @@', ' one', '-two', '+three', ' four'].join('\n');

it('a diff is a diff wherever it comes from', () => {
  expect(readOutput({ tool: 'bash', command: './changes.sh' }, [DIFF, ''])).toMatchObject({ kind: 'whole' });
  expect(readOutput({ tool: 'read', path: 'notes.txt' }, [DIFF])).toMatchObject({ kind: 'whole' });
  expect(readOutput({ tool: 'read', path: 'old.patch' }, ['*** context diff'])).toMatchObject({
    kind: 'whole',
  });
});

it('puts a dropped first error back, for commands only, and never twice', () => {
  const bash = { tool: 'bash', command: 'make' } as const;
  const raw = 'ok 0 errors\ncc: fatal error: no input\nfailed: later';
  expect(firstErrorSurvives({ origin: bash, raw, pruned: 'ok' })).toBe('cc: fatal error: no input\nok');
  const kept = 'x\ncc: fatal error: no input';
  expect(firstErrorSurvives({ origin: bash, raw, pruned: kept })).toBe(kept);
  expect(firstErrorSurvives({ origin: { tool: 'read', path: 'a.c' }, raw, pruned: 'ok' })).toBe('ok');
});

it('[P27] every kind of output may be cut to the cap; how far it is follows from its lines', () => {
  const run = ['.', '.', '.', '===== 3 passed in 0.1s ====='].join('\n');
  const ratio = (origin: Parameters<typeof readOutput>[0], text: string) => {
    const kind = readOutput(origin, [text]);
    return kind.kind === 'prunable' ? kind.texts[0]?.maxPruneRatio : undefined;
  };
  expect(ratio({ tool: 'bash', command: 'pytest' }, run)).toBe(0.95);
  expect(ratio({ tool: 'bash', command: 'make' }, 'cc a.c\ncc b.c\n')).toBe(0.95);
  expect(ratio({ tool: 'read', path: 'a.ts' }, 'const a = 1;\n')).toBe(0.95);
});
