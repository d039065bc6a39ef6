import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@secateur/base/runtime/clock.ts';
import { messagesIn } from '../messages.ts';
import type { Messages, ModelFailure } from '../words/messages/zh.ts';
import { wordsOf } from '../words.ts';
import type { SpecWriter, Writing, WritingRequest } from '../writer.ts';
import { astProse } from './ast-only-writer.ts';
import { type Confidence, noTokens, type TokenUsage } from './document/front-matter.ts';
import { readAnswer } from './model-writer/answer.ts';
import { apiFailure } from './model-writer/api-failure.ts';
import { type CheckedAnswer, checkAnswer } from './model-writer/check-answer.ts';
import { type Evidence, readEvidence } from './model-writer/evidence.ts';
import { RateLimitPause } from './model-writer/rate-limit-pause.ts';
import { systemPrompt } from './model-writer/system-prompt.ts';
import { type Prose, proseSections } from './prose.ts';

/** A paid service that answers one prompt. */
export interface ModelApi<Client> {
  readonly model: string;
  readonly name: ModelFailure['service'];
  /** How often a request is repeated after 429, 5xx or a broken connection. Default 2. */
  readonly maxRetries: number | undefined;
  /** Its SDK, when the first question is asked; it must not repeat requests itself. */
  connect(): Promise<Client>;
  /** Nothing when what came is no answer: a proxy may send 200 with a page of its own, and SDKs hand on what they get. */
  ask(client: Client, question: ModelQuestion): Promise<ModelAnswer | undefined>;
}

export interface ModelQuestion {
  /** The same for every module of a batch: paid once, read from the cache afterwards. */
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
