/**
 * Groups of passed tests, with the lines around them: headings of suites, announcements, details, blank
 * lines. A heading is kept if a test of its suite failed, or is shown as skipped or pending. Many skipped
 * tests form units of their own.
 */

import { indentOf, isBlank, type Mark, type Marks, namesTrouble, SUITES } from '../../marks.ts';
import {
  announcedTest,
  failedTest,
  isDetail,
  isSuiteHeading,
  OTHER_TEST,
  type Outcome,
  outcomeOf,
  readExamples,
} from './outcomes.ts';

const PASSED: Mark = { kind: 'passed-tests', rule: 'passed-tests', name: '', count: 1 };

const SKIPPED: Mark = { kind: 'skipped-tests', rule: 'passed-tests', name: '', count: 1 };

const LISTED_AGAIN: Mark = { kind: 'similar-lines', rule: 'passed-tests', name: 'PASSED …', count: 1 };

interface Heading {
  readonly index: number;
  readonly indent: number;
  /** Name that the result line of this suite or test repeats; empty without such a line. */
  readonly title: string;
  hasTests: boolean;
  isMixed: boolean;
}

export interface TestLines {
  readonly outcomes: (Outcome | undefined)[];
  readonly isHeading: boolean[];
}

/** Marks the passed tests of all runners in `lines`. Returns the 0-based lines of tests that did not pass. */
export function markPassedTests(lines: readonly string[], marks: Marks): readonly number[] {
  const read = readTestLines(lines);
  if (!read.outcomes.some((outcome) => outcome !== undefined && outcome.kind !== 'other')) return [];
  const groups = new PassedGroups(lines, read);
  for (let index = 0; index < lines.length; index += 1) groups.add(index);
  const count = groups.finish(marks);
  markListedAgain(lines, marks, count > 0);
  return read.outcomes.flatMap((outcome, index) => (outcome?.kind === 'other' ? [index] : []));
}

/** Maximum number of skipped tests that are shown by name. Also used for tests that passed only in a later attempt. */
const MAX_SHOWN_BY_NAME = 10;
const RETRIED = /\b(?:retr(?:y|ies|ied)|flaky|attempts?)\b.{0,20}$/i;

function showFewByName(lines: readonly string[], outcomes: (Outcome | undefined)[]): void {
  const indexesOf = (isMeant: (kind: Outcome['kind'] | undefined, line: string) => boolean) =>
    outcomes.flatMap((outcome, index) => (isMeant(outcome?.kind, lines[index] ?? '') ? [index] : []));
  const skipped = indexesOf((kind) => kind === 'skipped');
  const retried = indexesOf((kind, line) => kind === 'passed' && RETRIED.test(line.slice(-MAX_RETRY_CHARS)));
  for (const found of [skipped, retried])
    if (found.length <= MAX_SHOWN_BY_NAME) for (const index of found) outcomes[index] = OTHER_TEST;
}

const MAX_RETRY_CHARS = 60;

/** Matches the result of a package of `go test`. A few of them are kept, as the totals of the tests before them. */
const PACKAGE = /^ok\s+\S+\s+(?:[\d.]+s|\(cached\))/;
const MAX_SHOWN_PACKAGES = 12;

function showFewPackages(lines: readonly string[], outcomes: (Outcome | undefined)[]): void {
  if (!outcomes.some((outcome) => outcome?.kind === 'passed')) return;
  const packages = lines.flatMap((line, index) => (PACKAGE.test(line) ? [index] : []));
  if (packages.length <= MAX_SHOWN_PACKAGES) for (const index of packages) outcomes[index] = undefined;
}

function readTestLines(lines: readonly string[]): TestLines {
  const outcomes = lines.map((line) => outcomeOf(line));
  showFewByName(lines, outcomes);
  showFewPackages(lines, outcomes);
  const isHeading = new Array<boolean>(lines.length).fill(false);
  let next = -1;
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = lines[index] ?? '';
    if (isBlank(line)) continue;
    isHeading[index] = outcomes[index] === undefined && (isSuiteHeading(line) || isTitle(line, lines[next]));
    if (isHeading[index] && !isSuiteHeading(line))
      isHeading[index] = outcomes[next] !== undefined || isHeading[next] === true;
    next = index;
  }
  readExamples(lines, { outcomes, isHeading });
  return { outcomes, isHeading };
}

