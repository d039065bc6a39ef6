import { setTimeout as sleep } from 'node:timers/promises';
import type Anthropic from '@anthropic-ai/sdk';
import { loadOptional } from '@secateur/base/runtime/loading.ts';
import { systemClock } from '@secateur/base/runtime/time.ts';
import type OpenAI from 'openai';
import type { Messages, ModelFailure } from './locales/messages/zh.ts';
import { messagesIn, stringsByLanguage } from './locales.ts';
import { type Prose, proseSections, type SpecWriter, type Writing, type WritingRequest } from './parts.ts';
import { answerSchema, type CheckedAnswer, checkAnswer, readModelAnswer } from './writing/answer.ts';
import { astProse } from './writing/authors-text.ts';
import { type Evidence, readEvidence } from './writing/claims.ts';
import { type Confidence, noTokens, type TokenUsage } from './writing/document/document-text.ts';
import { apiFailure, RateLimitPause } from './writing/model-calls.ts';
import { systemPrompt } from './writing/system-prompt.ts';

/** Client of a paid model service. */
interface ModelApi<Client> {
  readonly model: string;
  readonly name: ModelFailure['service'];
  /** Number of retries after 429, 5xx or a broken connection. Default 2. */
  readonly maxRetries: number | undefined;
  /** Creates the SDK client before the first request. The SDK must not retry requests itself. */
  connect(): Promise<Client>;
  /**
   * Sends a request. Undefined if the response is not the model's answer. For example, a proxy may send its
   * own page with status 200, which SDKs accept.
   */
  ask(client: Client, question: ModelQuestion): Promise<ModelAnswer | undefined>;
}

interface ModelQuestion {
  /** Instructions. They are the same for all modules of a batch, so that they come from the prompt cache. */
  system: string;
  prompt: string;
  signal: AbortSignal | undefined;
}

interface ModelAnswer {
  text: string;
  end: 'whole' | 'cut' | 'refused';
  tokenUsage: TokenUsage;
}

const DEFAULT_RETRIES = 2;

/** Creates a writer that asks a model, with one request per context of a module. */
function modelWriter<Client>(api: ModelApi<Client>): SpecWriter {
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
        answers.push({ label, prose: readModelAnswer(answer.text), answer });
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
  const send = () => api.ask(client, question);
  const answer = await pause.request(send, question.signal).catch((error: unknown) => {
    throw apiFailure(error, api.name);
  });
  if (answer === undefined) throw apiFailure(undefined, api.name);
  return answer;
}

function writingOf(answers: readonly PartAnswer[], request: WritingRequest, evidence: Evidence): Writing {
  const { facts, language } = request;
  const texts = messagesIn(language).warnings;
  const checked = checkAnswer(joined(answers), {
    facts,
    evidence,
    strings: stringsByLanguage[language],
    texts,
  });
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

/** Joins the answers for the parts of a divided module. Each part is introduced by its label. */
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

/** Lowers the confidence if sentences were removed: to the lowest if at least half were, otherwise by one step. */
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

interface ServiceOptions {
  model: string;
  /** Maximum number of retries. Default: 2. */
  maxRetries?: number;
  /** Timeout of a request in ms. Default: 600,000 (ten minutes). */
  timeoutMs?: number;
}

interface AnthropicOptions extends ServiceOptions {
  apiKey: string;
  baseUrl: string | undefined;
  /** Receives the log lines of the SDK, which would otherwise write to stdout. */
  log(line: string): void;
}

const MAX_OUTPUT_TOKENS = 16_000;
const TIMEOUT_MS = 600_000;

/** Creates a writer that uses the Messages API of Anthropic. */
export function anthropicWriter(options: AnthropicOptions): SpecWriter {
  const { model } = options;
  return modelWriter({
    model,
    name: 'anthropic',
    maxRetries: options.maxRetries,
    connect: () => connectAnthropic(options),
    ask: async (client, { system, prompt, signal }) => {
      const message: Partial<Anthropic.Message> | null | undefined = await client.messages.create(
        {
          model,
          max_tokens: MAX_OUTPUT_TOKENS,
          system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } }],
          output_config: { format: { type: 'json_schema', schema: answerSchema } },
          messages: [{ role: 'user', content: prompt }],
        },
        { signal },
      );
      return Array.isArray(message?.content) ? anthropicAnswer(message as Anthropic.Message) : undefined;
    },
  });
}

