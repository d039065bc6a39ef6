/** Test runs, builds, linters and installers of several tools. */
import type { Situation } from '../situation.ts';
import { dice, padded, situation, times } from './draft.ts';

const AREAS = 'cart price stock mail login search report'.split(' ');

const vitest = [
  '> shop@4.2.0 test',
  '> vitest run --reporter=verbose',
  '',
  ' RUN  v3.1.0 /home/dev/shop',
  '',
  ...AREAS.flatMap((area) =>
    times(
      42,
      (at) => ` ✓ test/${area}.test.ts > ${area} > ${dice(`${area}${at}`).phrase(5)} ${1 + (at % 9)}ms`,
    ),
  ),
  ' ✗ test/price.test.ts > price > rounds half a cent up 4ms',
  '   → expected 1050 to be 1051 // Object.is equality',
  '',
  '⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯',
  '',
  ' FAIL  test/price.test.ts > price > rounds half a cent up',
  'AssertionError: expected 1050 to be 1051 // Object.is equality',
  '',
  '- Expected',
  '+ Received',
  '',
  '- 1051',
  '+ 1050',
  '',
  ' ❯ test/price.test.ts:48:31',
  '     46|   it("rounds half a cent up", () => {',
  '     47|     const price = priceOf({ cents: 700.5, quantity: 1.5 });',
  '     48|     expect(price.cents).toBe(1051);',
  '       |                         ^',
  '     49|   });',
  '',
  ' Test Files  1 failed | 7 passed (8)',
  '      Tests  1 failed | 294 passed (295)',
  '   Start at  10:14:02',
  '   Duration  2.41s',
].join('\n');

const pytest = [
  '============================= test session starts ==============================',
  'platform linux -- Python 3.12.4, pytest-8.2.0, pluggy-1.5.0',
  'rootdir: /home/dev/lab',
  'configfile: pyproject.toml',
  'collected 261 items',
  '',
  ...AREAS.flatMap((area) =>
    times(
      37,
      (at) =>
        `${`tests/test_${area}.py::test_${dice(`py${area}${at}`).phrase(3).replaceAll(' ', '_')}_${at} PASSED`.padEnd(
          72,
        )}[${String(Math.floor((at * 100) / 37)).padStart(3)}%]`,
    ),
  ),
  'tests/test_mail.py::test_retries_after_timeout FAILED                    [ 99%]',
  'tests/test_mail.py::test_uses_relay SKIPPED (no relay in this network)   [100%]',
  '',
  '=================================== FAILURES ===================================',
  '__________________________ test_retries_after_timeout __________________________',
  '',
  '    def test_retries_after_timeout():',
  '        relay = Relay(fail=2)',
  '        send(relay, "hello")',
  '>       assert relay.attempts == 3',
  'E       assert 1 == 3',
  'E        +  where 1 = <tests.relay.Relay object>.attempts',
  '',
  'tests/test_mail.py:88: AssertionError',
  '=========================== short test summary info ============================',
  'FAILED tests/test_mail.py::test_retries_after_timeout - assert 1 == 3',
  '=================== 1 failed, 259 passed, 1 skipped in 8.73s ===================',
].join('\n');

const goTest = [
  ...AREAS.flatMap((area) => [
    ...times(24, (at) => {
      const name = `Test${area.charAt(0).toUpperCase()}${area.slice(1)}${padded(at)}`;
      return `=== RUN   ${name}\n--- PASS: ${name} (0.0${at % 10}s)`;
    }),
    ...(area === 'stock'
      ? [
          '=== RUN   TestReserveConcurrently',
          '    reserve_test.go:61: reserved 11 of 10 items',
          '--- FAIL: TestReserveConcurrently (0.14s)',
          'FAIL',
          `FAIL\texample.com/shop/internal/${area}\t0.812s`,
        ]
      : ['PASS', `ok  \texample.com/shop/internal/${area}\t0.4${area.length}1s`]),
  ]),
  'FAIL',
].join('\n');

const cargoTest = [
  '   Compiling carrier v0.3.1 (/home/dev/shop/carrier)',
  '    Finished `test` profile [unoptimized + debuginfo] target(s) in 4.12s',
  '     Running unittests src/lib.rs (target/debug/deps/carrier-8f2c11d09ab3)',
  '',
  'running 130 tests',
  ...times(130, (at) => `test parse::${dice(`rs${at}`).phrase(3).replaceAll(' ', '_')}_${at} ... ok`),
  '',
  'test result: ok. 130 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.31s',
  '',
  '   Doc-tests carrier',
  '',
  'running 2 tests',
  'test src/client.rs - send_with_retry (line 14) ... ok',
  'test src/client.rs - Zone::from_code (line 88) ... ignored',
  '',
  'test result: ok. 1 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.92s',
].join('\n');

