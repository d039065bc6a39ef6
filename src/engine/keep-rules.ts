/** Why a line stayed, one letter each. */
export const KEEP_RULES = {
  /** Its score was worth its tokens. */
  score: 's',
  /** A gap here would have cost more than it hides. */
  neighbour: 'n',
  /** A signature, heading or import, worth keeping or around a line that stays. */
  structure: 'h',
  /** It speaks of a failure, stands beside such a line, or ends a log. */
  failure: 'e',
  /** It holds a literal word of the question, or is what the question asks to list. */
  literal: 'l',
  /** Between NO_PRUNE directives. */
  directive: 'd',
  /** It stands for text that was removed before. */
  handle: 'm',
  /** A line that begins a file, a change of a diff. */
  boundary: 'b',
} as const;

export type KeepRule = keyof typeof KEEP_RULES;

/** Stands for a line that went. */
export const REMOVED = '-';

/** Why each line stayed or went. Line `n` of the text is character or entry `n − 1`. */
export interface Explanation {
  /** One letter a line: a rule of `KEEP_RULES`, or `REMOVED`. */
  rules: string;
  /** Each line's score, two digits behind the point; comparable within one text only. Empty where nothing was ranked. */
  scores: number[];
  /** Whether a difference of scores is one of log-odds, or only gives an order. */
  areLogOdds: boolean;
  /** What each removed block was, and the best that went with it. */
  blocks: { start: number; end: number; reason: string; rule: string; bestScore: number; bestLine: number }[];
}
