import { type Fields, isFields } from '@secateur/base/text/json-value.ts';
import { INVALID_REQUEST, invalidParams, RpcError } from '@secateur/base/tools/rpc-error.ts';

export type RpcId = string | number;

export interface RpcRequest {
  readonly kind: 'request';
  readonly id: RpcId;
  readonly method: string;
  readonly params: Fields;
}

export type ReadMessage =
  | RpcRequest
  | { readonly kind: 'notification'; readonly method: string; readonly params: Fields }
  /** A client's answer to a question of ours. */
  | { readonly kind: 'response'; readonly id: RpcId | undefined; readonly result: unknown }
  | { readonly kind: 'invalid'; readonly id: RpcId | null; readonly error: RpcError };

const NO_PARAMS: Fields = Object.freeze({});

/** Sorts one parsed JSON value into what JSON-RPC allows it to be. */
export function readMessage(message: unknown): ReadMessage {
  if (Array.isArray(message)) return invalid(null, 'batches are not supported; send one request at a time');
  if (!isFields(message)) return invalid(null, 'a request is a JSON object');
  const id = readId(message);
  if (id === 'bad') return invalid(null, 'id must be a string or a number');
  if (message.jsonrpc !== '2.0') return invalid(id ?? null, 'jsonrpc must be "2.0"');
  if (isResponse(message)) return { kind: 'response', id, result: message.result };
  if (typeof message.method !== 'string') return invalid(id ?? null, 'method must be a string');
  return readCall(id, message.method, message.params);
}

function readCall(id: RpcId | undefined, method: string, params: unknown): ReadMessage {
  const given = params ?? NO_PARAMS;
  if (id === undefined) return { kind: 'notification', method, params: isFields(given) ? given : NO_PARAMS };
  if (isFields(given)) return { kind: 'request', id, method, params: given };
  return { kind: 'invalid', id, error: invalidParams([{ field: 'params', message: 'must be an object' }]) };
}

function readId(message: Fields): RpcId | undefined | 'bad' {
  if (!Object.hasOwn(message, 'id')) return undefined;
  const id = message.id;
  if (typeof id === 'number') return Number.isFinite(id) ? id : 'bad';
  return typeof id === 'string' ? id : 'bad';
}

function isResponse(message: Fields): boolean {
  return (
    !Object.hasOwn(message, 'method') && (Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error'))
  );
}

function invalid(id: RpcId | null, reason: string): ReadMessage {
  return { kind: 'invalid', id, error: new RpcError(INVALID_REQUEST, `Invalid request: ${reason}`) };
}
