import { grouped } from '@secateur/base/runtime/grouped.ts';
import { indentOf, isBlank, type Mark, type Marks, namesWarning, setMarkOnce } from '../../marks.ts';
import type { Templates } from '../log/template.ts';

/**
 * Findings of compilers and linters with the source that they quote: gcc, clang, rustc, tsc, Biome,
 * shellcheck, ruff, RuboCop, golangci-lint. Of many warnings of one rule, the first and last are kept. Errors
 * are always kept. Compiler notes about library code are removed like library frames.
 */

/** A finding from its heading to the last line of quoted source, 0-based and inclusive. */
interface Finding {
  readonly start: number;
  readonly end: number;
}

const MAX_LINE = 400;
/** Matches the beginning of a finding: a position (`path:line:column`), or the line before it (`In FILE line N:`). */
const HEADING = /^(?:[^\s:(]{1,250}[:(]\d{1,7}[:,]\d{1,5}\b|In \S{1,250} line \d{1,7}:$)/;
const ABOVE_PLACE = /^(?:(?:warning|error)(?:\[\w{1,20}\])?: \S|[A-Z]{1,4}\d{3,4} \S)/;
const PLACE_BELOW = /^\s{1,8}--> \S/;
/** Matches lines after the heading of a finding: source, carets and advice. */
const EXCERPT = /^(?:\s|\d{1,7}\s)/;
/** Matches headings of shellcheck, which quotes source without indentation. */
const QUOTES = /^In \S{1,250} line \d/;
const QUOTES_END = /^For more information:/;
const MAX_EXCERPT_LINES = 60;

/** Lists the findings that quote source. */
function* findingsIn(lines: readonly string[]): Generator<Finding> {
  for (let index = 0; index < lines.length; index += 1) {
    if (!isHeading(lines, index)) continue;
    const start = index;
    const isPart = excerptOf(lines[start] ?? '');
    while (index + 1 < lines.length && index - start < MAX_EXCERPT_LINES && isPart(lines, index + 1))
      index += 1;
    while (isBlank(lines[index])) index -= 1;
    if (index > start) yield { start, end: index };
  }
}

function isHeading(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? '';
  if (HEADING.test(line)) return true;
  return ABOVE_PLACE.test(line) && PLACE_BELOW.test(lines[index + 1] ?? '');
}

function excerptOf(heading: string): (lines: readonly string[], index: number) => boolean {
  if (QUOTES.test(heading))
    return (lines, index) => !isHeading(lines, index) && !QUOTES_END.test(lines[index] ?? '');
  return (lines, index) => isBlank(lines[index]) || EXCERPT.test(lines[index] ?? '');
}

/** Matches the rule of a finding: its code, option or path. */
const RULE =
  /\b(?:SC\d{4}|TS\d{3,5}|[A-Z]{1,4}\d{3,4}|lint\/\w{1,40}\/\w{1,80}|[A-Z]\w{1,40}\/[A-Z]\w{1,60}|clippy::\w{1,60})\b|\[-W[\w=+-]{1,60}\]|\([\w-]{2,40}\)$/;
const ERROR = /\b(?:error|fatal)\b|^\s*[×✖]/i;
/** Number of lines of a finding in which rule and level are searched. */
const MAX_TITLE_LINES = 6;

const MIN_FINDINGS = 8;
const KEPT_FIRST = 1;

/** Marks findings of rules that have many, and notes about library code. Returns 1 for each line of a finding. */
export function markFindings(lines: readonly string[], marks: Marks, templates: Templates): Uint8Array {
  markLibraryNotes(lines, marks);
  const isPart = new Uint8Array(lines.length);
  const byRule: [rule: string | undefined, finding: Finding][] = [];
  for (const finding of findingsIn(lines)) {
    isPart.fill(1, finding.start, finding.end + 1);
    byRule.push([ruleOf(lines, finding, templates), finding]);
  }
  for (const [rule, group] of grouped(byRule))
    if (rule !== undefined && group.length >= MIN_FINDINGS)
      for (const finding of group.slice(KEPT_FIRST, -1))
        setMarkOnce(marks, { kind: 'finding', rule: 'repeated-lines', name: rule, count: 1 }, finding);
  return isPart;
}

/** Returns the rule of a finding; `undefined` for an error. */
function ruleOf(lines: readonly string[], { start, end }: Finding, templates: Templates): string | undefined {
  const title = lines
    .slice(start, Math.min(end + 1, start + MAX_TITLE_LINES))
    .map((each) => each.slice(0, MAX_LINE));
  if (title.some((line) => ERROR.test(line))) return undefined;
  for (const line of title) {
    const rule = RULE.exec(line)?.[0];
    if (rule !== undefined) return namesWarning(line) ? `warning ${rule}` : rule;
  }
  return templates(start).text;
}

const LIBRARY_NOTE =
  /^(?:\/usr\/|\/opt\/|\/Library\/|[^\s:]{0,200}\/(?:include\/c\+\+|node_modules|vendor|\.cargo)\/)[^\s:]{1,250}:\d{1,7}:\d{1,5}: {1,3}(?:note: |required (?:from|by) )/;
const SOURCE = /^\s{1,8}\d{0,7} \|/;
const MIN_NOTES = 3;
const NOTE: Mark = { kind: 'library-notes', rule: 'library-frames', name: '', count: 1 };

/** Marks consecutive compiler notes about library code, except the first note. */
function markLibraryNotes(lines: readonly string[], marks: Marks): void {
  let starts: number[] = [];
  for (let index = 0; index <= lines.length; index += 1) {
    const line = (lines[index] ?? '').slice(0, MAX_LINE);
    if (LIBRARY_NOTE.test(line)) starts.push(index);
    else if (starts.length > 0 && !SOURCE.test(line)) {
      if (starts.length > MIN_NOTES) markNotes(marks, { starts, end: index - 1 });
      starts = [];
    }
  }
}

function markNotes(marks: Marks, { starts, end }: { starts: readonly number[]; end: number }): void {
  const [, second = end] = starts;
  for (let index = second; index <= end; index += 1) marks[index] ??= { ...NOTE, count: 0 };
  for (const start of starts.slice(1)) marks[start] = NOTE;
}

/** The rest of this file finds where a test run describes its failures. There, only library frames may be removed. */

/** First and last line of the descriptions of failures. */
const PARTS: readonly { readonly start: RegExp; readonly end: RegExp }[] = [
  { start: /^=+ (?:FAILURES|ERRORS) =+$/, end: /^=+ (?!FAILURES|ERRORS).{1,200} =+$/ }, // pytest
  { start: /^failures:$/, end: /^test result:/ }, // cargo
  { start: /^Failures:$/, end: /^Finished in / }, // RSpec
  { start: /^(?:FAIL|ERROR): \S{1,200} \(/, end: /^Ran \d+ tests?/ }, // unittest
  { start: /^\s*\d+ failing$/, end: /^npm (?:ERR!|error)|^error Command failed/ }, // mocha
  {
    start: /^There (?:was|were) \d+ (?:failures?|errors?|warnings?):$/,
    end: /^(?:FAILURES|ERRORS|WARNINGS)!$/,
  }, // PHPUnit
  { start: /^\s*● (?!Console)/, end: /^(?:Test Suites:|PASS |FAIL )/ }, // jest
  { start: /^[ ⎯]{1,80}Failed Tests/, end: /^\s*Test Files\s/ }, // vitest
];
/** Matches a failed test whose details are on deeper lines below it. */
const FAILED = /^\s*(?:--- FAIL: |not ok \d|[✖✗✘×] |\d+\) )/;

/** Returns for each line whether it is part of the description of a failure. */
export function failureLines(lines: readonly string[]): readonly boolean[] {
  const isFailure = new Array<boolean>(lines.length).fill(false);
  let end: RegExp | undefined;
  let indent = -1;
  for (const [index, line] of lines.entries()) {
    const start = end?.test(line) ? undefined : (PARTS.find((part) => part.start.test(line))?.end ?? end);
    end = start;
    if (FAILED.test(line)) indent = indentOf(line);
    else if (!isBlank(line) && indentOf(line) <= indent) indent = -1;
    isFailure[index] = end !== undefined || indent !== -1;
  }
  return isFailure;
}
