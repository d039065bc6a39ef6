import type { LineScorer } from './scorer.ts';
import { createLocalScorer } from './scorers/local.ts';

/** The scorer every text is ranked with unless a setting names another. */
export const localScorer: LineScorer = createLocalScorer();
