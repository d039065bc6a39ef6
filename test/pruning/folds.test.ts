import { describe, expect, it } from 'vitest';
import { inlineEngine } from '../../src/pruning/inline-engine.ts';
import { kindOfText } from '../../src/pruning/text-kind.ts';
import type { LineScorer } from '../../src/ranking/scorer.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { pruneRequest, testPruner } from '../support/pruner.ts';

/** Every line is as likely to be needed as any other. */
const allAlike: LineScorer = ({ lines }) => ({
  scores: new Float64Array(lines.length),
  probabilities: new Float64Array(lines.length).fill(0.1),
  kind: 'script',
  areLogOdds: true,
  tier: 'alike',
});

async function cut(lines: readonly string[], question = 'why does the import fail?', maxPruneRatio = 0.95) {
  const text = lines.join('\n');
  const engine = inlineEngine({ scorer: allAlike, clock: systemClock });
  const kind = kindOfText({ kind: 'command', command: 'make import' }, text);
  const options = { maxPruneRatio, markers: 'compact' as const };
  return testPruner({ engine }).prune(pruneRequest({ text, focus: { question }, ...kind, options }));
}

const REPORT = Array.from(
  { length: 12 },
  (_, at) => `importer: step ${at} wrote its rows to the orders table`,
);

const PYTHON_OWN = [
  '  File "/home/me/shop/shop/importer.py", line 88, in run',
  '    rows = self.read_rows(self.source)',
];
const PYTHON_FOREIGN = Array.from({ length: 8 }, (_, at) => [
  `  File "/home/me/.venv/lib/python3.11/site-packages/sqlalchemy/engine/base.py", line ${100 + at}, in _execute_context_${at}`,
  '    return self._handle_dbapi_exception(e, statement, parameters, cursor, context)',
  '           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^',
]).flat();
const PYTHON_FROZEN = ['  File "<frozen importlib._bootstrap>", line 1027, in _find_and_load'];
const PYTHON_ERROR = 'sqlalchemy.exc.OperationalError: no such table: orders (see /usr/lib/notes)';
const PYTHON = [
  'Traceback (most recent call last):',
  ...PYTHON_OWN,
  ...PYTHON_FOREIGN,
  ...PYTHON_FROZEN,
  PYTHON_ERROR,
];

const NODE_OWN = ['    at importRows (/home/me/shop/src/importer.ts:41:13)'];
const NODE_FOREIGN = [
  ...Array.from(
    { length: 9 },
    (_, at) => `    at Layer.handle_${at} (/home/me/shop/node_modules/express/lib/router/layer.js:95:5)`,
  ),
  '    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
];
const NODE = ["TypeError: Cannot read properties of undefined (reading 'id')", ...NODE_OWN, ...NODE_FOREIGN];

const JAVA_OWN = ['\tat com.example.shop.Importer.run(Importer.java:88)'];
const JAVA_FOREIGN = Array.from(
  { length: 9 },
  (_, at) => `\tat java.base/java.util.stream.ReferencePipeline$${at}.accept(ReferencePipeline.java:197)`,
);
const JAVA_CAUSE = [
  'Caused by: java.sql.SQLException: no such table',
  '\tat com.example.shop.Rows.open(Rows.java:7)',
];
const JAVA = [
  'Exception in thread "main" java.lang.IllegalStateException: import',
  ...JAVA_OWN,
  ...JAVA_FOREIGN,
  ...JAVA_CAUSE,
];

const RUST_OWN = ['   4: shop::importer::run', '             at ./src/importer.rs:88:9'];
const RUST_FOREIGN = Array.from({ length: 6 }, (_, at) => [
  `   ${at + 5}: core::ops::function::FnOnce::call_once`,
  '             at /rustc/9fc6b43126469e3858e2fe86cafb4f0fd5068869/library/core/src/ops/function.rs:250:5',
]).flat();
const RUST = [
  "thread 'main' panicked at src/importer.rs:88:9:",
  'stack backtrace:',
  ...RUST_OWN,
  ...RUST_FOREIGN,
];

const GO_OWN = ['main.importRows(0xc0000b4000, 0x12)', '\t/home/me/shop/importer.go:88 +0x1d'];
const GO_FOREIGN = Array.from({ length: 6 }, (_, at) => [
  `net/http.HandlerFunc.ServeHTTP${at}(0xc0000b4000, {0x7f0000, 0xc0001})`,
  '\t/usr/local/go/src/net/http/server.go:2136 +0x29',
]).flat();
const GO = [
  'panic: runtime error: index out of range [5]',
  '',
  'goroutine 1 [running]:',
  ...GO_OWN,
  ...GO_FOREIGN,
];

