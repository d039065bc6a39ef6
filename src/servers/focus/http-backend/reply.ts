import type { FocusErrorCode } from '../backend.ts';

export type PrunerReply =
  | { kind: 'pruned'; text: string }
  /** The service does not take this shape of request. */
  | { kind: 'refused'; status: number }
  | { kind: 'failed'; code: FocusErrorCode; message: string };

/** Nothing sensible is longer: outputs above a few MiB are never sent. */
const MAX_REPLY_BYTES = 16 * 1024 * 1024;

/** Reads both shapes of answer: `{output, output_bytes}` and SWE-Pruner's `{pruned_code}`. */
export async function readReply(response: Response): Promise<PrunerReply> {
  if (response.status === 400 || response.status === 422) {
    await response.body?.cancel();
    return { kind: 'refused', status: response.status };
  }
  if (!response.ok) {
    await response.body?.cancel();
    return { kind: 'failed', code: 'http_error', message: `the pruner answered HTTP ${response.status}` };
  }
  const body = await readText(response);
  if (body === undefined) return invalid('the answer is too large');
  return prunedText(body);
}

async function readText(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_REPLY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function prunedText(body: string): PrunerReply {
  let reply: unknown;
  try {
    reply = JSON.parse(body);
  } catch {
    return invalid('the answer is not JSON');
  }
  if (typeof reply !== 'object' || reply === null) return invalid('the answer is not an object');
  if ('output' in reply && typeof reply.output === 'string' && 'output_bytes' in reply) {
    return Number.isInteger(reply.output_bytes)
      ? { kind: 'pruned', text: reply.output }
      : invalid('output_bytes is no integer');
  }
  if ('pruned_code' in reply && typeof reply.pruned_code === 'string')
    return { kind: 'pruned', text: reply.pruned_code };
  return invalid('the answer has neither output and output_bytes nor pruned_code');
}

function invalid(message: string): PrunerReply {
  return { kind: 'failed', code: 'invalid_response', message };
}
