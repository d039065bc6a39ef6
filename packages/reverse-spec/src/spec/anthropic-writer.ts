import type Anthropic from '@anthropic-ai/sdk';
import { loadOptional } from '@secateur/base/runtime/loading.ts';
import type { SpecWriter } from './writer.ts';
import { answerSchema } from './writing/model-writer/answer.ts';
import { type ModelAnswer, modelWriter } from './writing/model-writer.ts';

export interface AnthropicOptions {
  apiKey: string;
  baseUrl: string | undefined;
  model: string;
  /** Everything the SDK has to say; its own logger would write to standard output. */
  log(line: string): void;
  maxRetries?: number;
  timeoutMs?: number;
}

const MAX_OUTPUT_TOKENS = 16_000;
const TIMEOUT_MS = 600_000;

/** The model's prose through the Messages API. */
export function anthropicWriter(options: AnthropicOptions): SpecWriter {
  const { model } = options;
  return modelWriter({
    model,
    name: 'anthropic',
    maxRetries: options.maxRetries,
    connect: () => connect(options),
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
      return Array.isArray(message?.content) ? answerOf(message as Anthropic.Message) : undefined;
    },
  });
}

async function connect(options: AnthropicOptions): Promise<Anthropic> {
  const { apiKey, baseUrl, log, timeoutMs } = options;
  const { default: Client } = await loadOptional('@anthropic-ai/sdk', () => import('@anthropic-ai/sdk'));
  const write = (level: string) => (message: string) => log(`anthropic ${level}: ${message}`);
  return new Client({
    apiKey,
    baseURL: baseUrl ?? 'https://api.anthropic.com',
    maxRetries: 0,
    timeout: timeoutMs ?? TIMEOUT_MS,
    // Debug lines would hold request bodies.
    logLevel: 'warn',
    logger: { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') },
  });
}

const ENDS: Readonly<Record<string, ModelAnswer['end']>> = { refusal: 'refused', max_tokens: 'cut' };

function answerOf({ content, stop_reason, usage }: Anthropic.Message): ModelAnswer {
  return {
    text: content.map((block) => (block?.type === 'text' ? block.text : '')).join(''),
    end: ENDS[stop_reason ?? ''] ?? 'whole',
    tokenUsage: {
      input: usage?.input_tokens ?? 0,
      output: usage?.output_tokens ?? 0,
      cacheRead: usage?.cache_read_input_tokens ?? 0,
      cacheWrite: usage?.cache_creation_input_tokens ?? 0,
    },
  };
}
