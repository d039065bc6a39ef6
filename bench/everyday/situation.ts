/** A situation of everyday work: what was asked for, an output, and the lines of it that the agent needs to answer. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Origin } from '../../packages/engine/src/request.ts';

/** 1-based, inclusive. */
export type LineRange = readonly [first: number, last: number];

/** The fields of one row of `everyday.jsonl`. */
export interface Situation {
  readonly id: string;
  readonly area: string;
  /** Task that the user gave. */
  readonly task: string;
  /** Text that the agent wrote before the call. */
  readonly said: string;
  /** `Bash`, `Read`, `Grep`, `WebFetch`, `Task`, or the tool of an MCP server: `mcp__browser__snapshot`. */
  readonly tool: string;
  readonly command?: string;
  readonly path?: string;
  readonly pattern?: string;
  readonly offset?: number;
  readonly limit?: number;
  readonly output: string;
  /** Lines that must all be in view. */
  readonly needed: readonly LineRange[];
  /** Groups of options, each a list of ranges: one option of each group is enough. `needed` holds the first option. */
  readonly alternatives?: readonly (readonly (readonly LineRange[])[])[];
  /** The task needs every member of a list. */
  readonly completeness: boolean;
  readonly why: string;
  /** The share of lines that a perfect tool could remove. */
  readonly cuttable: number;
}

const MAX_UNPACKED_BYTES = 256 << 20;

/** Reads a file of JSON lines, packed with xz or not. */
export function readSituations(file: string): Situation[] {
  const text = file.endsWith('.xz')
    ? execFileSync('xz', ['-dc', file], { encoding: 'utf8', maxBuffer: MAX_UNPACKED_BYTES })
    : readFileSync(file, 'utf8');
  const rows = text.split('\n').filter((row) => row !== '');
  return rows.map((row) => JSON.parse(row) as Situation);
}

/** Returns the origin that a hook of Claude Code would give to the output. */
export function originOf({ tool, command, path, pattern, offset, limit }: Situation): Origin {
  if (command !== undefined) return { kind: 'command', command };
  if (pattern !== undefined) return { kind: 'search', pattern };
  if (tool === 'Read' && path !== undefined)
    return { kind: 'file', path, isPart: offset !== undefined || limit !== undefined };
  return ORIGINS[tool] ?? { kind: 'result' };
}

const ORIGINS: Readonly<Record<string, Origin>> = { WebFetch: { kind: 'page' }, Task: { kind: 'report' } };

/** Returns whether every line that the task needs is in view; one option per group is enough. */
export function isAnswered(situation: Situation, isInView: (line: number) => boolean): boolean {
  return lostRanges(situation, isInView).length === 0;
}

/** Returns the needed ranges of which a line is hidden; of a group of alternatives its first option, if none is in view. */
export function lostRanges(
  { needed, alternatives = [] }: Situation,
  isInView: (line: number) => boolean,
): LineRange[] {
  const isShown = ([first, last]: LineRange) => {
    for (let line = first; line <= last; line += 1) if (!isInView(line)) return false;
    return true;
  };
  const optional = new Set(alternatives.flatMap(([first = []]) => first.map(String)));
  const required = needed.filter((range) => !optional.has(String(range)));
  const groups = alternatives.filter((options) => !options.some((option) => option.every(isShown)));
  return [...required.filter((range) => !isShown(range)), ...groups.flatMap(([first = []]) => first)];
}
