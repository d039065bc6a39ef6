/** Finds where a test run describes its failures: only library frames are removed there. */
import { indentOf, isBlank } from '../runs/marks.ts';

/** The beginning of a part that describes failures, and how it ends. */
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
/** A failed test whose details are indented below it. */
const FAILED = /^\s*(?:--- FAIL: |not ok \d|[✖✗✘×] |\d+\) )/;

/** Returns for each line whether it belongs to the description of a failure. */
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
