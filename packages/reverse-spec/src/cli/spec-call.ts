import { existsSync } from 'node:fs';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { grouped } from '@secateur/base/runtime/grouped.ts';
import { packageVersion } from '@secateur/base/runtime/loading.ts';
import { systemClock } from '@secateur/base/runtime/time.ts';
import type { CommandCall } from '@secateur/serving/commands/command.ts';
import { type Paint, printable, progressBar, type Terminal } from '@secateur/serving/commands/terminal.ts';
import type { Config } from '@secateur/serving/config/settings.ts';
import type { Environment, LaunchContext } from '@secateur/serving/config/values.ts';
import type { ReverseSpecParts } from '../server/server.ts';
import type { BatchResult } from '../spec/batch.ts';
import type { DriftReport } from '../spec/drift.ts';
import type { DryRun } from '../spec/generate.ts';
import { type DocumentLanguage, localizeError, messagesIn, stringsByLanguage } from '../spec/locales.ts';
import { anthropicWriter, openAiWriter } from '../spec/model-writers.ts';
import { type SpecWriter, sourceWorkerUrl } from '../spec/parts.ts';

/** Converts the settings to the dependencies of the spec tools. */
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

/** Prepares a CLI command. Messages and new documents are in the user's language. */
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
    /** Waits for the work, then removes the progress bar. An error is rethrown in the user's language. */
    finish: <Result>(work: Promise<Result>) => work.catch(rethrowLocalized(language)).finally(bar.end),
  };
}

export const WRITING_OPTIONS = {
  deep: { type: 'boolean', doc: 'show function bodies to the model' },
  'ast-only': { type: 'boolean', doc: 'write from the sources alone, without a model or network access' },
  criteria: { type: 'boolean', doc: 'add acceptance criteria (WHEN … THE … SHALL …) from raised errors' },
  'dry-run': {
    type: 'boolean',
    doc: 'print the number of model calls and tokens and their cost, without calling the model',
  },
} as const;

const COLOURS = { HIGH: 'red', MEDIUM: 'yellow', LOW: 'dim' } as const;

export function driftLine(
  { severity, location, description }: DriftReport['items'][number],
  paint: Paint,
): string {
  return `${paint(COLOURS[severity], severity.padEnd(6))} ${printable(`${location} ${description}`)}`;
}

/** Returns the configured price of the model, else Anthropic's list price. For a custom endpoint no list price is used. */
function priceFor({ price, model, modelUrl, anthropicBaseUrl }: Config['reverseSpec']): string | undefined {
  const isListed = modelUrl === undefined && anthropicBaseUrl === undefined;
  return price ?? (isListed ? listPriceOf(model) : undefined);
}

/** Creates the model writer; undefined without an API key. A configured endpoint has priority over Anthropic. */
function writerOf(config: Config['reverseSpec'], terminal: Pick<Terminal, 'note'>): SpecWriter | undefined {
  const { anthropicApiKey: apiKey, anthropicBaseUrl: baseUrl, modelUrl, modelKey, model } = config;
  if (modelUrl !== undefined) return openAiWriter({ apiKey: modelKey, baseUrl: modelUrl, model });
  if (apiKey === undefined) return undefined;
  return anthropicWriter({ apiKey, baseUrl, model, log: (line) => terminal.note(line) });
}

export type SpecMessages = ReturnType<typeof specMessages>;

/** Texts that the commands print, in the user's language. */
export function specMessages(language: DocumentLanguage) {
  const { summary, reasons } = stringsByLanguage[language];
  const texts = messagesIn(language);
  return {
    texts,
    batch: (result: BatchResult) => {
      const why = countReasons(result).map(([reason, count]) => `${reasons[reason]} ${count}`);
      const lines = [
        summary.counts(result),
        ...(why.length === 0 ? [] : [why.join(', ')]),
        texts.batchEnd.took(result.duration / 1000, result.cost),
        ...leftOutLines(result, texts),
        result.summaryLogPath,
      ];
      return lines.join('\n');
    },
    dryRun: dryRunTexts[language],
  };
}

