import type { Clock } from '@secateur/base/runtime/clock.ts';
import type { ScopeGlobs } from './prepare/scope.ts';
import type { DocumentLanguage } from './words.ts';

/** What reading sources needs from outside. */
export interface ReadingParts {
  clock: Clock;
  /** Relative targets start here. */
  cwd: string;
  /** Of the program; part of the cache's key. */
  version: string;
  maxFileBytes: number;
  tokenBudget: number;
  /** The compiled worker for large trees; without it everything is read in this thread. */
  workerUrl?: URL;
  /** Facts of unchanged files are kept here; without it nothing is kept. */
  cacheDir?: string;
  /** Which files are read; all git knows, without it. */
  globs?: ScopeGlobs | undefined;
  /** Of errors, warnings and stages; the contract's Chinese unless told. */
  messageLanguage?: DocumentLanguage;
  /** Read what the bodies of the files do, too. */
  withBodies?: boolean;
  signal?: AbortSignal | undefined;
  progress?: ProgressReport;
}

export type ProgressReport = (update: { done: number; total: number; message: string }) => void;
