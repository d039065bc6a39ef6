import { isJsonObject, type JsonObject } from '@secateur/base/text/json.ts';
import {
  HEADER_MISMATCH,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  UNSUPPORTED_VERSION,
} from '@secateur/base/tools/tool.ts';
import { META } from '@secateur/serving/wire/protocol.ts';
import { someAnswer } from '../../answer.ts';
import type { ClientCall, ClientMessage } from '../../client-call.ts';

/**
 * Returns the error for a request whose `_meta` is incomplete or contradicts its headers. HTTP servers check
 * this themselves. Stdio servers get no headers, so the gateway checks it for them.
 */
export function envelopeFailure(
  { headers }: Pick<ClientCall, 'headers'>,
  { method, params }: ClientMessage & { kind: 'request' },
): ReturnType<typeof missing> | undefined {
  const meta = isJsonObject(params._meta) ? params._meta : {};
  if (typeof meta[META.version] !== 'string') return missing(`_meta["${META.version}"]`);
  if (!isJsonObject(meta[META.capabilities])) return missing(`_meta["${META.capabilities}"]`);
  if (headers['mcp-protocol-version'] !== meta[META.version]) return mismatch('MCP-Protocol-Version');
  if (headers['mcp-method'] !== method) return mismatch('Mcp-Method');
  const name = nameOf(method, params);
  if (name !== undefined && decoded(headers['mcp-name']) !== name) return mismatch('Mcp-Name');
  return undefined;
}

const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

function nameOf(method: string, params: JsonObject): unknown {
  const key = NAMED_BY[method];
  return key === undefined ? undefined : params[key];
}

/** Decodes a header. Values with characters that headers cannot contain are sent as `=?base64?…?=`. */
function decoded(header: string | undefined): string | undefined {
  const base64 = /^=\?base64\?([\w+/=]*)\?=$/.exec(header ?? '')?.[1];
  return base64 === undefined ? header : Buffer.from(base64, 'base64').toString();
}

function missing(field: string) {
  return { code: INVALID_PARAMS, message: `Invalid params: ${field} is required` };
}

function mismatch(header: string) {
  return { code: HEADER_MISMATCH, message: `Header mismatch: ${header} does not match the body` };
}

/** HTTP statuses that revisions without a handshake require for protocol errors. */
const BAD = [INVALID_REQUEST, INVALID_PARAMS, HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION];
const STATUS: ReadonlyMap<unknown, number> = new Map([
  [METHOD_NOT_FOUND, 404],
  ...BAD.map((code) => [code, 400] as const),
]);

/** Maximum bytes of a response that may be an error. Longer ones are not examined. */
const MAX_ERROR_BYTES = 10_000;

export function modernStatus(answer: Buffer): number {
  if (answer.length > MAX_ERROR_BYTES) return 200;
  const error = someAnswer(answer)?.message.error;
  // Other bodies have status 200 here. A later step replaces them by an error of the gateway.
  return (isJsonObject(error) ? STATUS.get(error.code) : undefined) ?? 200;
}
