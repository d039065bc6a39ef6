import type { CharText } from '../../lexical/char-text.ts';
import { readCharacters } from '../../lexical/char-text.ts';
import type { Column } from './columns.ts';
import type { Reading } from './reading.ts';
import { type LineShapes, readShapes } from './shape.ts';

const SHORTEST_QUOTE = 8;
const MAX_GOAL_LINES = 2000;

/** 1 where the goal contains the line as one of its own, indent aside: a traceback or an excerpt quotes it. */
export function quotedLines({ text, shapes, request }: Pick<Reading, 'text' | 'shapes' | 'request'>): Column {
  const column = new Float32Array(shapes.ends.length);
  const goalText = readCharacters(request.goal.split('\n', MAX_GOAL_LINES));
  if (goalText.starts.length <= 2) return column;
  const goalShapes = readShapes(goalText);
  const known = new Set<number>();
  for (let line = 0; line < goalShapes.ends.length; line += 1) known.add(hashOf(goalText, goalShapes, line));
  known.delete(0);
  for (let line = 0; line < column.length; line += 1) {
    if (known.has(hashOf(text, shapes, line))) column[line] = 1;
  }
  return column;
}

/** 0 for lines too short to mean anything. */
function hashOf(text: CharText, shapes: LineShapes, line: number): number {
  const first = shapes.firsts[line] as number;
  const end = shapes.ends[line] as number;
  if (end - first < SHORTEST_QUOTE) return 0;
  let hash = 0x811c9dc5 | 0;
  for (let at = first; at < end; at += 1) hash = Math.imul(hash ^ (text.codes[at] as number), 0x01000193);
  return hash;
}
