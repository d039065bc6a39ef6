import type { LineScorer } from '../scorer.ts';
import { scoreLexically } from './lexical.ts';

/** The scorer every text is ranked with unless a setting names another. */
export const localScorer: LineScorer = scoreLexically;
