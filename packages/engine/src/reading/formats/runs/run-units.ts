/** Units of the output of a run: tests, a build, an installer, or a CI job, which may contain all of these. */

import type { Unit } from '../../document.ts';
import {
  isBlank,
  joinOverBlankLines,
  type Mark,
  type Marks,
  namesFailure,
  namesWarning,
  statesResult,
  unitsOfMarks,
  withoutTimes,
} from '../../marks.ts';
import { isPart, markRepeatedLines, nameOf, type RunLines, runLines } from '../../repeated-lines.ts';
import { markProgress } from '../build/progress.ts';
import { type EntryGroup, groupByTemplate, standingOut } from '../log/template.ts';
import { isFrameLine, markLibraryFrames } from '../stack-trace.ts';
import { markPassedTests } from '../test-run/passed-tests.ts';
import { failureLines, markFindings } from './findings.ts';

/**
 * Finds passed tests, library frames, progress, repeated lines and quiet lines, in this order of priority.
 * Each step of a CI job is read separately.
 */
export function runUnits(whole: readonly string[]): readonly Unit[] {
  const lines = withoutTimes(whole);
  const marks: Marks = new Array(lines.length);
  const notPassed = markPassedTests(lines, marks);
  markLibraryFrames(lines, marks);
  markProgress(lines, marks);
  const run = runLines(lines, failureLines(lines));
  const isFinding = markFindings(lines, marks, run.templates);
  markRepeatedLines(run, marks);
  markFrequentLines(run, marks);
  joinOverBlankLines(lines, marks);
  const sections = [...sectionsIn(lines)];
  markQuietLines(run, marks, { sections, isFinding, notPassed });
  return unitsBySection(run, marks, sections);
}

/**
 * Minimum number of lines of one template anywhere in a run for them to be removed: copies, compiled modules,
 * one warning in many places. The first, the last, extremes and rare values are kept. A warning is removed
 * with the source it quotes; failures never are.
 */
const MIN_FREQUENT = 20;
/** Minimum number of similar findings (lines with a position in a file) for them to be removed. */
const MIN_FINDINGS = 40;
const MIN_LENGTH = 12;
const PLACE = /^\s*(?:\S{0,200}:\d+:\d+|\d+:\d+\s)/;
/** Matches source and carets after a warning. */
const EXCERPT = /^(?:\[warn\] ?)?(?:\s{2,}\S|\s{0,8}\d{0,6}\s{0,8}[|^~]|\s*$)/;
const MAX_EXCERPT = 8;

/** Marks frequent lines, unless they have a mark or belong to a failure. */
function markFrequentLines(run: RunLines, marks: Marks): void {
  const { lines, templates, leads, isFailure } = run;
  const times = new Map<string, number>();
  for (const lead of leads) times.set(lead, (times.get(lead) ?? 0) + 1);
  const isOpen = (index: number) =>
    marks[index] === undefined &&
    isFailure[index] !== true &&
    (lines[index]?.length ?? 0) >= MIN_LENGTH &&
    (times.get(leads[index] ?? '') ?? 0) >= MIN_FREQUENT;
  for (const group of groupByTemplate(lines.length, templates, isOpen))
    if (group.entries.length >= MIN_FREQUENT && isFoldable(lines, group)) markGroup(run, marks, group);
}

function isFoldable(lines: readonly string[], { template, entries }: EntryGroup): boolean {
  const first = lines[entries[0]?.index ?? 0] ?? '';
  if (!/\p{L}{3}/u.test(template) || isPart(first)) return false;
  if (namesFailure(template) || statesResult(template)) return false;
  return entries.length >= MIN_FINDINGS || !PLACE.test(first);
}

function markGroup({ lines, mentions }: RunLines, marks: Marks, { template, entries }: EntryGroup): void {
  const name = nameOf(template, lines[entries[0]?.index ?? 0] ?? '');
  const mark: Mark = { kind: 'similar-lines', rule: 'repeated-lines', name, count: 1 };
  const isWarning = namesWarning(template);
  const kept = standingOut(entries);
  for (const [position, { index }] of entries.entries()) {
    if (kept.has(position) || marks[index] !== undefined || mentions.failure(index)) continue;
    marks[index] = mark;
    if (isWarning) markExcerpt(lines, marks, { mark, index });
  }
}

