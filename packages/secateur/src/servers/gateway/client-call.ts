import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { DomainError } from '@secateur/base/runtime/domain-error.ts';
import {
  isJsonObject,
  type JsonObject,
  memberSpans,
  repeatedName,
  skipBlank,
} from '@secateur/base/text/json.ts';
import { SESSION_NOT_FOUND } from '@secateur/base/tools/tool.ts';
import { isModernVersion, META, rpcErrorText } from '@secateur/serving/wire/protocol.ts';
import { constantTimeEquals } from '@secateur/serving/wire/tokens.ts';
import { failure } from './answer.ts';
import type { ServerEvent } from './server-events.ts';

export type Verb = 'POST' | 'GET' | 'DELETE';

/** An HTTP request of a client, reduced to what an upstream may get. */
export interface ClientCall {
  readonly verb: Verb;
  /** Headers that may be forwarded. Their names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body as received. It is forwarded byte for byte. */
  readonly body: Buffer;
  readonly message: ClientMessage;
  /** Name by which the client introduced itself. */
  readonly client?: string | undefined;
  /** Name of the call's token. Users with different tokens share neither sessions nor processes. */
  readonly user?: string | undefined;
  /** Waits until this number of bytes may be held in memory. Throws `overloaded` after a time limit. */
  readonly hold?: ((bytes: number) => Promise<void>) | undefined;
  /** Whether the client accepts an event stream. */
  readonly acceptsEvents: boolean;
  /** Aborts if the client disconnects or the time limit is reached. The reason is a `DomainError`. */
  readonly signal: AbortSignal;
}

export type ClientMessage =
  | { readonly kind: 'none' }
  | ({
      readonly kind: 'request';
      /** Id as the client wrote it. A large number keeps all its digits. */
      readonly idText: string;
    } & Called)
  | ({ readonly kind: 'notification' } & Called)
  | { readonly kind: 'response'; readonly idText: string; readonly text: string }
  /** A JSON object that is not JSON-RPC. The upstream decides how to respond. */
  | { readonly kind: 'other'; readonly text: string };

type Called = { readonly method: string; readonly params: JsonObject; readonly text: string };

/** Returns the id of a request as the client wrote it; `undefined` for other messages. */
export function requestId(message: ClientMessage): string | undefined {
  return message.kind === 'request' ? message.idText : undefined;
}

const NO_PARAMS: JsonObject = Object.freeze({});

/** Parses only the parts of a body that are needed to route it. Throws `parse_error` or `invalid_request`. */
export function readClientMessage(body: Buffer): ClientMessage {
  const text = body.toString('utf8');
  const message = parsed(text);
  if (!isJsonObject(message))
    throw failure('invalid_request', 'Invalid request: one JSON-RPC object is expected');
  requireOneReading(text);
  const params = isJsonObject(message.params) ? message.params : NO_PARAMS;
  const { method } = message;
  if (typeof method === 'string' && message.id !== undefined) {
    return { kind: 'request', idText: idTextOf(text), method, params, text };
  }
  if (typeof method === 'string') return { kind: 'notification', method, params, text };
  if (message.result === undefined && message.error === undefined) return { kind: 'other', text };
  return { kind: 'response', idText: idTextOf(text), text };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw failure('parse_error', 'Parse error: the body is not valid JSON', { cause });
  }
}

/** Throws if a key occurs twice. A server that reads the other `name` could run a hidden tool. */
function requireOneReading(text: string): void {
  const start = skipBlank(text, 0);
  const params = memberSpans(text, start).get('params');
  const isObject = params !== undefined && text[params.start] === '{';
  const twice = repeatedName(text, start) ?? (isObject ? repeatedName(text, params.start) : undefined);
  if (twice === undefined) return;
  const key = `"${twice.slice(0, 100)}" (keys are compared case-insensitively)`;
  throw failure('invalid_request', `Invalid request: duplicate key ${key}`);
}

function idTextOf(text: string): string {
  const span = memberSpans(text, skipBlank(text, 0)).get('id');
  return span === undefined ? 'null' : text.slice(span.start, span.end);
}

const FORWARDED = new Set('content-type accept last-event-id traceparent tracestate'.split(' '));

/** Returns the headers to forward. They do not include `Authorization` and cookies. */
export function forwardedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return headersNamed(FORWARDED, headers);
}

/** Returns the headers of the protocol, and those with the given names. */
export function headersNamed(
  names: ReadonlySet<string>,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === 'string' && (names.has(name) || name.startsWith('mcp-'))) kept[name] = value;
  }
  return kept;
}

/** Whether the response stays open for notifications until the client disconnects. */
export function isEndless(message: ClientMessage): boolean {
  return message.kind === 'none' || (message.kind === 'request' && message.method === 'subscriptions/listen');
}

