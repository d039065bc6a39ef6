import type { Deadline } from '@secateur/base/runtime/time.ts';

export const SOURCE_TYPES = ['code', 'logs', 'docs'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

export interface ScoreRequest {
  lines: readonly string[];
  focus: Focus;
  sourceType: SourceType;
  /** A scorer that cannot finish in time answers with a cheaper tier, never late. */
  deadline: Deadline;
}

/** One score per line, comparable within one text only; higher means more needed for the goal. */
export interface LineScores {
  scores: Float64Array;
  /** Whether scores are log-odds that a line is needed. If not, only their order has a meaning. */
  areLogOdds: boolean;
  /** Tier of the scorer that was used; `stats` reports it. */
  tier: string;
}

/** Ranks the lines of a text towards a goal. Deterministic, local, synchronous: it runs inside a worker. */
export type LineScorer = (request: ScoreRequest) => LineScores;

/** The goal of a text's reader, if the caller knows it. Data, never an instruction. */
export interface Focus {
  /** Question about this text; `goal_hint` alone is the question. */
  question: string;
  /** Purpose of the whole run: an issue, a ticket, the user's first message. */
  task?: string;
  /** The agent's last texts, oldest first. */
  recentWords?: readonly string[];
  /** The command or tool call that made the text. */
  command?: string;
  /** Outputs that the client still sends to the model, oldest first. */
  shown?: readonly ShownOutput[];
  /** Set if the words come from a conversation: they influence the cut but are never stored. */
  isConfidential?: true;
}

/** One output as the agent sees it; a cut one with its markers. */
export interface ShownOutput {
  /** One line that identifies the call: `cat src/a.ts`. */
  readonly call: string;
  readonly text: string;
}

/** Number of recent texts that are used. Older ones describe what was done rather than what is needed now. */
const WORDS_READ = 4;

/** Returns the focus as one text: the question first, then the newest words, then the task. */
export function goalText({ question, recentWords = [], task = '' }: Focus): string {
  const words = recentWords.slice(-WORDS_READ).reverse();
  return [question, ...words, task].filter((part) => part.trim() !== '').join('\n');
}

/** Returns every part of a focus that can change a result, as strings in a fixed order and number. */
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

/** FNV-1a. */
function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Line number, with or without a file name, before a line: `12: text`, `src/a.py:12: text`, `    12\ttext`. */
const PLACE = /^\s{0,12}(?:[\w./@+-]{1,200}[:-])?\d{1,7}[:\t│|-]\s?|^\s{1,12}\d{1,7}\t/;

/** Returns a line without its number, file name and indentation. */
function bareLine(line: string): string {
  const place = PLACE.exec(line.length > 400 ? line.slice(0, 240) : line);
  return (place === null ? line : line.slice(place[0].length)).trim();
}

/** Returns a hash that identifies a line regardless of its indentation and of the line number before it. */
export function lineHash(line: string): number {
  return textHash(bareLine(line));
}
