import { characterCodes } from '@secateur/base/text/characters.ts';
import { LEARNED_FAILURE_WORDS } from '@secateur/base/text/failure-words.ts';
import { DIGIT, KINDS, UPPER, WordHash } from '../../lexical/words.ts';

/** `ERROR`, `FAILED`: in capitals. */
export const SHOUTED = 1;
/** `error:`, `[error]`, `ERR!`: set off as a level or a label. */
export const ANNOUNCED = 2;
/** `AssertionError`, `IOException`: a kind of failure by name. */
export const NAMED = 4;
/** Among the first three words of the line. */
export const LEADING = 8;
/** `0 errors`: no failure after all. */
export const DENIED = 16;
/** `exited with 1`, `exit code`: where a command came to its end. */
export const ENDED = 32;

const ENDING = 'exit exited exitcode';

const FAILURE_ENDINGS = ['Error', 'Exception', 'Failure'].map((ending) => characterCodes(ending));

export interface Run {
  start: number;
  end: number;
  /** Index of the word in its line. */
  run: number;
  /** Hash of the whole identifier, case ignored. */
  hash: number;
}

/** Returns whether a word is a failure cue, wherever it is. */
export function hasVoice(codes: Uint16Array, run: Omit<Run, 'run'>): boolean {
  return ENDING_HASHES.has(run.hash) || FAILING_HASHES.has(run.hash) || isNamed(codes, run);
}

/** Returns the failure cues in one word of a line. */
export function voiceOf(codes: Uint16Array, run: Run): number {
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
/** `:`, `]`, `!` and `)` behind a word set it off. */
const SETS_OFF: ReadonlySet<number> = new Set([58, 93, 33, 41]);
const LEADING_RUNS = 3;

function loudness(codes: Uint16Array, { start, end, run }: Run): number {
  if (codes[start - 2] === ZERO && KINDS[codes[start - 3] ?? 0] !== DIGIT) return DENIED;
  let voice = run < LEADING_RUNS ? LEADING : 0;
  if (KINDS[codes[start + 1] as number] === UPPER) voice |= SHOUTED;
  if (SETS_OFF.has(codes[end] ?? 0)) voice |= ANNOUNCED;
  return voice;
}

function endsWith(
  codes: Uint16Array,
  { start, end }: Pick<Run, 'start' | 'end'>,
  ending: Uint16Array,
): boolean {
  const from = end - ending.length;
  if (from <= start) return false;
  for (let at = 0; at < ending.length; at += 1) {
    if (codes[from + at] !== ending[at]) return false;
  }
  return true;
}
