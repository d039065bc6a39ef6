import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { sendJson, standInPruner, startFocus } from '../../../support/focus.ts';
import { temporaryTree } from '../../../support/temporary-tree.ts';

const NOISE =
  'for i in $(seq 300); do echo "step $i: compiled module_$i in $i ms and linked it against the runtime"; done';
const ASK = 'Which test failed and why?';

it('bash prunes the output of a failing command and keeps exit code and first error [F5] [F10]', async () => {
  const focus = await startFocus({ root: await temporaryTree(), endpoint: 'embedded' });
  const cmd = `${NOISE}; echo 'FAILED tests/test_cart.py::test_total - AssertionError: 3 != 4'; ${NOISE}; exit 1`;
  const { structuredContent, isError } = await focus.call('bash', { cmd, context_focus_question: ASK });
  expect(isError).toBe(true);
  expect(structuredContent).toMatchObject({
    error: { code: 'nonzero_exit', exit_code: 1 },
    pruning: { attempted: true, applied: true, fallback: false },
  });
  expect(structuredContent.stdout).toContain('AssertionError: 3 != 4');
  expect(structuredContent.stdout).toMatch(/⟦PRUNÉ: prune_id=prn_/);
  expect(structuredContent.pruning.pruned_bytes).toBeLessThan(structuredContent.pruning.raw_bytes / 2);
});

it('bash restores the first error if a pruner drops it [F5]', async () => {
  const pruner = await standInPruner((_body, response) =>
    sendJson(response, { output: 'all fine', output_bytes: 8 }),
  );
  const focus = await startFocus({ root: await temporaryTree(), endpoint: pruner.url });
  const cmd = 'echo ok; echo "main.c:3: error: expected ;"; echo "error: later"; exit 2';
  const { structuredContent } = await focus.call('bash', { cmd, context_focus_question: ASK });
  expect(structuredContent.stdout).toBe('main.c:3: error: expected ;\nall fine');
});

it('the focus tools never prune diffs and output of git', async () => {
  const root = await temporaryTree({
    'a.txt': Array.from({ length: 400 }, (_, index) => `line ${index}`).join('\n'),
  });
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root.real, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args]);
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  execFileSync('sed', ['-i', 's/line 7/changed 7/', `${root.real}/a.txt`]);
  execFileSync('bash', ['-c', 'git diff > change.patch; for i in $(seq 200); do cp a.txt b$i.txt; done'], {
    cwd: root.real,
  });
  const pruner = await standInPruner((_body, response) =>
    sendJson(response, { output: '', output_bytes: 0 }),
  );
  const focus = await startFocus({ root, endpoint: pruner.url });
  const outputs = [
    await focus.call('bash', { cmd: 'git diff', context_focus_question: ASK }),
    await focus.call('bash', { cmd: 'cd . && PAGER=cat git status | cat', context_focus_question: ASK }),
    await focus.call('bash', { cmd: 'cat change.patch', context_focus_question: ASK }),
    await focus.call('read', { path: 'change.patch', context_focus_question: ASK }),
  ];
  for (const { structuredContent } of outputs) {
    expect(structuredContent.pruning).toMatchObject({
      attempted: false,
      applied: false,
      kept_whole: /never pruned/,
    });
  }
  expect(pruner.requests).toEqual([]);
});

it('[F17] a pruned grep returns the same matches in structured content and in text [F7] [F10]', async () => {
  const lines = Array.from({ length: 120 }, (_, index) =>
    index === 60
      ? 'config.timeout = readTimeoutFromEnvironment("HTTP_TIMEOUT");'
      : `const value${index} = config.option${index} ?? "fallback ${index}";`,
  );
  const focus = await startFocus({
    root: await temporaryTree({ 'src/config.ts': lines.join('\n') }),
    endpoint: 'embedded',
  });
  const { structuredContent, content } = await focus.call('grep', {
    pattern: 'config',
    paths: ['src'],
    context_focus_question: 'Where does the HTTP timeout come from?',
  });
  expect(structuredContent.pruning.applied).toBe(true);
  expect(structuredContent.match_count).toBe(120);
  expect(structuredContent.matches.length).toBeLessThan(120);
  expect(structuredContent.matches).toContainEqual({
    path: 'src/config.ts',
    line: 61,
    column: 1,
    text: lines[60],
  });
  const texts = structuredContent.matches.map(
    ({ path, line, text }: { path: string; line: number; text: string }) => `${path}:${line}:${text}`,
  );
  const shown = content[0]?.text.split('\n') ?? [];
  expect(shown.filter((line) => !line.startsWith('⟦'))).toEqual(texts);
  expect(shown.filter((line) => line.startsWith('⟦'))).toEqual(structuredContent.notes);
});

it('grep returns text that a service adds to the matches as notes', async () => {
  const pruner = await standInPruner((_body, response) =>
    sendJson(response, { output: '(filtered 1 lines)\na.txt:2:hit two', output_bytes: 1 }),
  );
  const focus = await startFocus({
    root: await temporaryTree({ 'a.txt': `hit one ${'x'.repeat(40)}\nhit two\n` }),
    endpoint: pruner.url,
  });
  const { structuredContent } = await focus.call('grep', {
    pattern: 'hit',
    paths: ['.'],
    context_focus_question: ASK,
  });
  expect(structuredContent).toMatchObject({
    matches: [{ line: 2, text: 'hit two' }],
    match_count: 2,
    notes: ['(filtered 1 lines)'],
    pruning: { prune_id: /^prn_/ },
  });
});
