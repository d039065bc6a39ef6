import type { IncomingHttpHeaders } from 'node:http';
import { claimedClient, initializedClient, userAgentName } from '@secateur/serving/wire/client-name.ts';
import type { ClientMessage } from './client-call.ts';
import type { UpstreamAnswer } from './upstream.ts';

const MOST_SESSIONS = 1000;

/**
 * Who calls, for figures. A client introduces itself once, when it initializes; the upstream's session id tells its
 * later calls. Without a session the program's own name has to do.
 */
export class ClientNames {
  readonly #bySession = new Map<string, string>();

  of(headers: IncomingHttpHeaders, message: ClientMessage): string | undefined {
    const session = headers['mcp-session-id'];
    const known = typeof session === 'string' ? this.#bySession.get(session) : undefined;
    return known ?? introduced(message) ?? userAgentName(headers);
  }

  /** Takes note of the session an upstream opens for a client that introduces itself. */
  learn(message: ClientMessage, { headers }: Pick<UpstreamAnswer, 'headers'>): void {
    const session = headers['mcp-session-id'];
    const name = introduced(message);
    if (session === undefined || name === undefined) return;
    this.#bySession.set(session, name);
    const [oldest = ''] = this.#bySession.keys();
    if (this.#bySession.size > MOST_SESSIONS) this.#bySession.delete(oldest);
  }
}

function introduced(message: ClientMessage): string | undefined {
  if (message.kind !== 'request') return undefined;
  return message.method === 'initialize' ? initializedClient(message.params) : claimedClient(message.params);
}
