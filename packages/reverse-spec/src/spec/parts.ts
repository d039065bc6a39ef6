import type { Clock } from '@secateur/base/runtime/time.ts';
import type { DocumentLanguage } from './locales.ts';
import type { ScopeGlobs } from './prepare/scope.ts';
import type { SpecFacts } from './reading/facts.ts';
import type { ModelClaim } from './writing/claims.ts';
import type { PartContext } from './writing/compose.ts';
import { type Confidence, sectionIds, type TokenUsage } from './writing/document/document-text.ts';

/** Dependencies of reading sources. */
export interface ReadingParts {
  clock: Clock;
  /** Working directory, to which relative targets are resolved. */
  cwd: string;
  /** Program version; part of the cache's key. */
  version: string;
  maxFileBytes: number;
  tokenBudget: number;
  /** The compiled worker that reads large trees. If undefined, this thread reads all files. */
  workerUrl?: URL;
  /** Folder of the cache with the facts of unchanged files. If undefined, nothing is cached. */
  cacheDir?: string;
  /** Globs that select the files to read. Default: all files that git lists. */
  globs?: ScopeGlobs | undefined;
  /** Language of errors, warnings and progress messages. Default: Chinese. */
  messageLanguage?: DocumentLanguage;
  /** Whether to read the facts of function bodies too. Default: false. */
  withBodies?: boolean;
  signal?: AbortSignal | undefined;
  progress?: ProgressReport;
}

export type ProgressReport = (update: { done: number; total: number; message: string }) => void;

/** Writes the prose of a spec. Its facts are rendered from the AST instead. */
export interface SpecWriter {
  /** Model name in the front matter of the document. */
  readonly model: string;
  /** Throws a `DomainError` if nothing was written; the result is `degraded` if a part was. */
  write(request: WritingRequest): Promise<Writing>;
}

export interface WritingRequest {
  facts: SpecFacts;
  /** Contexts about the module. A large module is divided so that each one fits the token budget. */
  contexts: readonly PartContext[];
  language: DocumentLanguage;
  /** Folder of the project. The answer is checked against the files in it. */
  base: string;
  signal?: AbortSignal | undefined;
}

export interface Writing {
  prose: Prose;
  tokenUsage: TokenUsage;
  confidence: Confidence;
  warnings: string[];
  degraded: boolean;
  /** The model's sentences on flows and constraints, with their lines. */
  claims?: ModelClaim[];
}

/** Text of a writer by section. The interface section is missing, because it is rendered from the AST. */
export type Prose = { [Section in ProseSection]?: string };

type ProseSection = Exclude<(typeof sectionIds)[number], 'interface'>;

export const proseSections = sectionIds.filter((id): id is ProseSection => id !== 'interface');

/** URL of the compiled worker. The file does not exist when the sources are run directly. */
export const sourceWorkerUrl = new URL('./prepare/source-worker.js', import.meta.url);
