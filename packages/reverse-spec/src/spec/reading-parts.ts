import type { Clock } from '@secateur/base/runtime/time.ts';
import type { ScopeGlobs } from './prepare/scope.ts';
import type { DocumentLanguage } from './words.ts';

/** Dependencies of reading sources. */
export interface ReadingParts {
  clock: Clock;
  /** Relative targets start here. */
  cwd: string;
  /** Program version; part of the cache's key. */
  version: string;
  maxFileBytes: number;
  tokenBudget: number;
  /** The compiled worker for large trees; without it everything is read in this thread. */
  workerUrl?: URL;
  /** Facts of unchanged files are kept here; without it nothing is kept. */
  cacheDir?: string;
  /** Files to read. Default: all that git knows. */
  globs?: ScopeGlobs | undefined;
  /** Language of errors, warnings and stages. Default: Chinese. */
  messageLanguage?: DocumentLanguage;
  /** Read what the bodies of the files do, too. */
  withBodies?: boolean;
  signal?: AbortSignal | undefined;
  progress?: ProgressReport;
}

export type ProgressReport = (update: { done: number; total: number; message: string }) => void;
