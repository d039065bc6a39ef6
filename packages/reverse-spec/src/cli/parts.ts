import { existsSync } from 'node:fs';
import { packageVersion } from '@secateur/base/runtime/loading.ts';
import { systemClock } from '@secateur/base/runtime/time.ts';
import type { CommandCall } from '@secateur/serving/commands/command.ts';
import { listPriceOf } from '@secateur/serving/commands/list-price.ts';
import { type Paint, printable, progressBar, type Terminal } from '@secateur/serving/commands/terminal.ts';
import type { Config } from '@secateur/serving/config/settings.ts';
import type { LaunchContext } from '@secateur/serving/config/values.ts';
import type { ReverseSpecParts } from '../server/server.ts';
import { anthropicWriter } from '../spec/anthropic-writer.ts';
import type { DriftReport } from '../spec/drift.ts';
import { openAiWriter } from '../spec/openai-writer.ts';
import { sourceWorkerUrl } from '../spec/source-worker-url.ts';
import type { SpecWriter } from '../spec/writer.ts';
import { saying, specMessages, terminalLanguage } from './messages.ts';

/** The settings as the spec tools want them. */
export function reverseSpecParts(
  config: Config['reverseSpec'],
  origin: LaunchContext,
  terminal: Pick<Terminal, 'note'>,
): ReverseSpecParts {
  const modelWriter = writerOf(config, terminal);
  const [input, output] = (priceFor(config) ?? '').split('/').map(Number);
  return {
    clock: systemClock,
    cwd: origin.cwd,
    version: packageVersion(),
    maxFileBytes: config.maxFileBytes,
    tokenBudget: config.tokenBudget,
    cacheDir: config.cacheDir,
    ...(config.language && { messageLanguage: config.language }),
    globs: { include: config.include, exclude: config.exclude },
    ...(existsSync(sourceWorkerUrl) && { workerUrl: sourceWorkerUrl }),
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

type SpecCommandCall = Pick<
  CommandCall<'reverseSpec', Record<never, never>>,
  'config' | 'origin' | 'terminal' | 'interrupted'
>;

/** Opens a call of the command line. Messages and new documents are in the user's language. */
export function openSpecCall({ config, origin, terminal, interrupted }: SpecCommandCall) {
  const language = terminalLanguage(config.reverseSpec.language, origin.env);
  const bar = progressBar(terminal);
  return {
    messages: specMessages(language),
    parts: {
      ...reverseSpecParts(config.reverseSpec, origin, terminal),
      messageLanguage: language,
      defaultLanguage: language,
      signal: interrupted(),
      progress: bar.update,
    },
    /** Takes the bar away when the work is done, and says a failure in the user's language. */
    finish: <Result>(work: Promise<Result>) => work.catch(saying(language)).finally(bar.end),
  };
}

const COLOURS = { HIGH: 'red', MEDIUM: 'yellow', LOW: 'dim' } as const;

export function driftLine(
  { severity, location, description }: DriftReport['items'][number],
  paint: Paint,
): string {
  return `${paint(COLOURS[severity], severity.padEnd(6))} ${printable(`${location} ${description}`)}`;
}

/** Returns the set price, else Anthropic's; other endpoints have other prices. */
function priceFor({ price, model, modelUrl, anthropicBaseUrl }: Config['reverseSpec']): string | undefined {
  const isListed = modelUrl === undefined && anthropicBaseUrl === undefined;
  return price ?? (isListed ? listPriceOf(model) : undefined);
}

/** An endpoint that was named wins over the key that may lie around in the environment. */
function writerOf(config: Config['reverseSpec'], terminal: Pick<Terminal, 'note'>): SpecWriter | undefined {
  const { anthropicApiKey: apiKey, anthropicBaseUrl: baseUrl, modelUrl, modelKey, model } = config;
  if (modelUrl !== undefined) return openAiWriter({ apiKey: modelKey, baseUrl: modelUrl, model });
  if (apiKey === undefined) return undefined;
  return anthropicWriter({ apiKey, baseUrl, model, log: (line) => terminal.note(line) });
}