const maven = [
  '[INFO] Scanning for projects...',
  '[INFO] --- surefire:3.2.5:test (default-test) @ accounts ---',
  '[INFO] -------------------------------------------------------',
  '[INFO]  T E S T S',
  '[INFO] -------------------------------------------------------',
  ...times(64, (at) => {
    const name = `ch.example.shop.accounts.${dice(`java${at}`).phrase(1)}${at}Test`;
    return `[INFO] Running ${name}\n[INFO] Tests run: ${2 + (at % 7)}, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.${padded(at)} s -- in ${name}`;
  }),
  '[INFO] Running ch.example.shop.accounts.AccountPolicyTest',
  '[ERROR] Tests run: 6, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.211 s <<< FAILURE! -- in ch.example.shop.accounts.AccountPolicyTest',
  '[ERROR] ch.example.shop.accounts.AccountPolicyTest.ownerMayDelete -- Time elapsed: 0.014 s <<< FAILURE!',
  'org.opentest4j.AssertionFailedError: expected: <true> but was: <false>',
  '\tat org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)',
  '\tat org.junit.jupiter.api.AssertTrue.assertTrue(AssertTrue.java:36)',
  '\tat ch.example.shop.accounts.AccountPolicyTest.ownerMayDelete(AccountPolicyTest.java:41)',
  '',
  '[INFO] Results:',
  '[ERROR] Failures:',
  '[ERROR]   AccountPolicyTest.ownerMayDelete:41 expected: <true> but was: <false>',
  '[ERROR] Tests run: 322, Failures: 1, Errors: 0, Skipped: 0',
  '[INFO] BUILD FAILURE',
  '[INFO] Total time:  9.107 s',
].join('\n');

const cargoBuild = [
  ...times(
    150,
    (at) =>
      `   Compiling ${dice(`crate${at}`).phrase(2).replace(' ', '-')} v${1 + (at % 4)}.${at % 10}.${at % 7}`,
  ),
  'warning: unused variable: `zone`',
  '  --> carrier/src/tariff.rs:77:9',
  '   |',
  '77 |     let zone = fields.next();',
  '   |         ^^^^ help: if this is intentional, prefix it with an underscore: `_zone`',
  '   |',
  '   = note: `#[warn(unused_variables)]` on by default',
  '',
  'error[E0308]: mismatched types',
  '   --> carrier/src/route.rs:112:20',
  '    |',
  '112 |     route.cost(weight.as_u64())',
  '    |           ---- ^^^^^^^^^^^^^^^ expected `u32`, found `u64`',
  '    |',
  'error: could not compile `carrier` (lib) due to 1 previous error; 1 warning emitted',
].join('\n');

const docker = [
  '#1 [internal] load build definition from Dockerfile',
  '#1 transferring dockerfile: 1.2kB done',
  '#1 DONE 0.0s',
  '#5 [build 2/7] RUN apt-get update && apt-get install -y build-essential',
  ...times(
    120,
    (at) =>
      `#5 ${(at / 10).toFixed(3)} Get:${at + 1} http://deb.example/debian bookworm/main amd64 ${dice(`deb${at}`).phrase(1)}${at} amd64 1.${at}-2 [${20 + at} kB]`,
  ),
  ...times(
    120,
    (at) => `#5 ${(12 + at / 10).toFixed(3)} Setting up ${dice(`deb${at}`).phrase(1)}${at} (1.${at}-2) ...`,
  ),
  '#5 DONE 26.4s',
  '#6 [build 3/7] RUN npm ci',
  '#6 3.218 npm error code ERESOLVE',
  '#6 3.219 npm error ERESOLVE could not resolve',
  '#6 3.220 npm error While resolving: @grove/slate@4.1.0',
  '#6 3.221 npm error Found: @grove/reed@2.0.3',
  '#6 3.222 npm error peer @grove/reed@"^3.0.0" from @grove/slate@4.1.0',
  '#6 ERROR: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1',
  '------',
  'ERROR: failed to solve: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1',
].join('\n');

const eslint = [
  ...AREAS.flatMap((area) => [
    `/home/dev/shop/src/${area}.ts`,
    ...times(
      14,
      (at) =>
        `  ${String(12 + at * 9).padStart(4)}:${1 + (at % 40)}  warning  Unexpected any. Specify a different type    @typescript-eslint/no-explicit-any`,
    ),
    ...(area === 'login'
      ? [
          '   141:11  error    Promises must be awaited, end with a call to .catch  @typescript-eslint/no-floating-promises',
        ]
      : []),
    '',
  ]),
  '✖ 99 problems (1 error, 98 warnings)',
].join('\n');

