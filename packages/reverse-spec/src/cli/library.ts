import { loadConfig } from '@secateur/serving/config/load.ts';
import type { LaunchContext } from '@secateur/serving/config/values.ts';
import type { ReverseSpecParts } from '../server/server.ts';
import { type BatchRequest, type BatchResult, runBatch as writeAll } from '../spec/batch.ts';
import { detectDrift as compare, type DriftReport, type DriftRequest } from '../spec/drift.ts';
import { type GenerateRequest, type GenerateResult, generate } from '../spec/generate.ts';
import type { DocumentLanguage } from '../spec/locales.ts';
import type { ReadingParts } from '../spec/parts.ts';
import { type PrepareRequest, type PrepareResult, prepare } from '../spec/prepare.ts';
import { rethrowLocalized, reverseSpecParts } from './spec-call.ts';

export type { BatchResult, DriftReport, GenerateResult, PrepareResult };

export interface CallOptions {
  /** Directory for relative paths, which may contain a `config.toml`. Default: the working directory. */
  readonly cwd?: string;
  /** Environment variables with settings and API keys. Default: those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Language of documents, prompts and messages. Default: Chinese, or that of the existing document. */
  readonly lang?: DocumentLanguage;
  readonly signal?: AbortSignal;
  readonly progress?: ReadingParts['progress'];
  /** Called with log lines, for example about failed and retried requests. Default: they are discarded. */
  readonly log?: (line: string) => void;
}

/** Fields of a request that the caller may omit. Default: the value from the settings, if there is one. */
type Asked<Request, Key extends keyof Request> = { readonly [Name in Key]?: Request[Name] };

export type PrepareOptions = CallOptions & Asked<PrepareRequest, 'deep'>;
export type GenerateOptions = CallOptions &
  Asked<GenerateRequest, 'deep' | 'outputDir' | 'astOnly' | 'criteria'>;
export type BatchOptions = GenerateOptions & Asked<BatchRequest, 'force' | 'concurrency' | 'maxCost'>;
export type DriftOptions = CallOptions & Asked<DriftRequest, 'report'>;

/** Returns the functions of the library. They read the same settings as the commands. */
export function openReverseSpec(origin: LaunchContext) {
  const call = async <Result>(options: CallOptions, run: (parts: ReverseSpecParts) => Promise<Result>) => {
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

function partsOf(origin: LaunchContext, { lang, signal, progress, log = () => {} }: CallOptions) {
  const { config } = loadConfig(['reverseSpec'], { origin, flags: new Map(), readsWorkingDirectory: true });
  return {
    ...reverseSpecParts(config.reverseSpec, origin, { note: log }),
    ...(lang && { language: lang, messageLanguage: lang }),
    ...(signal && { signal }),
    ...(progress && { progress }),
  };
}
