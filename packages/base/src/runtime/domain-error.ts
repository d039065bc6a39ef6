/**
 * Failure that was expected and has a name. `code` is for programs, `message` and `hint` for people;
 * both are our own words, so that they can be shown to an agent. What others said stays in `cause`.
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
