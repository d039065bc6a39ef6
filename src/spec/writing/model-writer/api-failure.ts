import { redactSecrets } from '../../../redaction/redact.ts';
import { DomainError } from '../../../runtime/domain-error.ts';

const REASONS: Readonly<Record<number, string>> = {
  400: '请求无效',
  401: '认证失败',
  402: '余额不足',
  403: '没有权限',
  404: '模型或地址不存在',
  408: '请求超时',
  413: '请求过大',
  429: '速率限制',
  500: '服务器内部错误',
  503: '服务不可用',
  504: '网关超时',
  529: '服务过载',
};

const BILLING = /credit|billing|balance|quota|insufficient_quota|payment/i;

/**
 * What the API or the network said, by its status. Only a 400 is shown with its words, redacted: it tells what was wrong
 * with our request. What no other module could do better with (keys, rights, money) is `fatal`.
 */
export function apiFailure(error: unknown, service: string): DomainError {
  const { status } = (error ?? {}) as { status?: unknown };
  if (typeof status !== 'number')
    return new DomainError('llm_failed', `${service} ${unreachable(error)}`, { cause: error });
  const words = wordsOf(error);
  const isBilling = (status === 400 || status === 429) && BILLING.test(words);
  const reason = isBilling ? '余额不足' : (REASONS[status] ?? (status >= 500 ? '服务器错误' : '请求被拒绝'));
  const shown = status === 400 && words !== '' ? `（${words}）` : '';
  return new DomainError('llm_failed', `${service} 返回 ${status}: ${reason}${shown}`, {
    data: { status, fatal: isBilling || FATAL.has(status) },
    cause: error,
    ...(status === 401 && { hint: '请检查 API key 是否有效。' }),
  });
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

function unreachable(error: unknown): string {
  const kind = (error as { constructor?: { name?: string } } | undefined)?.constructor?.name ?? '';
  if (kind === 'APIConnectionTimeoutError') return '请求超时';
  if (kind === 'APIUserAbortError') return '请求已取消';
  if (kind === 'APIConnectionError') return '无法连接';
  return '返回了无法识别的响应';
}
