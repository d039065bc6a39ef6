import type { BracketKind } from './brackets.ts';

/** An operand must come next. */
export const OPERATOR = 0;
/** An operand has ended. */
export const OPERAND = 1;
/** A brace closed that may have ended a statement or an operand. */
export const AFTER_BRACE = 2;
/** Nothing is said about what may follow: after `>`, `as`, `await`. */
export const EITHER = 3;

/** What one token leaves behind for the next. */
export interface Neighbour {
  state: typeof OPERATOR | typeof OPERAND | typeof AFTER_BRACE | typeof EITHER;
  /** Code of its first character when it was a mark, else 0. */
  mark: number;
  role: number;
  /** The innermost bracket that is open. */
  around: BracketKind | undefined;
  /** A line break follows that may end a statement. */
  newLine: boolean;
}

/** Marks of more than one character that mean something of their own. */
export const ARROW = 1;
export const SPREAD = 2;
export const OPTIONAL = 3;
/** An operator that ends in `=` and takes a left side: `+=`, `!==`, `<=`. */
export const COMPARED = 4;
/** `<<`, or what a merge left behind. */
export const SHIFTED = 5;
/** A binary operator of one character written twice or more: `&&`, `??`, `**`. */
export const DOUBLED = 6;
/** No mark: a string, a number or the like has ended. */
export const LITERAL_END = 7;
