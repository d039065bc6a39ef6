import { indentOf, isBlank } from '../../marks.ts';
import type { TestLines } from './passed-tests.ts';

/** Outcome of a test or suite on one line of a test run. The runners are listed in `test-run.ts`. */

/**
 * `passed`: tests that passed. `suite`: a file or package of tests that passed. `skipped`: a test that was not run. `other`:
 * a test that did not pass.
 */
export interface Outcome {
  readonly kind: 'passed' | 'suite' | 'skipped' | 'other';
  readonly tests: number;
}

const MAX_LINE = 300;

/** Matches a tick before a name: mocha, jest, vitest, node:test, AVA, PHPUnit's testdox. */
const TICK = /^\s*[✓✔√✅] {0,2}\S/;
/** Matches a line of vitest about one file, with the number of its tests. */
const FILE_OF_TESTS = /\((\d+) tests?\)/;
const NOT_ALL_PASSED = /\(\d{1,6} tests? \||\d (?:skipped|failed|todo)\b/;

/** Matches a name and its result: pytest -v, Gradle. */
const NAMED_PASSED = / PASSED(?: {1,100}\[\s{0,3}\d+%\])?$/;
/** Matches text that occurs in every line about a passed test or suite, of any runner. It excludes most lines quickly. */
const MAYBE_PASSED = /PASS|\bok\b|OK|assed|\[info\]|#test_|\.: \(/;

/** Matches lines about one passed test each. */
const PASSED = new RegExp(
  [
    String.raw`^PASSED\s+\[\s*\d+%\]$`, // pytest -s -v
    String.raw`^\[gw\d+\](?: \[\s*\d+%\])? PASSED `, // pytest-xdist
    String.raw`^\s*--- PASS: `, // go test -v
    String.raw`^\S.{0,280} \.\.\. ok$`, // unittest, cargo test
    String.raw`^\s*Passed\s.{1,250} \[(?:< )?[\d.,]+ ?m?s\]$`, // dotnet test
    String.raw`^\s*\d+/\d+ Test\s+#\d+: .{1,200} Passed\s+[\d.]+ sec`, // ctest
    String.raw`^\[ {7}OK \] `, // GoogleTest
    String.raw`^PASS: \S`, // Automake, lit
    String.raw`^\S{1,200}#test_.{1,200} = [\d.]+ s = \.$`, // minitest -v
    String.raw`^\s*test\S{0,200}.{0,80}:\t*\.: \([\d.e-]+\)$`, // test-unit -v
    String.raw`^[\d:]+ (?:load avg: [\d.]+ )?\[ *\d+/\d+(?:/\d+)?\] \w+ passed`, // CPython's regrtest
    String.raw`^\[info\]\s+[-+] \S`, // ScalaTest, specs2
  ].join('|'),
);

/** Matches lines about a passed file, package or class whose tests are not listed. */
const SUITE = new RegExp(
  [
    String.raw`^\s*PASS\s+\S+(?:\s+\([\d.]+ ?m?s\))?$`, // jest
    String.raw`^ok\s+\S+\s+(?:[\d.]+s|\(cached\))(?:\s+coverage: .{0,80})?$`, // go test
    String.raw`^\S{1,200} \.{2,} ok(?:\s+\d+ ms .{0,120})?$`, // prove
    String.raw`^//\S{1,200}\s+(?:\(cached\) )?PASSED in `, // Bazel
  ].join('|'),
);

/** Matches the result of a class: Maven's surefire (whose totals have no elapsed time), JUnit in sbt. */
const CLASS =
  /^(?:\[INFO\] )?Tests run: (\d+), Failures: 0, Errors: 0, Skipped: 0, Time elapsed: [\d.,]+ s|^\[info\] Test run finished: 0 failed, 0 ignored, (\d+) total/;

/** Matches lines with a dot per passed test: pytest, unittest, RSpec, PHPUnit, minitest, ExUnit. */
const DOTS = /^([.•]{2,250})$|^(?:[\w./-]{1,200} )?([.•]{1,250})\s+(?:\[\s*\d+%\]|\d+ \/ \d+ \(\s*\d+%\))$/;

/** Matches passed tests in TAP: node:test, tap, bats, prove -v. */
const TAP_PASSED = /^\s*ok {1,6}\d+(?: |$)/;
const TAP_NOT_RUN = /# (?:skip|todo)\b/i;

/** Matches skipped tests: vitest, jest, node:test, pytest, unittest, cargo test, dotnet test. */
const SKIPPED =
  /^\s*(?:[↓﹣] \S|○ skipped \S|Skipped \S.{0,250} \[)|^\S{1,250}::\S.{0,200} SKIPPED\b| \.\.\. (?:ignored|skipped\b.{0,200})$/;

/** Matches text that occurs in every line about a skipped test. */
const MAYBE_SKIPPED = /[↓﹣○]|[Ss]kipped|SKIPPED|ignored/;

/** Matches tests that failed or are pending, by a mark in the place of a tick or by a word. */
const OTHER = new RegExp(
  [
    String.raw`^\s*(?:[✖✗✘×✕⨯○◌⚠↩☢∅-] |\d+\) )\S`,
    String.raw`^\s*not ok \d+|^\s*--- (?:FAIL|SKIP): |^\[ {2}FAILED {2}\]|^FAIL(?:ED)?\b`,
    String.raw`^(?:\[\w+\] )?Tests run: \d+, .{0,80}, Time elapsed: `, // surefire
    String.raw` (?:FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b.{0,200}$| \.\.\. (?:FAIL(?:ED)?|ERROR|expected failure)$`,
  ].join('|'),
);

/** Returns the outcome of a test on a line; `undefined` if the line shows none. */
export function outcomeOf(whole: string): Outcome | undefined {
  const line = whole.slice(0, MAX_LINE);
  if (TICK.test(line)) return tickOutcome(line);
  if (TAP_PASSED.test(line)) return TAP_NOT_RUN.test(line) ? SKIPPED_TEST : ONE_PASSED;
  const tests = testsByDots(line) ?? testsOfClass(line);
  if (tests !== undefined) return { kind: 'passed', tests };
  const passed = MAYBE_PASSED.test(line) ? passedOutcome(line) : undefined;
  if (passed !== undefined) return passed;
  if (MAYBE_SKIPPED.test(line) && SKIPPED.test(line)) return SKIPPED_TEST;
  return OTHER.test(line) ? OTHER_TEST : undefined;
}

function passedOutcome(line: string): Outcome | undefined {
  const isNamed = NAMED_PASSED.test(line) && (line.includes('::') || line.includes(' > '));
  if (isNamed || PASSED.test(line))
    return / \*\*\* FAILED| !!! |IGNORED/.test(line) ? OTHER_TEST : ONE_PASSED;
  return SUITE.test(line) ? PASSED_SUITE : undefined;
}

/** Returns the number of tests in a line of dots. Three dots may only be an ellipsis. */
function testsByDots(line: string): number | undefined {
  if (!'.•])'.includes(line.at(-1) ?? ' ')) return undefined;
  const found = DOTS.exec(line);
  const dots = found?.[1] ?? found?.[2];
  return dots === '...' ? undefined : dots?.length;
}

function testsOfClass(line: string): number | undefined {
  const found = CLASS.exec(line);
  return found === null ? undefined : Number(found[1] ?? found[2]);
}

const ONE_PASSED: Outcome = { kind: 'passed', tests: 1 };
const PASSED_SUITE: Outcome = { kind: 'suite', tests: 1 };
const SKIPPED_TEST: Outcome = { kind: 'skipped', tests: 1 };
export const OTHER_TEST: Outcome = { kind: 'other', tests: 1 };

function tickOutcome(line: string): Outcome {
  const file = FILE_OF_TESTS.exec(line)?.[1];
  if (file !== undefined) return { kind: 'passed', tests: Number(file) };
  return NOT_ALL_PASSED.test(line) ? OTHER_TEST : ONE_PASSED;
}

/** Matches lines that announce a test: `go test -v`, GoogleTest, ctest, pytest -s, pytest-xdist, unittest with descriptions. */
const ANNOUNCED =
  /^(?:=== (?:RUN|PAUSE|CONT|NAME)\s+(\S.{0,200})|(\w{1,150} \([\w.<>]{1,250}\))|\[ RUN {6}\] (\S.{0,200})|\s+Start\s+\d+: (\S.{0,200})|(\S{1,200}::\S.{0,200})|\[info\] Test (run|\S{1,200}) started)$/;

export function announcedTest(line: string): string | undefined {
  const found = ANNOUNCED.exec(line.slice(0, MAX_LINE));
  if (found === null) return undefined;
  return (found.slice(1).find((name) => name !== undefined) ?? '').trim();
}

const TEST_NAMES = new RegExp(
  [
    String.raw`^\s*--- (?:FAIL|SKIP): (\S{1,250})`,
    String.raw`^\[ {2}(?:FAILED|SKIPPED) {2}\] (\S{1,250})`,
    String.raw`^(?:\[gw\d+\](?: \[\s*\d+%\])? )?(?:FAILED|ERROR|SKIPPED|XFAIL|XPASS) (\S{1,250})`,
    String.raw`^(\S{1,250}::\S{1,250}) (?:FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b`,
    String.raw`^\s*\d+/\d+ Test\s+#\d+: (\S{1,200}) .{0,100}(?:\*\*\*|Not Run)`,
    String.raw`^\[error\] Test (\S{1,200}) failed`,
  ].join('|'),
);

const MAYBE_FAILED = /FAIL|SKIP|ERROR|XPASS|\*{3}|Not Run|failed/;

/** Returns the name of the test that a line reports as failed or skipped. */
export function failedTest(line: string): string | undefined {
  if (!MAYBE_FAILED.test(line)) return undefined;
  const found = TEST_NAMES.exec(line.slice(0, MAX_LINE));
  return found?.slice(1).find((each) => each !== undefined);
}

/** Matches details after a passed test: TAP's YAML block, and lines of GoogleTest and `go test` around suites. */
const DETAIL =
  /^\s*(?:---|\.\.\.|(?:duration_ms|type): .{0,80}|1\.\.\d+|\[-{10}\].{0,120}|\[={10}\] Running .{0,80}|\[info\] Elapsed time: .{0,40})$/;

export function isDetail(line: string): boolean {
  return DETAIL.test(line.slice(0, MAX_LINE)) && !/^1\.\.\d+$/.test(line);
}

/** Matches headings of suites with a sign or keyword: node:test, TAP, cargo test, surefire. */
const SUITE_HEADING =
  /^\s*(?:▶ \S.{0,250}|# Subtest: \S.{0,250}|running \d+ tests?|(?:\[INFO\] )?Running [\w$]{1,60}\.[\w.$]{1,200})$/;

export function isSuiteHeading(line: string): boolean {
  return SUITE_HEADING.test(line.slice(0, MAX_LINE));
}

/** Matches the total of RSpec. In its documentation format, passed examples have no sign, and the total counts them. */
const TOTAL = /^(\d{1,6}) examples?, \d+ failures?/;

const END = /^(?:Failures|Pending.{0,80}):$|^Finished in /;

const NOT_PASSED = /\((?:FAILED|ERROR) - \d+\)$|\(PENDING: .{0,200}\)$/;

/** Adds outcomes and headings for the examples before the total, if their number is the total. */
export function readExamples(lines: readonly string[], read: TestLines): void {
  const total = Number(
    lines.map((line) => TOTAL.exec(line)?.[1]).find((stated) => stated !== undefined) ?? 0,
  );
  const end = total === 0 ? -1 : lines.findIndex((line) => END.test(line));
  const examples = examplesAbove(lines, end, total);
  if (examples === undefined) return;
  for (let index = examples.start; index < end; index += 1) {
    const line = lines[index] ?? '';
    if (isBlank(line)) continue;
    read.isHeading[index] = !examples.indexes.has(index);
    if (read.isHeading[index]) continue;
    read.outcomes[index] = { kind: NOT_PASSED.test(line) ? 'other' : 'passed', tests: 1 };
  }
}

interface Examples {
  readonly start: number;
  readonly indexes: ReadonlySet<number>;
}

/** Searches backwards for the unindented heading after which there are as many examples as the total states. */
function examplesAbove(lines: readonly string[], end: number, total: number): Examples | undefined {
  const indexes = new Set<number>();
  let below = 0;
  for (let index = end - 1; index >= 0 && indexes.size <= total; index -= 1) {
    if (isBlank(lines[index])) continue;
    const indent = indentOf(lines[index] ?? '');
    const isHeading = indent === 0 || below > indent;
    if (!isHeading) indexes.add(index);
    if (indent === 0 && indexes.size === total) return { start: index, indexes };
    below = indent;
  }
  return undefined;
}
