import type { Clock } from '@secateur/base/runtime/time.ts';
import type { DocumentLanguage } from './locales.ts';
import type { ScopeGlobs } from './prepare/scope.ts';
import type { SpecFacts } from './reading/facts.ts';
import type { ModelClaim } from './writing/claims.ts';
import type { PartContext } from './writing/compose.ts';
import { type Confidence, sectionIds, type TokenUsage } from './writing/document/document-text.ts';

/** Dependencies of functions that read sources. */
export interface ReadingParts {
  clock: Clock;
  /** Working directory, to which targets may be relative. */
  cwd: string;
  /** Version of the program. Each version has its own cache. */
  version: string;
  maxFileBytes: number;
  tokenBudget: number;
  /** Compiled worker that reads large trees. If undefined, the main thread reads all files. */
  workerUrl?: URL;
  /** Folder that caches the facts of unchanged files. If undefined, nothing is cached. */
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

/** Writes the prose of a spec. The facts in a spec come from the AST. */
export interface SpecWriter {
  /** Model name in the front matter of the document. */
  readonly model: string;
  /** Writes the prose; `degraded` if a part is missing. Throws a `DomainError` if nothing could be written. */
  write(request: WritingRequest): Promise<Writing>;
}

export interface WritingRequest {
  facts: SpecFacts;
  /** Contexts for the prompts. A large module has several, so that each fits the token budget. */
  contexts: readonly PartContext[];
  language: DocumentLanguage;
  /** Folder of the project. Paths in the model's answer must exist in it. */
  base: string;
  signal?: AbortSignal | undefined;
}

export interface Writing {
  prose: Prose;
  tokenUsage: TokenUsage;
  confidence: Confidence;
  warnings: string[];
  degraded: boolean;
  /** The model's sentences about flows and constraints, with the source lines of each. */
  claims?: ModelClaim[];
}

/** Prose by section. The interface section has none, because it is rendered from the AST. */
export type Prose = { [Section in ProseSection]?: string };

type ProseSection = Exclude<(typeof sectionIds)[number], 'interface'>;

export const proseSections = sectionIds.filter((id): id is ProseSection => id !== 'interface');

/** URL of the compiled worker. The file is missing if the program runs from TypeScript sources. */
export const sourceWorkerUrl = new URL('./prepare/source-worker.js', import.meta.url);
