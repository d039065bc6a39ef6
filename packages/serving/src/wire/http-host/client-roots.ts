import { randomUUID } from 'node:crypto';
import { withTimeoutOr } from '@secateur/base/runtime/time.ts';
import { type Fields, isFields } from '@secateur/base/text/json.ts';

/** Time in ms after which a client that has not responded counts as having no roots. */
const ANSWER_MS = 5000;
const MAX_SESSIONS = 1000;

/** Call on whose event stream a request is sent to the client. */
export interface AskingCall {
  /** Sends a request to the client, before the response to its call. */
  send(question: object): void;
  readonly signal: AbortSignal;
}

const GIVEN_UP = Symbol('given up');
type Answer = readonly string[] | typeof GIVEN_UP;

/** Requests the folders in which a client works (`roots/list`), once per session. Only for clients of the revisions with a handshake. */
export class ClientRoots {
  readonly #known = new Map<string, Promise<Answer>>();
  readonly #asked = new Map<string, (result: unknown) => void>();

  /** Returns the URIs of the client's roots. If the call ends before the client responds, the next call requests them again. */
  async of(session: string, call: AskingCall): Promise<readonly string[]> {
    const roots = await (this.#known.get(session) ?? this.#ask(session, call));
    if (roots !== GIVEN_UP) return roots;
    return call.signal.aborted ? [] : this.of(session, call);
  }

  forget(session: string): void {
    this.#known.delete(session);
  }

  /** A response to an unknown request is ignored. */
  answered(id: unknown, result: unknown): void {
    if (typeof id === 'string') this.#asked.get(id)?.(result);
  }

  #ask(session: string, { send, signal }: AskingCall): Promise<Answer> {
    const id = randomUUID();
    const answer = new Promise<unknown>((resolve) => {
      this.#asked.set(id, resolve);
      signal.addEventListener('abort', () => resolve(GIVEN_UP), { once: true });
    });
    send({ jsonrpc: '2.0', id, method: 'roots/list' });
    const roots = withTimeoutOr(answer, ANSWER_MS, undefined).then((result) => {
      this.#asked.delete(id);
      if (result !== GIVEN_UP) return urisIn(result);
      this.forget(session);
      return GIVEN_UP;
    });
    if (this.#known.size >= MAX_SESSIONS) this.#known.clear();
    this.#known.set(session, roots);
    return roots;
  }
}

function urisIn(result: unknown): string[] {
  const roots = isFields(result) && Array.isArray(result.roots) ? result.roots : [];
  return roots.flatMap((root: unknown) => (isFields(root) && typeof root.uri === 'string' ? [root.uri] : []));
}

/** Suffix in the session ids of clients that offer roots. The server then need not remember these clients. */
const MARK = '.roots';

export function withRootsMark(sessionId: string, { capabilities }: Fields): string {
  return isFields(capabilities) && isFields(capabilities.roots) ? `${sessionId}${MARK}` : sessionId;
}

export function offersRoots(sessionId: string | undefined): sessionId is string {
  return sessionId?.endsWith(MARK) === true;
}
