import type { TextKind } from '@secateur/engine/text-kind.ts';

/** The pruner: the engine in this process, or a service. Failure is a value here. */
export interface FocusBackend {
  /** Name in logs; carries no credentials. */
  readonly endpoint: string;
  /** Whether it takes the output of a call as one text, in one request. Else each text of it is pruned alone. */
  readonly takesWholeOutput: boolean;
  prune(job: FocusJob): Promise<FocusAnswer>;
}

/** A text, its kind (if the backend accepts one) and the goal it is read for. */
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

/** Format of a pruned text, if the backend accepts one. */
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
