import { isJsonObject, type JsonObject } from '../../../../masking/json.ts';
import type { ClientCall, ClientMessage } from '../../client-call.ts';

/** What is wrong with a request of a revision without handshake, in the words of the protocol. */
export interface EnvelopeFailure {
  readonly code: number;
  readonly message: string;
}

const INVALID_PARAMS = -32602;
const HEADER_MISMATCH = -32020;
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/**
 * Over HTTP such requests name themselves twice, in headers and in `_meta`, and a server compares the two. A stdio
 * server never sees the headers, so that the gateway in front of it has to.
 */
export function envelopeFailure(
  { headers }: Pick<ClientCall, 'headers'>,
  { method, params }: ClientMessage & { kind: 'request' },
): EnvelopeFailure | undefined {
  const meta = isJsonObject(params._meta) ? params._meta : {};
  if (typeof meta[VERSION] !== 'string') return missing(`_meta["${VERSION}"]`);
  if (!isJsonObject(meta[CAPABILITIES])) return missing(`_meta["${CAPABILITIES}"]`);
  if (headers['mcp-protocol-version'] !== meta[VERSION]) return mismatch('MCP-Protocol-Version');
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

/** Names that do not fit into a header travel as `=?base64?…?=`. */
function decoded(header: string | undefined): string | undefined {
  const base64 = /^=\?base64\?([\w+/=]*)\?=$/.exec(header ?? '')?.[1];
  return base64 === undefined ? header : Buffer.from(base64, 'base64').toString();
}

function missing(field: string): EnvelopeFailure {
  return { code: INVALID_PARAMS, message: `Invalid params: ${field} is required` };
}

function mismatch(header: string): EnvelopeFailure {
  return { code: HEADER_MISMATCH, message: `Header mismatch: ${header} does not say what the body says` };
}
