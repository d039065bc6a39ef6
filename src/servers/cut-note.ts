import type { PrunedBlock } from '../pruning/request.ts';

/**
 * What the page and `secateur explain` show of one cut, kept beside its text for as long as that lives. Short keys and
 * packed scores: it is written for every cut and read for few.
 */
export interface CutNote {
  readonly v: 1;
  /** What the reader was after. */
  readonly question: string;
  readonly task?: string | undefined;
  readonly command?: string | undefined;
  readonly sourceType?: string | undefined;
  readonly scorer?: string | undefined;
  readonly blocks: readonly NotedBlock[];
  /** One byte a line, 255 for what is needed for sure, as base64. */
  readonly scores?: string | undefined;
  /** Runs of lines that a rule kept, whatever their score. */
  readonly rules?: readonly NotedRule[] | undefined;
  /** For a masking: characters shown of the beginning and of the end. */
  readonly masked?: { readonly headChars: number; readonly tailChars: number } | undefined;
}

export type NotedBlock = Pick<PrunedBlock, 'start' | 'end' | 'reason' | 'marker'>;

export interface NotedRule {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
}

export function writeNote(note: CutNote): string {
  return JSON.stringify(note);
}

/** Nothing for what this version did not write. */
export function readNote(text: string | undefined): CutNote | undefined {
  if (text === undefined) return undefined;
  try {
    const note = JSON.parse(text) as Partial<CutNote>;
    return note.v === 1 && Array.isArray(note.blocks) ? (note as CutNote) : undefined;
  } catch {
    return undefined;
  }
}

const MOST = 255;

export function unpackScores(packed: string): number[] {
  return Array.from(Buffer.from(packed, 'base64'), (byte) => Math.round((byte / MOST) * 1000) / 1000);
}
