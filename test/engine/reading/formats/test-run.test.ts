import { describe, expect, it } from 'vitest';
import { testRunFormat } from '../../../../packages/engine/src/reading/formats/test-run.ts';
import { gapsOf, keptLines, passedIn } from './removed.ts';
import { examplesOf } from './sample.ts';

const gaps = (text: string) => gapsOf(testRunFormat.units(text.split('\n'), {}));
const kept = (text: string) => keptLines(testRunFormat, text);
const passed = (text: string) => passedIn(testRunFormat, text);

const RUNS = examplesOf(testRunFormat);
/** The passed tests that each example states itself, in the order of the examples. */
const STATED = [3, 3, 120, 3, 2, 19, 2, 2, 1, 2, 6, 2, 2, 70, 2, 1, 3];

describe('testRunFormat: counts of passed tests', () => {
  it.each(RUNS.is.map((text, index) => ({ text, count: STATED[index] })))(
    '[P53] in example $#, testRunFormat finds the number of passed tests that the runner states: $count',
    ({ text, count }) => {
      expect(passed(text)).toBe(count);
    },
  );

  it.each(RUNS.is)('[P53] testRunFormat keeps failures, skipped tests and totals of example %#', (text) => {
    const telling = text.split('\n').filter((line) => TELLING.test(line));
    expect(kept(text)).toEqual(expect.arrayContaining(telling));
  });
});

const TELLING =
  /FAIL|[Ff]ailed|SKIPPED|Skipped Shop|✕|^\s*- |ignored|not ok|Assertion|Expected|Received|got \d|Traceback|File "|^[#ℹ] (?:tests|pass|fail)|\d+ (?:passed|passing|pending|examples|tests,)|Total tests|Results:/;

describe('testRunFormat: suites', () => {
  it('testRunFormat keeps the heading of a suite with a pending test and removes the heading of a suite that passed', () => {
    const text =
      '  Cart\n    ✔ starts empty\n    - keeps the order\n\n  Price\n    ✔ adds tax\n    ✔ rounds\n\n  3 passing (9ms)';
    expect(kept(text)).toEqual(['  Cart', '    - keeps the order', '', '', '  3 passing (9ms)']);
  });

  it('testRunFormat keeps the headings of all suites that contain a failed test', () => {
    const text =
      '▶ shop\n  ▶ cart\n    ✔ starts empty (1ms)\n    ✖ counts (2ms)\n  ✖ cart (3ms)\n  ▶ price\n    ✔ adds tax (1ms)\n  ✔ price (1ms)\n✖ shop (9ms)\nℹ pass 2';
    expect(kept(text)).toEqual([
      '▶ shop',
      '  ▶ cart',
      '    ✖ counts (2ms)',
      '  ✖ cart (3ms)',
      '✖ shop (9ms)',
      'ℹ pass 2',
    ]);
  });

  it('testRunFormat counts a test with subtests if the total of node:test includes it', () => {
    const run = (total: number) =>
      `▶ cart\n  ✔ starts empty (1ms)\n  ✔ adds an item (1ms)\n✔ cart (3ms)\nℹ pass ${total}`;
    expect([passed(run(2)), passed(run(3))]).toEqual([2, 3]);
  });

  it('testRunFormat does not count TAP suites as tests', () => {
    const text =
      "# Subtest: cart\n    # Subtest: empty\n    ok 1 - empty\n      ---\n      duration_ms: 1\n      type: 'test'\n      ...\n    1..1\nok 1 - cart\n  ---\n  duration_ms: 2\n  type: 'suite'\n  ...\n1..1\n# pass 1";
    expect(gaps(text)).toEqual([{ lines: '1-13', kind: 'passed-tests', name: '', count: 1 }]);
  });

  it('testRunFormat decides by the total of each node:test run whether tests with subtests are counted', () => {
    const nested =
      '▶ Tabs\n  ✔ one (1ms)\n  ✔ two (1ms)\n✔ Tabs (3ms)\nℹ tests 3\nℹ suites 0\nℹ pass 3\nℹ fail 0';
    const suite =
      '▶ Lists\n  ✔ one (1ms)\n  ✔ two (1ms)\n✔ Lists (3ms)\nℹ tests 2\nℹ suites 1\nℹ pass 2\nℹ fail 0';
    expect(passed(`${nested}\n${suite}`)).toBe(5);
    expect(kept(`${nested}\n${suite}`)).toEqual(expect.arrayContaining(['ℹ tests 3', 'ℹ tests 2']));
  });

  it('testRunFormat removes name and description of a passed unittest test, but keeps name and description of a failed test', () => {
    const test = (name: string, result: string) =>
      `${name} (tests.cart.<locals>._Cart.${name})\nKeeps the order of items ... ${result}`;
    const text = [test('test_a', 'ok'), test('test_b', 'FAIL'), test('test_c', 'ok')].join('\n');
    expect(kept(`${text}\n\nRan 3 tests in 0.004s`)).toEqual([
      'test_b (tests.cart.<locals>._Cart.test_b)',
      'Keeps the order of items ... FAIL',
      '',
      'Ran 3 tests in 0.004s',
    ]);
  });

  it('testRunFormat keeps package results of `go test -v` if they are few, and removes them if they are many', () => {
    const tests = (name: string) => `=== RUN   ${name}\n--- PASS: ${name} (0.00s)`;
    const verbose = [
      tests('TestA'),
      tests('TestB'),
      'PASS',
      'ok  \texample.org/shop\t0.4s',
      tests('TestC'),
      'PASS',
    ];
    expect(kept([...verbose, 'ok  \texample.org/shop/cart\t(cached)'].join('\n'))).toEqual(
      expect.arrayContaining(['ok  \texample.org/shop\t0.4s', 'ok  \texample.org/shop/cart\t(cached)']),
    );
    const many = Array.from({ length: 40 }, (_, at) => `ok  \texample.org/shop/p${at}\t0.4s`);
    expect(kept(many.join('\n'))).toEqual([]);
  });

  it('testRunFormat counts suites if their tests are not listed', () => {
    const text =
      'ok  \texample.org/shop/cart\t0.01s\nok  \texample.org/shop/price\t(cached)\nFAIL\texample.org/shop/tax\t0.02s';
    expect(gaps(text)).toEqual([{ lines: '1-2', kind: 'passed-tests', name: 'suites', count: 2 }]);
  });

  it('testRunFormat does not treat an unindented message as the heading of the indented test after it', () => {
    const text = '  Cart\n    ✔ starts empty\nconnection refused\n    ✔ adds an item\n  2 passing';
    expect(kept(text)).toContain('connection refused');
  });
});

