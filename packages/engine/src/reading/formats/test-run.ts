/**
 * Test runs of pytest, unittest, jest, vitest, mocha, node:test, go test, cargo test, JUnit (Maven, Gradle), RSpec,
 * PHPUnit, dotnet test, TAP, ctest and GoogleTest. Groups of passed tests can be removed, and skipped tests if there
 * are many. Failures and totals are kept.
 */

import type { Format, Sample } from '../document.ts';
import { withoutTimes } from '../marks.ts';
import { runUnits } from './runs/run-units.ts';
import { outcomeOf } from './test-run/outcomes.ts';

/** Short runs of each test runner, and texts that only look like one. */

const PYTEST = `============================= test session starts ==============================
platform linux -- Python 3.12.3, pytest-8.3.3, pluggy-1.5.0
collected 5 items

tests/test_cart.py::test_empty_cart PASSED                               [ 20%]
tests/test_cart.py::test_add_item[book] PASSED                           [ 40%]
tests/test_cart.py::test_add_item[pen] PASSED                            [ 60%]
tests/test_cart.py::test_remove_item FAILED                              [ 80%]
tests/test_cart.py::test_discount SKIPPED (no price list)                [100%]

=================================== FAILURES ===================================
_______________________________ test_remove_item _______________________________

    def test_remove_item():
        cart = Cart(["book"])
        cart.remove("book")
>       assert cart.items == []
E       AssertionError: assert ['book'] == []

tests/test_cart.py:21: AssertionError
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_remove_item - AssertionError: assert ['book'] == []
============== 1 failed, 3 passed, 1 skipped in 0.12s ==============`;

const PYTEST_QUIET = `........................................................................ [ 60%]
................................................                         [100%]
120 passed in 1.94s`;

const UNITTEST = `test_add (test_sum.SumTest.test_add) ... ok
test_overflow (test_sum.SumTest.test_overflow) ... ok
test_negative (test_sum.SumTest.test_negative) ... FAIL

======================================================================
FAIL: test_negative (test_sum.SumTest.test_negative)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/srv/app/test_sum.py", line 14, in test_negative
    self.assertEqual(add(-1, -1), -2)
AssertionError: 0 != -2

----------------------------------------------------------------------
Ran 3 tests in 0.002s

FAILED (failures=1)`;

const JEST = `PASS src/price.test.js
  price
    ✓ adds tax (3 ms)
    ✓ rounds half up
FAIL src/cart.test.js
  cart
    ✓ starts empty (1 ms)
    ✕ counts items (4 ms)

  ● cart › counts items

    expect(received).toBe(expected)

    Expected: 2
    Received: 1

Test Suites: 1 failed, 1 passed, 2 total
Tests:       1 failed, 3 passed, 4 total
Time:        0.83 s`;

const VITEST = ` RUN  v2.1.4 /srv/app

 ✓ test/price.test.ts (12 tests) 34ms
 ✓ test/cart.test.ts (7 tests) 12ms

 Test Files  2 passed (2)
      Tests  19 passed (19)
   Duration  412ms`;

const MOCHA = `  Cart
    ✔ starts empty
    ✔ adds an item
    - keeps the order

  2 passing (9ms)
  1 pending`;

const NODE_SPEC = `▶ cart
  ✔ starts empty (0.41ms)
  ✔ adds an item (0.12ms)
✔ cart (1.52ms)
ℹ tests 2
ℹ suites 1
ℹ pass 2
ℹ fail 0`;

const TAP = `TAP version 13
# Subtest: starts empty
ok 1 - starts empty
  ---
  duration_ms: 0.41
  ...
# Subtest: adds an item
not ok 2 - adds an item
  ---
  duration_ms: 0.92
  error: 'expected 1'
  ...
1..2
# tests 2
# pass 1
# fail 1`;

const GO = `=== RUN   TestCart
=== RUN   TestCart/empty
=== RUN   TestCart/one_item
--- PASS: TestCart (0.00s)
    --- PASS: TestCart/empty (0.00s)
    --- PASS: TestCart/one_item (0.00s)
=== RUN   TestPrice
    price_test.go:18: got 3, want 4
--- FAIL: TestPrice (0.00s)
FAIL
FAIL	example.org/shop/cart	0.004s`;

const CARGO = `running 3 tests
test cart::tests::starts_empty ... ok
test cart::tests::adds_item ... ok
test cart::tests::slow ... ignored

test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s`;

const MAVEN = `[INFO] -------------------------------------------------------
[INFO]  T E S T S
[INFO] -------------------------------------------------------
[INFO] Running org.example.shop.CartTest
[INFO] Tests run: 6, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.041 s - in org.example.shop.CartTest
[INFO] Results:
[INFO] Tests run: 6, Failures: 0, Errors: 0, Skipped: 0`;

const GRADLE = `> Task :test

CartTest > startsEmpty() PASSED

CartTest > addsItem() PASSED

CartTest > countsItems() FAILED
    org.opentest4j.AssertionFailedError at CartTest.java:31

3 tests completed, 1 failed`;

