/** What a word does to the code around it; words that are in no list are names. */
export const NAME = 0;
/** An operand must follow. */
export const PREFIX = 1;
/** Its parentheses hold a condition, and a statement follows them. */
export const CONTROL = 2;
/** Stands between two operands, or is one itself: nothing is said about what may follow. */
export const INFIX = 3;
/** Another word may follow on the same line: `async function`, `static get`. */
export const LEADING = 4;
export const CLASS = 5;
/** May end a statement or go on with an operand. */
export const RETURNING = 6;
/** A type as often as an operator. */
export const VOID = 7;
/** Begins a statement or a part of one. */
export const STATEMENT = 8;
/** A name must follow, or a pattern. */
export const DECLARING = 9;
/** Stands between two operands and is never one. */
export const BETWEEN = 10;
/** An operator before its operand in some places, a name in others. */
export const CONTEXTUAL = 11;
/** The `await` of a loop. */
export const LOOPING = 12;

const LISTS: readonly [role: number, words: string][] = [
  [PREFIX, 'typeof delete new default'],
  [CONTROL, 'if while for with switch catch'],
  [INFIX, 'of implements as satisfies is from'],
  [CONTEXTUAL, 'await yield keyof infer unique asserts readonly out'],
  [
    LEADING,
    'function interface enum namespace module declare abstract static get set async type export import public private protected override accessor using try finally debugger global',
  ],
  [CLASS, 'class'],
  [RETURNING, 'return break continue'],
  [VOID, 'void'],
  [STATEMENT, 'throw case else do'],
  [DECLARING, 'const let var'],
  [BETWEEN, 'in instanceof extends'],
];

const ROLES: ReadonlyMap<string, number> = new Map(
  LISTS.flatMap(([role, words]) => words.split(' ').map((word): [string, number] => [word, role])),
);

/** By the code of its first letter, the lengths a word with a role may have, one bit each. */
const LENGTHS = new Uint16Array(128);
for (const word of ROLES.keys()) {
  const first = word.charCodeAt(0);
  LENGTHS[first] = (LENGTHS[first] ?? 0) | (1 << word.length);
}
const LONGEST = 10;

/** Of the lower-case word between two offsets. Most words are names, and most of those are told by their length. */
export function roleOf(text: string, start: number, end: number): number {
  const length = end - start;
  if (length > LONGEST || ((LENGTHS[text.charCodeAt(start)] ?? 0) & (1 << length)) === 0) return NAME;
  return ROLES.get(text.slice(start, end)) ?? NAME;
}
