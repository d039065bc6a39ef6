import type { ClassifiedText } from '../classify.ts';
import type { Frames } from '../frames.ts';
import { keysIn } from '../keys.ts';
import { nestByIndent } from './indentation.ts';

/** A value that stays keeps the keys around it: the path that leads to it. */
export function dataFrames({ bare: lines }: ClassifiedText): Frames {
  const heads = keysIn(lines).map(({ index, indent, key }) => ({
    head: { start: index + 1, end: index + 1 },
    noun: 'key' as const,
    name: key,
    indent,
  }));
  return { ...nestByIndent(lines, heads), structural: [] };
}