const RSPEC = `Cart
  starts empty
  #add
    keeps the order
    counts items (FAILED - 1)

Failures:

  1) Cart#add counts items
     Failure/Error: expect(cart.count).to eq(2)

Finished in 0.004 seconds (files took 0.1 seconds to load)
3 examples, 1 failure`;

const PHPUNIT = `PHPUnit 10.5.2 by Sebastian Bergmann and contributors.

...............................................................  63 / 70 ( 90%)
.......                                                          70 / 70 (100%)

OK (70 tests, 141 assertions)`;

const DOTNET = `  Passed Shop.Tests.CartTests.StartsEmpty [4 ms]
  Passed Shop.Tests.CartTests.AddsItem [< 1 ms]
  Skipped Shop.Tests.CartTests.Slow [1 ms]

Test Run Successful.
Total tests: 3`;

const CTEST = `    Start 1: cart
1/2 Test #1: cart .............................   Passed    0.01 sec
    Start 2: price
2/2 Test #2: price ............................***Failed    0.02 sec

50% tests passed, 1 tests failed out of 2`;

const TEST_UNIT = `Loaded suite test
Started
CartTest: 
  test_adds_item:\t\t\t.: (0.000255)
  test_empty:\t\t\t\t.: (0.000131)
  test_price:\t\t\t\tF
===============================================================================
Failure: test_price(CartTest)
test/cart_test.rb:12:in 'test_price'
<4> expected but was
<3>
===============================================================================
: (0.004161)
PriceTest: 
  test_rounds:\t\t\t\t.: (8.8e-05)

Finished in 0.020614 seconds.
4 tests, 4 assertions, 1 failures, 0 errors, 0 pendings, 0 omissions, 0 notifications
75% passed`;

const CHECK_LIST = `Release notes
✓ Faster start
Everything else is as it was before.
See the manual for details.`;

const SOURCE = `import pytest

def test_empty_cart():
    assert Cart().items == []

def test_add_item():
    assert Cart(["book"]).items == ["book"]`;

const TODO_LIST = `Before the release
- run the tests
- write the notes
- ask the team`;

const TEST_RUN_EXAMPLES = {
  is: [
    PYTEST,
    PYTEST_QUIET,
    UNITTEST,
    JEST,
    VITEST,
    MOCHA,
    NODE_SPEC,
    TAP,
    GO,
    CARGO,
    MAVEN,
    GRADLE,
    RSPEC,
    PHPUNIT,
    DOTNET,
    CTEST,
    TEST_UNIT,
  ],
  isNot: [CHECK_LIST, SOURCE, TODO_LIST],
};

/** Lines that only a test runner prints. */
const RUNNER = new RegExp(
  [
    '^=+ (?:test session starts|FAILURES|ERRORS|short test summary info|slowest .{0,40}durations) =+$', // pytest
    String.raw`^=* ?(?:\d+ (?:failed|passed|skipped|deselected|xfailed|warnings?|errors?),? ?){1,8}in [\d.]+s`, // pytest
    String.raw`^Ran \d+ tests? in [\d.]+s`, // unittest
    String.raw`^\s*(?:Tests|Test Suites|Test Files):?\s+\d+ (?:failed|passed|skipped|todo|total)\b`, // jest, vitest
    String.raw`^\s*\d+ (?:passing|failing)(?: \(|$)`, // mocha
    String.raw`^[#ℹ] (?:tests|pass|fail|duration_ms) [\d.]+$|^TAP version \d+|^1\.\.\d+$`, // node:test, TAP
    String.raw`^(?:=== RUN|--- (?:PASS|FAIL): )\s|^(?:ok|FAIL)\s+\S+\s+(?:[\d.]+s|\(cached\))$`, // go test
    String.raw`^test result: |^running \d+ tests?$`, // cargo
    String.raw`^(?:\[\w+\] )?Tests run: \d+, Failures: \d+|^(?:\[INFO\] )?\s*T E S T S$|^\d+ tests? completed, \d+ failed`, // Maven, Gradle
    String.raw`^\d+ examples?, \d+ failures?`, // RSpec
    String.raw`^\d+ (?:tests|runs), \d+ assertions, \d+ failures`, // test-unit, minitest
    String.raw`^PHPUnit \d|^OK \(\d+ tests?, \d+ assertions?\)|^Tests: \d+, Assertions: \d+`, // PHPUnit
    String.raw`^(?:Passed|Failed)! +- Failed: +\d+|^Total tests: \d+|^Test Run (?:Successful|Failed)`, // dotnet
    String.raw`^\d+% tests passed, \d+ tests failed out of \d+|^\[={10}\] \d+ tests? from`, // ctest, GoogleTest
  ].join('|'),
);
const MIN_PASSED = 3;

function recognise(sample: Sample): boolean {
  const lines = withoutTimes(sample);
  if (lines.some((line) => RUNNER.test(line))) return true;
  return lines.filter((line) => isPassed(line)).length >= MIN_PASSED;
}

function isPassed(line: string): boolean {
  const outcome = outcomeOf(line);
  return outcome?.kind === 'passed' || outcome?.kind === 'suite';
}

export const testRunFormat: Format = {
  name: 'test-run',
  recognise,
  units: (lines) => runUnits(lines),
  examples: TEST_RUN_EXAMPLES,
};
