import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { printable } from '@secateur/serving/commands/terminal.ts';
import type { Environment } from '@secateur/serving/config/values.ts';
import type { BatchResult } from '../spec/batch.ts';
import type { DryRun } from '../spec/dry-run.ts';
import { messagesIn, saidIn } from '../spec/messages.ts';
import { type DocumentLanguage, wordsOf } from '../spec/words.ts';

/** Texts the reverse-spec commands print, in the user's language. */
export interface SpecMessages {
  texts: ReturnType<typeof messagesIn>;
  batch(result: BatchResult): string;
  dryRun(plan: DryRun): string;
}

export function specMessages(language: DocumentLanguage): SpecMessages {
  const { summary, reasons } = wordsOf[language];
  const { batchEnd } = messagesIn(language);
  return {
    texts: messagesIn(language),
    batch: (result) => {
      const why = countReasons(result).map(([reason, count]) => `${reasons[reason]} ${count}`);
      const lines = [
        summary.counts(result),
        ...(why.length === 0 ? [] : [why.join(', ')]),
        batchEnd.took(result.duration / 1000, result.cost),
        ...leftOutLines(result, batchEnd),
        result.summaryLogPath,
      ];
      return lines.join('\n');
    },
    dryRun: dryRunTexts[language],
  };
}

const MAX_NAMES = 20;

function leftOutLines(
  { leftOut }: BatchResult,
  { leftOut: say }: SpecMessages['texts']['batchEnd'],
): string[] {
  if (leftOut.length === 0) return [];
  const price = leftOut.reduce((sum, each) => sum + each.price, 0);
  const names = leftOut.slice(0, MAX_NAMES).map(({ target }) => printable(target));
  const more = leftOut.length > MAX_NAMES ? ['…'] : [];
  return [say(leftOut.length, price, [...names, ...more].join(', '))];
}

/** Rethrows a failure in the given language. */
export function saying(language: DocumentLanguage): (error: unknown) => never {
  return (error) => {
    throw error instanceof DomainError ? saidIn(language, error) : error;
  };
}

function countReasons({
  renewed,
}: BatchResult): [BatchResult['renewed'][number]['reasons'][number], number][] {
  const counts = new Map<BatchResult['renewed'][number]['reasons'][number], number>();
  for (const reason of renewed.flatMap(({ reasons }) => reasons))
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts];
}

/** The setting, else the locale: `LANG=fr_FR.UTF-8` is French, and anything we do not speak is English. */
export function terminalLanguage(setting: DocumentLanguage | undefined, env: Environment): DocumentLanguage {
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
      `about ${inputTokens} tokens in (${cacheableTokens} of them can come from the prompt cache), ${outputTokens} out`,
      `price: about ${dollars(price) ?? 'unknown (--price 3/15 tells dollars a million tokens)'}`,
    ].join('\n'),
  fr: ({ totalModules, skipped, modelCalls, inputTokens, cacheableTokens, outputTokens, price }) =>
    [
      `${totalModules} modules, dont ${skipped} inchangés`,
      `${modelCalls} appels au modèle`,
      `environ ${inputTokens} jetons en entrée (dont ${cacheableTokens} servis par le cache), ${outputTokens} en sortie`,
      `prix : environ ${dollars(price) ?? 'inconnu (--price 3/15 donne les dollars par million de jetons)'}`,
    ].join('\n'),
};
