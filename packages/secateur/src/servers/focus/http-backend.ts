import { readAtMost } from '@secateur/base/runtime/bounded-reading.ts';
import { withDeadline } from '@secateur/base/runtime/time.ts';
import type { Recovery } from '@secateur/engine/recovery/recovery.ts';
import { credentialsIn, publicUrl } from '../url-credentials.ts';
import type { FocusAnswer, FocusBackend, FocusErrorCode, FocusJob } from './backend.ts';

interface HttpBackendParts {
  url: string;
  timeoutMs: number;
  /** Remembers what a service removed, so that this server can give it back. */
  recovery: Recovery;
  fetch: typeof fetch;
}

/** A service that prunes over HTTP: one that speaks our shape, or a public SWE-Pruner. */
export function httpBackend(parts: HttpBackendParts): FocusBackend {
  // The service's first answer shows which of the two request formats it takes.
  let speak: RequestShape = focusShape;
  return {
    endpoint: publicUrl(parts.url),
    takesWholeOutput: true,
    prune: async (job) => {
      const reply = await withDeadline({ timeoutMs: parts.timeoutMs, signal: job.signal }, async (signal) => {
        const first = await post(speak(job), signal, parts);
        if (first.kind !== 'refused' || speak !== focusShape) return first;
        const second = await post(swePrunerShape(job), signal, parts);
        if (second.kind === 'pruned') speak = swePrunerShape;
        return second.kind === 'refused' ? first : second;
      });
      return answer(reply, job, parts.recovery);
    },
  };
}

type RequestShape = (job: FocusJob) => Record<string, unknown>;

const focusShape: RequestShape = ({ requestId, tool, question, text, maxOutputBytes }) => ({
  request_id: requestId,
  tool,
  focus_question: question,
  input: text,
  input_bytes: Buffer.byteLength(text),
  ...(maxOutputBytes === undefined ? {} : { max_output_bytes: maxOutputBytes }),
});

const swePrunerShape: RequestShape = ({ question, text }) => ({ query: question, code: text });

type PrunerReply =
  | { kind: 'pruned'; text: string }
  /** The service does not take this shape of request. */
  | { kind: 'refused'; status: number }
  | { kind: 'failed'; code: FocusErrorCode; message: string };

async function post(
  body: Record<string, unknown>,
  signal: AbortSignal,
  parts: HttpBackendParts,
): Promise<PrunerReply> {
  try {
    const url = new URL(parts.url);
    const headers = { 'content-type': 'application/json', ...credentialsIn(url) };
    // `fetch` refuses a URL with a user in it; the header says the same.
    url.username = '';
    url.password = '';
    const response = await parts.fetch(url.href, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      redirect: 'error',
      signal,
    });
    return await readReply(response);
  } catch (cause) {
    const name = cause instanceof Error ? cause.name : '';
    if (name === 'TimeoutError')
      return { kind: 'failed', code: 'timeout', message: `no answer within ${parts.timeoutMs} ms` };
    return { kind: 'failed', code: 'http_error', message: 'the pruner cannot be reached' };
  }
}

/** Nothing sensible is longer: outputs above a few MiB are never sent. */
const MAX_REPLY_BYTES = 16 * 1024 * 1024;

/** Reads both shapes of answer: `{output, output_bytes}` and SWE-Pruner's `{pruned_code}`. */
async function readReply(response: Response): Promise<PrunerReply> {
  if (response.status === 400 || response.status === 422) {
    await response.body?.cancel();
    return { kind: 'refused', status: response.status };
  }
  if (!response.ok) {
    await response.body?.cancel();
    return { kind: 'failed', code: 'http_error', message: `the pruner answered HTTP ${response.status}` };
  }
  const body = await readAtMost(response.body, MAX_REPLY_BYTES);
  if (body === undefined) return invalid('the answer is too large');
  return prunedText(body.toString('utf8'));
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

async function answer(reply: PrunerReply, job: FocusJob, recovery: Recovery): Promise<FocusAnswer> {
  if (reply.kind === 'failed') return reply;
  if (reply.kind === 'refused')
    return { kind: 'failed', code: 'http_error', message: `the pruner answered HTTP ${reply.status}` };
  if (Buffer.byteLength(reply.text) > Buffer.byteLength(job.text))
    return { kind: 'failed', code: 'invalid_response', message: 'the answer is longer than its input' };
  const remembered = await recovery.remember(job.text, ['focus', job.question]);
  if (remembered.kind === 'unavailable') return { kind: 'pruned', text: reply.text };
  return {
    kind: 'pruned',
    text: withOurId(reply.text, { original: job.text, id: remembered.id }),
    pruneId: remembered.id,
  };
}

/**
 * Line numbers in a service's markers are those of our text, so its markers can name our copy of it. A marker that was in
 * the text already is a part of it and stays: its id leads to another text.
 */
function withOurId(text: string, { original, id }: { original: string; id: string }): string {
  const known = new Set([...original.matchAll(MARKER_ID)].map(([, , foreign]) => foreign));
  return text.replace(MARKER_ID, (marker: string, before: string, given: string) =>
    known.has(given) ? marker : `${before}${id}`,
  );
}

const MARKER_ID = /(⟦PRUNÉ: prune_id=)([^\s⟧]+)/g;