function markExcerpt(lines: readonly string[], marks: Marks, { mark, index }: { mark: Mark; index: number }) {
  for (let below = index + 1; below <= index + MAX_EXCERPT && below < lines.length; below += 1) {
    const line = lines[below] ?? '';
    if (
      marks[below] !== undefined ||
      !EXCERPT.test(line) ||
      namesFailure(line) ||
      namesWarning(line.replace(/^\[warn\]/, ''))
    )
      return;
    marks[below] = { ...mark, count: 0 };
  }
}

/**
 * Maximum lines of a block of quiet lines: ranges without a failure, warning, result or table. They are
 * removed only from runs that are too long to be shown. Lines beside a failure belong to the failure.
 */
const MAX_BLOCK_LINES = 30;

interface Known {
  readonly sections: readonly Section[];
  /** 1 for each line that belongs to a finding. */
  readonly isFinding: Uint8Array;
  /** 0-based lines of tests that failed, were skipped or are pending. */
  readonly notPassed: readonly number[];
}

/** Marks blocks of quiet lines that have no mark. The name of a block is that of the step that printed it. */
function markQuietLines(run: RunLines, marks: Marks, known: Known): void {
  const { lines } = run;
  const loud = loudLines(run, marks, known);
  const isQuiet = (index: number) =>
    marks[index] === undefined && loud[index] === 0 && !isBlank(lines[index]);
  const stepOf = stepNames(known.sections);
  for (let from = 0; from < lines.length; from += 1) {
    if (!isQuiet(from)) continue;
    let to = from;
    while (to - from + 1 < MAX_BLOCK_LINES && isQuiet(to + 1)) to += 1;
    // Each block gets a mark of its own and becomes a unit.
    const mark: Mark = { kind: 'quiet-lines', rule: 'unrelated-units', name: stepOf(from), count: 1 };
    marks.fill(mark, from, to + 1);
    from = to;
  }
}

const LAST_LINES = 5;
/** Matches rows of a table, which differ in content. A tree of names has bars too, but not at the ends of its lines. */
const ROW = /[|┃].{0,80}[|┃]|^│.{0,250}│\s*$/;
const MAX_ROW_CHARS = 300;
/** Matches the heading of a diff hunk, from a formatter or a comparison. */
const HUNK = /^@@ -\d{1,9}(?:,(\d{1,4}))? \+\d{1,9}(?:,(\d{1,4}))? @@/;

/** Returns 1 for each line that must be shown, and 0 for others. */
function loudLines(run: RunLines, marks: Marks, known: Known): Uint8Array {
  const { lines, isFailure } = run;
  const { sections, isFinding, notPassed } = known;
  const loud = Uint8Array.from(isFinding);
  for (const index of notPassed) loud[index] = 1;
  loud.fill(1, Math.max(0, lines.length - LAST_LINES)).fill(1, 0, 1);
  for (const { from } of sections) loud[from] = 1;
  for (const index of lines.keys())
    if (isFailure[index] === true) loud[index] = 1;
    else if (marks[index] === undefined) {
      const [above, below] = loudnessOf(run, index);
      loud.fill(1, Math.max(0, index - above), index + below);
    }
  return loud;
}

/** Number of lines to show before a line, and from the line on; 0 if it is quiet. */
type Loudness = readonly [above: number, below: number];

/** Number of lines before a hunk that contain the names of both files. */
const HUNK_ABOVE = 4;

/** Returns how many adjacent lines must be shown with a line. */
function loudnessOf({ lines, mentions }: RunLines, index: number): Loudness {
  const line = lines[index] ?? '';
  if (mentions.failure(index) || mentions.result(index) || isFrameLine(line)) return [2, 4];
  if (mentions.warning(index)) return [1, 2];
  const hunk = line.startsWith('@@ -') ? HUNK.exec(line) : null;
  if (hunk !== null) return [HUNK_ABOVE, 1 + Number(hunk[1] ?? 1) + Number(hunk[2] ?? 1)];
  return ROW.test(line.slice(0, MAX_ROW_CHARS)) ? [0, 1] : [0, 0];
}

