import { redactSecrets } from '@secateur/base/redaction/redact.ts';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { specError } from '../../messages.ts';
import type { ModelFailure, ModelReason } from '../../words/messages/zh.ts';

const REASONS: Readonly<Record<number, ModelReason>> = {
  400: 'bad-request',
  401: 'unauthorised',
  402: 'no-credit',
  403: 'forbidden',
  404: 'not-found',
  408: 'timeout',
  413: 'too-large',
  429: 'rate-limit',
  500: 'internal-error',
  503: 'unavailable',
  504: 'gateway-timeout',
  529: 'overloaded',
};

const BILLING = /credit|billing|balance|quota|insufficient_quota|payment/i;

/**
 * Describes a failure of the API or network by its status. Only a 400 is shown with its words, redacted: it
 * says what was wrong with our request. Failures common to all modules (keys, rights, money) are `fatal`.
 */
export function apiFailure(error: unknown, service: ModelFailure['service']): DomainError {
  const { status } = (error ?? {}) as { status?: unknown };
  if (typeof status !== 'number')
    return specError('llm_failed', { service, reason: unreachable(error), fatal: false }, error);
  const words = wordsOf(error);
  const isBilling = (status === 400 || status === 429) && BILLING.test(words);
  const other = status >= 500 ? 'server-error' : 'refused';
  const reason = isBilling ? 'no-credit' : (REASONS[status] ?? other);
  const said = status === 400 && words !== '' ? { said: words } : {};
  const fatal = isBilling || FATAL.has(status);
  return specError('llm_failed', { service, status, reason, fatal, ...said }, error);
}

const FATAL: ReadonlySet<number> = new Set([401, 402, 403]);

/** Whether every other call would fail the same way. */
export function isFatal(error: unknown): boolean {
  return error instanceof DomainError && (error.data.fatal === true || error.code === 'package_missing');
}

const MAX_WORDS = 300;

function wordsOf(error: unknown): string {
  const body = (error as { error?: unknown }).error as
    | { error?: { message?: unknown }; message?: unknown }
    | undefined;
  const message = body?.error?.message ?? body?.message ?? '';
  return typeof message === 'string' ? redactSecrets(message.replace(/\s+/g, ' ')).slice(0, MAX_WORDS) : '';
}

function unreachable(error: unknown): ModelReason {
  const kind = (error as { constructor?: { name?: string } } | undefined)?.constructor?.name ?? '';
  if (kind === 'APIConnectionTimeoutError') return 'timeout';
  const isAborted =
    kind === 'APIUserAbortError' || (error as { name?: string } | undefined)?.name === 'AbortError';
  if (isAborted) return 'cancelled';
  return kind === 'APIConnectionError' ? 'unreachable' : 'strange-answer';
}
