import type { PrunedBlock } from './request.ts';

/**
 * Record of one cut for the page and `secateur explain`, kept beside its text for as long as that lives.
 * Short keys and packed scores: it is written for every cut and read for few.
 */
export interface CutNote {
  readonly v: 1;
  /** The reader's question. */
  readonly question: string;
  readonly task?: string | undefined;
  readonly command?: string | undefined;
  readonly sourceType?: string | undefined;
  readonly scorer?: string | undefined;
  readonly blocks: readonly NotedBlock[];
  /** A score for each line, packed; comparable within one text only. */
  readonly scores?: string | undefined;
  /** A letter of `KEEP_RULES` for each line. */
  readonly rules?: string | undefined;
  /** For a masking: characters shown of the beginning and of the end. */
  readonly masked?: { readonly headChars: number; readonly tailChars: number } | undefined;
}

export interface NotedBlock extends Pick<PrunedBlock, 'start' | 'end' | 'reason' | 'marker'> {
  /** The rule that removed it. */
  readonly rule?: string | undefined;
}

export function writeNote(note: CutNote): string {
  return JSON.stringify(note);
}

/** Returns `undefined` for a text that this version did not write. */
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

/** Scores to two digits, two bytes each. */
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
