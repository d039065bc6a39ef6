/**
 * Lines of one template all over a run: copies, compiled modules, the same warning in many places. First and last stay, the
 * extremes of numbers and rare values too. A warning folds with its excerpt of source, a failure never does.
 */

import { isPart, nameOf, type RunLines } from '../../repeated-lines.ts';
import { namesFailure, namesWarning, statesResult } from '../../trouble.ts';
import { type EntryGroup, groupByTemplate } from '../log/entries.ts';
import { standingOut } from '../log/standing-out.ts';
import { leadOf } from '../log/template.ts';
import type { Mark, Marks } from './marks.ts';

const MIN_FREQUENT = 20;
/** Lines with a place in a file are findings: they fold only if there are more than one would fix one by one. */
const MIN_FINDINGS = 40;
const MIN_LENGTH = 12;
const PLACE = /^\s*(?:\S{0,200}:\d+:\d+|\d+:\d+\s)/;
/** Source and carets below a warning. */
const EXCERPT = /^(?:\[warn\] ?)?(?:\s{2,}\S|\s{0,8}\d{0,6}\s{0,8}[|^~]|\s*$)/;
const MAX_EXCERPT = 8;

/** Marks frequent lines that have no mark and belong to no failure. */
export function markFrequentLines({ lines, templates, isFailure }: RunLines, marks: Marks): void {
  const leads = lines.map(leadOf);
  const times = new Map<string, number>();
  for (const lead of leads) times.set(lead, (times.get(lead) ?? 0) + 1);
  const isOpen = (index: number) =>
    marks[index] === undefined &&
    isFailure[index] !== true &&
    (lines[index]?.length ?? 0) >= MIN_LENGTH &&
    (times.get(leads[index] ?? '') ?? 0) >= MIN_FREQUENT;
  for (const group of groupByTemplate(lines.length, templates, isOpen))
    if (group.entries.length >= MIN_FREQUENT && isFoldable(lines, group)) markGroup(lines, marks, group);
}

function isFoldable(lines: readonly string[], { template, entries }: EntryGroup): boolean {
  const first = lines[entries[0]?.index ?? 0] ?? '';
  if (!/\p{L}{3}/u.test(template) || isPart(first)) return false;
  if (namesFailure(template) || statesResult(template)) return false;
  return entries.length >= MIN_FINDINGS || !PLACE.test(first);
}

function markGroup(lines: readonly string[], marks: Marks, { template, entries }: EntryGroup): void {
  const name = nameOf(template, lines[entries[0]?.index ?? 0] ?? '');
  const mark: Mark = { kind: 'similar-lines', rule: 'repeated-lines', name, count: 1 };
  const isWarning = namesWarning(template);
  const kept = standingOut(entries);
  for (const [position, { index }] of entries.entries()) {
    if (kept.has(position) || marks[index] !== undefined || namesFailure(lines[index] ?? '')) continue;
    marks[index] = mark;
    if (isWarning) markExcerpt(lines, marks, { mark, index });
  }
}

function markExcerpt(
  lines: readonly string[],
  marks: Marks,
  { mark, index }: { mark: Mark; index: number },
): void {
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
