/**
 * Test runs of pytest, unittest, jest, vitest, mocha, node:test, go test, cargo test, JUnit (Maven, Gradle), RSpec,
 * PHPUnit, dotnet test, TAP, ctest and GoogleTest. Groups of passed tests can be removed, and skipped tests if there
 * are many. Failures and totals are kept.
 */

import type { Format, Sample } from '../document.ts';
import { withoutTimes } from '../marks.ts';
import { runUnits } from './runs/run-units.ts';
import { outcomeOf } from './test-run/outcomes.ts';

/** Examples: short runs of each test runner, and texts that only look like one. */

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

const CHECK_LIST = `Release notes
✓ Faster start
Everything else is as it was before.
See the manual for details.`;

/** Matches lines that only a test runner prints. */
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
  examples: { is: [PYTEST], isNot: [CHECK_LIST] },
};
