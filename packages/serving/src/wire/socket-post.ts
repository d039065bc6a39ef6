import type { ClientRequest, IncomingMessage } from 'node:http';
import { readAtMost } from '@secateur/base/runtime/bounded-reading.ts';
import type { Deadline } from '@secateur/base/runtime/time.ts';

export interface SocketPost {
  readonly socketPath: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Time a server may take to request the body. */
  readonly acceptedWithinMs: number;
  readonly until: Deadline;
}

export type SocketReply =
  | { readonly kind: 'answered'; readonly body: string }
  /** No server listens there. */
  | { readonly kind: 'gone' }
  /** Turned away, or left waiting, before the body was sent. */
  | { readonly kind: 'refused' }
  /** Failed with the body in its hands. */
  | { readonly kind: 'broken' }
  | { readonly kind: 'late' };

/** One POST over a socket file; the body goes only to a server that asks for it. */
export async function postToSocket({
  body,
  until,
  acceptedWithinMs,
  ...target
}: SocketPost): Promise<SocketReply> {
  const headers = { ...target.headers, expect: '100-continue', 'content-length': body.length };
  // Loaded here: who finds no socket does without.
  const http = await import('node:http');
  const request = http.request({ ...target, method: 'POST', agent: false, headers });
  let timer: NodeJS.Timeout | undefined;
  const reply = new Promise<SocketReply>((resolve) => {
    let failure: SocketReply = { kind: 'refused' };
    const fail = () => resolve(failure);
    timer = setTimeout(fail, acceptedWithinMs);
    request.once('continue', () => {
      clearTimeout(timer);
      failure = { kind: 'broken' };
      timer = setTimeout(resolve, until.remainingMs(), { kind: 'late' });
      request.end(body);
    });
    request.on('error', (error) => (isNobodyThere(error) ? resolve({ kind: 'gone' }) : fail()));
    answerTo(request).then((answer) => (answer === undefined ? fail() : resolve(answer)), fail);
  });
  return reply.finally(() => {
    clearTimeout(timer);
    request.destroy();
  });
}

function isNobodyThere({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNREFUSED' || code === 'ENOENT';
}

/** No hook changes an output into a longer one. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024;

async function answerTo(request: ClientRequest): Promise<SocketReply | undefined> {
  const response = await new Promise<IncomingMessage>((resolve) => request.once('response', resolve));
  if (response.statusCode !== 200) return undefined;
  const body = await readAtMost(response, MAX_REPLY_BYTES);
  return body === undefined ? undefined : { kind: 'answered', body: body.toString('utf8') };
}