/** Returns a signal that aborts if the client disconnects or the time limit of the call is reached. */
export function limitCall(
  client: AbortSignal | undefined,
  timeoutMs: number | undefined,
): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const gone = () => controller.abort(failure('client_gone', 'The client went away'));
  if (client?.aborted) gone();
  client?.addEventListener('abort', gone, { once: true });
  const late = () => {
    const hint = 'Raise timeout_ms for this server if its calls take that long.';
    const message = `The upstream did not answer within ${timeoutMs} ms`;
    controller.abort(failure('upstream_timeout', message, { hint, data: { timeout_ms: timeoutMs } }));
  };
  const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs);
  const end = () => {
    clearTimeout(timer);
    client?.removeEventListener('abort', gone);
  };
  return { signal: controller.signal, end };
}

/** Whether this call uses a protocol revision without handshake and sessions. */
export function isModernCall({ headers, message }: Pick<ClientCall, 'headers' | 'message'>): boolean {
  if (isModernVersion(headers['mcp-protocol-version'])) return true;
  if (message.kind !== 'request' && message.kind !== 'notification') return false;
  const meta = message.params._meta;
  return isJsonObject(meta) && meta[META.version] !== undefined;
}

/** Owner of a session: a user at an upstream. */
export interface SessionOwner {
  readonly server: string;
  /** Name of the token of the call; `undefined` if calls need no token. */
  readonly user: string | undefined;
}

const HEADER = 'mcp-session-id';
const PROOF_CHARS = 22;

/**
 * Binds session ids of an upstream to the user that opened the session. The client gets the id with a
 * signature, which only gateways with the same key can create. No state is stored, and all processes of a
 * team accept the id. Without tokens all callers are one user, and ids stay unchanged.
 */
export class SessionIds {
  readonly #key: () => Promise<Uint8Array>;

  constructor(key: () => Promise<Uint8Array>) {
    this.#key = key;
  }

  /** Returns the headers for the upstream; `undefined` if the session id in them belongs to another user. */
  async opened<Headers extends Readonly<Record<string, string>>>(
    headers: Headers,
    owner: SessionOwner,
  ): Promise<Headers | undefined> {
    const given = headers[HEADER];
    if (owner.user === undefined || given === undefined) return headers;
    const id = given.slice(0, -PROOF_CHARS - 1);
    const isOwn = constantTimeEquals(given, await this.#issued(id, owner));
    return isOwn ? { ...headers, [HEADER]: id } : undefined;
  }

  /** Returns the response with a signed session id. */
  async issuedIn(answer: UpstreamAnswer, owner: SessionOwner): Promise<UpstreamAnswer> {
    const id = answer.headers[HEADER];
    if (owner.user === undefined || id === undefined) return answer;
    return { ...answer, headers: { ...answer.headers, [HEADER]: await this.#issued(id, owner) } };
  }

  async #issued(id: string, { server, user }: SessionOwner): Promise<string> {
    const proof = createHmac('sha256', await this.#key()).update(JSON.stringify([server, user, id]));
    return `${id}.${proof.digest('base64url').slice(0, PROOF_CHARS)}`;
  }
}

/** Returns the response to an unknown session id. Its status 404 makes the client open a new session. */
export function sessionNotFoundText(message: ClientMessage): string {
  const error = { code: SESSION_NOT_FOUND, message: 'Session not found' };
  return rpcErrorText(requestId(message) ?? 'null', error);
}

/** A server behind the gateway. For a new kind, add a file in `upstreams/` and a line in `openUpstream`. */
export interface Upstream {
  /** Forwards a call. It and its events may throw a `DomainError` with a code of `GATEWAY_ERRORS`. */
  call(call: ClientCall): Promise<UpstreamAnswer>;
  /** Returns the server's fields in `GET /api/mcp-gateway/servers`, except name and circuit. */
  state(): Record<string, unknown>;
  close(): Promise<void>;
}

export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AnswerBody;
}

export type AnswerBody =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'events'; readonly events: AsyncIterable<ServerEvent> };

export const NO_BYTES: AnswerBody = { kind: 'bytes', bytes: Buffer.alloc(0) };

/** The gateway's credentials for an upstream. They are never in logs, errors or the list of servers. */
export interface Credentials {
  headers(): Promise<Readonly<Record<string, string>>>;
  /** Called if an upstream responds to these headers with 401. Resolves to whether new credentials can be tried. */
  renew(refused: Readonly<Record<string, string>>): Promise<boolean>;
  /** Returns the error for the caller if the second attempt is refused too. Default: the response of the upstream. */
  refusal?(): DomainError;
}
