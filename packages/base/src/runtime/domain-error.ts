/**
 * An expected failure. `code` is for programs, `message` and `hint` are for people. All their texts are written in this
 * project, so that agents may see them. Messages of other programs are only in `cause`.
 */
export class DomainError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, details: DomainErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'DomainError';
    this.code = code;
    this.hint = details.hint;
    this.data = details.data ?? {};
  }
}

export interface DomainErrorDetails {
  hint?: string;
  data?: Record<string, unknown>;
  cause?: unknown;
}

/** Returns the result of `work`, or `undefined` if it throws: for calls that fail if a file or a process is missing. */
export function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
