import type { IncomingMessage, ServerResponse } from 'node:http';
import { announcedLength } from '../http-body.ts';
import type { HttpFailure } from '../http-failure.ts';
import type { Tokens } from '../tokens.ts';
import { bearerOf } from './guard.ts';

/** What passes holds the token's limits and is done in its name; the rest is told why, before its body is read. */
export type TokenGate = (exchange: Named, serve: () => Promise<void>) => Promise<HttpFailure | undefined>;

interface Named {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Set to the name of the token. */
  user: string | undefined;
}

export function createTokenGate(tokens: Tokens | undefined): TokenGate {
  return async (exchange, serve) => {
    const { request, response } = exchange;
    const grant = tokens?.required ? tokens.find(bearerOf(request)) : undefined;
    if (tokens === undefined || grant === undefined) {
      await serve();
      return undefined;
    }
    exchange.user = grant.name;
    if (grant.bytesPerMinute !== undefined && isOfUnknownLength(request)) return LENGTH_REQUIRED;
    const refusal = await tokens.admit(grant, announcedLength(request));
    if (refusal !== undefined) return tooMany(refusal.message, refusal.retryAfterS);
    response.once('close', () => tokens.release(grant));
    await tokens.serve(grant, () => response.destroy(), serve);
    return undefined;
  };
}

/** A body sent in chunks says how long it is when it is too late. */
function isOfUnknownLength({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined;
}

const LENGTH_REQUIRED: HttpFailure = {
  status: 411,
  code: 'length_required',
  message: 'This token has a limit in bytes: send Content-Length',
};

function tooMany(message: string, retryAfterS: number): HttpFailure {
  return { status: 429, code: 'too_many_requests', message, headers: { 'retry-after': String(retryAfterS) } };
}