it('[P51] [P53] testRunFormat keeps what up to ten passed tests of `go test -v` print', () => {
  const printed = [
    'block: !tag',
    'flow: {a: b}',
    'scalar at the end',
    'anchor lost?',
    'no comment',
    'two documents',
  ];
  const test = (name: string) => [`=== RUN   ${name}`, ...printed, `--- PASS: ${name} (0.00s)`];
  const run = (tests: number) =>
    [
      ...Array.from({ length: tests }, (_, at) => test(`TestProbe${at}`)).flat(),
      'PASS',
      'ok  \tshop\t0.01s',
    ].join('\n');
  expect(kept(run(1))).toEqual(expect.arrayContaining(printed));
  expect(kept(run(12)).length).toBeLessThan(15);
});

it('[P53] testRunFormat keeps both attempts of a test that passed only in the second one, because the first failure alone would seem final', () => {
  const tests = Array.from({ length: 40 }, (_, at) => ` ✓ test/cart.test.ts > adds item ${at} 2ms`);
  const retried = [
    ' ✗ test/cart.test.ts > pays 12ms (retry x1)',
    ' ✓ test/cart.test.ts > pays 4ms (passed on retry 1)',
  ];
  const shown = kept([...tests, ...retried, ...tests, '      Tests  81 passed (81)'].join('\n'));
  expect(shown).toEqual(expect.arrayContaining(retried));
  expect(shown.length).toBeLessThan(10);
});

