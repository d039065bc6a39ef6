import type { Origin } from '../config/origin.ts';
import type { Config } from '../config/settings.ts';
import type { ReverseSpecParts } from '../servers/reverse-spec/server.ts';
import { anthropicWriter } from '../spec/anthropic-writer.ts';
import { openAiWriter } from '../spec/openai-writer.ts';
import type { DocumentLanguage } from '../spec/words.ts';
import type { SpecWriter } from '../spec/writer.ts';
import { listPriceOf } from './list-price.ts';
import { readingParts } from './reading-parts.ts';
import { terminalLanguage } from './spec-messages.ts';
import type { Terminal } from './terminal.ts';

/** The settings as the spec tools want them. */
export function reverseSpecParts(
  config: Config['reverseSpec'],
  origin: Origin,
  terminal: Terminal,
): ReverseSpecParts {
  const modelWriter = writerOf(config, terminal);
  const [input, output] = (priceFor(config) ?? '').split('/').map(Number);
  return {
    ...readingParts(config, origin),
    concurrency: config.concurrency,
    granularity: config.granularity,
    outputDir: config.outputDir,
    ...(config.language && { language: config.language }),
    defaultLanguage: 'zh',
    embedBaseline: config.baseline === 'embedded',
    ...(input !== undefined && output !== undefined && { price: { input, output } }),
    modelWriter,
  };
}

/** The same for the command line, which speaks the language of its user: messages, and documents that have none yet. */
export function terminalSpecParts(
  config: Config['reverseSpec'],
  origin: Origin,
  terminal: Terminal,
): ReverseSpecParts & { messageLanguage: DocumentLanguage } {
  const language = terminalLanguage(config.language, origin.env);
  return {
    ...reverseSpecParts(config, origin, terminal),
    messageLanguage: language,
    defaultLanguage: language,
  };
}

/** What was said, else Anthropic's list; another endpoint has prices of its own. */
function priceFor({ price, model, modelUrl, anthropicBaseUrl }: Config['reverseSpec']): string | undefined {
  const isListed = modelUrl === undefined && anthropicBaseUrl === undefined;
  return price ?? (isListed ? listPriceOf(model) : undefined);
}

/** An endpoint that was named wins over the key that may lie around in the environment. */
function writerOf(config: Config['reverseSpec'], terminal: Terminal): SpecWriter | undefined {
  const { anthropicApiKey: apiKey, anthropicBaseUrl: baseUrl, modelUrl, modelKey, model } = config;
  if (modelUrl !== undefined) return openAiWriter({ apiKey: modelKey, baseUrl: modelUrl, model });
  if (apiKey === undefined) return undefined;
  return anthropicWriter({ apiKey, baseUrl, model, log: (line) => terminal.note(line) });
}
