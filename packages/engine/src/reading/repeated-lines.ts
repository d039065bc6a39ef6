/** Finds repeated lines in any output: one line many times in a row, and ranges of lines of one template. */
import type { Unit } from './document.ts';
import { excerptOf, leadOf, type Templates, templateOf } from './formats/log/template.ts';
import { isFrameLine } from './formats/stack-trace.ts';
import {
  type Marks,
  type Mentions,
  mentionsIn,
  namesFailure,
  namesTrouble,
  namesWarning,
  readOnce,
  setMark,
  statesResult,
  unitsOfMarks,
} from './marks.ts';

/** Minimum number of times that a line occurs word for word in a row. */
const MIN_SAME = 10;
/** Minimum number of consecutive lines of one template. */
const MIN_SIMILAR = 20;
/** Matches a word of three letters. A pattern for two words with text between them would take 130 ms to compile. */
const WORD = /\p{L}{3,}/gu;
const MAX_BETWEEN_WORDS = 40;
/** Matches lines that belong to something larger (a comparison of values, a tree, a stack trace), and debug output. */
const PART = /^\s*(?:[-+|>├└│]|E\s|at |DEBUG\b)/;

/** Returns units for any output. The first of identical lines is kept, and the first and last of similar lines. */
export function repeatedLineUnits(lines: readonly string[]): readonly Unit[] {
  const marks: Marks = new Array(lines.length);
  markRepeatedLines(runLines(lines, []), marks);
  return unitsOfMarks(marks, { from: 0, to: lines.length - 1 });
}

/** The lines of a run, with facts about each line. */
export interface RunLines {
  readonly lines: readonly string[];
  readonly templates: Templates;
  /** First word of each line. Lines of one template have the same first word. */
  readonly leads: readonly string[];
  readonly mentions: Mentions;
  /** Whether a line is part of the description of a failure. */
  readonly isFailure: readonly boolean[];
}

export function runLines(lines: readonly string[], isFailure: readonly boolean[]): RunLines {
  const leads = lines.map(leadOf);
  return { lines, templates: readOnce(lines, templateOf), leads, mentions: mentionsIn(lines), isFailure };
}

/** Marks repeated lines, unless they have a mark or belong to a failure. */
export function markRepeatedLines(run: RunLines, marks: Marks): void {
  const { lines, templates, leads, isFailure } = run;
  markEqualLines(lines, marks);
  const isOpen = (index: number) => marks[index] === undefined && isFailure[index] !== true;
  const all = { end: lines.length, least: MIN_SIMILAR };
  for (const { from, to } of runsOf(all, (index) => (isOpen(index) ? leads[index] : undefined)))
    for (const similar of runsOf({ ...all, from, end: to + 1 }, (index) => templates(index).text))
      if (isFoldable(run, similar))
        markRun(marks, nameOf(templates(similar.from).text, lines[similar.from] ?? ''), {
          from: similar.from + 1,
          to: similar.to - 1,
        });
}

/** Yields ranges of at least `least` lines with the same key, between `from` and `end`; 0-based, inclusive. */
function* runsOf(
  { from = 0, end, least }: { from?: number; end: number; least: number },
  keyOf: (index: number) => string | undefined,
): Generator<{ from: number; to: number }> {
  let start = from;
  let key: string | undefined;
  for (let index = from; index <= end; index += 1) {
    const here = index < end ? keyOf(index) : undefined;
    if (here !== undefined && here === key) continue;
    if (key !== undefined && index - start >= least) yield { from: start, to: index - 1 };
    start = index;
    key = here;
  }
}

/** Yields ranges in which one line, which is not blank, is repeated word for word; 0-based, inclusive. */
function equalLines(lines: readonly string[]): Generator<{ from: number; to: number }> {
  const isBlank = (index: number) => lines[index]?.trim() === '';
  return runsOf({ end: lines.length, least: MIN_SAME }, (index) =>
    isBlank(index) ? undefined : lines[index],
  );
}

function markEqualLines(lines: readonly string[], marks: Marks): void {
  for (const { from, to } of equalLines(lines)) {
    const line = lines[from] ?? '';
    markRun(marks, nameOf(line.trim(), line), { from: from + 1, to });
  }
}

/** Returns a unit for each line that occurs at least ten times in a row, without the first occurrence (P51). */
export function identicalUnits(lines: readonly string[]): Unit[] {
  return Array.from(equalLines(lines), ({ from, to }) => ({
    ...{ kind: 'similar-lines', name: (lines[from] ?? '').trim() },
    ...{ start: from + 2, head: from + 1, end: to + 1, rule: 'identical-lines', count: to - from },
  }));
}

function isFoldable({ lines, templates, mentions }: RunLines, { from, to }: { from: number; to: number }) {
  const template = templates(from).text;
  if (!hasTwoWords(template) || statesResult(template) || isPart(lines[from] ?? '')) return false;
  for (let index = from; index <= to; index += 1) if (mentions.trouble(index)) return false;
  return true;
}

/** Whether a template contains two words that are close together. Lists of paths or numbers do not. */
function hasTwoWords(template: string): boolean {
  let end = Number.NEGATIVE_INFINITY;
  for (const { index, 0: word } of template.matchAll(WORD)) {
    if (index - end <= MAX_BETWEEN_WORDS) return true;
    end = index + word.length;
  }
  return false;
}

export function isPart(line: string): boolean {
  return PART.test(line) || isFrameLine(line);
}

/** Returns a name for similar lines: their template, marked as warning or error. Empty if it has no words. */
export function nameOf(template: string, first: string): string {
  const name = excerptOf(template);
  const plain = /\p{L}{2,}/u.test(name) || template === first.trim() ? name : '';
  if (namesFailure(first) && !namesFailure(plain)) return excerptOf(`error: ${plain}`);
  return namesWarning(first) && !namesTrouble(plain) ? excerptOf(`warning: ${plain}`) : plain;
}

function markRun(marks: Marks, name: string, { from, to }: { from: number; to: number }): void {
  setMark(marks, { kind: 'similar-lines', rule: 'repeated-lines', name, count: 1 }, { from, to });
}