describe('testRunFormat: skipped tests', () => {
  const many = (count: number, line: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => line(at));
  const runs = [
    {
      runner: 'vitest',
      run: (skipped: number) => [
        ' ✓ test/cart.test.ts > starts empty 2ms',
        ...many(skipped, (at) => ` ↓ test/cart.test.ts > pays with card ${at}`),
        ' ✓ test/cart.test.ts > adds an item 1ms',
        '      Tests  2 passed',
      ],
    },
    {
      runner: 'jest',
      run: (skipped: number) => [
        '  cart',
        '    ✓ starts empty (2 ms)',
        ...many(skipped, (at) => `    ○ skipped pays with card ${at}`),
        '    ✓ adds an item (1 ms)',
        'Tests:       2 passed, 9 total',
      ],
    },
    {
      runner: 'pytest',
      run: (skipped: number) => [
        'tests/test_cart.py::test_empty PASSED                [  1%]',
        ...many(skipped, (at) => `tests/test_cart.py::test_card[${at}] SKIPPED (no network)  [ 10%]`),
        'tests/test_cart.py::test_add PASSED                  [100%]',
        '===== 2 passed in 0.1s =====',
      ],
    },
  ];

  it.each(runs)('[P53] testRunFormat keeps skipped tests by name if they are few: $runner', ({ run }) => {
    const lines = run(8);
    const skipped = lines.filter((line) => /card/.test(line));
    expect(kept(lines.join('\n'))).toEqual(expect.arrayContaining(skipped));
  });

  it.each(runs)('[P53] [P58] testRunFormat replaces many skipped tests by a number: $runner', ({ run }) => {
    const found = gaps(run(40).join('\n'));
    const counts = (kind: string) =>
      found.filter((gap) => gap.kind === kind).reduce((sum, { count }) => sum + count, 0);
    expect([counts('passed-tests'), counts('skipped-tests')]).toEqual([2, 40]);
    expect(kept(run(40).join('\n'))).toHaveLength(1);
  });

  it('[P53] [P58] testRunFormat removes the heading of a suite together with its skipped tests if no test of the suite passed', () => {
    const text = ['▶ cart', ...many(12, (at) => `  ﹣ pays with card ${at} (0.1ms) # SKIP`), 'ℹ pass 0'];
    const found = gaps(text.join('\n').replaceAll('﹣', '↓'));
    expect(found.map(({ kind, count }) => ({ kind, count }))).toEqual([{ kind: 'skipped-tests', count: 12 }]);
  });

  it('[P58] testRunFormat does not label skipped tests as unimportant lines of a long run', () => {
    const units = testRunFormat.units(
      [...(runs[0]?.run(3) ?? []), ...many(9, (at) => `step ${at}`), 'done', 'x', 'y', 'z', 'end'],
      {},
    );
    const quiet = units.filter(({ kind }) => kind === 'quiet-lines');
    expect(quiet.some(({ start, end }) => start <= 4 && end >= 2)).toBe(false);
  });
});

describe('testRunFormat: announced tests', () => {
  it('testRunFormat keeps the announcement and the output of a failed test of `go test -v`', () => {
    const text =
      '=== RUN   TestA\n    a_test.go:3: loading\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n    b_test.go:9: no rows\n--- FAIL: TestB (0.00s)\nFAIL';
    expect(kept(text)).toEqual([
      '=== RUN   TestB',
      '    b_test.go:9: no rows',
      '--- FAIL: TestB (0.00s)',
      'FAIL',
    ]);
  });

  it('testRunFormat keeps a warning that a passed test printed', () => {
    const text = '=== RUN   TestA\nwarning: clock moved\n--- PASS: TestA (0.00s)\nok  \texample.org/a\t0.1s';
    expect(kept(text)).toContain('warning: clock moved');
  });

  it('testRunFormat removes names of passed tests of pytest-xdist and keeps names of failed tests', () => {
    const text =
      'tests/test_a.py::test_one \ntests/test_a.py::test_two \n[gw0] [ 50%] PASSED tests/test_a.py::test_one \n[gw1] [100%] FAILED tests/test_a.py::test_two \n1 failed, 1 passed in 0.1s';
    expect(passed(text)).toBe(1);
    expect(kept(text)).toContain('[gw1] [100%] FAILED tests/test_a.py::test_two ');
  });
});

describe('testRunFormat: failed tests', () => {
  it('[P53] testRunFormat keeps the whole description of a failed test, although its lines repeat', () => {
    const failure = (n: number) => [
      `____ test_sum[${n}] ____`,
      '    def test_sum(n):',
      '>       assert total(n) == n',
      'E       assert 0 == 1',
    ];
    const text = [
      '=== FAILURES ===',
      ...Array.from({ length: 30 }, (_, n) => failure(n)).flat(),
      '==== 30 failed in 0.2s ====',
    ].join('\n');
    expect(gaps(text)).toEqual([]);
  });
});
