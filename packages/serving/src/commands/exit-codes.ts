import { DomainError } from '@secateur/base/runtime/domain-error.ts';

export const SUCCESS = 0;
export const FAILURE = 1;
export const BAD_USAGE = 2;
export const NOT_RUNNING = 3;
/** Done, but not as well as was asked for. */
export const INCOMPLETE = 3;
export const BUG = 70;
export const INTERRUPTED = 130;

/** Exit codes of every command; `--help` and the documentation print them. */
export const exitCodeMeanings: Readonly<Record<number, string>> = {
  [SUCCESS]: 'done',
  [FAILURE]: 'the command could not do its work; standard error says why',
  [BAD_USAGE]: 'wrong arguments or a bad setting',
  [BUG]: 'a bug in secateur',
  [INTERRUPTED]: 'interrupted before the work was done',
};

/** The command line itself is wrong; ends with exit code 2 and points to `--help`. */
export function usageError(message: string): DomainError {
  return new DomainError('bad_usage', message);
}

export function isUsageError(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'bad_usage';
}

/** Returns the word given for a flag; `undefined` if not given. Throws for other words. */
export function oneOf<Word extends string>(
  flag: string,
  given: string | undefined,
  words: readonly Word[],
): Word | undefined {
  const word = words.find((each) => each === given);
  if (given !== undefined && word === undefined)
    throw usageError(`${flag}: expected one of ${words.join(', ')}`);
  return word;
}
