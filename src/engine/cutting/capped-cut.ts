/** The cut of `prune_text`: rules about form first, then atoms by need, within the caller's limits. */
import type { PruneRequest } from '../../pruning/request.ts';
import type { LineRange } from '../../text/lines.ts';
import { estimateTokensExactly } from '../../text/token-estimate.ts';
import { namedLines } from '../ranking/named-lines.ts';
import type { Needs } from '../ranking/need.ts';
import type { Document, FormatName, Unit } from '../reading/document.ts';
import { type Atom, type AtomSizes, atomsOf } from './atoms.ts';
import { selectAtoms } from './cap.ts';
import { failureLines, untouchableLines } from './pins.ts';
import type { Gap } from './select.ts';

/** Up to this ratio there is room for all structure (P21). */
const MAX_RATIO_WITH_STRUCTURE = 0.6;
const REPORTS: ReadonlySet<FormatName> = new Set<FormatName>(['log', 'test-run', 'build']);

/** Above this ratio whole units leave too little room: larger ones are split (P50). */
const MAX_RATIO_OF_WHOLE_UNITS = 0.8;
const WHOLE: AtomSizes = { maxWholeLines: 60, maxBlockLines: 15 };
const FINE: AtomSizes = { maxWholeLines: 15, maxBlockLines: 4 };

export function cappedGaps(request: PruneRequest, document: Document, needs: Needs): Gap[] {
  const { options, sourceType } = request;
  const pinned = pinnedLines(request, document);
  const keepsStructure = options.structure === 'all' || options.maxPruneRatio <= MAX_RATIO_WITH_STRUCTURE;
  const lines = document.lines;
  const ranges = selectAtoms({
    atoms: atomsOf(document, options.maxPruneRatio > MAX_RATIO_OF_WHOLE_UNITS ? FINE : WHOLE),
    isPinned: (atom) => isPinned(atom, { pinned, keepsStructure }),
    needs,
    sourceType,
    lineCount: lines.length,
    maxPruneRatio: options.maxPruneRatio,
    minKeepLines: options.minKeepLines,
    tokensOf: tokenCounter(lines),
    maxShare: options.mostShare,
  });
  return ranges.map((range) => ({ ...range, units: unitsIn(document, range), isBody: false }));
}

function pinnedLines({ focus, options, sourceType }: PruneRequest, document: Document): ReadonlySet<number> {
  const { directives, markers } = untouchableLines(document.bare);
  const named = namedLines(document.bare, focus.question);
  const isReport = sourceType === 'logs' || REPORTS.has(document.format);
  const failures = isReport
    ? failureLines(document, { isStrict: options.maxPruneRatio <= MAX_RATIO_WITH_STRUCTURE })
    : [];
  return new Set([...directives, ...markers, ...named, ...failures]);
}

function isPinned(
  { start, end, headOf }: Atom,
  { pinned, keepsStructure }: { pinned: ReadonlySet<number>; keepsStructure: boolean },
): boolean {
  if (keepsStructure && headOf !== undefined) return true;
  for (let line = start - 1; line < end; line += 1) if (pinned.has(line)) return true;
  return false;
}

function tokenCounter(lines: readonly string[]): (range: LineRange) => number {
  const before = new Float64Array(lines.length + 1);
  for (const [index, line] of lines.entries())
    before[index + 1] = (before[index] as number) + estimateTokensExactly(line) + 1;
  return ({ start, end }) => (before[end] as number) - (before[start - 1] as number);
}

/** The units that a range removes, for its label: outermost ones that lie in it whole, else those it is part of. */
function unitsIn({ units, bare }: Document, range: LineRange): Unit[] {
  const found: Unit[] = [];
  const visit = (siblings: readonly Unit[]) => {
    for (const unit of siblings) {
      if (unit.end < range.start || unit.start > range.end) continue;
      if (unit.start >= range.start && unit.end <= range.end) found.push(unit);
      else visit(unit.children ?? []);
    }
  };
  visit(units);
  if (found.length > 0) return found;
  const count = bare.slice(range.start - 1, range.end).length;
  return [{ kind: 'paragraph', name: '', start: range.start, end: range.end, head: range.start - 1, count }];
}
