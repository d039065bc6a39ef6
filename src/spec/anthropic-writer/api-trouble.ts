import { DomainError } from '../../runtime/domain-error.ts';

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

/** What the API or the network said, by its status alone: bodies of others are never shown. */
export function apiTrouble(error: unknown): DomainError {
  const { status, name } = (error ?? {}) as { status?: unknown; name?: string };
  if (typeof status === 'number') {
    const reason = REASONS[status] ?? (status >= 500 ? '服务器错误' : '请求被拒绝');
    return new DomainError('llm_failed', `Claude API 返回 ${status}: ${reason}`, {
      data: { status },
      cause: error,
      ...(status === 401 && { hint: '请检查 ANTHROPIC_API_KEY 是否有效。' }),
    });
  }
  return new DomainError('llm_failed', unreachable(error, name), { cause: error });
}

function unreachable(error: unknown, name: string | undefined): string {
  const kind = (error as { constructor?: { name?: string } })?.constructor?.name ?? name ?? '';
  if (kind === 'APIConnectionTimeoutError') return 'Claude API 请求超时';
  if (kind === 'APIUserAbortError') return 'Claude API 请求已取消';
  if (kind === 'APIConnectionError') return 'Claude API 无法连接';
  return 'Claude API 返回了无法识别的响应';
}