const MAX_TITLE = 200;

const MAX_STEP = 3;

/** Whether a line can be the title of a suite, if the first test or suite in it is on the line `next`. */
function isTitle(line: string, next: string | undefined): boolean {
  if (next === undefined || line.length > MAX_TITLE) return false;
  const step = indentOf(next) - indentOf(line);
  return step >= 1 && step <= MAX_STEP;
}

/** Collects the lines of groups. Which headings are kept is decided at the end. */
class PassedGroups {
  private readonly taken: (Mark | undefined)[] = [];
  private readonly passedNames = new Set<string>();
  private readonly failedNames = new Set<string>();
  private readonly headings: Heading[] = [];
  private readonly open: Heading[] = [];
  /** Lines that belong to the group if the next test passed. */
  private waiting: number[] = [];
  private isAfterPassed = false;
  private isInPassedTest = false;
  private readonly closers: number[] = [];

  private readonly lines: readonly string[];
  private readonly read: TestLines;
  private readonly isProbe: boolean;

  constructor(lines: readonly string[], read: TestLines) {
    this.lines = lines;
    this.read = read;
    for (const line of lines) {
      const failed = failedTest(line);
      if (failed !== undefined) this.failedNames.add(failed);
      const passed = /^\s*--- PASS: (\S{1,250})/.exec(line)?.[1];
      if (passed !== undefined) this.passedNames.add(passed);
    }
    this.isProbe = this.failedNames.size === 0 && this.passedNames.size <= MAX_SHOWN_BY_NAME;
  }

  add(index: number): void {
    const outcome = this.read.outcomes[index];
    if (outcome?.kind === 'other') this.addOther(index);
    else if (outcome?.kind === 'skipped') this.addSkipped(index);
    else if (outcome !== undefined) this.addPassed(index, outcome);
    else this.addAround(index);
  }

  private addSkipped(index: number): void {
    this.takeWaiting(SKIPPED);
    this.isAfterPassed = true;
    this.isInPassedTest = false;
    this.closeHeadings(index);
    this.taken[index] = SKIPPED;
  }

  private addPassed(index: number, outcome: Outcome): void {
    this.takeWaiting(PASSED);
    this.isAfterPassed = true;
    this.isInPassedTest = false;
    const isParent = this.closeHeadings(index)?.hasTests === true;
    const isSuite = isParent && this.isTapSuite(index);
    if (isParent && !isSuite) this.closers.push(index);
    const tests = isParent || this.listsItsTests(index) ? 0 : outcome.tests;
    this.taken[index] = outcome.kind === 'suite' ? { ...PASSED, name: SUITES } : { ...PASSED, count: tests };
  }

  private isTapSuite(index: number): boolean {
    return this.lines.slice(index + 1, index + 4).some((line) => /^\s*type: 'suite'$/.test(line));
  }

  private listsItsTests(index: number): boolean {
    const line = this.lines[index] ?? '';
    const next = this.lines[index + 1] ?? '';
    return /\(\d+ tests?\)/.test(line) && indentOf(next) > indentOf(line) && /^\s*[✓✔√]/.test(next);
  }

  private addOther(index: number): void {
    const closed = this.closeHeadings(index);
    if (closed !== undefined) closed.isMixed = true;
    for (const heading of this.open) heading.isMixed = true;
    this.leave();
  }

  private leave(): void {
    this.waiting = [];
    this.isAfterPassed = false;
  }

  /** Closes the headings of suites that ended before a line. Returns the heading whose result the line is, if any. */
  private closeHeadings(index: number): Heading | undefined {
    const line = this.lines[index] ?? '';
    const indent = indentOf(line);
    while ((this.open.at(-1)?.indent ?? -1) > indent) this.open.pop();
    const last = this.open.at(-1);
    if (last?.indent === indent) this.open.pop();
    for (const heading of this.open) heading.hasTests = true;
    const isResult = last?.indent === indent && last.title !== '' && titleOf(line).startsWith(last.title);
    return isResult ? last : undefined;
  }

