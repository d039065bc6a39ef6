import { isFoundLine, isFoundName } from '../../text-kind/shape.ts';
import type { ClassifiedText } from '../classify.ts';
import type { Frame, Frames } from '../frames.ts';

/** Results below a heading keep the name of their file; where every line names its file there is nothing to keep. */
export function searchFrames({ bare: lines }: ClassifiedText): Frames {
  const frames: Frame[] = [];
  const owner = new Int32Array(lines.length);
  let open = -1;
  for (const [index, line] of lines.entries()) {
    const isHeading = isFoundName(line) && isFoundLine(lines[index + 1] ?? '');
    if (isHeading || line.trim() === '') open = -1;
    owner[index] = open;
    if (isHeading) open = frames.push(frameAt(index, line)) - 1;
  }
  return { frames, owner, structural: [] };
}

function frameAt(index: number, name: string): Frame {
  return { head: { start: index + 1, end: index + 1 }, noun: 'file', name, parent: -1 };
}
