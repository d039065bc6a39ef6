import { isUtf8 } from 'node:buffer';
import { DomainError, type DomainErrorDetails } from '@secateur/base/runtime/domain-error.ts';
import { isJsonObject, type JsonObject, parsedJson } from '@secateur/base/text/json.ts';
import { editJsonBytes, type JsonEdit } from '@secateur/base/text/json-edit.ts';
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  OVERLOADED,
  PARSE_ERROR,
} from '@secateur/base/tools/tool.ts';
import { rpcErrorText } from '@secateur/serving/wire/protocol.ts';

/** A JSON-RPC response: its bytes, its text and its parsed form. */
export interface Answer {
  readonly bytes: Buffer;
  readonly text: string;
  readonly message: JsonObject;
}

/** Reads the response to the request with this id. Throws `upstream_invalid_response` for other bytes. */
export function readUpstreamAnswer(bytes: Buffer, idText: string | undefined): Answer {
  const answer = someAnswer(bytes);
  if (answer !== undefined && isAnswerTo(answer, idText)) return answer;
  if (answer !== undefined)
    throw failure('upstream_invalid_response', 'The upstream answered another request than it was asked');
  const hint = 'Check that its url or command in the configuration is that of an MCP server.';
  const message = 'The upstream sent something that is not a JSON-RPC response';
  throw failure('upstream_invalid_response', message, { hint });
}

/** Reads a response to any request; `undefined` if the bytes are not a response. */
export function someAnswer(bytes: Buffer): Answer | undefined {
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString('utf8');
  const message = parsedJson(text);
  if (!isJsonObject(message) || message.method !== undefined) return undefined;
  return message.result === undefined && message.error === undefined ? undefined : { bytes, text, message };
}

export function isAnswerTo({ message }: Answer, idText: string | undefined): boolean {
  if (idText === undefined) return true;
  // A server that cannot parse a request responds without its id.
  if (message.error !== undefined && (message.id ?? null) === null) return true;
  return JSON.stringify(message.id) === JSON.stringify(JSON.parse(idText));
}

/** Returns the bytes of a response in which single values are changed. */
export function editAnswer({ bytes, text }: Answer, edits: readonly JsonEdit[]): Buffer {
  // Offsets in text and bytes are equal only for ASCII. Otherwise the bytes are read as Latin-1, where they
  // are.
  const latin1 = text.length === bytes.length ? text : bytes.toString('latin1');
  return editJsonBytes({ bytes, latin1 }, edits);
}

/** Error numbers of JSON-RPC for failures between client and upstream, by code. */
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
  /** The client disconnected, so the response has no reader. */
  client_gone: -31008,
  sign_in_required: -31009,
  /** Responses to other calls use up the limit of bytes in memory. Nothing of this response is kept. */
  overloaded: OVERLOADED,
  /** The caller may not use the tool. It gets the error for an unknown tool. */
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

/** Returns `error` as a JSON-RPC error. `idText` is the id of the request as the client wrote it. */
export function failureText(error: unknown, idText: string): string {
  return rpcErrorText(idText, errorBody(error));
}

function errorBody(error: unknown) {
  if (!(error instanceof DomainError) || !(error.code in GATEWAY_ERRORS)) {
    const data = { code: 'internal_error' };
    return { code: INTERNAL_ERROR, message: 'Internal error: the call failed in the gateway', data };
  }
  const { code, message, data, hint } = error;
  const details = { code, ...data, ...(hint !== undefined && { hint }) };
  return { code: GATEWAY_ERRORS[code as GatewayErrorCode], message, data: details };
}
