import type { IncomingMessage } from 'node:http';

/** A page can send other types across origins without asking; JSON it cannot. */
export function isJsonRequest({ headers }: IncomingMessage): boolean {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  const encoding = headers['content-encoding'] ?? 'identity';
  return type.trim().toLowerCase() === 'application/json' && encoding.toLowerCase() === 'identity';
}

export function acceptsEventStream({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/event-stream') ?? false;
}
