import { carrierErrorResponse } from './dispatcher.ts';

/** A refusal by HTTP itself, before or beside JSON-RPC. */
export interface HttpFailure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Its JSON-RPC error code. Default: that of an invalid request. */
  readonly rpcCode?: number;
}

export type FailureBody = (failure: HttpFailure) => unknown;

/** `{jsonrpc, id: null, error}`: what an MCP client can read. */
export const rpcFailureBody: FailureBody = ({ code, message, rpcCode }) =>
  carrierErrorResponse(code, message, rpcCode);

/** `{ok: false, error: {code, message}}`: what the focus tools promise. */
export const plainFailureBody: FailureBody = ({ code, message }) => ({ ok: false, error: { code, message } });

export function methodNotAllowed(allowed: readonly string[]): HttpFailure {
  const allow = allowed.join(', ');
  const message = `This path answers ${allow} only`;
  return { status: 405, code: 'method_not_allowed', message, headers: { allow } };
}

export const notFound: HttpFailure = {
  status: 404,
  code: 'not_found',
  message: 'There is nothing at this path',
};

export const notJson: HttpFailure = {
  status: 415,
  code: 'unsupported_media_type',
  message: 'Send the body as plain, uncompressed application/json',
};

export function tooLarge(maxBytes: number): HttpFailure {
  return { status: 413, code: 'input_too_large', message: `The body is larger than ${maxBytes} bytes` };
}

export const internalFailure: HttpFailure = {
  status: 500,
  code: 'internal_error',
  message: 'The request failed on our side',
};
