import { DomainError } from '@secateur/base/runtime/domain-error.ts';

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
