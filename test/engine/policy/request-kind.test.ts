import { describe, expect, it } from 'vitest';
import { requestKindOf } from '../../../packages/engine/src/policy/request-kind.ts';

const kindOf = (command: string) => requestKindOf({ kind: 'command', command });

describe('[P51] requestKindOf', () => {
  it.each([
    "sed -n '31,60p' src/a.ts",
    "nl -ba src/a.ts | sed -n '10,40p'",
    "cat -n src/a.ts | sed -n '10,40p'",
    'head -40 src/a.ts',
    'tail -n 100 server.log',
    "awk 'NR>=10 && NR<=20' a.ts",
    'grep -rn retry src',
    'rg --heading retry',
    'git grep -n retry',
    'find . -name "*.ts" | sort',
    'ls -la src',
    'du -sh * | sort -rh',
    'df -h',
    'wc -l src/*.ts',
    'git log --oneline -20',
    'git status',
    'git blame src/a.ts',
    'git diff --stat',
    'jq .version package.json',
    'python3 -c "print(1)"',
    'node -e "console.log(1)"',
    'python3 reproduce.py',
    "python3 - <<'EOF'\nprint(1)\nEOF",
    'npm test 2>&1 | tail -60',
    'cargo test 2>&1 | grep -A5 failed',
    'npx mocha test/{unit,int}/*.js 2>&1 | tail -60',
    '{ npm test; } 2>&1 | tail -20',
    'cat a.json | jq .',
    'sqlite3 -table shop.db "select * from orders"',
    'pip list',
    'npm ls debug',
    'apt list --upgradable',
  ])('requestKindOf returns "precise" for %s', (command) => {
    expect(kindOf(command)).toBe('precise');
  });

  it.each([
    'npm test',
    'cd app && npm test 2>&1',
    'CI=1 yarn test --watchAll=false',
    'timeout 60 npx vitest run test/a.test.ts',
    'python -m pytest -x tests',
    'python3 manage.py test polls',
    './tests/runtests.py model_fields',
    'ruby test/run.rb -v',
    'cargo build --release',
    'go test ./...',
    'make -j4',
    'npm install && npm run build',
    'docker logs api',
    'npx eslint lib',
    'npm run build | tee build.log',
    'git checkout main && npm test',
    "bash -lc 'cd app && npm test'",
    'sh -c "make check"',
  ])('requestKindOf returns "run" for %s', (command) => {
    expect(kindOf(command)).toBe('run');
  });

  it.each([
    'cat src/a.ts',
    'cat -n src/a.ts',
    'nl -ba src/a.ts',
    'cd src && cat a.ts b.ts',
    'git show HEAD:src/a.ts',
  ])('requestKindOf returns "dump" for %s', (command) => {
    expect(kindOf(command)).toBe('dump');
  });

  it.each(['git diff main', 'git show 1a2b3c4', 'git log -p -3', 'diff -u a b', 'git -C repo diff HEAD~1'])(
    'requestKindOf returns "diff" for %s',
    (command) => {
      expect(kindOf(command)).toBe('diff');
    },
  );

  it.each(['git diff', 'git diff --staged', 'git diff -- lib', 'git diff lib/cart.rb'])(
    '[A6] requestKindOf returns "precise" for %s, because it shows changes that the agent made',
    (command) => {
      expect(kindOf(command)).toBe('precise');
    },
  );

  it.each(['curl --help all', 'npx jest --help', 'man grep', 'git help log', 'tsc --all'])(
    'requestKindOf returns "page" for %s',
    (command) => {
      expect(kindOf(command)).toBe('page');
    },
  );

  it('requestKindOf returns "result" for an HTTP request with curl and "unknown" for an unknown program', () => {
    expect(kindOf('curl -s http://127.0.0.1:1/api/items')).toBe('result');
    expect(kindOf('frobnicate --now')).toBe('unknown');
  });

  it('requestKindOf classifies several commands as "run" if one of them is a run, else as "precise" if one is precise', () => {
    expect(kindOf('git status; npm test')).toBe('run');
    expect(kindOf('cat a.ts; grep x b.ts')).toBe('precise');
    expect(kindOf('go test ./... && python3 compare.py old new')).toBe('precise');
    expect(kindOf('cd app && python3 -m pytest -q; python3 manage.py test')).toBe('run');
  });

  it('requestKindOf distinguishes tools for files, line ranges, searches, pages, subagents and MCP results', () => {
    expect(requestKindOf({ kind: 'file', path: 'a.ts' })).toBe('dump');
    expect(requestKindOf({ kind: 'file', path: 'a.ts', isPart: true })).toBe('precise');
    expect(requestKindOf({ kind: 'search', pattern: 'x' })).toBe('precise');
    expect(requestKindOf({ kind: 'page' })).toBe('page');
    expect(requestKindOf({ kind: 'report' })).toBe('report');
    expect(requestKindOf({ kind: 'result' })).toBe('result');
  });
});
