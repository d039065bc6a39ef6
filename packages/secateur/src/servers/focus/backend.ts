import { readAtMost } from '@secateur/base/runtime/bounded-reading.ts';
import { credentialsIn, publicUrl } from '@secateur/base/runtime/probe-health.ts';
import { withDeadline } from '@secateur/base/runtime/time.ts';
import { parsedJson } from '@secateur/base/text/json.ts';
import type { Recovery } from '@secateur/engine/recovery/recovery.ts';
import { DEFAULT_OPTIONS, type TextKind } from '@secateur/engine/request.ts';
import type { EmbeddedPruning } from '../prune-outcome.ts';

/** Prunes outputs: with the engine in this process, or with a service. Failures are returned, not thrown. */
export interface FocusBackend {
  /** Name of the backend in logs, without credentials. */
  readonly endpoint: string;
  /** Whether the whole output of a call is pruned in one request. If not, each text has its own request. */
  readonly takesWholeOutput: boolean;
  prune(job: FocusJob): Promise<FocusAnswer>;
}

/** A text, its kind (if the backend accepts one), and the goal with which it is read. */
export interface FocusJob extends TextKind {
  requestId: string;
  tool: string;
  question: string;
  text: string;
  maxOutputBytes: number | undefined;
  /** The command, file or pattern that produced the text. */
  command: string;
  /** Format of the pruned text, if the backend accepts one. `numbered`: kept lines are shown with their numbers. */
  style: { markers: 'canonical' | 'compact'; numbered: boolean };
  signal: AbortSignal;
}

export type FocusErrorCode = 'timeout' | 'http_error' | 'invalid_response';

/** Tokens of the original and of the pruned text. */
export interface TokenCounts {
  before: number;
  after: number;
}

export type FocusAnswer =
  | { kind: 'pruned'; text: string; pruneId?: string | undefined; tokens?: TokenCounts }
  /** The backend found no line to remove. */
  | { kind: 'unchanged' }
  | { kind: 'failed'; code: FocusErrorCode; message: string };

export function embeddedBackend({ pruner, timeoutMs, least, policy }: EmbeddedPruning): FocusBackend {
  return {
    endpoint: 'embedded',
    takesWholeOutput: false,
    prune: async ({ text, question, command, sourceType, origin, fileName, style, signal }) => {
      const options = {
        ...DEFAULT_OPTIONS,
        maxPruneRatio: MAX_PRUNE_RATIO,
        timeoutMs,
        annotateLines: style.numbered,
        ...(style.numbered && { firstLine: 1 }),
        markers: style.markers,
        least,
        ...policy,
        anySize: true,
      };
      const kind = { sourceType, origin, intent: 'explicit' as const, ...(fileName && { fileName }) };
      const outcome = await pruner.prune({ text, focus: { question, command }, ...kind, options }, signal);
      if (outcome.warnings.includes('not_text')) return { kind: 'unchanged' };
      if (outcome.stats.usedFallback) return failed(outcome.warnings[0]);
      if (outcome.annotations.length === 0) return { kind: 'unchanged' };
      const { tokensBefore: before, tokensAfter: after } = outcome.stats;
      return { kind: 'pruned', text: outcome.prunedText, pruneId: outcome.id, tokens: { before, after } };
    },
  };
}

/** Maximum share of a text that may be removed. It is not a target: the value of each line decides (P27). */
const MAX_PRUNE_RATIO = 0.95;

/** Returns a failure. The text stays unchanged, and the message contains the warning. Only three codes exist. */
function failed(warning: string | undefined): FocusAnswer {
  const code: FocusErrorCode = warning === 'timeout' ? 'timeout' : 'invalid_response';
  const message = `the embedded pruner returned the text unchanged: ${warning ?? 'unknown'}`;
  return { kind: 'failed', code, message };
}

interface HttpBackendDeps {
  url: string;
  timeoutMs: number;
  /** Stores the lines that a service removes, so that they can be recovered from this server. */
  recovery: Recovery;
  fetch: typeof fetch;
}

/** Creates the backend for a service over HTTP. The service accepts Sécateur's request format or that of SWE-Pruner. */
export function httpBackend(parts: HttpBackendDeps): FocusBackend {
  // Request format that is tried first. The first response of the service shows whether it accepts this
  // format.
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
  /** The service does not accept this request format. */
  | { kind: 'refused'; status: number }
  | { kind: 'failed'; code: FocusErrorCode; message: string };

async function post(
  body: Record<string, unknown>,
  signal: AbortSignal,
  parts: HttpBackendDeps,
): Promise<PrunerReply> {
  try {
    const url = new URL(parts.url);
    const headers = { 'content-type': 'application/json', ...credentialsIn(url) };
    // `fetch` rejects a URL with credentials; they are sent in a header instead.
    url.username = '';
    url.password = '';
    const request = { method: 'POST', headers, body: JSON.stringify(body), redirect: 'error' } as const;
    const response = await parts.fetch(url.href, { ...request, signal });
    return await readReply(response);
  } catch (cause) {
    const name = cause instanceof Error ? cause.name : '';
    if (name === 'TimeoutError')
      return { kind: 'failed', code: 'timeout', message: `no answer within ${parts.timeoutMs} ms` };
    return { kind: 'failed', code: 'http_error', message: 'the pruner cannot be reached' };
  }
}

/** Maximum bytes of a response. Larger outputs are never sent, and a response is not longer than its output. */
const MAX_REPLY_BYTES = 16 * 1024 * 1024;

/** Reads a response in either format: `{output, output_bytes}`, or `{pruned_code}` of SWE-Pruner. */
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
  const reply = parsedJson(body);
  if (reply === undefined) return invalid('the answer is not JSON');
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
  const { id } = remembered;
  return { kind: 'pruned', text: withOurId(reply.text, { original: job.text, id }), pruneId: id };
}

/**
 * Replaces the ids in markers that a service added by the id of this server, which stored the text. Markers
 * that were already in the text keep their ids.
 */
function withOurId(text: string, { original, id }: { original: string; id: string }): string {
  const known = new Set([...original.matchAll(MARKER_ID)].map(([, , foreign]) => foreign));
  return text.replace(MARKER_ID, (marker: string, before: string, given: string) =>
    known.has(given) ? marker : `${before}${id}`,
  );
}

const MARKER_ID = /(⟦PRUNÉ: prune_id=)([^\s⟧]+)/g;
