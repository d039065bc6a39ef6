import { DomainError, type DomainErrorDetails } from '@secateur/base/runtime/domain-error.ts';
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  OVERLOADED,
  PARSE_ERROR,
} from '@secateur/base/tools/rpc-error.ts';
import { errorText } from '@secateur/serving/wire/protocol.ts';

/** Failures between a client and an upstream, by their JSON-RPC error number. */
export const GATEWAY_ERRORS = {
  unknown_server: -31001,
  upstream_unavailable: -31002,
  upstream_timeout: -31003,
  upstream_invalid_response: -31004,
  upstream_http_error: -31005,
  circuit_open: -31006,
  response_too_large: -31007,
  parse_error: PARSE_ERROR,
  invalid_request: INVALID_REQUEST,
  input_too_large: INVALID_REQUEST,
  /** The client left; the answer is not read any more. */
  client_gone: -31008,
  sign_in_required: -31009,
  /** The answers of other calls use up what may be held; nothing of this one is kept. */
  overloaded: OVERLOADED,
  /** A tool that the server, or the caller's token, does not offer is unknown to the caller. */
  tool_hidden: INVALID_PARAMS,
} as const;

export type GatewayErrorCode = keyof typeof GATEWAY_ERRORS;

export function failure(
  code: GatewayErrorCode,
  message: string,
  details: DomainErrorDetails = {},
): DomainError {
  return new DomainError(code, message, details);
}

/** The JSON-RPC error for `error`; `idText` is the request's id as the client wrote it. */
export function failureText(error: unknown, idText: string): string {
  return errorText(idText, errorBody(error));
}

function errorBody(error: unknown) {
  if (!(error instanceof DomainError) || !(error.code in GATEWAY_ERRORS)) {
    const data = { code: 'internal_error' };
    return { code: INTERNAL_ERROR, message: 'Internal error: the call failed in the gateway', data };
  }
  return {
    code: GATEWAY_ERRORS[error.code as GatewayErrorCode],
    message: error.message,
    data: { code: error.code, ...error.data, ...(error.hint === undefined ? {} : { hint: error.hint }) },
  };
}
