/**
 * Checks of a finished cut that hold for every text: kept lines are unchanged, gaps are whole units (P50), and each label is
 * true of its lines (P58). They return what is wrong, in words; an empty list if nothing is.
 */
import type { CutText } from '../../packages/engine/src/cut.ts';
import { requestKindOf } from '../../packages/engine/src/policy/request-kind.ts';
import type { Document, Unit } from '../../packages/engine/src/reading/document.ts';
import { readDocument } from '../../packages/engine/src/reading/read.ts';
import { repeatedLineUnits } from '../../packages/engine/src/reading/repeated-lines.ts';
import type { PrunedBlock, PruneRequest } from '../../packages/engine/src/request.ts';
import { labelFaults } from './label-checks.ts';

/** Returns what is wrong with a cut of intent `implicit` or `explicit` that has compact markers. */
export function cutFaults(request: PruneRequest, cut: CutText): string[] {
  const { text, fileName, origin } = request;
  const isReport = origin !== undefined && requestKindOf(origin) === 'run';
  const document = readDocument(text, { fileName, isReport });
  const gaps = cut.annotations.filter(({ isInPart }) => isInPart !== true);
  return [
    ...orderFaults(cut.annotations, document.lines.length),
    ...(restored(document.lines, cut) === cut.prunedText ? [] : ['kept lines are not the lines of the text']),
    ...gaps.flatMap((gap) => [...shapeFaults(document, gap), ...labelFaults(document.bare, gap)]),
  ];
}

function orderFaults(blocks: readonly PrunedBlock[], lineCount: number): string[] {
  let next = 1;
  const faults: string[] = [];
  for (const { start, end, count, marker } of blocks) {
    if (start < next || end < start || end > lineCount || count !== end - start + 1)
      faults.push(`${marker}: overlaps another gap or lies outside the text`);
    next = end + 1;
  }
  return faults;
}

/** The text that a reader must see if only the gaps were replaced: built from the lines and the markers alone. */
function restored(lines: readonly string[], { prunedText, annotations }: CutText): string {
  if (annotations.length === 0) return prunedText;
  const pieces = [prunedText.slice(0, Math.max(0, prunedText.indexOf('\n')))];
  let next = 1;
  for (const { start, end, marker } of annotations) {
    pieces.push(...lines.slice(next - 1, start - 1), marker);
    next = end + 1;
  }
  pieces.push(...lines.slice(next - 1));
  return `${pieces.join('\n')}${prunedText.endsWith('\n') ? '\n' : ''}`;
}

/** A gap is whole sibling units and blank lines, or all lines below the head of one unit. */
function shapeFaults(document: Document, gap: PrunedBlock): string[] {
  const { bare, units, format } = document;
  if (gap.reason.startsWith('unchanged, shown above by: ') || areIdentical(bare, gap)) return [];
  if (areWholeUnits(units, gap, bare)) return [];
  if (format === 'plain' && areWholeUnits(repeatedLineUnits(bare), gap, bare)) return [];
  return [`${gap.marker}: begins or ends inside a unit`];
}

function areIdentical(lines: readonly string[], { start, end }: PrunedBlock): boolean {
  const above = lines[start - 2];
  return above !== undefined && lines.slice(start - 1, end).every((line) => line === above);
}

function areWholeUnits(siblings: readonly Unit[], gap: PrunedBlock, lines: readonly string[]): boolean {
  const touched = siblings.filter(({ start, end }) => start <= gap.end && end >= gap.start);
  const [first] = touched;
  if (first === undefined) return false;
  if (touched.length === 1 && gap.start === first.head + 1 && gap.end === first.end) return true;
  const areInside = touched.every((unit) => isRun(unit) || (unit.start >= gap.start && unit.end <= gap.end));
  if (areInside) return (isRun(first) || first.start === gap.start) && isBlankBetween(touched, gap, lines);
  return touched.length === 1 && areWholeUnits(first.children ?? [], gap, lines);
}

/** Whether each line of a unit is an entry of its own, so that a gap may end at a line that the request names. */
function isRun({ kind, start, end, count }: Unit): boolean {
  return kind === 'similar-lines' && count === end - start + 1;
}

function isBlankBetween(units: readonly Unit[], gap: PrunedBlock, lines: readonly string[]): boolean {
  const isCovered = new Set<number>();
  for (const { start, end } of units) for (let line = start; line <= end; line += 1) isCovered.add(line);
  for (let line = gap.start; line <= gap.end; line += 1)
    if (!isCovered.has(line) && lines[line - 1]?.trim() !== '') return false;
  return true;
}
