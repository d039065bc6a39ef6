import type Anthropic from '@anthropic-ai/sdk';
import { answerSchema, readAnswer } from './anthropic-writer/answer.ts';
import { apiTrouble } from './anthropic-writer/api-trouble.ts';
import { systemPrompt } from './anthropic-writer/system-prompt.ts';
import { astProse } from './ast-only-writer.ts';
import type { SpecContext } from './context.ts';
import type { Confidence, TokenUsage } from './document/front-matter.ts';
import type { SpecFacts } from './facts.ts';
import { type Prose, proseSections } from './prose.ts';
import type { SpecWriter, Writing, WritingRequest } from './writer.ts';

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

/** The model's prose through the Messages API. The SDK retries 429 and 5xx with back-off; nobody else does. */
export function anthropicWriter(options: AnthropicOptions): SpecWriter {
  let client: Promise<Anthropic> | undefined;
  return {
    model: options.model,
    write: async (request) => {
      client ??= connect(options);
      const message = await ask(await client, options.model, request);
      return writingOf(message, request);
    },
  };
}

async function connect({
  apiKey,
  baseUrl,
  log,
  maxRetries,
  timeoutMs,
}: AnthropicOptions): Promise<Anthropic> {
  const { default: Client } = await import('@anthropic-ai/sdk');
  const write = (level: string) => (message: string) => log(`anthropic ${level}: ${message}`);
  return new Client({
    apiKey,
    baseURL: baseUrl ?? 'https://api.anthropic.com',
    maxRetries: maxRetries ?? 2,
    timeout: timeoutMs ?? TIMEOUT_MS,
    // Debug lines would hold request bodies.
    logLevel: 'warn',
    logger: { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') },
  });
}

async function ask(
  client: Anthropic,
  model: string,
  { context, signal }: WritingRequest,
): Promise<Anthropic.Message> {
  try {
    const message: unknown = await client.messages.create(
      {
        model,
        max_tokens: MAX_OUTPUT_TOKENS,
        // The same for every module of a batch: paid once, read from the cache afterwards.
        system: [{ type: 'text', text: systemPrompt, cache_control: { type: 'ephemeral' } }],
        output_config: { format: { type: 'json_schema', schema: answerSchema } },
        messages: [{ role: 'user', content: context.prompt }],
      },
      signal === undefined ? {} : { signal },
    );
    if (isMessage(message)) return message;
  } catch (error) {
    throw apiTrouble(error);
  }
  throw apiTrouble(undefined);
}

/** A proxy may answer 200 with a page of its own, and the SDK hands on what it gets. */
function isMessage(answer: unknown): answer is Anthropic.Message {
  return Array.isArray((answer as { content?: unknown } | null | undefined)?.content);
}

function writingOf(message: Anthropic.Message, { facts, context }: WritingRequest): Writing {
  const text = message.content.map((block) => (block?.type === 'text' ? block.text : '')).join('');
  const said = readAnswer(text);
  const missing = proseSections.filter((section) => said[section] === undefined);
  const warnings = complaints(message, missing);
  const degraded = missing.length > 0;
  return {
    prose: { ...astProse(facts), ...said },
    tokenUsage: usageOf(message),
    confidence: confidenceIn(said, facts, context),
    warnings,
    degraded,
  };
}

function complaints({ stop_reason }: Anthropic.Message, missing: readonly string[]): string[] {
  if (missing.length === 0) return [];
  if (stop_reason === 'refusal') return ['模型拒绝了该请求，已降级为仅 AST 的内容'];
  if (missing.length === proseSections.length) return ['模型返回的内容无法解析，已降级为仅 AST 的内容'];
  const cause = stop_reason === 'max_tokens' ? '模型的回答被截断' : '模型的回答不完整';
  return [`${cause}，以下章节仅由 AST 生成: ${missing.join(', ')}`];
}

function confidenceIn(said: Prose, facts: SpecFacts, context: SpecContext): Confidence {
  const answered = Object.keys(said).length;
  if (answered < proseSections.length / 2) return 'low';
  const isBroken = facts.files.some(({ skeleton }) => skeleton.parseErrors !== undefined);
  return answered < proseSections.length || isBroken || context.truncated ? 'medium' : 'high';
}

function usageOf({ usage }: Anthropic.Message): TokenUsage {
  return {
    input: usage?.input_tokens ?? 0,
    output: usage?.output_tokens ?? 0,
    cacheRead: usage?.cache_read_input_tokens ?? 0,
    cacheWrite: usage?.cache_creation_input_tokens ?? 0,
  };
}
