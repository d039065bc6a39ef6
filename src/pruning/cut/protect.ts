import type { Focus } from '../../ranking/focus.ts';
import type { SourceType } from '../../ranking/scorer.ts';
import type { LineRange } from '../../text/lines.ts';
import type { KeepRule } from '../keep-rules.ts';
import { isHandle } from '../marker.ts';
import type { Shape } from '../text-kind/shape.ts';
import type { ClassifiedText } from './classify.ts';
import type { Folds } from './folds.ts';
import { type Frames, framesOf } from './frames.ts';
import { pinSurroundings, protectCode } from './protect/code.ts';
import { isLongDiff, protectDiff } from './protect/diff.ts';
import { protectDirectives } from './protect/directives.ts';
import { protectDocs } from './protect/docs.ts';
import { protectLiterals } from './protect/literals.ts';
import { protectLogs } from './protect/logs.ts';
import { Protection } from './protect/protection.ts';
import { protectSearch } from './protect/search.ts';
import { releaseShown } from './protect/shown.ts';
import { protectTable } from './protect/table.ts';

/** What no score can remove, and what goes or stays as one. */
export interface ProtectedLines {
  /** 1 where the line stays. */
  pinned: Uint8Array;
  /** And why. */
  pinnedBy: readonly (KeepRule | undefined)[];
  /** Runs that are kept or dropped whole, in order, never overlapping. */
  wholes: LineRange[];
  /** What stays around a line that stays. */
  frames: Frames;
}

export interface ProtectionAsked {
  sourceType: SourceType;
  /** Whether every declaration, import and heading stays, or only those around lines that stay. */
  structure: 'pinned' | 'by need';
  /** What is asked of the text, and what was shown before it. */
  focus: Pick<Focus, 'question' | 'seen'>;
  /** What says little by pattern alone: no failure, whatever its words, where structure stays by need. */
  folds?: Folds;
}

/** The sender's word for the text always counts; what the text turned out to be adds to it. */
export function protectLines(
  text: ClassifiedText,
  { sourceType, structure, focus, folds = [] }: ProtectionAsked,
): ProtectedLines {
  const protection = new Protection(text.bare.length);
  protectDirectives(text, protection.because('directive'));
  protectHandles(text, protection.because('handle'));
  // Whole hunks are the parts of a long diff, and a log or a table is no source: what source would ask for has no say there.
  const bySource = isLongDiff(text) || NO_SOURCE.has(text.shape) ? [] : BY_SOURCE[sourceType];
  for (const [rule, why] of new Map([...bySource, ...(BY_SHAPE[text.shape] ?? [])]))
    rule(text, protection.because(why), { structure, folds });
  protectLiterals(text, focus.question, protection.because('literal'));
  releaseShown(text, focus.seen, protection);
  const frames = framesOf(text, sourceType);
  protection.because('structure');
  if (structure === 'pinned') pinStructure(frames, protection);
  if (structure === 'pinned' && sourceType === 'code') pinSurroundings(text, frames, protection);
  return { ...protection.settle(frames.frames.map(({ head }) => head)), frames };
}

const NO_SOURCE: ReadonlySet<Shape> = new Set<Shape>(['logs', 'search', 'listing', 'table']);

type Rule = (
  text: ClassifiedText,
  protection: Protection,
  asked: Pick<ProtectionAsked, 'structure' | 'folds'>,
) => void;

const BY_SOURCE: Record<SourceType, readonly (readonly [Rule, KeepRule])[]> = {
  code: [[protectCode, 'boundary']],
  logs: [[protectLogs, 'failure']],
  docs: [[protectDocs, 'structure']],
};

const BY_SHAPE: Partial<Record<Shape, readonly (readonly [Rule, KeepRule])[]>> = {
  diff: [[protectDiff, 'boundary']],
  search: [[protectSearch, 'structure']],
  table: [[protectTable, 'structure']],
  logs: [[protectLogs, 'failure']],
  'test-run': [[protectLogs, 'failure']],
};

function protectHandles({ bare }: ClassifiedText, protection: Protection): void {
  for (const [index, line] of bare.entries()) {
    if (isHandle(line)) protection.pin(index);
  }
}

function pinStructure({ frames, structural }: Frames, protection: Protection): void {
  for (const { start, end } of [...frames.map(({ head }) => head), ...structural])
    protection.pinRange(start - 1, end - 1);
}
