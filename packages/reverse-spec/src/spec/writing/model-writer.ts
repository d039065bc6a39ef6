import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, systemClock } from '@secateur/base/runtime/time.ts';
import { messagesIn } from '../messages.ts';
import type { Messages, ModelFailure } from '../words/messages/zh.ts';
import { wordsOf } from '../words.ts';
import { type Prose, proseSections, type SpecWriter, type Writing, type WritingRequest } from '../writer.ts';
import { astProse } from './ast-only-writer.ts';
import { type Evidence, readEvidence } from './claims.ts';
import { type Confidence, noTokens, type TokenUsage } from './document/front-matter.ts';
import { type CheckedAnswer, checkAnswer, readAnswer } from './model-writer/answer.ts';
import { apiFailure } from './model-writer/api-failure.ts';
import { systemPrompt } from './model-writer/system-prompt.ts';
/** A paid service that answers one prompt. */
export interface ModelApi<Client> {
  readonly model: string;
  readonly name: ModelFailure['service'];
  /** Number of retries after 429, 5xx or a broken connection. Default 2. */
  readonly maxRetries: number | undefined;
  /** Its SDK, when the first question is asked; it must not repeat requests itself. */
  connect(): Promise<Client>;
  /**
   * Undefined if the response is not an answer: a proxy may send 200 with its own page, and SDKs pass it on.
   */
  ask(client: Client, question: ModelQuestion): Promise<ModelAnswer | undefined>;
}

export interface ModelQuestion {
  /** Equal for every module of a batch: paid once, read from the cache afterwards. */
  system: string;
  prompt: string;
  signal: AbortSignal | undefined;
}

export interface ModelAnswer {
  text: string;
  end: 'whole' | 'cut' | 'refused';
  tokenUsage: TokenUsage;
}

const DEFAULT_RETRIES = 2;

/** Prose from a model: one call for each part of the module that fits the budget. */
export function modelWriter<Client>(api: ModelApi<Client>): SpecWriter {
  let client: Promise<Client> | undefined;
  const pause = new RateLimitPause({
    clock: systemClock,
    sleep: (ms, signal) => sleep(ms, undefined, signal && { signal }),
    maxRetries: api.maxRetries ?? DEFAULT_RETRIES,
  });
  return {
    model: api.model,
    write: async (request) => {
      const system = systemPrompt(request.language);
      const answers: PartAnswer[] = [];
      for (const { label, prompt } of request.contexts) {
        client ??= api.connect();
        const question = { system, prompt, signal: request.signal };
        const answer = await ask(await client, api, { question, pause });
        answers.push({ label, prose: readAnswer(answer.text), answer });
      }
      return writingOf(answers, request, await readEvidence(request.base, request.facts));
    },
  };
}

interface PartAnswer {
  label: string;
  prose: Prose;
  answer: ModelAnswer;
}

async function ask<Client>(
  client: Client,
  api: ModelApi<Client>,
  { question, pause }: { question: ModelQuestion; pause: RateLimitPause },
): Promise<ModelAnswer> {
  try {
    const answer = await pause.request(() => api.ask(client, question), question.signal);
    if (answer !== undefined) return answer;
  } catch (error) {
    throw apiFailure(error, api.name);
  }
  throw apiFailure(undefined, api.name);
}

function writingOf(answers: readonly PartAnswer[], request: WritingRequest, evidence: Evidence): Writing {
  const { facts, language } = request;
  const texts = messagesIn(language).warnings;
  const checked = checkAnswer(joined(answers), { facts, evidence, words: wordsOf[language], texts });
  const said = checked.prose;
  const missing = proseSections.filter((section) => said[section] === undefined);
  const cutParts = answers.filter(({ prose }) => Object.keys(prose).length < proseSections.length);
  return {
    prose: { ...astProse(request.facts), ...said },
    tokenUsage: answers.map(({ answer }) => answer.tokenUsage).reduce(plus, noTokens),
    confidence: lowered(confidenceIn(said, request), checked),
    warnings: [...complaints(answers, missing, texts), ...checked.warnings],
    claims: checked.claims,
    degraded: cutParts.length > 0,
  };
}

/** The parts of a split module one after the other, each under its name. */
function joined(answers: readonly PartAnswer[]): Prose {
  const [only] = answers;
  if (answers.length === 1 && only !== undefined) return only.prose;
  const prose: Prose = {};
  for (const section of proseSections) {
    const told = answers.flatMap(({ label, prose: { [section]: text } }) =>
      text === undefined ? [] : [`**${label}**\n\n${text}`],
    );
    if (told.length > 0) prose[section] = told.join('\n\n');
  }
  return prose;
}

function plus(one: TokenUsage, other: TokenUsage): TokenUsage {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
  };
}

