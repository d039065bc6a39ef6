import type { SourceType } from '../../ranking/scorer.ts';
import type { LineRange } from '../../text/lines.ts';
import type { Shape } from '../text-kind/shape.ts';
import type { ClassifiedText } from './classify.ts';
import { codeFrames } from './frames/code.ts';
import { dataFrames } from './frames/data.ts';
import { diffFrames } from './frames/diff.ts';
import { docsFrames } from './frames/docs.ts';
import { listingFrames } from './frames/listing.ts';
import { markupFrames } from './frames/markup.ts';
import type { FrameNoun } from './frames/noun.ts';
import { searchFrames } from './frames/search.ts';
import { isLongDiff } from './protect/diff.ts';

/** A signature or a heading, and what stands below it. */
export interface Frame {
  /** The lines of the signature or heading itself; 1-based. */
  head: LineRange;
  noun: FrameNoun;
  name: string;
  /** The frame around this one, or -1. */
  parent: number;
}

/** What encloses the lines of a text: a line that stays keeps the heads around it. */
export interface Frames {
  /** In order. */
  frames: Frame[];
  /** For each line the innermost frame around it, or -1; a head stands in its frame's parent. */
  owner: Int32Array;
  /** Other lines that are worth keeping for the order they give: imports, the first line of a file's header. */
  structural: LineRange[];
}

export function framesOf(text: ClassifiedText, sourceType: SourceType): Frames {
  if (isLongDiff(text)) return diffFrames(text);
  const byShape = BY_SHAPE[text.shape];
  if (byShape !== undefined) return byShape(text);
  if (sourceType === 'code') return codeFrames(text);
  if (sourceType === 'docs') return docsFrames(text);
  return noFrames(text);
}

const BY_SHAPE: Partial<Record<Shape, (text: ClassifiedText) => Frames>> = {
  logs: noFrames,
  table: noFrames,
  data: dataFrames,
  search: searchFrames,
  listing: listingFrames,
  markup: markupFrames,
};

function noFrames({ bare }: ClassifiedText): Frames {
  return { frames: [], owner: new Int32Array(bare.length).fill(-1), structural: [] };
}