async function connectAnthropic(options: AnthropicOptions): Promise<Anthropic> {
  const { apiKey, baseUrl, log, timeoutMs } = options;
  const { default: Client } = await loadOptional('@anthropic-ai/sdk', () => import('@anthropic-ai/sdk'));
  const write = (level: string) => (message: string) => log(`anthropic ${level}: ${message}`);
  return new Client({
    apiKey,
    baseURL: baseUrl ?? 'https://api.anthropic.com',
    maxRetries: 0,
    timeout: timeoutMs ?? TIMEOUT_MS,
    // Log lines of level `debug` would contain request bodies.
    logLevel: 'warn',
    logger: { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') },
  });
}

const ANTHROPIC_ENDS: Readonly<Record<string, ModelAnswer['end']>> = {
  refusal: 'refused',
  max_tokens: 'cut',
};

function anthropicAnswer({ content, stop_reason, usage }: Anthropic.Message): ModelAnswer {
  return {
    text: content.map((block) => (block?.type === 'text' ? block.text : '')).join(''),
    end: ANTHROPIC_ENDS[stop_reason ?? ''] ?? 'whole',
    tokenUsage: {
      input: usage?.input_tokens ?? 0,
      output: usage?.output_tokens ?? 0,
      cacheRead: usage?.cache_read_input_tokens ?? 0,
      cacheWrite: usage?.cache_creation_input_tokens ?? 0,
    },
  };
}

interface OpenAiOptions extends ServiceOptions {
  /** API key; undefined for servers that require none. */
  apiKey: string | undefined;
  /** Base URL, including `/v1`. */
  baseUrl: string;
}

/**
 * Creates a writer for any endpoint with chat completions. Sends no schema, because many servers reject it;
 * answers in other formats can be read.
 */
export function openAiWriter(options: OpenAiOptions): SpecWriter {
  const { model } = options;
  return modelWriter({
    model,
    name: 'other',
    maxRetries: options.maxRetries,
    connect: () => connectOpenAi(options),
    ask: async (client, { system, prompt, signal }) => {
      const answer: Partial<OpenAI.ChatCompletion> | null | undefined = await client.chat.completions.create(
        {
          model,
          messages: [
            { role: 'system', content: system },
            { role: 'user', content: prompt },
          ],
        },
        { signal },
      );
      const hasChoices = Array.isArray(answer?.choices) && answer.choices.length > 0;
      return hasChoices ? openAiAnswer(answer as OpenAI.ChatCompletion) : undefined;
    },
  });
}

async function connectOpenAi({ apiKey, baseUrl, timeoutMs }: OpenAiOptions): Promise<OpenAI> {
  const { default: Client } = await loadOptional('openai', () => import('openai'));
  return new Client({
    apiKey: apiKey ?? 'none',
    baseURL: baseUrl,
    maxRetries: 0,
    timeout: timeoutMs ?? TIMEOUT_MS,
    logLevel: 'off',
  });
}

const OPENAI_ENDS: Readonly<Record<string, ModelAnswer['end']>> = {
  length: 'cut',
  content_filter: 'refused',
};

function openAiAnswer({ choices: [choice], usage }: OpenAI.ChatCompletion): ModelAnswer {
  const cached = usage?.prompt_tokens_details?.cached_tokens ?? 0;
  const refused = choice?.message?.refusal != null;
  return {
    text: choice?.message?.content ?? '',
    end: refused ? 'refused' : (OPENAI_ENDS[choice?.finish_reason ?? ''] ?? 'whole'),
    tokenUsage: {
      input: (usage?.prompt_tokens ?? 0) - cached,
      output: usage?.completion_tokens ?? 0,
      cacheRead: cached,
      cacheWrite: 0,
    },
  };
}
