import type { TextOrigin } from '../../pruning/text-kind.ts';
import type { Fields } from '../../text/json-value.ts';
import type { TranscriptEntry } from './transcript.ts';

/** One agent program: its hook events in our words, our answers in its words. */
export interface HookClient {
  readonly name: string;
  readonly title: string;
  /** What an event asks of us; nothing where it is none of our business, or of a shape we do not know. */
  read(event: Fields): Promise<HookEvent | undefined>;
  /** What one line of its transcript says. */
  readEntry(line: Fields): readonly TranscriptEntry[];
}

export type HookEvent = OutputEvent | WriteEvent | SessionEvent;

/** A tool has answered; the texts of its answer may be cut. */
export interface OutputEvent {
  readonly kind: 'output';
  readonly call: ToolCall;
  readonly texts: readonly string[];
  /** Kept lines carry their own numbers: the client counts what it gets from 1. */
  readonly numbered?: boolean;
  /** Longer answers are no help: the client has a shorter way of its own. */
  readonly mostChars?: number;
  /** The client's answer with other texts in the places of `texts`. */
  replace(texts: readonly string[]): Fields;
}

/** A tool is about to write or to run what the agent gave it. */
export interface WriteEvent {
  readonly kind: 'write';
  readonly call: ToolCall;
  /** Every text that may end in a file or a shell. */
  readonly payload: readonly string[];
  refuse(reason: string): Fields;
}

/** A session begins; the agent may be told something once. */
export interface SessionEvent {
  readonly kind: 'session';
  tell(message: string): Fields;
}

export interface ToolCall {
  /** As the client names it. */
  readonly tool: string;
  readonly id?: string | undefined;
  readonly source: TextOrigin;
  /** What the agent says the call is for. */
  readonly purpose?: string | undefined;
  readonly transcriptPath?: string | undefined;
  readonly cwd?: string | undefined;
}

export function textAt(fields: Fields, key: string): string | undefined {
  const value = fields[key];
  return typeof value === 'string' ? value : undefined;
}
