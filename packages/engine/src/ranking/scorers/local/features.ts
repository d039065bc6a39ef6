import type { LineWords } from '../lexical/line-words.ts';
import { type Column, gathered } from './features/columns.ts';
import { goalColumns, neighbourColumns, relativeScores, scoreGoal } from './features/goal-columns.ts';
import { type ReadRequest, read } from './features/reading.ts';
import { scopeColumns } from './features/scope-columns.ts';
import { shapeColumns } from './features/shape-columns.ts';
import { textConstants } from './features/text-constants.ts';

/** All that the network sees of a text and a goal; training reads the same. */
export interface Features {
  /** By name, in an order that never changes between texts. */
  columns: ReadonlyMap<string, Column>;
  /** The same for every line. */
  constants: Readonly<Record<string, number>>;
  words: LineWords;
}

export function readFeatures(request: ReadRequest): Features {
  const reading = read(request);
  const scores = scoreGoal(reading);
  const againstBest = relativeScores(scores);
  return {
    columns: gathered([
      ...goalColumns(reading, scores, againstBest),
      neighbourColumns(againstBest),
      ...scopeColumns(reading, againstBest),
      ...shapeColumns(reading),
    ]),
    constants: textConstants(reading, scores),
    words: reading.words,
  };
}
