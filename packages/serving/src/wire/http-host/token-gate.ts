import type { ServerResponse } from 'node:http';
import { announcedLength } from '../http-body.ts';
import { type HttpFailure, notFound } from '../http-failure.ts';
import type { TokenGrant } from '../token-file.ts';
import { rulesOf, type Tokens } from '../tokens.ts';
import { allowsTool } from '../tool-rules.ts';
import type { Exchange } from './exchange.ts';
import { bearerOf } from './guard.ts';
import type { Entry } from './router.ts';

/** Serves calls within their token's limits, in its name; refuses others before reading the body. */
export function createTokenGate(
  tokens: Tokens | undefined,
  serve: (entry: Entry, exchange: Exchange) => Promise<void>,
): (exchange: Exchange, entry: Entry) => Promise<HttpFailure | undefined> {
  return async (exchange, entry) => {
    const grant = tokens?.required ? grantOf(tokens, exchange, entry) : undefined;
    if (tokens === undefined || grant === undefined) {
      await serve(entry, exchange);
      return undefined;
    }
    exchange.user = grant.name;
    const refusal =
      entry.access === undefined ? await refusalOf({ tokens, grant }, exchange, entry) : undefined;
    if (refusal !== undefined) return refusal;
    const { response } = exchange;
    // Until the response has closed, not until its route has returned: a route may leave a stream open.
    onceClosed(
      response,
      tokens.onRevoked(grant, () => response.destroy()),
    );
    await tokens.serve(grant, () => serve(entry, exchange));
    return undefined;
  };
}

/** A browser that shows the page has a cookie instead; it opens nothing else. */
function grantOf(tokens: Tokens, { request }: Exchange, { access }: Entry): TokenGrant | undefined {
  const bearer = tokens.find(bearerOf(request));
  return bearer ?? (access === undefined ? undefined : tokens.findPageUser(request));
}

/** Looking at the page costs no calls; everything else is counted. */
async function refusalOf(
  { tokens, grant }: { tokens: Tokens; grant: TokenGrant },
  { request, response }: Exchange,
  { tool }: Entry,
): Promise<HttpFailure | undefined> {
  if (tool !== undefined && !allowsTool(rulesOf(grant), tool)) return notFound;
  // A body sent in chunks says how long it is when it is too late.
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  if (grant.bytesPerMinute !== undefined && isChunked) return LENGTH_REQUIRED;
  const refusal = await tokens.admit(grant, announcedLength(request));
  if (refusal !== undefined) return tooMany(refusal.message, refusal.retryAfterS);
  onceClosed(response, () => tokens.release(grant));
  return undefined;
}

/** Calls `done` when the response closes; immediately if the client has left while the token was looked up. */
function onceClosed(response: ServerResponse, done: () => void): void {
  if (response.destroyed) done();
  else response.once('close', done);
}

const LENGTH_REQUIRED: HttpFailure = {
  status: 411,
  code: 'length_required',
  message: 'This token has a limit in bytes: send Content-Length',
};

function tooMany(message: string, retryAfterS: number): HttpFailure {
  return { status: 429, code: 'too_many_requests', message, headers: { 'retry-after': String(retryAfterS) } };
}