/** Returns a function for the step of a line. It must be called for the lines in order. */
function stepNames(sections: readonly Section[]): (index: number) => string {
  let at = 0;
  return (index) => {
    while (at < sections.length && (sections[at]?.to ?? 0) < index) at += 1;
    const section = sections[at];
    return section !== undefined && section.from <= index ? section.name : '';
  };
}

/** Matches the heading of a step in a CI log or build. If its output is quiet, the step may be removed as a whole. */
const HEADING =
  /^(?:##\[(?:group|section)\](\S.{0,200})|travis_fold:start:(\S{1,100})|\$ (\S.{0,200})|\[INFO\] --- (\S.{0,150}) ---|> Task (:\S{1,150})|Step \d+\/\d+ : (\S.{0,200})|#\d+ (\[[^\]]{1,40}\] \S.{0,200})|section_start:\d+:(\w{1,80})|##\[command\](\S.{0,200})|Run (\S.{0,200})|(Worker|Build system) information$)/;
const END = /^(?:##\[endgroup\]|travis_fold:end:|section_end:\d+:)/;

const MIN_LINES = 4;
const MAX_NAME = 60;

interface Section {
  readonly name: string;
  /** First line, 0-based. `to` is inclusive. */
  readonly from: number;
  readonly to: number;
}

/** Returns the units of a run: sections with their units, and the units between sections. */
function unitsBySection(run: RunLines, marks: Marks, sections: readonly Section[]): Unit[] {
  const units: Unit[] = [];
  let next = 0;
  for (const section of sections) {
    if (!isQuiet(run, section)) continue;
    units.push(...unitsOfMarks(marks, { from: next, to: section.from - 1 }));
    const children = unitsOfMarks(marks, { from: section.from + 1, to: section.to });
    units.push(sectionUnit(section, children));
    next = section.to + 1;
  }
  units.push(...unitsOfMarks(marks, { from: next, to: run.lines.length - 1 }));
  return units;
}

/** Matches output of CI services about their own work: machines, caches, checkouts, packages. */
const SERVICE =
  /^(?:system_info|worker_info|Worker$|Build system$|git (?:clone|fetch|checkout|submodule)\b|(?:sudo )?(?:-E )?apt-get |cache\.\d|git\.|apt|resolvconf|after_success|Operating System|Virtual Environment|Runner Image|Getting Git|Initializing the repository|GITHUB_TOKEN Permissions|Disabling automatic garbage|Determining the checkout|Fetching the repository|Setting up auth|Prepare all required)/;

function sectionUnit({ name, from, to }: Section, children: readonly Unit[]): Unit {
  const rule = SERVICE.test(name) ? 'progress' : 'unrelated-units';
  const unit: Unit = { kind: 'section', rule, name, start: from + 1, end: to + 1, head: from + 1 };
  return children.length > 0 ? { ...unit, children } : unit;
}

/** Yields the sections, each from its heading to the line before the next heading or to the end. */
function* sectionsIn(lines: readonly string[]): Generator<Section> {
  let open: { name: string; from: number } | undefined;
  for (let index = 0; index <= lines.length; index += 1) {
    const line = (lines[index] ?? '').slice(0, 250);
    const heading = HEADING.exec(line);
    if (heading === null && !END.test(line) && index < lines.length) continue;
    if (open !== undefined && index - open.from >= MIN_LINES) yield { ...open, to: index - 1 };
    const name = heading?.slice(1).find((each) => each !== undefined);
    open = name === undefined ? undefined : { name: name.slice(0, MAX_NAME), from: index };
  }
}

function isQuiet({ mentions }: RunLines, { name, from, to }: Section): boolean {
  if (/^(?:system_info|worker_info|Worker$|Build system$)/.test(name)) return true;
  for (let index = from; index <= to; index += 1)
    if (mentions.trouble(index) || mentions.result(index)) return false;
  return true;
}
