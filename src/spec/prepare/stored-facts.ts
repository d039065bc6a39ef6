import type { FileFacts } from '../facts.ts';
import { type Details, type FactsBrief, type Needs, type Part, parts } from './record.ts';
import { type RecordSource, readSlice, type Slice } from './record-source.ts';

/** What a file looked like from outside when it was read. */
export interface FileStamp {
  size: number;
  mtimeMs: number;
  ctimeMs: number;
  ino: number;
}

/** A file that gave facts, and where they lie: they stay there until somebody asks for one. */
export interface StoredFacts {
  readonly path: string;
  /** What need not be looked up there. */
  readonly brief: FactsBrief;
  readonly source: RecordSource;
  readonly offset: number;
  lengthOf(part: number): number;
}

/** Looked at one after the other: each exists while somebody looks at it. */
export interface StoredFiles extends Iterable<StoredFacts> {
  readonly length: number;
}

export function sliceOf(stored: StoredFacts, part: Part): Slice {
  let start = stored.offset;
  for (let before = 0; before < part; before += 1) start += stored.lengthOf(before);
  return { source: stored.source, offset: start, length: stored.lengthOf(part) };
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
