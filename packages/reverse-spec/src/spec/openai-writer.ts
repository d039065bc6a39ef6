import { loadOptional } from '@secateur/base/runtime/loading.ts';
import type OpenAI from 'openai';
import type { SpecWriter } from './writer.ts';
import { type ModelAnswer, modelWriter } from './writing/model-writer.ts';

export interface OpenAiOptions {
  /** Servers of one's own often want none. */
  apiKey: string | undefined;
  /** Up to and with `/v1`. */
  baseUrl: string;
  model: string;
  maxRetries?: number;
  timeoutMs?: number;
}

const TIMEOUT_MS = 600_000;

/** Prose from any endpoint that speaks chat completions. No schema is sent: many servers refuse one, and any shape is read. */
export function openAiWriter(options: OpenAiOptions): SpecWriter {
  const { model } = options;
  return modelWriter({
    model,
    name: 'other',
    maxRetries: options.maxRetries,
    connect: () => connect(options),
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
      return hasChoices ? answerOf(answer as OpenAI.ChatCompletion) : undefined;
    },
  });
}

async function connect({ apiKey, baseUrl, timeoutMs }: OpenAiOptions): Promise<OpenAI> {
  const { default: Client } = await loadOptional('openai', () => import('openai'));
  return new Client({
    apiKey: apiKey ?? 'none',
    baseURL: baseUrl,
    maxRetries: 0,
    timeout: timeoutMs ?? TIMEOUT_MS,
    logLevel: 'off',
  });
}

const ENDS: Readonly<Record<string, ModelAnswer['end']>> = { length: 'cut', content_filter: 'refused' };

function answerOf({ choices: [choice], usage }: OpenAI.ChatCompletion): ModelAnswer {
  const cached = usage?.prompt_tokens_details?.cached_tokens ?? 0;
  const refused = choice?.message?.refusal != null;
  return {
    text: choice?.message?.content ?? '',
    end: refused ? 'refused' : (ENDS[choice?.finish_reason ?? ''] ?? 'whole'),
    tokenUsage: {
      input: (usage?.prompt_tokens ?? 0) - cached,
      output: usage?.completion_tokens ?? 0,
      cacheRead: cached,
      cacheWrite: 0,
    },
  };
}
