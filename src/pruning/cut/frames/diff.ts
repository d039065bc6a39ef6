import type { ClassifiedText } from '../classify.ts';
import { diffParts } from '../diff-parts.ts';
import type { Frame, Frames } from '../frames.ts';

/** A hunk that stays keeps the lines that name its file and its commit. */
export function diffFrames({ bare: lines }: ClassifiedText): Frames {
  const frames: Frame[] = [];
  const owner = new Int32Array(lines.length).fill(-1);
  let commit = -1;
  for (const { head, kind, name } of diffParts(lines).heads) {
    const parent = kind === 'commit' ? -1 : commit;
    const index = frames.push({ head, noun: kind, name, parent }) - 1;
    if (kind === 'commit') commit = index;
    owner.fill(parent, head.start - 1, head.end);
    owner.fill(index, head.end);
  }
  return { frames, owner, structural: [] };
}