describe('[P21] a stack trace beyond .6', () => {
  it.each([
    ['Python', { trace: PYTHON, own: [...PYTHON_OWN, PYTHON_ERROR], foreign: PYTHON_FOREIGN }],
    ['JavaScript', { trace: NODE, own: [NODE[0], ...NODE_OWN], foreign: NODE_FOREIGN }],
    ['Java', { trace: JAVA, own: [JAVA[0], ...JAVA_OWN, ...JAVA_CAUSE], foreign: JAVA_FOREIGN }],
    ['Rust', { trace: RUST, own: [RUST[0], ...RUST_OWN], foreign: RUST_FOREIGN }],
    ['Go', { trace: GO, own: [GO[0], ...GO_OWN], foreign: GO_FOREIGN }],
  ])('of %s keeps the error and the frames of its reader’s own code', async (_, { trace, own, foreign }) => {
    const { prunedText, annotations } = await cut([...trace, ...REPORT]);
    for (const line of own) expect(prunedText).toContain(line);
    for (const line of foreign) expect(prunedText.split('\n')).not.toContain(line);
    expect(annotations.map(({ reason }) => reason).join()).toMatch(/library frames/);
  });

  it('stays whole at .6, and where the question asks for it', async () => {
    expect((await cut(PYTHON, 'why does the import fail?', 0.6)).prunedText).toBe(PYTHON.join('\n'));
    const { prunedText } = await cut(PYTHON, 'which library frames lead to the error?');
    expect(prunedText).toContain(PYTHON_FOREIGN[0]);
  });

  it('that has no frames but of libraries stays', async () => {
    const { prunedText } = await cut(['Traceback (most recent call last):', ...PYTHON_FOREIGN, PYTHON_ERROR]);
    expect(prunedText).toContain(PYTHON_FOREIGN[0]);
  });

  it('is shown once', async () => {
    const frames = Array.from({ length: 8 }, (_, at) => [
      `  File "/home/me/shop/shop/step${at}.py", line ${at}, in run_step_number_${at}`,
      '    self.next_step(self.rows, self.columns, self.options)',
    ]).flat();
    const once = ['Traceback (most recent call last):', ...frames, 'ValueError: first'];
    const { prunedText, annotations } = await cut([
      ...once,
      'retrying',
      ...once.slice(0, -1),
      'ValueError: second',
      ...REPORT,
    ]);
    expect(prunedText.split(frames[0] ?? '')).toHaveLength(2);
    expect(prunedText).toContain('ValueError: second');
    expect(annotations.at(-1)?.reason).toMatch(/frames above/);
  });
});

describe('[P21] [P28] progress and passing tests fold, unless asked for', () => {
  const passing = Array.from(
    { length: 40 },
    (_, at) => `test_error_number_${at} (shop.tests.ErrorTests) ... ok`,
  );
  const run = [
    ...passing,
    'test_import (shop.tests.ImportTests) ... FAIL',
    '',
    'Ran 41 tests in 0.2s',
    'FAILED (failures=1)',
  ];

  it('a passing test may take two lines', async () => {
    const described = passing.flatMap((_, at) => [
      `test_${at} (shop.tests.ErrorTests.test_${at})`,
      'Says what it is about. ... ok',
    ]);
    const { prunedText, annotations } = await cut([...described, ...run.slice(-4)]);
    expect(prunedText).not.toContain(described[20]);
    expect(annotations).toHaveLength(1);
  });

  it('a passing test is no failure, whatever its name', async () => {
    const { prunedText } = await cut(run);
    expect(prunedText).not.toContain(passing[20]);
    expect(prunedText).toContain('test_import (shop.tests.ImportTests) ... FAIL');
    expect((await cut(run, 'which tests passed?')).prunedText).toContain(passing[20]);
    const wanted = 'Let me make sure that all tests pass now.';
    expect((await cut(run, wanted)).prunedText).not.toContain(passing[20]);
  });

  it.each([
    [
      'pip',
      (at: number) => `Requirement already satisfied: package-${at}>=1.${at} in ./venv/lib (1.${at}.0)`,
    ],
    [
      'npm',
      (at: number) => `npm http fetch GET 200 https://registry.example/package-${at} ${at}ms (cache hit)`,
    ],
    ['docker', (at: number) => `${String(at).padStart(12, 'a')}: Pulling fs layer of the base image`],
    ['cargo', (at: number) => `   Compiling serde_part_${at} v1.0.${at} of the registry of crates`],
    [
      'a bar',
      (at: number) => `train: ${at}%|#######           | ${at}/100 [00:0${at % 10}<00:20, 3.1it/s, loss=0.3]`,
    ],
    [
      'a bar drawn over itself',
      (at: number) => `fetching\rfetching ${at}%\rfetching [======>      ] ${at}% of the files`,
    ],
    ['git', (at: number) => `remote: Counting objects: ${at}% (${at}/100), 1.2 MiB | 2 MiB/s`],
  ])('of %s', async (_, line) => {
    const steps = Array.from({ length: 40 }, (_, at) => line(at + 10));
    const { prunedText, annotations } = await cut(['$ make import', ...steps, ...REPORT]);
    for (const kept of REPORT) expect(prunedText).toContain(kept);
    expect(prunedText).not.toContain(steps[20]);
    expect(annotations[0]?.reason).toMatch(/progress lines/);
    expect(
      (await cut(['$ make import', ...steps, ...REPORT], 'how is the progress, what was installed?'))
        .prunedText,
    ).toContain(steps[20]);
  });
});
