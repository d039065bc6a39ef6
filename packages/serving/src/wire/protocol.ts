import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { plainName } from '@secateur/base/text/characters.ts';
import { type Fields, isFields, parsedJson } from '@secateur/base/text/json.ts';
import type { FieldError, Tool, ToolCallContext } from '@secateur/base/tools/tool.ts';

/** Revisions that Sécateur's dispatcher supports, oldest first. */
export const LEGACY_VERSIONS: readonly string[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

/** First revision without a handshake. The SDK handles it and all later ones. */
const FIRST_MODERN_VERSION = '2026-07-28';

/** Revision that Sécateur requests as a client. */
export const NEWEST_LEGACY = '2025-11-25';
const DATED = /^\d{4}-\d{2}-\d{2}$/;

export function isModernVersion(version: unknown): boolean {
  return typeof version === 'string' && DATED.test(version) && version >= FIRST_MODERN_VERSION;
}

/** Keys in `_meta`, where each request of the newer revisions states its client and version. */
export const META = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  client: 'io.modelcontextprotocol/clientInfo',
  subscription: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** Returns the trace that a message claims (`params._meta.traceparent`). It is not validated here. */
export function traceparentIn(message: object): string | undefined {
  const meta = 'params' in message && isFields(message.params) ? message.params._meta : undefined;
  const traceparent = isFields(meta) ? meta.traceparent : undefined;
  return typeof traceparent === 'string' ? traceparent : undefined;
}

/** Returns a result as JSON text. The id is copied as text, so that large numbers keep all digits. */
export function resultText(idText: string, result: object): string {
  return `{"jsonrpc":"2.0","id":${idText},"result":${JSON.stringify(result)}}`;
}

export function rpcErrorText(
  idText: string,
  { code, message, data }: { code: number; message: string; data?: object | undefined },
): string {
  return `{"jsonrpc":"2.0","id":${idText},"error":${JSON.stringify({ code, message, data })}}`;
}

export function notificationText(method: string, params?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

export function initializeText(clientName: string): string {
  const clientInfo = { name: clientName, version: '1' };
  const params = { protocolVersion: NEWEST_LEGACY, capabilities: {}, clientInfo };
  return JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
}

/** Returns the client's name from `_meta`, for the newer revisions. */
export function claimedClient({ _meta: meta }: Fields): string | undefined {
  return isFields(meta) ? clientName(meta[META.client]) : undefined;
}

/** Returns the program in the User-Agent header, for clients without a name: `curl` for `curl/8.5`. */
export function userAgentName({ 'user-agent': agent }: IncomingHttpHeaders): string | undefined {
  const product = agent?.split(/[/\s(]/, 1)[0];
  return product === undefined || product === '' ? undefined : plainName(product);
}

/** Returns a session id that contains the client's name, so that no server needs to remember the name. */
export function sessionIdFor(client: string | undefined, id: string): string {
  return client === undefined ? id : `${client}~${id}`;
}

export function clientOfSession(sessionId: string | undefined): string | undefined {
  const end = sessionId?.lastIndexOf('~') ?? -1;
  return sessionId === undefined || end <= 0 ? undefined : plainName(sessionId.slice(0, end));
}

export function clientName(info: unknown): string | undefined {
  const { name } = isFields(info) ? info : {};
  return typeof name === 'string' && name !== '' ? plainName(name) : undefined;
}

type ParsedJson =
  | { readonly kind: 'parsed'; readonly value: unknown }
  | { readonly kind: 'unparsable'; readonly reason: string };

/** Parses the JSON that a client sent. Bytes that are not UTF-8 are refused, not replaced. */
export function parseJson(bytes: Buffer): ParsedJson {
  if (bytes.length === 0) return { kind: 'unparsable', reason: 'the body is empty' };
  if (!isUtf8(bytes)) return { kind: 'unparsable', reason: 'the text is not valid UTF-8' };
  const value = parsedJson(bytes.toString('utf8'));
  if (value === undefined) return { kind: 'unparsable', reason: 'the text is not valid JSON' };
  return { kind: 'parsed', value };
}

/** Everything that the dispatcher needs to know about a server. HTTP and stdio serve the same object. */
export interface RpcServer {
  readonly name: string;
  readonly version: string;
  readonly instructions?: string;
  readonly tools: readonly Tool[];
  /** Further members of the `initialize` result, such as `jeeves: {schemaVersion: 1}`. */
  readonly initializeExtras?: Fields;
  /** Methods besides MCP's own, such as `health`. */
  readonly methods?: Readonly<Record<string, RpcMethod>>;
  /** JSON-RPC codes by `DomainError.code`, for errors that are not sent as tool results. */
  readonly errorCodes?: Readonly<Record<string, number>>;
  readonly observer?: CallObserver;
  /** Whether the current caller may see a tool. Default: every caller sees every tool. */
  readonly isOffered?: (tool: string) => boolean;
}

export type RpcMethod = (params: Fields, context: ToolCallContext) => Promise<Record<string, unknown>>;

/** Receives events of calls, for the event log. Must not throw. */
export interface CallObserver {
  /** Called before the arguments are validated. `tool` is `undefined` for an unknown name. */
  received?(call: { tool: string | undefined; requestId: string }): void;
  unparsable?(): void;
  invalid?(call: { tool: string | undefined; requestId: string; fieldErrors: FieldError[] }): void;
  crashed?(call: { tool: string | undefined; requestId: string; error: unknown }): void;
}
