import { DomainError } from '../runtime/domain-error.ts';

/** The command line itself is wrong; ends with exit code 2 and points to `--help`. */
export function usageError(message: string): DomainError {
  return new DomainError('bad_usage', message);
}

export function isUsageError(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'bad_usage';
}