const MAX_NAMES = 20;

function leftOutLines({ leftOut }: BatchResult, { batchEnd }: SpecMessages['texts']): string[] {
  if (leftOut.length === 0) return [];
  const price = leftOut.reduce((sum, each) => sum + each.price, 0);
  const names = leftOut.slice(0, MAX_NAMES).map(({ target }) => printable(target));
  const more = leftOut.length > MAX_NAMES ? ['…'] : [];
  return [batchEnd.leftOut(leftOut.length, price, [...names, ...more].join(', '))];
}

export function rethrowLocalized(language: DocumentLanguage): (error: unknown) => never {
  return (error) => {
    throw error instanceof DomainError ? localizeError(language, error) : error;
  };
}

function countReasons({ renewed }: BatchResult) {
  const counts = grouped(renewed.flatMap(({ reasons }) => reasons.map((reason) => [reason, reason])));
  return [...counts].map(([reason, found]) => [reason, found.length] as const);
}

/** Returns the configured language, else that of the locale (`fr_FR.UTF-8` is French), else English. */
function terminalLanguage(setting: DocumentLanguage | undefined, env: Environment): DocumentLanguage {
  if (setting !== undefined) return setting;
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  if (locale.startsWith('zh')) return 'zh';
  return locale.startsWith('fr') ? 'fr' : 'en';
}

const dollars = (price: number | null) => (price === null ? undefined : `$${price.toFixed(2)}`);

const dryRunTexts: Readonly<Record<DocumentLanguage, (plan: DryRun) => string>> = {
  zh: ({ totalModules, skipped, modelCalls, inputTokens, cacheableTokens, outputTokens, price }) =>
    [
      `模块 ${totalModules}，其中 ${skipped} 个未变化`,
      `模型调用 ${modelCalls} 次`,
      `输入约 ${inputTokens} tokens（其中 ${cacheableTokens} 可命中提示缓存），输出约 ${outputTokens} tokens`,
      `价格约 ${dollars(price) ?? '未知（用 --price 给出每百万 token 的美元价格，例如 3/15）'}`,
    ].join('\n'),
  en: ({ totalModules, skipped, modelCalls, inputTokens, cacheableTokens, outputTokens, price }) =>
    [
      `${totalModules} modules, ${skipped} of them unchanged`,
      `${modelCalls} model calls`,
      `about ${inputTokens} input tokens (of which the prompt cache can serve ${cacheableTokens}) and ${outputTokens} output tokens`,
      `price: about ${dollars(price) ?? 'unknown (set US dollars per million tokens with --price 3/15)'}`,
    ].join('\n'),
  fr: ({ totalModules, skipped, modelCalls, inputTokens, cacheableTokens, outputTokens, price }) =>
    [
      `${totalModules} modules, dont ${skipped} inchangés`,
      `${modelCalls} appels au modèle`,
      `environ ${inputTokens} jetons en entrée (dont ${cacheableTokens} servis par le cache), ${outputTokens} en sortie`,
      `prix : environ ${dollars(price) ?? 'inconnu (--price 3/15 donne les dollars par million de jetons)'}`,
    ].join('\n'),
};

/** US dollars per million tokens, INPUT/OUTPUT, from Anthropic's list of 16 November 2026. */
const LIST_PRICES: Readonly<Record<string, string>> = {
  'claude-fable-5-1': '10/50',
  'claude-opus-5-5': '4/20',
  'claude-opus-5': '5/25',
  'claude-sonnet-5-5': '2/10',
};

/** Returns the list price of a model; undefined if unknown. A guess could let a run exceed its cost limit. */
function listPriceOf(model: string): string | undefined {
  // Dated names (`…-20260924`) have the same price as their alias.
  return LIST_PRICES[model.replace(/-\d{8}$/, '')];
}
