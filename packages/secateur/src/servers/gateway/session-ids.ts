import { createHmac, timingSafeEqual } from 'node:crypto';
import { SESSION_NOT_FOUND } from '@secateur/base/tools/rpc-error.ts';
import { errorText } from '@secateur/serving/wire/protocol.ts';
import type { ClientMessage } from './client-call.ts';
import type { UpstreamAnswer } from './upstream.ts';

/** Whose session it is: a user of ours at one upstream. */
export interface SessionOwner {
  readonly server: string;
  /** The name of the token a call came with; `undefined` if calls need no token. */
  readonly user: string | undefined;
}

const HEADER = 'mcp-session-id';
const PROOF_CHARS = 22;

/**
 * Binds an upstream's session ids to the user that opened the session: the client gets the id with a proof that only
 * gateways with the same key can make, so that nothing has to be remembered and every process of a team agrees. Without
 * tokens there is one user, and ids pass unchanged.
 */
export class SessionIds {
  readonly #key: () => Promise<Uint8Array>;

  constructor(key: () => Promise<Uint8Array>) {
    this.#key = key;
  }

  /** Returns the headers for the upstream; `undefined` if their session id was not issued to this user. */
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

  /** Returns the answer as this user's client gets it. */
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

function constantTimeEquals(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The response to a session id that is unknown here; with status 404, so that the client opens a new session. */
export function sessionNotFoundText(message: ClientMessage): string {
  const idText = message.kind === 'request' ? message.idText : 'null';
  return errorText(idText, { code: SESSION_NOT_FOUND, message: 'Session not found' });
}
