import type { TextKind } from '@secateur/engine/text-kind.ts';

/** Who prunes: the engine in this process, or a service. Failure is a value here. */
export interface FocusBackend {
  /** How logs name it; carries no credentials. */
  readonly endpoint: string;
  /** Whether it takes the output of a call as one text, in one request. Else each text of it is pruned alone. */
  readonly takesWholeOutput: boolean;
  prune(job: FocusJob): Promise<FocusAnswer>;
}

/** A text, what it is (where the backend can be told) and what it is read for. */
export interface FocusJob extends TextKind {
  requestId: string;
  tool: string;
  question: string;
  text: string;
  maxOutputBytes: number | undefined;
  /** The command, file or pattern the text came from. */
  command: string;
  style: AnswerStyle;
  signal: AbortSignal;
}

/** How a pruned text is written, where the backend can be told. */
export interface AnswerStyle {
  markers: 'canonical' | 'compact';
  /** Kept lines carry their numbers. */
  numbered: boolean;
}

export type FocusErrorCode = 'timeout' | 'http_error' | 'invalid_response';

/** Tokens of the text and of what is left of it. */
export interface TokenCounts {
  before: number;
  after: number;
}

export type FocusAnswer =
  | { kind: 'pruned'; text: string; pruneId?: string | undefined; tokens?: TokenCounts }
  /** The backend looked and found nothing to take out. */
  | { kind: 'unchanged' }
  | { kind: 'failed'; code: FocusErrorCode; message: string };
