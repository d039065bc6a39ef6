import type { FileFacts } from '../facts.ts';
import { type Brief, type Details, type FactsBrief, type Needs, type Part, parts } from './record.ts';
import { type RecordSource, readSlice, type Slice } from './record-source.ts';

/** What a file looked like from outside when it was read. */
export interface FileStamp {
  size: number;
  mtimeMs: number;
  ctimeMs: number;
  ino: number;
}

/** Where one file's record lies, and what need not be looked up there. */
export interface StoredRecord<Kind extends Brief = Brief> {
  path: string;
  brief: Kind;
  source: RecordSource;
  offset: number;
  lengths: readonly number[];
}

/** A file that gave facts. They stay where they are stored until somebody asks for one. */
export type StoredFacts = StoredRecord<FactsBrief>;

export function hasFacts(record: StoredRecord): record is StoredFacts {
  return record.brief.kind === 'facts';
}

export function sliceOf({ source, offset, lengths }: StoredRecord, part: Part): Slice {
  let start = offset;
  for (let before = 0; before < part; before += 1) start += lengths[before] ?? 0;
  return { source, offset: start, length: lengths[part] ?? 0 };
}

export function needsOf(stored: StoredFacts): Needs {
  return JSON.parse(readSlice(sliceOf(stored, parts.needs)));
}

export function detailsOf(stored: StoredFacts): Details {
  return JSON.parse(readSlice(sliceOf(stored, parts.details)));
}

export function outlineTextOf(stored: StoredFacts): string {
  return JSON.parse(`"${readSlice(sliceOf(stored, parts.outline))}"`);
}

/** Everything, as objects. */
export function factsOf(stored: StoredFacts): FileFacts {
  const { contentHash, outlineTokens } = stored.brief;
  return {
    skeleton: JSON.parse(readSlice(sliceOf(stored, parts.skeleton))),
    contentHash,
    ...detailsOf(stored),
    outlineText: outlineTextOf(stored),
    outlineTokens,
  };
}
