/** Finds lines that are kept regardless of the ranking: directives, markers, and failures with their context. */

import { isFailure, namesFailure } from '@secateur/base/text/failure-words.ts';
import { isHandle } from '../marker.ts';
import { structureAt } from '../reading/declaration-patterns.ts';
import type { Document } from '../reading/document.ts';
import { traceRanges } from '../reading/stack-traces.ts';

const BEGIN = '⟦NO_PRUNE_BEGIN⟧';
const END = '⟦NO_PRUNE_END⟧';

/** Returns the 0-based lines between directives (P20), and the markers of earlier cuts (P19). */
export function untouchableLines(lines: readonly string[]): {
  directives: Set<number>;
  markers: Set<number>;
} {
  const markers = new Set<number>();
  for (const [index, line] of lines.entries()) if (isHandle(line)) markers.add(index);
  return { directives: directiveLines(lines), markers };
}

/** Returns the lines from each BEGIN directive to its END, inclusive; without an END, to the end of the text. */
function directiveLines(lines: readonly string[]): Set<number> {
  const directives = new Set<number>();
  let depth = 0;
  for (const [index, line] of lines.entries()) {
    const [begins, ends] = [line.includes(BEGIN), line.includes(END)];
    if (begins) depth += 1;
    if (ends || depth > 0) directives.add(index);
    if (ends && depth > 0) depth -= 1;
  }
  return directives;
}

const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
/** Maximum number of identical failures to keep. More of them add no information. */
const MAX_EQUAL_FAILURES = 2;
const LAST_LINES = 3;

/**
 * Returns the 0-based lines of a report that are always kept (P21): failures with the line before and after,
 * whole stack traces, the first line and the last three. `isStrict` also keeps repeated failures and counts
 * of zero.
 */
export function failureLines(
  { bare: lines }: Document,
  { isStrict }: { readonly isStrict: boolean },
): Set<number> {
  const kept = new Set<number>([0, ...lastLines(lines)]);
  const seen = new Map<string, number>();
  const isContext = (index: number) =>
    index in lines && (isStrict || SAYS_SOMETHING.test(lines[index] ?? ''));
  for (const [index, line] of lines.entries()) {
    if (isStrict ? !namesFailure(line) : !isNewFailure(line, seen)) continue;
    kept.add(index);
    for (const near of [index - 1, index + 1].filter(isContext)) kept.add(near);
  }
  for (const { start, end } of traceRanges(lines))
    for (let line = start; line <= end; line += 1) kept.add(line - 1);
  return kept;
}

function isNewFailure(line: string, seen: Map<string, number>): boolean {
  if (!isFailure(line)) return false;
  const times = (seen.get(line) ?? 0) + 1;
  seen.set(line, times);
  return times <= MAX_EQUAL_FAILURES;
}

function lastLines(lines: readonly string[]): number[] {
  return [...lines.keys()].filter((index) => lines[index]?.trim() !== '').slice(-LAST_LINES);
}

const MAX_HEADER_LINES = 30;
const COMMENT = /^\s*(?:#|\/\/|\/\*|\*|--|;|%|<!--|"""|''')/;

/** Returns the 0-based lines of imports, and of a comment at the beginning of code. */
export function structureLines(lines: readonly string[]): Set<number> {
  const kept = new Set<number>();
  const header = lines.slice(0, MAX_HEADER_LINES).findIndex((line) => !COMMENT.test(line.slice(0, 80)));
  for (let index = 0; index < (header < 0 ? MAX_HEADER_LINES : header); index += 1) kept.add(index);
  for (const [index, line] of lines.entries()) if (structureAt(line) === 'import') kept.add(index);
  return kept;
}
