import { isJsonObject } from '../../../../masking/json.ts';
import { someAnswer } from '../../answer.ts';

/** The HTTP statuses that revisions from 2026-07-28 on want for errors of the protocol itself. */
const STATUS: ReadonlyMap<unknown, number> = new Map([
  [-32601, 404],
  [-32600, 400],
  [-32602, 400],
  [-32020, 400],
  [-32021, 400],
  [-32022, 400],
]);

export function modernStatus(answer: Buffer): number {
  if (answer.length > 10_000) return 200;
  const error = someAnswer({ bytes: answer, facts: undefined })?.message.error;
  // What is no answer at all is refused further on, in words of the gateway's own.
  return (isJsonObject(error) ? STATUS.get(error.code) : undefined) ?? 200;
}
