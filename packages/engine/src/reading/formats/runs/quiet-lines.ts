/**
 * What a run prints besides: stretches without a failure, a warning, a result or a table. They go in blocks, and only from
 * runs that are too long to be shown whole; the lines next to a failure are part of it.
 */
import type { RunLines } from '../../repeated-lines.ts';
import { namesFailure, namesWarning, statesResult } from '../../trouble.ts';
import { isFrameLine } from '../stack-trace.ts';
import { isBlank, type Mark, type Marks } from './marks.ts';
import type { Section } from './sections.ts';

const MAX_BLOCK_LINES = 30;

interface Known {
  readonly sections: readonly Section[];
  /** For each line 1 if it belongs to a finding. */
  readonly isFinding: Uint8Array;
  /** 0-based lines of tests that failed, were skipped or are pending. */
  readonly notPassed: readonly number[];
}

/** Marks blocks of quiet lines among those that have no mark yet; a block is named by the step that printed it. */
export function markQuietLines(run: RunLines, marks: Marks, known: Known): void {
  const { lines } = run;
  const loud = loudLines(run, marks, known);
  const isQuiet = (index: number) =>
    marks[index] === undefined && loud[index] === 0 && !isBlank(lines[index]);
  const stepOf = stepNames(known.sections);
  for (let from = 0; from < lines.length; from += 1) {
    if (!isQuiet(from)) continue;
    let to = from;
    while (to - from + 1 < MAX_BLOCK_LINES && isQuiet(to + 1)) to += 1;
    // Each block has a mark of its own, which makes it a unit.
    const mark: Mark = { kind: 'quiet-lines', rule: 'unrelated-units', name: stepOf(from), count: 1 };
    marks.fill(mark, from, to + 1);
    from = to;
  }
}

const LAST_LINES = 5;
/** Rows of a table, which say something each; a tree of names has such lines too, but not at its end. */
const ROW = /[|┃].{0,80}[|┃]|^│.{0,250}│\s*$/;
const MAX_ROW_CHARS = 300;
/** A hunk of a diff: what a formatter or a comparison found. */
const HUNK = /^@@ -\d{1,9}(?:,(\d{1,4}))? \+\d{1,9}(?:,(\d{1,4}))? @@/;

/** For each line 1 if it must be seen, else 0. */
function loudLines({ lines, isFailure }: RunLines, marks: Marks, known: Known): Uint8Array {
  const { sections, isFinding, notPassed } = known;
  const loud = Uint8Array.from(isFinding);
  for (const index of notPassed) loud[index] = 1;
  loud.fill(1, Math.max(0, lines.length - LAST_LINES)).fill(1, 0, 1);
  for (const { from } of sections) loud[from] = 1;
  for (const [index, line] of lines.entries())
    if (isFailure[index] === true) loud[index] = 1;
    else if (marks[index] === undefined) {
      const { above, below } = loudnessOf(line);
      loud.fill(1, Math.max(0, index - above), index + below);
    }
  return loud;
}

interface Loudness {
  readonly above: number;
  /** Lines from this one on; 0 if it is quiet. */
  readonly below: number;
}

const QUIET: Loudness = { above: 0, below: 0 };
const ALONE: Loudness = { above: 0, below: 1 };
const WARNED: Loudness = { above: 1, below: 2 };
const TELLING: Loudness = { above: 2, below: 4 };
/** The names of both files. */
const HUNK_ABOVE = 4;

/** How many lines around a line must be seen because of it. */
function loudnessOf(line: string): Loudness {
  if (namesFailure(line) || statesResult(line) || isFrameLine(line)) return TELLING;
  if (namesWarning(line)) return WARNED;
  const hunk = line.startsWith('@@ -') ? HUNK.exec(line) : null;
  if (hunk !== null) return { above: HUNK_ABOVE, below: 1 + Number(hunk[1] ?? 1) + Number(hunk[2] ?? 1) };
  return ROW.test(line.slice(0, MAX_ROW_CHARS)) ? ALONE : QUIET;
}

/** The name of the step that each line belongs to, asked in order. */
function stepNames(sections: readonly Section[]): (index: number) => string {
  let at = 0;
  return (index) => {
    while (at < sections.length && (sections[at]?.to ?? 0) < index) at += 1;
    const section = sections[at];
    return section !== undefined && section.from <= index ? section.name : '';
  };
}
