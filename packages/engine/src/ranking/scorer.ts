import type { Deadline } from '@secateur/base/runtime/time.ts';

export const SOURCE_TYPES = ['code', 'logs', 'docs'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

export interface ScoreRequest {
  lines: readonly string[];
  focus: Focus;
  sourceType: SourceType;
  /** Deadline. A scorer that cannot finish in time uses a cheaper tier. */
  deadline: Deadline;
}

/** One score per line. Scores can only be compared within one text. The higher the score, the more relevant the line. */
export interface LineScores {
  scores: Float64Array;
  /** Whether scores are log-odds that a line is needed. If not, only their order means something. */
  areLogOdds: boolean;
  /** Tier of the scorer that was used, as shown in `stats`. */
  tier: string;
}

/** Scores the lines of a text for a goal. Deterministic, local and synchronous, because it runs in a worker. */
export type LineScorer = (request: ScoreRequest) => LineScores;

/** Goal with which a text is read, as far as the caller knows it. It is data and never an instruction. */
export interface Focus {
  /** Question about this text. For `prune_text` it is `goal_hint`. */
  question: string;
  /** Purpose of the agent's run: an issue, a ticket, or the first message of the user. */
  task?: string;
  /** The agent's last messages, oldest first. */
  recentWords?: readonly string[];
  /** Command or tool call that produced the text. */
  command?: string;
  /** Outputs that the client still sends to the model, oldest first. */
  shown?: readonly ShownOutput[];
  /** Set if the words come from a conversation. They then influence the cut, but are never stored. */
  isConfidential?: true;
}

/** An output as the agent sees it. If it was cut, it contains markers. */
export interface ShownOutput {
  /** One line that identifies the call: `cat src/a.ts`. */
  readonly call: string;
  readonly text: string;
}

/** Number of recent messages that are used. Older ones are about work that is done. */
const WORDS_READ = 4;

/** Returns the focus as one text: the question first, then the newest words, then the task. */
export function goalText({ question, recentWords = [], task = '' }: Focus): string {
  const words = recentWords.slice(-WORDS_READ).reverse();
  return [question, ...words, task].filter((part) => part.trim() !== '').join('\n');
}

/** Returns all parts of a focus that can affect a result: a fixed number of strings in a fixed order. */
export function focusIdentity({
  question,
  task = '',
  recentWords = [],
  command = '',
  shown = [],
}: Focus): string[] {
  const digests = shown.map(({ call, text }) => `${call} ${text.length} ${textHash(text)}`);
  return [question, task, command, JSON.stringify(recentWords), digests.join('\n')];
}

function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Matches a line number before a line, with or without a file name: `12: text`, `src/a.py:12: text`, `    12\ttext`. */
const PLACE = /^\s{0,12}(?:[\w./@+-]{1,200}[:-])?\d{1,7}[:\t│|-]\s?|^\s{1,12}\d{1,7}\t/;

/** Returns a line without its number, file name and indentation. */
function bareLine(line: string): string {
  const place = PLACE.exec(line.length > 400 ? line.slice(0, 240) : line);
  return (place === null ? line : line.slice(place[0].length)).trim();
}

/** Returns a hash of a line. Indentation and a line number before the line do not affect it. */
export function lineHash(line: string): number {
  return textHash(bareLine(line));
}
