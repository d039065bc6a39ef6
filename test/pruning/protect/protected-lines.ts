import { classify } from '../../../src/pruning/cut/classify.ts';
import { foldsOf } from '../../../src/pruning/cut/folds.ts';
import { type ProtectedLines, protectLines } from '../../../src/pruning/cut/protect.ts';
import type { Shape } from '../../../src/pruning/text-kind/shape.ts';
import type { SourceType } from '../../../src/ranking/scorer.ts';
import { rememberShown } from '../../../src/ranking/shown.ts';

export interface Asked {
  sourceType?: SourceType;
  shape?: Shape;
  structure?: 'pinned' | 'by need';
  question?: string;
  /** What the run has shown before. */
  shown?: readonly string[];
}

export function protectedIn(lines: readonly string[], asked: Asked = {}): ProtectedLines {
  const { sourceType = 'logs', shape = sourceType, structure = 'by need', question = '', shown = [] } = asked;
  const text = classify(lines, { sourceType, shape });
  const seen = new Set<number>();
  if (shown.length > 0) rememberShown(seen, shown.join('\n'));
  return protectLines(text, {
    sourceType,
    structure,
    focus: { question, seen },
    folds: foldsOf(text, question),
  });
}

/** The numbers of the lines that stay whatever their score. */
export function pinnedIn(lines: readonly string[], asked: Asked = {}): number[] {
  return Array.from(protectedIn(lines, asked).pinned.entries()).flatMap(([at, pin]) =>
    pin === 1 ? [at + 1] : [],
  );
}

/** As many lines that no rule protects, each of its own. */
export const quiet = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `worker ${at} goes on with step ${at} of the same long story`);
