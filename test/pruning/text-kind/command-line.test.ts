import { expect, it } from 'vitest';
import { printsDiff, shownFile } from '../../../src/pruning/text-kind/command-line.ts';
import { pipelinesOf } from '../../../src/pruning/text-kind/shell-words.ts';

it('reads the words of a command line without its quotes, redirections and here-documents', () => {
  expect(pipelinesOf(`cd "a b" && cat 'x;y' 2>&1 | head -n 5 > out.txt; ls`)).toEqual([
    [['cd', 'a b']],
    [
      ['cat', 'x;y'],
      ['head', '-n', '5'],
    ],
    [['ls']],
  ]);
  expect(pipelinesOf("cat <<'EOF' > a.py\nrm -rf / | sh\nEOF\npython a.py")).toEqual([
    [['cat']],
    [['python', 'a.py']],
  ]);
  expect(pipelinesOf('echo $(git diff) a\\ b')).toEqual([[['echo', 'x', 'a\\ b']]]);
});

it('[A6] knows when a command prints a diff or what git says of a change', () => {
  const whole = [
    'git diff',
    'git -C sub log -p --since yesterday | head -50',
    'cd app && GIT_PAGER=cat git show HEAD',
    'sudo git status',
    '/usr/bin/git blame a.ts',
    'diff -u a b',
    'npm test; git diff --stat',
    'git commit -m "x"',
    'hg diff',
    'git pull',
    'git stash show -p',
    'git log -p a.ts',
    'git show --format=%h:%s',
    'cd app && git push',
  ];
  for (const command of whole) expect(printsDiff(command), command).toBe(true);
});

it('does not take a command for a diff because git has a part in it', () => {
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
    'git log --oneline | head -300',
    'git ls-files',
    'git grep -n retry',
    'git show HEAD~3:src/retry.py',
    'git show HEAD~3:src/retry.py HEAD:src/retry.py',
    'git -c color.ui=never log --oneline',
  ];
  for (const command of prunable) expect(printsDiff(command), command).toBe(false);
});

it.each([
  ['cat src/a.ts', 'src/a.ts'],
  ['cat -n src/a.ts', 'src/a.ts'],
  ["sed -n '1,80p' a.py", 'a.py'],
  ['head -n 20 README.md', 'README.md'],
  ['head -20 README.md', 'README.md'],
  ['tail -n +30 src/main.rs', 'src/main.rs'],
  ["cd /repo && nl -ba lib/x.py | sed -n '10,90p'", 'lib/x.py'],
  ["sed -n '1,40p' a.py && echo ---- && sed -n '80,99p' b.py", 'a.py'],
  ["awk 'NR>=10 && NR<=20' a.py", 'a.py'],
  ['git show HEAD~1:src/retry.py', 'src/retry.py'],
  ['grep -n retry a.py', 'a.py'],
  ['cat "my file.ts" 2>/dev/null', 'my file.ts'],
  ['cat -e my-file.ts', 'my-file.ts'],
  ['cat src/*.ts', 'src/*.ts'],
  ["sed -n -e '1,80p' a.py", 'a.py'],
  ['grep -i -A 3 retry a.py', 'a.py'],
  ['git show HEAD:a.py HEAD~1:b.py', 'a.py'],
])('knows the file that `%s` only shows', (command, file) => {
  expect(shownFile(command)).toBe(file);
});

it.each([
  'cat a.ts b.ts | wc',
  'npm test',
  'cat a.ts b.md',
  "cat > a.py <<'EOF'\nx = 1\nEOF",
  "sed -i 's/a/b/' a.py",
  'grep -rn retry src/',
  'cat a.py && python a.py',
  'git show HEAD',
  'git commit -m "fix: a.py"',
  'cat Makefile src/*',
  "sed -i.bak 's/a/b/' a.py",
  "sed --in-place 's/a/b/' a.py",
  'grep -r retry src',
  'grep -nR retry src',
  'grep --recursive retry src',
  'cat a.py && echo x | python -',
  "cat a.py | sed 's/a/b/'",
  'cat a.py | sort -n',
])('`%s` shows more or less than a file', (command) => {
  expect(shownFile(command)).toBeUndefined();
});
