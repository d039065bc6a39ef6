/**
 * Test runs of pytest, unittest, jest, vitest, mocha, node:test, go test, cargo test, JUnit (Maven, Gradle), RSpec, PHPUnit,
 * dotnet test, TAP, ctest and GoogleTest. Passed tests go in groups, many skipped ones too; failures and totals stay.
 */
import type { Format, Sample } from '../document.ts';
import { runUnits } from './runs/run-units.ts';
import { withoutTimes } from './runs/times.ts';
import { TEST_RUN_EXAMPLES } from './test-run/examples.ts';
import { outcomeOf } from './test-run/outcomes.ts';

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