export const RUNS: readonly Situation[] = [
  situation({
    id: 'test-vitest-fail',
    area: 'test runs',
    task: 'I changed the rounding of prices. What broke?',
    said: 'Running the tests.',
    tool: 'Bash',
    command: 'npm test',
    output: vitest,
    needed: [
      ' FAIL  test/price.test.ts',
      'AssertionError: expected 1050',
      ['- 1051', '+ 1050'],
      '❯ test/price.test.ts:48',
      ' 1 failed | 294 passed (295)',
    ],
    why: 'The failure with its values and place, and the totals.',
  }),
  situation({
    id: 'test-pytest-fail',
    area: 'test runs',
    task: 'Lesquels des tests échouent ou sont sautés, et pourquoi ?',
    said: 'Je lance pytest.',
    tool: 'Bash',
    command: 'python -m pytest -v',
    output: pytest,
    needed: [
      'assert relay.attempts == 3',
      'E       assert 1 == 3',
      'test_uses_relay SKIPPED',
      '1 failed, 259 passed, 1 skipped',
    ],
    why: 'The failure, the skipped test with its reason, and the totals.',
  }),
  situation({
    id: 'test-go-race',
    area: 'test runs',
    task: 'CI says that the Go tests fail. Which one, in which package?',
    said: 'Running them here.',
    tool: 'Bash',
    command: 'go test -v ./...',
    output: goTest,
    needed: [
      'reserved 11 of 10 items',
      '--- FAIL: TestReserveConcurrently',
      'FAIL\texample.com/shop/internal/stock',
    ],
    why: 'Message, test and package.',
  }),
  situation({
    id: 'test-cargo-ignored',
    area: 'test runs',
    task: 'Are all Rust tests green? Are any ignored?',
    said: 'Running cargo test.',
    tool: 'Bash',
    command: 'cargo test',
    output: cargoTest,
    needed: ['test result: ok. 130 passed', '... ignored', 'test result: ok. 1 passed; 0 failed; 1 ignored'],
    why: 'Both result lines and the ignored test.',
  }),
  situation({
    id: 'test-maven-fail',
    area: 'test runs',
    task: '测试失败了，是哪个断言，在哪一行？',
    said: '运行 Maven 测试。',
    tool: 'Bash',
    command: 'mvn -B test',
    output: maven,
    needed: [
      'expected: <true> but was: <false>',
      'AccountPolicyTest.java:41',
      'Tests run: 322',
      'BUILD FAILURE',
    ],
    why: 'The assertion, its place, the totals and the verdict.',
  }),
  situation({
    id: 'build-cargo-mismatch',
    area: 'builds',
    task: 'Why does the carrier crate not build?',
    said: 'Building it.',
    tool: 'Bash',
    command: 'cargo build 2>&1',
    output: cargoBuild,
    needed: [
      ['error[E0308]', 'expected `u32`, found `u64`'],
      'error: could not compile',
      'warning: unused variable',
    ],
    why: 'The error with its place; the warning stays too.',
  }),
  situation({
    id: 'build-docker-peer',
    area: 'builds',
    task: 'The image does not build any more. Which package is in the way?',
    said: 'Building the image.',
    tool: 'Bash',
    command: 'docker build -t shop .',
    output: docker,
    needed: [['npm error While resolving', 'npm error peer'], 'ERROR: failed to solve'],
    why: 'The conflict of two packages behind 240 lines of an installer.',
  }),
  situation({
    id: 'lint-eslint-error',
    area: 'linters',
    task: 'The linter fails the build. Fix its error, leave the warnings.',
    said: 'Running ESLint.',
    tool: 'Bash',
    command: 'npx eslint src',
    output: eslint,
    needed: ['/home/dev/shop/src/login.ts', '141:11  error', '✖ 99 problems'],
    why: 'One error among 98 warnings, with the file it is in.',
  }),
  situation({
    id: 'lint-eslint-all',
    area: 'linters',
    task: 'Remplace chaque any par un vrai type, dans tous les fichiers.',
    said: 'Je lance ESLint.',
    tool: 'Bash',
    command: 'npx eslint src',
    output: eslint,
    needed: ['/home/dev/shop/src/', 'no-explicit-any'],
    completeness: true,
    why: 'Every finding of one rule has to be fixed.',
  }),
];
