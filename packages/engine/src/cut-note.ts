import { type LineRange, type Numbering, splitLines } from '@secateur/base/text/lines.ts';
import { KEEP_RULES, type KeepRule, REMOVED, ruleWords } from './explanation.ts';
import type { Pruner } from './pruner.ts';
import type { Focus } from './ranking/scorer.ts';
import type { Notes, NumberedText } from './recovery/notes.ts';
import type { PrunedBlock, PruneOutcome, PruneRequest } from './request.ts';

/**
 * Record of one cut, for the dashboard and `secateur explain`. It is stored as long as the text. Keys are
 * short and scores are packed, because every cut has a record and few records are read.
 */
export interface CutNote {
  readonly v: 1;
  /** Question with which the text was read. */
  readonly question: string;
  readonly task?: string | undefined;
  readonly command?: string | undefined;
  readonly sourceType?: string | undefined;
  readonly scorer?: string | undefined;
  readonly blocks: readonly NotedBlock[];
  /** Packed score of each line. Scores can only be compared within one text. */
  readonly scores?: string | undefined;
  /** One letter per line: a rule of `KEEP_RULES`, or `REMOVED`. */
  readonly rules?: string | undefined;
  /** For a masked text: the numbers of characters shown of its beginning and its end. */
  readonly masked?: { readonly headChars: number; readonly tailChars: number } | undefined;
}

export interface NotedBlock extends Pick<PrunedBlock, 'start' | 'end' | 'reason' | 'marker'> {
  /** Rule that removed the block. */
  readonly rule?: string | undefined;
}

export function writeNote(note: CutNote): string {
  return JSON.stringify(note);
}

/** Reads a record. `undefined` if it is malformed or was written by another version. */
export function readNote(text: string | undefined): CutNote | undefined {
  if (text === undefined) return undefined;
  try {
    const note = JSON.parse(text) as Partial<CutNote>;
    return note.v === 1 && Array.isArray(note.blocks) ? (note as CutNote) : undefined;
  } catch {
    return undefined;
  }
}

const HUNDREDTHS = 100;
const LARGEST = 32_767;

/** Rounds scores to two decimals and packs each into two bytes. */
export function packScores(scores: readonly number[]): string {
  const packed = Buffer.alloc(scores.length * 2);
  for (const [index, score] of scores.entries()) {
    const hundredths = Math.round(score * HUNDREDTHS);
    packed.writeInt16LE(Math.max(-LARGEST, Math.min(LARGEST, hundredths || 0)), index * 2);
  }
  return packed.toString('base64');
}

export function unpackScores(packed: string): number[] {
  const bytes = Buffer.from(packed, 'base64');
  return Array.from({ length: bytes.length >> 1 }, (_, index) => bytes.readInt16LE(index * 2) / HUNDREDTHS);
}

/** Maximum lines of a text that is explained. 10 MiB of short lines would block the event loop for half a second. */
const MAX_EXPLAINED_LINES = 100_000;

/** Returns a pruner that also records each cut. Callers do not wait for the record. */
export function notingPruner(pruner: Pruner, notes: Notes): Pruner {
  return {
    ...pruner,
    prune: async (request, signal) => {
      const options = { ...request.options, explain: !hasMoreLines(request.text, MAX_EXPLAINED_LINES) };
      const outcome = await pruner.prune({ ...request, options }, signal);
      if (outcome.annotations.length > 0) notes.keep(outcome.id, writeNote(noteOf(request, outcome)));
      return outcome;
    },
  };
}

/** Whether a text has more than `maxLines` lines. Separate from the pruner, so that `secateur explain` need not load it. */
function hasMoreLines(text: string, maxLines: number): boolean {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1 && lines <= maxLines; at = text.indexOf('\n', at + 1))
    lines += 1;
  return lines > maxLines;
}

const WITHHELD: Pick<Focus, 'question' | 'task'> = { question: '' };

function noteOf({ focus, sourceType }: PruneRequest, outcome: PruneOutcome): CutNote {
  const { question, task } = focus.isConfidential ? WITHHELD : focus;
  const { annotations, stats, explanation } = outcome;
  return {
    v: 1,
    ...{ question, task, command: focus.command, sourceType, scorer: stats.scorer },
    blocks: annotations.map(({ start, end, reason, marker }, index) => {
      const rule = explanation?.blocks[index]?.rule;
      return { start, end, reason, marker, ...(rule !== undefined && { rule }) };
    }),
    ...(explanation && { rules: explanation.rules }),
    ...(explanation && explanation.scores.length > 0 && { scores: packScores(explanation.scores) }),
  };
}