  private addAround(index: number): void {
    const line = this.lines[index] ?? '';
    if (isBlank(line)) this.addBlank(index);
    else if (this.read.isHeading[index]) this.addHeading(index, line);
    else if (isDetail(line)) this.addDetail(index);
    else if (this.isAnnounced(line) || (this.isInPassedTest && !namesTrouble(line))) this.waiting.push(index);
    else this.leave();
  }

  /** Adds a blank line to the group. At the beginning of a group it belongs to the text before it. */
  private addBlank(index: number): void {
    if (this.isAfterPassed || this.waiting.length > 0) this.waiting.push(index);
  }

  private addHeading(index: number, line: string): void {
    const isFlat = /^\s*(?:\[INFO\] )?[rR]unning /.test(line);
    const indent = isFlat ? -1 : indentOf(line);
    while ((this.open.at(-1)?.indent ?? -2) >= indent) this.open.pop();
    const heading = { index, indent, title: titleOf(line), hasTests: false, isMixed: false };
    this.open.push(heading);
    this.headings.push(heading);
    this.waiting.push(index);
  }

  private addDetail(index: number): void {
    if (!this.isAfterPassed) {
      this.leave();
      return;
    }
    this.waiting.push(index);
    this.takeWaiting(PASSED);
  }

  /** Adds the waiting lines around a test to the group of the test. */
  private takeWaiting(mark: Mark): void {
    for (const each of this.waiting) this.taken[each] = { ...mark, count: 0 };
    this.waiting = [];
  }

  /**
   * Whether a line announces a test that did not fail. What such a test prints is in the group. But if few
   * tests ran and all passed, an agent wants to see what they print.
   */
  private isAnnounced(line: string): boolean {
    const name = announcedTest(line);
    if (name === undefined) return false;
    this.isInPassedTest = this.passedNames.has(name) && !this.isProbe;
    return !this.failedNames.has(name);
  }

  finish(marks: Marks): number {
    for (const { index, isMixed } of this.headings) if (isMixed) this.taken[index] = undefined;
    this.countParents();
    let count = 0;
    for (let index = 0; index < this.lines.length; index += 1) {
      marks[index] ??= this.taken[index];
      count += passedBy(this.taken[index]);
    }
    return count;
  }

  /** Counts tests that contain tests, if the total of the run is correct only then. */
  private countParents(): void {
    let from = 0;
    for (const [to, line] of this.lines.entries()) {
      const stated = STATED_PASSES.exec(line)?.[1];
      if (stated === undefined) continue;
      const sum = this.taken.slice(from, to).reduce((total, mark) => total + passedBy(mark), 0);
      const closers = this.closers.filter((index) => index >= from && index < to);
      if (sum !== Number(stated) && sum + closers.length === Number(stated))
        for (const index of closers) this.taken[index] = PASSED;
      from = to;
    }
  }
}

/** Matches the number of passed tests that node:test prints at the end of a run. */
const STATED_PASSES = /^[#ℹ] pass (\d+)$/;

function passedBy(mark: Mark | undefined): number {
  return mark?.kind === 'passed-tests' && mark.name === '' ? mark.count : 0;
}

/** Returns the name in a heading that a later result line repeats; empty if none does. */
function titleOf(line: string): string {
  const named = /^\s*(?:[▶✔✖]|# Subtest:|(?:not )?ok \d+ -) (\S.{0,250})$/.exec(line.slice(0, 300));
  return named?.[1] ?? '';
}

/** Marks `PASSED path::test` lines of a summary. Their tests were counted before. */
function markListedAgain(lines: readonly string[], marks: Marks, areCounted: boolean): void {
  for (const [index, line] of lines.entries())
    if (marks[index] === undefined && /^PASSED \S{1,250}::/.test(line))
      marks[index] = areCounted ? LISTED_AGAIN : PASSED;
}
