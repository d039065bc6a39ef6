import { characterCodes } from '@secateur/base/text/characters.ts';
import { LEARNED_FAILURE_WORDS } from '@secateur/base/text/failure-words.ts';
import { DIGIT, KINDS, UPPER, WordHash } from '../../lexical/words.ts';

/** A small table that excludes most words, because few are keywords. It is faster than the map. */
const MAYBE_MASK = 0xfff;

/** Kinds of a line by its first words. Each is a bit. */
export const [SIGNATURE, IMPORT, ASSERT, EXIT, CONTROL, MODIFIER] = [1, 2, 4, 8, 16, 32] as const;

const LEADING_WORDS: readonly (readonly [bit: number, words: string])[] = [
  [
    SIGNATURE,
    'def class function fn func interface struct enum trait impl module namespace protocol fun sub proc defmodule defp record object describe it test extension contract mixin typedef macro_rules',
  ],
  [
    IMPORT,
    'import from require include using use package export extern include_once require_once load source alias',
  ],
  [
    ASSERT,
    'assert expect should assert_eq assert_ne asserttrue assertequal assertequals assertthat assertraises verify',
  ],
  [EXIT, 'return raise throw yield panic abort exit throws rethrow break continue goto'],
  [
    CONTROL,
    'if else elif for while switch case match try catch except finally when unless do loop select with default until elsif rescue ensure end then begin',
  ],
  [
    MODIFIER,
    'public private protected static async abstract final override virtual inline export pub const unsafe default internal sealed synchronized native constexpr explicit',
  ],
];

/** Kinds of words about an outcome, anywhere in a line. Each is a bit. */
export const [ERROR, WARNING, SUCCESS, FAILURE, EXPLANATION, ROUTINE] = [1, 2, 4, 8, 16, 32] as const;

const TELLING: readonly (readonly [bit: number, words: string])[] = [
  [ERROR, LEARNED_FAILURE_WORDS.error],
  [WARNING, 'warning warn deprecated deprecation notice caution'],
  [SUCCESS, 'ok passed pass success successful successfully succeeded done completed finished complete'],
  [FAILURE, LEARNED_FAILURE_WORDS.failure],
  [
    EXPLANATION,
    'expected actual got received assertion assert caused because reason missing cannot unable unexpected unresolved found unknown conflict timeout exceeded exit status code terminated exited',
  ],
  [
    ROUTINE,
    'downloading download downloaded installing install installed collecting requirement fetching fetch get building build compiling compile compiled copying unpacking preparing setting info debug trace running progress cloning checking',
  ],
];

/** Returns the bits of a word that begins a line, by the hash of the whole identifier. */
export const leadingBits: (hash: number) => number = bitTable(LEADING_WORDS, 'compound');

/** Returns the bits of a word anywhere in a line, by its stemmed hash. */
export const tellingBits: (hash: number) => number = bitTable(TELLING, 'piece');

function bitTable(
  rows: readonly (readonly [bit: number, words: string])[],
  kind: 'piece' | 'compound',
): (hash: number) => number {
  const bits = new Map<number, number>();
  const hash = new WordHash();
  for (const [bit, words] of rows) {
    for (const word of words.split(' ')) {
      const codes = characterCodes(word);
      if (kind === 'piece') hash.ofPiece(codes, 0, word.length);
      else hash.ofCompound(codes, 0, word.length);
      bits.set(hash.first, (bits.get(hash.first) ?? 0) | bit);
    }
  }
  const maybe = new Uint8Array(MAYBE_MASK + 1);
  for (const known of bits.keys()) maybe[known & MAYBE_MASK] = 1;
  return (known) => (maybe[known & MAYBE_MASK] === 0 ? 0 : (bits.get(known) ?? 0));
}

/** Failure cues of a word, each as a bit. */

/** The word is in capitals: `ERROR`, `FAILED`. */
export const SHOUTED = 1;
/** The word is written as a level or label: `error:`, `[error]`, `ERR!`. */
export const ANNOUNCED = 2;
/** The word is the name of an error type: `AssertionError`, `IOException`. */
export const NAMED = 4;
/** The word is one of the first three of its line. */
export const LEADING = 8;
/** A count of zero precedes the word: `0 errors`. */
export const DENIED = 16;
/** The word is about the end of a command: `exited with 1`, `exit code`. */
export const ENDED = 32;

const ENDING = 'exit exited exitcode';

const FAILURE_ENDINGS = ['Error', 'Exception', 'Failure'].map((ending) => characterCodes(ending));

export interface Run {
  start: number;
  end: number;
  /** Index of the word in its line. */
  run: number;
  /** Hash of the whole identifier, ignoring case. */
  hash: number;
}

/** Returns whether a word is a failure cue, at any position. */
export function isFailureCue(codes: Uint16Array, run: Omit<Run, 'run'>): boolean {
  return ENDING_HASHES.has(run.hash) || FAILING_HASHES.has(run.hash) || isNamed(codes, run);
}

/** Returns the failure cues in one word of a line. */
export function failureCuesOf(codes: Uint16Array, run: Run): number {
  if (ENDING_HASHES.has(run.hash)) return ENDED;
  if (FAILING_HASHES.has(run.hash)) return loudness(codes, run);
  return isNamed(codes, run) ? NAMED : 0;
}

function isNamed(codes: Uint16Array, run: Pick<Run, 'start' | 'end'>): boolean {
  return FAILURE_ENDINGS.some((ending) => endsWith(codes, run, ending));
}

function hashes(words: string): ReadonlySet<number> {
  const hash = new WordHash();
  return new Set(
    words.split(' ').map((word) => {
      hash.ofCompound(characterCodes(word), 0, word.length);
      return hash.first;
    }),
  );
}

const FAILING_HASHES = hashes(LEARNED_FAILURE_WORDS.voice);
const ENDING_HASHES = hashes(ENDING);

const ZERO = 48;
/** Characters after a word that make it a label: `:`, `]`, `!` or `)`. */
const SETS_OFF: ReadonlySet<number> = new Set([58, 93, 33, 41]);
const LEADING_RUNS = 3;

function loudness(codes: Uint16Array, { start, end, run }: Run): number {
  if (codes[start - 2] === ZERO && KINDS[codes[start - 3] ?? 0] !== DIGIT) return DENIED;
  let voice = run < LEADING_RUNS ? LEADING : 0;
  if (KINDS[codes[start + 1] as number] === UPPER) voice |= SHOUTED;
  if (SETS_OFF.has(codes[end] ?? 0)) voice |= ANNOUNCED;
  return voice;
}

function endsWith(codes: Uint16Array, { start, end }: Pick<Run, 'start' | 'end'>, ending: Uint16Array) {
  const from = end - ending.length;
  if (from <= start) return false;
  for (let at = 0; at < ending.length; at += 1) {
    if (codes[from + at] !== ending[at]) return false;
  }
  return true;
}
