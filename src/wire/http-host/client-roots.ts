import { randomUUID } from 'node:crypto';
import { withinOr } from '../../runtime/within.ts';
import { type Fields, isFields } from '../../text/json-value.ts';

/** A client that does not answer by then is taken to have none. */
const ANSWER_MS = 5000;
const MOST_SESSIONS = 1000;

/** Asks clients, once a session, which folders they work in: `roots/list` of the handshake revisions. */
export class ClientRoots {
  readonly #known = new Map<string, Promise<readonly string[]>>();
  readonly #asked = new Map<string, (result: unknown) => void>();

  /** Their URIs. `send` reaches the client before the answer to its call does. */
  of(session: string, send: (question: object) => void): Promise<readonly string[]> {
    const known = this.#known.get(session);
    if (known !== undefined) return known;
    if (this.#known.size >= MOST_SESSIONS) this.#known.clear();
    const roots = this.#ask(send);
    this.#known.set(session, roots);
    return roots;
  }

  forget(session: string): void {
    this.#known.delete(session);
  }

  /** An answer nobody waits for changes nothing. */
  answered(id: unknown, result: unknown): void {
    if (typeof id === 'string') this.#asked.get(id)?.(result);
  }

  async #ask(send: (question: object) => void): Promise<readonly string[]> {
    const id = randomUUID();
    const answer = new Promise<unknown>((resolve) => this.#asked.set(id, resolve));
    send({ jsonrpc: '2.0', id, method: 'roots/list' });
    const result = await withinOr(answer, ANSWER_MS, undefined);
    this.#asked.delete(id);
    return urisIn(result);
  }
}

function urisIn(result: unknown): string[] {
  const roots = isFields(result) && Array.isArray(result.roots) ? result.roots : [];
  return roots.flatMap((root: unknown) => (isFields(root) && typeof root.uri === 'string' ? [root.uri] : []));
}

/** Marks the id of a session whose client offers its roots: the server then need not remember who does. */
const MARK = '.roots';

export function withRootsMark(sessionId: string, { capabilities }: Fields): string {
  return isFields(capabilities) && isFields(capabilities.roots) ? `${sessionId}${MARK}` : sessionId;
}

export function offersRoots(sessionId: string | undefined): sessionId is string {
  return sessionId?.endsWith(MARK) === true;
}
