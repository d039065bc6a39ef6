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

/** Writes the prose of a spec, not its facts: those are rendered from the AST. */
export interface SpecWriter {
  /** As the front matter names it. */
  readonly model: string;
  /** Throws a `DomainError` when nothing was written; an answer of which only a part could be used is `degraded`. */
  write(request: WritingRequest): Promise<Writing>;
}

export interface WritingRequest {
  facts: SpecFacts;
  /** The module, in as many parts as its size asks for; each fits the budget. */
  contexts: readonly PartContext[];
  language: DocumentLanguage;
  /** The project's folder: the answer is checked against its files. */
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

/** A writer's text, by section. The interface section is missing on purpose: it is rendered from the AST. */
export type Prose = { [Section in ProseSection]?: string };

type ProseSection = Exclude<(typeof sectionIds)[number], 'interface'>;

export const proseSections = sectionIds.filter((id): id is ProseSection => id !== 'interface');

/** The compiled worker beside the compiled module; not in the sources. */
export const sourceWorkerUrl = new URL('./prepare/source-worker.js', import.meta.url);