function complaints(
  answers: readonly PartAnswer[],
  missing: readonly string[],
  texts: Messages['warnings'],
): string[] {
  const ends = new Set(answers.map(({ answer }) => answer.end));
  if (missing.length === 0) return ends.has('cut') && answers.length > 1 ? [texts.answerCut] : [];
  if (ends.has('refused')) return [texts.answerRefused];
  if (missing.length === proseSections.length) return [texts.answerUnreadable];
  const cause = ends.has('cut') ? texts.answerCut : texts.answerPartial;
  return [texts.writtenFromTree(cause, missing.join(', '))];
}

/** One step down if a sentence had to be left out, to the lowest if half of them had to. */
function lowered(confidence: Confidence, { removed, sentences }: CheckedAnswer): Confidence {
  if (removed === 0) return confidence;
  return confidence === 'high' && removed * 2 < sentences ? 'medium' : 'low';
}

function confidenceIn(said: Prose, { facts, contexts }: WritingRequest): Confidence {
  const answered = Object.keys(said).length;
  if (answered < proseSections.length / 2) return 'low';
  const isShort = contexts.some(({ truncated }) => truncated);
  const isBroken = facts.files.some(({ skeleton }) => skeleton.parseErrors !== undefined);
  return answered < proseSections.length || isBroken || isShort ? 'medium' : 'high';
}

const DEFAULT_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 300_000;
const DEFAULT_BACK_OFF_MS = 500;
/** Time in ms for which requests fail unsent after a limit outlasted the retries. */
const LASTING_MS = 60_000;

/** Resolves after so many milliseconds; rejects if the signal aborts. */
type Sleep = (ms: number, signal: AbortSignal | undefined) => Promise<void>;

interface PauseParts {
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly maxRetries: number;
}

/**
 * Repeats failed requests of one service. A 429 stops all requests until the moment that `Retry-After` names: the limit
 * belongs to the key, not to one request. If the limit outlasts the retries of one request, the others fail without being sent.
 */
export class RateLimitPause {
  readonly #clock: Clock;
  readonly #sleep: Sleep;
  readonly #maxRetries: number;
  /** On the clock's monotonic scale. */
  #until = 0;
  #lasting: { error: unknown; until: number } | undefined;

  constructor({ clock, sleep, maxRetries }: PauseParts) {
    this.#clock = clock;
    this.#sleep = sleep;
    this.#maxRetries = maxRetries;
  }

  async request<Answer>(send: () => Promise<Answer>, signal: AbortSignal | undefined): Promise<Answer> {
    for (let attempt = 0; ; attempt += 1) {
      await this.#wait(signal);
      if (this.#isLasting()) throw this.#lasting?.error;
      try {
        return await send();
      } catch (error) {
        if (signal?.aborted === true) throw error;
        await this.#failed(error, { attempt, signal });
      }
    }
  }

  async #failed(
    error: unknown,
    { attempt, signal }: { attempt: number; signal: AbortSignal | undefined },
  ): Promise<void> {
    if (!isWorthRepeating(error)) throw error;
    const isLast = attempt >= this.#maxRetries;
    const asked = retryAfterMs(error, this.#clock);
    if (statusOf(error) !== 429) {
      if (isLast) throw error;
      await this.#sleep(asked ?? DEFAULT_BACK_OFF_MS * 2 ** attempt, signal);
      return;
    }
    const now = this.#clock.monotonic();
    if (isLast) this.#lasting = { error, until: now + LASTING_MS };
    if (isLast) throw error;
    const pauseMs = Math.min(MAX_PAUSE_MS, asked ?? DEFAULT_PAUSE_MS * 2 ** attempt);
    this.#until = Math.max(this.#until, now + pauseMs);
  }

  #isLasting(): boolean {
    return this.#lasting !== undefined && this.#clock.monotonic() < this.#lasting.until;
  }

  /** Another request may have made the pause longer meanwhile. */
  async #wait(signal: AbortSignal | undefined): Promise<void> {
    while (!this.#isLasting()) {
      const leftMs = this.#until - this.#clock.monotonic();
      if (leftMs <= 0) return;
      await this.#sleep(leftMs, signal);
    }
  }
}

function statusOf(error: unknown): unknown {
  return (error as { status?: unknown } | undefined)?.status;
}

/** Money and rights do not come back within seconds. */
function isWorthRepeating(error: unknown): boolean {
  const status = statusOf(error);
  if (status === 429) return !/credit|billing|quota|payment/i.test(String((error as Error).message));
  if (typeof status === 'number') return status === 408 || status === 409 || status >= 500;
  return error instanceof Error && /^APIConnection/.test(error.constructor.name);
}

/** `Retry-After` in seconds or as a date, or `retry-after-ms`. */
function retryAfterMs(error: unknown, clock: Clock): number | undefined {
  const { headers } = (error ?? {}) as { headers?: unknown };
  if (!(headers instanceof Headers)) return undefined;
  const ms = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (ms >= 0) return ms;
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d+(?:\.\d+)?$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - clock.now());
}
