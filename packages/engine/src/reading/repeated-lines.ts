/** Repeated lines of any output: one line many times in a row, and runs of lines of one template. */
import type { Unit } from './document.ts';
import { excerptOf, leadOf, type Templates, templatesOf } from './formats/log/template.ts';
import { isFrameLine } from './formats/stack-trace.ts';
import {
  type Mark,
  type Marks,
  namesFailure,
  namesTrouble,
  namesWarning,
  statesResult,
  unitsOfMarks,
} from './marks.ts';

/** Number of times a line must occur in a row, word for word. */
const MIN_SAME = 10;
/** Number of lines of one template that must follow each other. */
const MIN_SIMILAR = 20;
/** A template must say something: two words. Lists of paths or numbers are left alone. */
const WORDS = /\p{L}{3}[^\p{L}]{1,40}\p{L}{3}/u;
/** Lines that are part of something larger (a comparison of values, a tree, a stack trace), and lines printed to debug. */
const PART = /^\s*(?:[-+|>├└│]|E\s|at |DEBUG\b)/;

/** Returns units for the output of any program: the first of equal lines stays, the first and last of similar ones. */
export function repeatedLineUnits(lines: readonly string[]): readonly Unit[] {
  const marks: Marks = new Array(lines.length);
  markRepeatedLines({ lines, templates: templatesOf(lines), isFailure: [] }, marks);
  return unitsOfMarks(marks, { from: 0, to: lines.length - 1 });
}

/** The lines of a run, and for each whether it belongs to the description of a failure. */
export interface RunLines {
  readonly lines: readonly string[];
  readonly templates: Templates;
  readonly isFailure: readonly boolean[];
}

/** Marks repeated lines that have no mark and belong to no failure. */
export function markRepeatedLines({ lines, templates, isFailure }: RunLines, marks: Marks): void {
  markEqualLines(lines, marks);
  let start = 0;
  let template = '';
  for (let index = 0; index <= lines.length; index += 1) {
    const isOpen = index < lines.length && marks[index] === undefined && isFailure[index] !== true;
    const here = isOpen && isLikeNeighbour(lines, index) ? templates(index).text : '';
    if (here === template && index > 0) continue;
    if (index - start >= MIN_SIMILAR && isFoldable(lines, template, { from: start, to: index - 1 }))
      markRun(marks, nameOf(template, lines[start] ?? ''), { from: start + 1, to: index - 2 });
    start = index;
    template = here;
  }
}

/** Whether a line may have the template of the line above or below it. */
function isLikeNeighbour(lines: readonly string[], index: number): boolean {
  const lead = leadOf(lines[index] ?? '');
  return lead === leadOf(lines[index + 1] ?? '') || lead === leadOf(lines[index - 1] ?? '');
}

function markEqualLines(lines: readonly string[], marks: Marks): void {
  let start = 0;
  for (let index = 1; index <= lines.length; index += 1) {
    if (index < lines.length && lines[index] === lines[start]) continue;
    if (index - start >= MIN_SAME && lines[start]?.trim() !== '')
      markRun(marks, nameOf((lines[start] ?? '').trim(), lines[start] ?? ''), {
        from: start + 1,
        to: index - 1,
      });
    start = index;
  }
}

function isFoldable(
  lines: readonly string[],
  template: string,
  { from, to }: { from: number; to: number },
): boolean {
  if (!WORDS.test(template) || statesResult(template) || isPart(lines[from] ?? '')) return false;
  for (let index = from; index <= to; index += 1) if (namesTrouble(lines[index] ?? '')) return false;
  return true;
}

export function isPart(line: string): boolean {
  return PART.test(line) || isFrameLine(line);
}

/** Names lines by their template; says so if they are warnings or errors. Without words a template says nothing: no name. */
export function nameOf(template: string, first: string): string {
  const name = excerptOf(template);
  const plain = /\p{L}{2,}/u.test(name) || template === first.trim() ? name : '';
  if (namesFailure(first) && !namesFailure(plain)) return excerptOf(`error: ${plain}`);
  return namesWarning(first) && !namesTrouble(plain) ? excerptOf(`warning: ${plain}`) : plain;
}

function markRun(marks: Marks, name: string, { from, to }: { from: number; to: number }): void {
  const mark: Mark = { kind: 'similar-lines', rule: 'repeated-lines', name, count: 1 };
  for (let index = from; index <= to; index += 1) marks[index] ??= mark;
}
