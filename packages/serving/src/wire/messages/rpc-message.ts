import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { splitsPair } from '@secateur/base/text/characters.ts';
import { type Fields, isFields, memberSpans, skipBlank } from '@secateur/base/text/json.ts';
import { INVALID_REQUEST, invalidParams, RpcError } from '@secateur/base/tools/tool.ts';
import { META } from '../protocol.ts';

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
  /** A client's response to a request of this server. */
  | { readonly kind: 'response'; readonly id: RpcId | undefined; readonly result: unknown }
  | { readonly kind: 'invalid'; readonly id: RpcId | null; readonly error: RpcError };

const NO_PARAMS: Fields = Object.freeze({});

/** Classifies a parsed JSON value as a request, notification, response or invalid message of JSON-RPC. */
export function readMessage(message: unknown): ReadMessage {
  if (Array.isArray(message)) return invalid(null, 'batches are not supported; send one request at a time');
  if (!isFields(message)) return invalid(null, 'a request is a JSON object');
  const id = readId(message);
  if (id === 'bad') return invalid(null, 'id must be a string or a number');
  if (message.jsonrpc !== '2.0') return invalid(id ?? null, 'jsonrpc must be "2.0"');
  const [isCall, ...isAnswer] = ['method', 'result', 'error'].map((key) => Object.hasOwn(message, key));
  if (!isCall && isAnswer.includes(true)) return { kind: 'response', id, result: message.result };
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

function invalid(id: RpcId | null, reason: string): ReadMessage {
  return { kind: 'invalid', id, error: new RpcError(INVALID_REQUEST, `Invalid request: ${reason}`) };
}

/** Whether a message belongs to a revision since 2026-07-28: by its version, or as a discovery request. */
export function isModernMessage(message: ReadMessage): boolean {
  if (message.kind !== 'request' && message.kind !== 'notification') return false;
  const meta = message.params._meta;
  const claims = isFields(meta) && Object.hasOwn(meta, META.version);
  return claims || message.method === 'server/discover';
}

/** Calls in progress, which the client can cancel with `notifications/cancelled`. */
export class InFlight {
  readonly #calls = new Map<string, AbortController>();

  begin(key: string, call: AbortController): void {
    this.#calls.set(key, call);
  }

  end(key: string, call: AbortController): void {
    if (this.#calls.get(key) === call) this.#calls.delete(key);
  }

  cancel(key: string): void {
    this.#calls.get(key)?.abort();
  }

  abortAll(): void {
    for (const call of this.#calls.values()) call.abort();
  }
}

/** Returns a key for a call. It contains the session, because each session has its own ids, and distinguishes `1` from `"1"`. */
export function callKey(id: RpcId, session = ''): string {
  return `${session} ${typeof id}:${id}`;
}

/** Returns the id in a `notifications/cancelled`; `undefined` if it has none. */
export function cancelledId(params: Readonly<Record<string, unknown>>): RpcId | undefined {
  const { requestId } = params;
  return typeof requestId === 'string' || typeof requestId === 'number' ? requestId : undefined;
}

/** JSON as a string or, if it is long, as pieces of UTF-8. The first piece ends where the first long string begins. */
export type EncodedJson = string | readonly Uint8Array[];

/** Number of characters that can be encoded in 10 ms, even if each becomes `\u0001`. */
const SLICE_CHARS = 262_144;

/**
 * Encodes a response as `JSON.stringify` does. Strings of up to 10 MiB, as `read` and `bash` return them, are
 * encoded in slices, and other events are handled in between.
 */
export async function encodeJson(value: unknown): Promise<EncodedJson> {
  if (!holdsLongString(value)) return JSON.stringify(value);
  const pieces: Uint8Array[] = [];
  let joined = '';
  for (const text of textPieces(value)) {
    joined += text;
    if (joined.length < SLICE_CHARS) continue;
    pieces.push(Buffer.from(joined));
    joined = '';
    await nextTurn();
  }
  return [...pieces, Buffer.from(joined)];
}

/** Maximum depth at which long strings are looked for. Tools return them in `result.content[0].text`. */
const MAX_DEPTH = 4;
const MAX_ITEMS = 1000;

function holdsLongString(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.length > SLICE_CHARS;
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return false;
  const members = Object.values(value);
  return members.length <= MAX_ITEMS && members.some((member) => holdsLongString(member, depth + 1));
}

/** Yields the JSON of a value, with long strings in slices. A random mark first takes the place of each long string. */
function* textPieces(value: unknown): Generator<string> {
  const mark = randomUUID();
  const long: string[] = [];
  const json = JSON.stringify(value, (_, each: unknown) => {
    if (typeof each !== 'string' || each.length <= SLICE_CHARS) return each;
    long.push(each);
    return mark;
  });
  for (const [index, piece] of json.split(`"${mark}"`).entries()) {
    if (index > 0) yield* stringPieces(long[index - 1] ?? '');
    yield piece;
  }
}

function* stringPieces(text: string): Generator<string> {
  yield '"';
  for (let start = 0; start < text.length; ) {
    const rough = start + SLICE_CHARS;
    const end = splitsPair(text, rough) ? rough + 1 : rough;
    yield JSON.stringify(text.slice(start, end)).slice(1, -1);
    start = end;
  }
  yield '"';
}

/** Returns an id as it was written, if a JavaScript number cannot hold it: nanoseconds since 1970, for example. */
export function writtenId(id: RpcId, message: Buffer): string | undefined {
  if (typeof id !== 'number' || !Number.isInteger(id) || Number.isSafeInteger(id)) return undefined;
  const text = message.toString('utf8');
  const span = memberSpans(text, skipBlank(text, 0)).get('id');
  return span === undefined ? undefined : text.slice(span.start, span.end);
}

export function answerTo(written: string | undefined, answer: EncodedJson): EncodedJson {
  if (written === undefined) return answer;
  const withId = (text: string) => text.replace(START, () => `{"jsonrpc":"2.0","id":${written}`);
  if (typeof answer === 'string') return withId(answer);
  const [first = Buffer.alloc(0), ...rest] = answer;
  return [Buffer.from(withId(Buffer.from(first).toString('utf8'))), ...rest];
}

const START = /^\{"jsonrpc":"2\.0","id":[^,]*/;
