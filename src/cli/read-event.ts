import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { within } from '../runtime/within.ts';

/** The JSON on a stream; nothing where it is none, or does not end in time. */
export async function readEvent(input: Readable, timeoutMs: number): Promise<unknown> {
  try {
    const bytes = await within(buffer(input), timeoutMs);
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
