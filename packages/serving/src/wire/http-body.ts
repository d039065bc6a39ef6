import type { IncomingMessage, ServerResponse } from 'node:http';
import { BoundedBytes } from '@secateur/base/runtime/read-at-most.ts';

export type ReadBody =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  | { readonly kind: 'too_large' }
  /** The client went away before it had sent everything. */
  | { readonly kind: 'gone' };

/** Reads a request's body, never more than `maxBytes` of it; what is left of a longer one stays unread. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<ReadBody> {
  if (announcedLength(request) > maxBytes) return Promise.resolve({ kind: 'too_large' });
  return new Promise((resolve) => {
    const body = new BoundedBytes(maxBytes);
    const finish = (outcome: ReadBody) => {
      request.off('data', take).off('end', end).off('close', gone).off('error', gone);
      resolve(outcome);
    };
    const take = (chunk: Buffer) => {
      if (!body.add(chunk)) finish({ kind: 'too_large' });
    };
    const end = () => finish({ kind: 'read', bytes: body.bytes() });
    const gone = () => finish({ kind: 'gone' });
    request.on('data', take).on('end', end).on('close', gone).on('error', gone);
  });
}

/** Resolves when a slow client has taken what was written, or has left. */
export function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      response.off('drain', finish).off('close', finish);
      resolve();
    };
    response.on('drain', finish).on('close', finish);
  });
}

export function announcedLength(request: IncomingMessage): number {
  return Number(request.headers['content-length'] ?? 0);
}
