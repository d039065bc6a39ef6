import { AsyncLocalStorage } from 'node:async_hooks';
import { withDeadline } from '@secateur/base/runtime/with-deadline.ts';
import { isJsonObject, type JsonObject, parsedJson } from '@secateur/base/text/json-value.ts';
import { INVALID_REQUEST, SESSION_NOT_FOUND } from '@secateur/base/tools/rpc-error.ts';
import { initializeText, NEWEST_LEGACY, notificationText } from '@secateur/serving/wire/protocol.ts';
import { someAnswer } from '../../answer.ts';
import type { ClientCall } from '../../client-call.ts';
import { failure } from '../../failure.ts';
import { eventData, type ServerEvent } from '../../server-events.ts';
import type { UpstreamAnswer } from '../../upstream.ts';

type Send = (call: ClientCall) => Promise<UpstreamAnswer>;

const HANDSHAKE_MS = 10_000;
const CLOSE_GRACE_MS = 500;

interface OpenSession {
  readonly id: string;
  readonly protocolVersion: string;
}

/** The sessions lent to callers that have none: one per user, because an upstream's session may hold a user's state. */
export class HeldSessions {
  readonly #byUser = new Map<string | undefined, HeldSession>();
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  call(call: ClientCall): Promise<UpstreamAnswer> {
    const session = this.#byUser.get(call.user) ?? new HeldSession(this.#send);
    this.#byUser.set(call.user, session);
    return session.call(call);
  }

  state(): Record<string, unknown> {
    const isHeld = [...this.#byUser.values()].some((session) => session.isHeld);
    return { session: isHeld ? 'held' : 'none' };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#byUser.values()].map((session) => session.close()));
  }
}

/**
 * A session with an upstream that insists on one, lent to callers that have none. Whether the upstream insists is
 * found out by its first refusal: a refused call was not carried out and can be sent again.
 */
export class HeldSession {
  #session: OpenSession | undefined;
  /** Runs work with the credentials of the user the session was opened for. */
  #asOwner: ReturnType<typeof AsyncLocalStorage.snapshot> | undefined;
  #opening: Promise<OpenSession | undefined> | undefined;
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async call(call: ClientCall): Promise<UpstreamAnswer> {
    const used = this.#session;
    const answer = await this.#send(used === undefined ? call : within(used, call));
    if (!lacksSession(answer)) return answer;
    if (this.#session === used) this.#session = undefined;
    const fresh = await this.#open().catch(() => undefined);
    return fresh === undefined ? answer : this.#send(within(fresh, call));
  }

  get isHeld(): boolean {
    return this.#session !== undefined;
  }

  async close(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    if (session === undefined) return;
    const headers = { 'mcp-session-id': session.id, 'mcp-protocol-version': session.protocolVersion };
    const farewell = { verb: 'DELETE', headers, body: Buffer.alloc(0), message: { kind: 'none' } } as const;
    const end = (signal: AbortSignal) =>
      this.#send({ ...farewell, acceptsEvents: false, signal }).catch(() => undefined);
    const asOwner = this.#asOwner ?? ((work: () => Promise<unknown>) => work());
    await asOwner(() => withDeadline({ timeoutMs: CLOSE_GRACE_MS }, end));
  }

  /** Callers that arrive together share one handshake. */
  #open(): Promise<OpenSession | undefined> {
    if (this.#session !== undefined) return Promise.resolve(this.#session);
    this.#opening ??= withDeadline({ timeoutMs: HANDSHAKE_MS }, (signal) => this.#handshake(signal)).finally(
      () => {
        this.#opening = undefined;
      },
    );
    return this.#opening;
  }

  async #handshake(signal: AbortSignal): Promise<OpenSession | undefined> {
    const opened = await this.#send(posted(INITIALIZE, signal));
    const id = opened.headers['mcp-session-id'];
    if (id === undefined) return undefined;
    const session = { id, protocolVersion: await negotiatedVersion(opened) };
    await this.#send(within(session, posted(INITIALIZED, signal)));
    this.#session = session;
    this.#asOwner = AsyncLocalStorage.snapshot();
    return session;
  }
}

/** Codes the SDKs use for a missing or unknown session. */
const SESSION_CODES: ReadonlySet<unknown> = new Set([-32000, SESSION_NOT_FOUND, INVALID_REQUEST]);

/** Was the call refused before anybody looked at it? An answer to the call itself is never asked for twice. */
function lacksSession({ status, body }: UpstreamAnswer): boolean {
  if ((status !== 400 && status !== 404) || body.kind !== 'bytes') return false;
  const message = parsedJson(body.bytes.toString());
  if (!isJsonObject(message) || !isJsonObject(message.error)) return true;
  return message.id === undefined || message.id === null || SESSION_CODES.has(message.error.code);
}

const INITIALIZE = initializeText('secateur-gateway');
const INITIALIZED = notificationText('notifications/initialized');

/** A message of the gateway's own; several callers may wait for it, so that none of them can abort it. */
function posted(message: string, signal: AbortSignal): ClientCall {
  const body = Buffer.from(message);
  return { verb: 'POST', headers: {}, body, message: { kind: 'none' }, acceptsEvents: false, signal };
}

function within({ id, protocolVersion }: OpenSession, call: ClientCall): ClientCall {
  const headers = { 'mcp-protocol-version': protocolVersion, ...call.headers, 'mcp-session-id': id };
  return { ...call, headers };
}

async function negotiatedVersion({ body }: UpstreamAnswer): Promise<string> {
  const message = body.kind === 'bytes' ? parsedJson(body.bytes.toString()) : await firstAnswer(body.events);
  const result = isJsonObject(message) ? message.result : undefined;
  const version = isJsonObject(result) ? result.protocolVersion : undefined;
  return typeof version === 'string' ? version : NEWEST_LEGACY;
}

/** A server may log before it answers. */
async function firstAnswer(events: AsyncIterable<ServerEvent>): Promise<JsonObject> {
  for await (const event of events) {
    const answer = someAnswer(eventData(event));
    if (answer !== undefined) return answer.message;
  }
  throw failure('upstream_invalid_response', 'The upstream opened a session without an answer');
}
