import { loadConfig } from '@secateur/serving/config/load.ts';
import type { LaunchContext } from '@secateur/serving/config/values.ts';
import type { ReverseSpecParts } from '../server/server.ts';
import { type BatchResult, runBatch as writeAll } from '../spec/batch.ts';
import { detectDrift as compare, type DriftReport } from '../spec/drift.ts';
import { type GenerateResult, generate } from '../spec/generate.ts';
import type { DocumentLanguage } from '../spec/locales.ts';
import type { ReadingParts } from '../spec/parts.ts';
import { type PrepareResult, prepare } from '../spec/prepare.ts';
import { rethrowLocalized, reverseSpecParts } from './spec-call.ts';

export type { BatchResult, DriftReport, GenerateResult, PrepareResult };

/** Options that every call takes besides its own. */
export interface CallOptions {
  /** Folder that relative paths start from, and whose `config.toml` is read. Default: the working directory. */
  readonly cwd?: string;
  /** Environment variables with settings and keys. Default: those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Language of documents, prompts and messages. Default: Chinese, or that of the existing document. */
  readonly lang?: DocumentLanguage;
  readonly signal?: AbortSignal;
  readonly progress?: ReadingParts['progress'];
  /** Called with lines about requests that failed and are repeated. Default: nothing. */
  readonly log?: (line: string) => void;
}

export interface PrepareOptions extends CallOptions {
  /** Function bodies too. Default false. */
  readonly deep?: boolean;
}

export interface GenerateOptions extends PrepareOptions {
  /** Default: the setting, `specs`. */
  readonly outputDir?: string;
  /** No model and no network. Default false. */
  readonly astOnly?: boolean;
  /** Acceptance criteria from raised errors. Default false. */
  readonly criteria?: boolean;
}

export interface BatchOptions extends GenerateOptions {
  /** Write unchanged modules again. Default false. */
  readonly force?: boolean;
  /** Modules written at the same time. Default: the setting. */
  readonly concurrency?: number;
  /** US dollars; the run stops before it would cost more. */
  readonly maxCost?: number;
}

export interface DriftOptions extends CallOptions {
  /** Write a Markdown report beside the spec. Default false. */
  readonly report?: boolean;
}

/** The four functions of the specification. Each reads its settings as the commands do and rejects with a `DomainError`. */
export function openReverseSpec(origin: LaunchContext) {
  const call = async <Result>(
    options: CallOptions,
    run: (parts: ReverseSpecParts) => Promise<Result>,
  ): Promise<Result> => {
    const parts = partsOf(origin, options);
    return run(parts).catch(rethrowLocalized(parts.messageLanguage ?? 'zh'));
  };
  return {
    prepareContext: (targetPath: string, options: PrepareOptions): Promise<PrepareResult> =>
      call(options, (parts) => prepare({ targetPath, deep: options.deep ?? false }, parts)),
    generateSpec: (targetPath: string, options: GenerateOptions): Promise<GenerateResult> =>
      call(options, (parts) => generate({ targetPath, ...writingOptions(options, parts) }, parts)),
    runBatch: (projectRoot: string, options: BatchOptions): Promise<BatchResult> =>
      call(options, (parts) => {
        const { force = false, concurrency = parts.concurrency, maxCost } = options;
        const { granularity } = parts;
        const limits = { force, concurrency, granularity, maxCost };
        return writeAll({ projectRoot, ...writingOptions(options, parts), ...limits }, parts);
      }),
    detectDrift: (specPath: string, sourcePath: string, options: DriftOptions): Promise<DriftReport> =>
      call(options, (parts) => compare({ specPath, sourcePath, report: options.report ?? false }, parts)),
  };
}

function writingOptions(options: GenerateOptions, parts: ReverseSpecParts) {
  const { deep = false, astOnly = false, criteria = false, outputDir = parts.outputDir } = options;
  return { deep, astOnly, criteria, outputDir };
}

function partsOf(
  origin: LaunchContext,
  { lang, signal, progress, log = () => {} }: CallOptions,
): ReverseSpecParts {
  const { config } = loadConfig(['reverseSpec'], { origin, flags: new Map(), readsWorkingDirectory: true });
  return {
    ...reverseSpecParts(config.reverseSpec, origin, { note: log }),
    ...(lang && { language: lang, messageLanguage: lang }),
    ...(signal && { signal }),
    ...(progress && { progress }),
  };
}
