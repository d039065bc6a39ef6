import { type Fields, isFields } from '@secateur/base/text/json-value.ts';

/** The revisions our own dispatcher answers, oldest first. */
export const LEGACY_VERSIONS: readonly string[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

/** The first revision without a handshake; it and everything newer go to the SDK. */
const FIRST_MODERN_VERSION = '2026-07-28';

/** Revision we request as a client. */
export const NEWEST_LEGACY = '2025-11-25';
const DATED = /^\d{4}-\d{2}-\d{2}$/;

export function negotiatedVersion(asked: string): string {
  return LEGACY_VERSIONS.includes(asked) ? asked : NEWEST_LEGACY;
}

export function isModernVersion(version: unknown): boolean {
  return typeof version === 'string' && DATED.test(version) && version >= FIRST_MODERN_VERSION;
}

/** Keys in `_meta` by which each request of the newer revisions describes itself. */
export const META = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  client: 'io.modelcontextprotocol/clientInfo',
  subscription: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** The trace a message says it belongs to (`params._meta.traceparent`); no more than a claim until it is read as one. */
export function traceparentIn(params: Fields): string | undefined {
  const meta = params._meta;
  const traceparent = isFields(meta) ? meta.traceparent : undefined;
  return typeof traceparent === 'string' ? traceparent : undefined;
}

/** JSON-RPC messages as text: an id stays as its sender wrote it, so that no digit of a large one is lost. */
export function resultText(idText: string, result: object): string {
  return `{"jsonrpc":"2.0","id":${idText},"result":${JSON.stringify(result)}}`;
}

export function errorText(
  idText: string,
  { code, message, data }: { code: number; message: string; data?: object | undefined },
): string {
  return `{"jsonrpc":"2.0","id":${idText},"error":${JSON.stringify({ code, message, data })}}`;
}

export function notificationText(method: string, params?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

/** The handshake of a client that wants nothing but answers. */
export function initializeText(clientName: string): string {
  const clientInfo = { name: clientName, version: '1' };
  const params = { protocolVersion: NEWEST_LEGACY, capabilities: {}, clientInfo };
  return JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
}
