import type { ServerResponse } from 'node:http';
import type { Traffic } from './traffic.ts';

/** Asked by load balancers, which have no token and learn nothing here but whether to send calls. */
export const READY_PATH = '/ready';

/** Answers 200 while new calls are welcome and 503 from the stop signal on; `more` never changes the status. */
export function sendReadiness(
  response: ServerResponse,
  { isDraining }: Traffic,
  more: Readonly<Record<string, unknown>> = {},
): void {
  const body = JSON.stringify({ ready: !isDraining, ...more });
  response.writeHead(isDraining ? 503 : 200, { 'content-type': 'application/json' }).end(body);
}
