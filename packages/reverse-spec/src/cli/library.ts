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

/** Options of all calls. */
export interface CallOptions {
  /**
   * Folder to which relative paths are resolved, and whose `config.toml` is read. Default: the working
   * directory.
   */
  readonly cwd?: string;
  /** Environment variables with settings and API keys. Default: those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Language of documents, prompts and messages. Default: Chinese, or that of the existing document. */
  readonly lang?: DocumentLanguage;
  readonly signal?: AbortSignal;
  readonly progress?: ReadingParts['progress'];
  /** Called with log lines about failed and retried requests. Default: they are discarded. */
  readonly log?: (line: string) => void;
}

export interface PrepareOptions extends CallOptions {
  /** Whether to include function bodies. Default: false. */
  readonly deep?: boolean;
}

export interface GenerateOptions extends PrepareOptions {
  /** Output folder. Default: the setting, which defaults to `specs`. */
  readonly outputDir?: string;
  /** Whether to write without a model and without network access. Default: false. */
  readonly astOnly?: boolean;
  /** Whether to add acceptance criteria from raised errors. Default: false. */
  readonly criteria?: boolean;
}

export interface BatchOptions extends GenerateOptions {
  /** Whether to write unchanged modules too. Default: false. */
  readonly force?: boolean;
  /** Number of modules that are written concurrently. Default: the setting. */
  readonly concurrency?: number;
  /** Cost limit in US dollars. Modules that would exceed it are not written. Default: no limit. */
  readonly maxCost?: number;
}

export interface DriftOptions extends CallOptions {
  /** Whether to write a Markdown report into `drift-logs` next to the spec. Default: false. */
  readonly report?: boolean;
}

/**
 * Returns the four functions of the specification. Each reads the settings like the CLI commands and rejects
 * with a `DomainError`.
 */
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
