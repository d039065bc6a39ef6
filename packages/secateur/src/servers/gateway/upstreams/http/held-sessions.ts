import { AsyncLocalStorage } from 'node:async_hooks';
import { withDeadline } from '@secateur/base/runtime/time.ts';
import { isJsonObject, type JsonObject, parsedJson } from '@secateur/base/text/json.ts';
import { INVALID_REQUEST, SESSION_NOT_FOUND } from '@secateur/base/tools/tool.ts';
import { initializeText, NEWEST_LEGACY, notificationText } from '@secateur/serving/wire/protocol.ts';
import { failure, someAnswer } from '../../answer.ts';
import type { ClientCall, UpstreamAnswer } from '../../client-call.ts';
import { eventData, type ServerEvent } from '../../server-events.ts';

type Send = (call: ClientCall) => Promise<UpstreamAnswer>;

const HANDSHAKE_MS = 10_000;
const CLOSE_GRACE_MS = 500;

interface OpenSession {
  readonly id: string;
  readonly protocolVersion: string;
}

/** Sessions for callers that have none. Each user has one, because it may contain state of the user. */
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
 * A session for callers without one, if the upstream requires it. The upstream shows this by refusing the
 * first call. That call was not executed and is sent again.
 */
export class HeldSession {
  #session: OpenSession | undefined;
  /** Runs work with the credentials of the user for whom the session was opened. */
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

  /** Opens the session. Concurrent callers share the handshake. */
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

/** Error codes by which servers of the SDKs report a missing or unknown session. */
const SESSION_CODES: ReadonlySet<unknown> = new Set([-32000, SESSION_NOT_FOUND, INVALID_REQUEST]);

/** Whether the upstream refused a call without executing it. Only such calls are sent twice. */
function lacksSession({ status, body }: UpstreamAnswer): boolean {
  if ((status !== 400 && status !== 404) || body.kind !== 'bytes') return false;
  const message = parsedJson(body.bytes.toString());
  if (!isJsonObject(message) || !isJsonObject(message.error)) return true;
  return message.id === undefined || message.id === null || SESSION_CODES.has(message.error.code);
}

const INITIALIZE = initializeText('secateur-gateway');
const INITIALIZED = notificationText('notifications/initialized');

/** Creates a call for a message of the gateway itself. No single caller can abort it, because several may wait for it. */
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

/** Returns the first response. A server may send log notifications before it. */
async function firstAnswer(events: AsyncIterable<ServerEvent>): Promise<JsonObject> {
  for await (const event of events) {
    const answer = someAnswer(eventData(event));
    if (answer !== undefined) return answer.message;
  }
  throw failure('upstream_invalid_response', 'The upstream opened a session without an answer');
}
