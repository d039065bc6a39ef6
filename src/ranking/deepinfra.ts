import type { Clock } from '../runtime/clock.ts';
import { readAtMost } from '../runtime/read-at-most.ts';
import { withDeadline } from '../runtime/with-deadline.ts';
import { readScores } from './deepinfra/read-scores.ts';

/** Scores documents towards a goal on somebody else's machine. */
export interface Reranker {
  /** How many documents one call may carry. */
  readonly maxDocuments: number;
  rerank(goal: string, documents: readonly string[], timeoutMs: number): Promise<Reranking>;
}

/** Failure is a value: the local scores take over, and the warning says why. */
export type Reranking =
  | { kind: 'scored'; scores: number[]; httpStatus: number; latencyMs: number }
  | { kind: 'failed'; warning: RerankWarning; httpStatus?: number; latencyMs: number };

export type RerankWarning = 'deepinfra_http_error' | 'deepinfra_parse_error' | 'deepinfra_config_error';

export interface DeepInfraOptions {
  endpointUrl: string;
  /** Travels in the Authorization header and nowhere else. */
  apiKey: string | undefined;
  timeoutMs: number;
  maxDocuments: number;
  clock: Clock;
}

export function deepInfra(options: DeepInfraOptions): Reranker {
  const { apiKey, clock, maxDocuments } = options;
  return {
    maxDocuments,
    rerank: async (goal, documents, timeoutMs) => {
      if (apiKey === undefined) return { kind: 'failed', warning: 'deepinfra_config_error', latencyMs: 0 };
      const started = clock.monotonic();
      const body = JSON.stringify({ queries: [goal], documents });
      const limitMs = Math.max(1, Math.round(Math.min(timeoutMs, options.timeoutMs)));
      const posting = { url: options.endpointUrl, apiKey, body };
      const answer = await withDeadline({ timeoutMs: limitMs }, (signal) => post({ ...posting, signal }));
      const latencyMs = Math.round(clock.monotonic() - started);
      return { ...understand(answer, documents.length), latencyMs };
    },
  };
}

interface Posting {
  url: string;
  apiKey: string;
  body: string;
  signal: AbortSignal;
}

/** The status and the text that came with it; neither when the call did not get through. */
interface Answer {
  status?: number;
  text?: string;
}

const LONGEST_ANSWER_BYTES = 16 << 20;

async function post({ url, apiKey, body, signal }: Posting): Promise<Answer> {
  let status: number | undefined;
  try {
    // Loaded when the first call needs it: most servers never make one.
    const { request } = await import('undici');
    const response = await request(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body,
      signal,
    });
    status = response.statusCode;
    const text = await readAtMost(response.body, LONGEST_ANSWER_BYTES);
    return text === undefined ? { status } : { status, text: text.toString('utf8') };
  } catch {
    // Unreachable, too slow, broken off or far too long: all the same to the caller.
    return status === undefined ? {} : { status };
  }
}

type Understood =
  | { kind: 'scored'; scores: number[]; httpStatus: number }
  | { kind: 'failed'; warning: RerankWarning; httpStatus?: number };

function understand({ status, text }: Answer, documents: number): Understood {
  if (status === undefined) return { kind: 'failed', warning: 'deepinfra_http_error' };
  if (status < 200 || status > 299 || text === undefined)
    return { kind: 'failed', warning: 'deepinfra_http_error', httpStatus: status };
  const scores = readScores(text, documents);
  if (scores === undefined) return { kind: 'failed', warning: 'deepinfra_parse_error', httpStatus: status };
  return { kind: 'scored', scores, httpStatus: status };
}
