import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { INTERNAL_ERROR, REQUEST_CANCELLED, RpcError } from '@secateur/base/tools/rpc-error.ts';
import type { RpcServer } from '../rpc-server.ts';

export interface FailedCall {
  readonly server: RpcServer;
  readonly requestId: string;
  readonly tool: string | undefined;
}

/** Decides what a client hears of a failure: our own codes and words only. Foreign messages go to the observer. */
export function toRpcError(error: unknown, call: FailedCall, signal: AbortSignal): RpcError {
  if (error instanceof RpcError) return error;
  if (signal.aborted)
    return new RpcError(REQUEST_CANCELLED, 'Request cancelled', { code: 'request_cancelled' });
  const known = error instanceof DomainError ? call.server.errorCodes?.[error.code] : undefined;
  if (error instanceof DomainError && known !== undefined)
    return new RpcError(known, error.code, dataOf(error));
  return crashed(error, call);
}

export function crashed(error: unknown, { server, requestId, tool }: FailedCall): RpcError {
  server.observer?.crashed?.({ tool, requestId, error });
  if (error instanceof DomainError) return new RpcError(INTERNAL_ERROR, error.message, dataOf(error));
  const data = { code: 'internal_error', request_id: requestId };
  return new RpcError(INTERNAL_ERROR, 'Internal error: the call failed on our side', data);
}

function dataOf(error: DomainError): Record<string, unknown> {
  return { code: error.code, ...error.data, ...(error.hint === undefined ? {} : { hint: error.hint }) };
}