/** Original text of a cut, with the reason why each line was kept or removed. */
export interface CutText {
  readonly lines: readonly string[];
  /** Line numbers that the markers of this cut use; null if they count from 1. All other line numbers here count from 1. */
  readonly numbering: Numbering | null;
  /** Question, task and command with which the text was read; null if the record is missing. */
  readonly focus: Pick<CutNote, 'question' | 'task' | 'command'> | null;
  readonly sourceType: string | null;
  readonly scorer: string | null;
  readonly blocks: readonly RemovedBlock[];
  /** Ranges of lines that were kept by the same rule. Empty if the rules were not recorded. */
  readonly kept: readonly KeptRun[];
  /** Relevance of each line. Can only be compared within this text; null if lines were not scored. */
  readonly scores: readonly number[] | null;
}

export interface RemovedBlock extends Omit<NotedBlock, 'rule'> {
  /** Rule that removed the block; null if it was not recorded. */
  readonly rule: string | null;
  /** Sentence about the rule; null if the rule was not recorded or belongs to another version. */
  readonly why: string | null;
  /** Highest score of a removed line; null if lines were not scored. */
  readonly best: number | null;
}

/** Returns the original text of a cut with the reasons; `undefined` if it can no longer be recovered. */
export async function explainCut(id: string, notes: Notes): Promise<CutText | undefined> {
  const text = await notes.textOf(id);
  if (text === undefined) return undefined;
  return describe(text, readNote(await notes.read(id).catch(() => undefined)));
}

function describe({ text, numbering }: NumberedText, note: CutNote | undefined): CutText {
  const lines = splitLines(text);
  const scores = note?.scores === undefined ? null : unpackScores(note.scores);
  const blocks = note?.masked === undefined ? (note?.blocks ?? []) : maskedBlocks(text, lines, note.masked);
  return {
    lines,
    numbering: numbering ?? null,
    focus: note === undefined ? null : focusOf(note),
    sourceType: note?.sourceType ?? null,
    scorer: note?.scorer ?? null,
    blocks: blocks.map((block) => explained(block, scores)),
    kept: note?.rules === undefined ? [] : keptRuns(note.rules),
    scores,
  };
}

function focusOf({ question, task, command }: CutNote): CutText['focus'] {
  return { question, ...(task !== undefined && { task }), ...(command !== undefined && { command }) };
}

function explained(block: NotedBlock, scores: CutText['scores']): RemovedBlock {
  const { rule = null } = block;
  const why = rule === null ? null : (ruleWords(rule) ?? null);
  return { ...block, rule, why, best: bestOf(scores, block) };
}

/** Returns the best score of lines. `null` if no scores were stored. */
export function bestOf(scores: CutText['scores'], { start, end }: LineRange): number | null {
  if (scores === null) return null;
  return scores.slice(start - 1, end).reduce((best, score) => Math.max(best, score), -Infinity);
}

/** Returns the lines that masking removed. Parts of the first and last of them may be visible. */
function maskedBlocks(
  text: string,
  lines: readonly string[],
  { headChars, tailChars }: NonNullable<CutNote['masked']>,
): NotedBlock[] {
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  const start = Math.min(lines.length, lineOf(headChars));
  const end = Math.min(lines.length, lineOf(Math.max(headChars, text.length - tailChars - 1)));
  return [{ start, end, reason: 'masked: longer than what may be shown', marker: '' }];
}

/** Consecutive lines that one rule kept. */
interface KeptRun {
  readonly start: number;
  readonly end: number;
  readonly rule: KeepRule;
  /** Sentence about the rule. */
  readonly why: string;
}

const WORDS: Readonly<Record<KeepRule, string>> = {
  score: 'no rule removes it, or the goal needs it',
  neighbour: 'a gap here would be too small for a marker',
  structure: 'it is a signature, a heading or an import',
  failure: 'it reports a failure, is next to such a line, or is at the end of a log',
  literal: 'it holds a word of the request',
  directive: 'it is between NO_PRUNE directives',
  handle: 'it is a marker of an earlier cut',
  boundary: 'it begins a file, or is a change of a diff',
};

const RULE_OF: ReadonlyMap<string, KeepRule> = new Map(
  Object.entries(KEEP_RULES).map(([rule, letter]) => [letter, rule as KeepRule]),
);

/** Converts one letter per line to ranges. Unknown letters, from a later version, count as `score`. */
function keptRuns(letters: string): KeptRun[] {
  const runs: KeptRun[] = [];
  for (let index = 0; index < letters.length; index += 1) {
    const letter = letters[index] ?? REMOVED;
    if (letter === REMOVED) continue;
    const rule = RULE_OF.get(letter) ?? 'score';
    const last = runs.at(-1);
    const line = index + 1;
    if (last?.rule === rule && last.end === index) runs[runs.length - 1] = { ...last, end: line };
    else runs.push({ start: line, end: line, rule, why: WORDS[rule] });
  }
  return runs;
}
