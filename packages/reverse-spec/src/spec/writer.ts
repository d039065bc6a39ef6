import type { SpecFacts } from './reading/facts.ts';
import type { DocumentLanguage } from './words.ts';
import type { Claim } from './writing/claims.ts';
import type { PartContext } from './writing/compose.ts';
import { sectionIds } from './writing/document/document-text.ts';
import type { Confidence, TokenUsage } from './writing/document/front-matter.ts';

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
  claims?: Claim[];
}

/** A writer's text, by section. The interface section is missing on purpose: it is rendered from the AST. */
export type Prose = { [Section in ProseSection]?: string };

type ProseSection = Exclude<(typeof sectionIds)[number], 'interface'>;

export const proseSections = sectionIds.filter((id): id is ProseSection => id !== 'interface');
