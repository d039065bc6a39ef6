import { type LineNumbers, type LineRange, sliceLines } from '@secateur/base/text/lines.ts';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import { type Explanation, KEEP_RULES, type KeepRule, REMOVED } from '../explanation.ts';
import { describeBlock, type Marking, seenRange } from '../marker.ts';
import type { LineScores } from '../ranking/scorer.ts';
import type { Document } from '../reading/document.ts';
import type { PrunedBlock, PruneRequest } from '../request.ts';
import { fieldsKey } from './label-details.ts';
import { labelOf } from './labels.ts';
import { type Gap, holdsCharacters, type Pins } from './select.ts';

export interface Page {
  readonly blocks: readonly PrunedBlock[];
  /** First line of the output; `undefined` if the markers need none. */
  readonly headline: string | undefined;
  readonly includeMarkers: boolean;
  /** Whether kept lines begin with `N│ `. Not if the lines already show their numbers. */
  readonly annotateLines: boolean;
  /** Line numbers in markers. Default: those of the text, from 1. */
  readonly numbers?: LineNumbers | undefined;
}

/**
 * Returns the kept lines unchanged, with a marker line for each removed block. Ends with `\n` if the original
 * does, so that replacing each marker by its block restores the original.
 */
export function renderCut(text: string, lines: readonly string[], page: Page): string {
  const pieces = page.headline === undefined || !page.includeMarkers ? [] : [page.headline];
  const isPrefixed = page.annotateLines && page.numbers?.areShown !== true;
  const numberOf = (line: number) => page.numbers?.numberOf(line) ?? line;
  const pushKept = (start: number, end: number) => {
    for (let number = start; number <= end; number += 1) {
      const line = lines[number - 1] ?? '';
      pieces.push(isPrefixed ? `${numberOf(number)}│ ${line}` : line);
    }
  };
  let next = 1;
  for (const block of page.blocks) {
    pushKept(next, block.start - 1);
    if (page.includeMarkers) pieces.push(block.marker);
    next = block.end + 1;
  }
  pushKept(next, lines.length);
  if (pieces.length === 0) return '';
  return text.endsWith('\n') ? `${pieces.join('\n')}\n` : pieces.join('\n');
}

/** Blocks with markers for gaps. A gap whose marker costs as much as its lines is dropped (P18). */

export interface Marked {
  readonly document: Document;
  readonly marking: Marking;
  readonly request: PruneRequest;
}

/** Minimum characters of a text whose cut must be shorter than the text. `prune_text` prunes shorter texts as requested (P18). */
export const MIN_CHECKED_CHARS = 1000;

export function blocksOf(gaps: readonly Gap[], { document, marking, request }: Marked): PrunedBlock[] {
  const mustPay = mustPayFor(request);
  const named = new Map<string, string>();
  return gaps.flatMap((gap) => {
    const label = labelOf(gap.units, { isBody: gap.isBody, lines: document.bare, named });
    const block = describeBlock(marking, { start: gap.start, end: gap.end }, label);
    if (mustPay && !pays(block, document.lines)) return [];
    const key = fieldsKey(gap.units);
    if (key !== '' && !named.has(key)) named.set(key, seenRange(marking, gap));
    return [block];
  });
}

/** Whether the lines of a block cost more tokens than its marker. */
function pays(block: PrunedBlock, lines: readonly string[]): boolean {
  if (holdsCharacters(lines, block, 10 * block.marker.length)) return true;
  return estimateTokens(sliceLines(lines, block)) > estimateTokens(block.marker);
}

function mustPayFor({ intent = 'capped', text, options }: PruneRequest): boolean {
  if (intent !== 'capped') return true;
  return options.includeMarkers && text.length >= MIN_CHECKED_CHARS;
}

export interface ExplainedCut {
  readonly document: Document;
  /** Gaps that were selected, and the blocks that were removed. */
  readonly gaps: readonly Gap[];
  readonly blocks: readonly PrunedBlock[];
  readonly pins: Pins;
  /** Scores of the lines; `undefined` if lines were not ranked. */
  readonly scores: LineScores | undefined;
}

/** Returns the rule, reason and best score of each removed block, and the reason for each kept line. */
export function explainCut({ document, gaps, pins, blocks, scores }: ExplainedCut): Explanation {
  const lines = document.lines.length;
  const rules = new Array<string>(lines).fill(KEEP_RULES.score);
  const mark = (ranges: readonly LineRange[], letter: string) => {
    for (const { start, end } of ranges) rules.fill(letter, start - 1, end);
  };
  mark(gaps, KEEP_RULES.neighbour);
  for (const [rule, pinned] of Object.entries(pins) as [KeepRule, ReadonlySet<number>][])
    for (const index of pinned) rules[index] = KEEP_RULES[rule];
  mark(blocks, REMOVED);
  const ruleAt = new Map(gaps.map(({ start, units }) => [start, units[0]?.rule]));
  const known = scores?.scores ?? new Float64Array(0);
  return {
    rules: rules.join(''),
    scores: Array.from(known, rounded),
    areLogOdds: scores?.areLogOdds ?? false,
    blocks: blocks.map((block) => ({
      start: block.start,
      end: block.end,
      reason: block.reason,
      rule: block.isInPart === true ? 'long-lines' : (ruleAt.get(block.start) ?? 'max-prune-ratio'),
      ...bestIn(known, block),
    })),
  };
}

function bestIn(scores: Float64Array, { start, end }: LineRange): { bestScore: number; bestLine: number } {
  let bestLine = start;
  for (let line = start; line <= end; line += 1)
    if ((scores[line - 1] ?? 0) > (scores[bestLine - 1] ?? 0)) bestLine = line;
  return { bestScore: rounded(scores[bestLine - 1] ?? 0), bestLine };
}

function rounded(score: number): number {
  return Number.isFinite(score) ? Math.round(score * 100) / 100 : 0;
}
