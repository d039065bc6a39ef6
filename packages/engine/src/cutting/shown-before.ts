/** Finds blocks of a file that the conversation already shows word for word (P52). */
import type { ShownOutput } from '../ranking/scorer.ts';
import type { Unit } from '../reading/document.ts';

const MIN_BLOCK_LINES = 10;
const MIN_BLOCK_CHARS = 120;
/** Number of known lines that are kept beside new ones, as in a diff. */
const CONTEXT_LINES = 3;

/** Returns units of kind `shown`, in order. Empty if the whole text was shown before, because the agent wants to see it again. */
export function shownUnits(lines: readonly string[], shown: readonly ShownOutput[]): Unit[] {
  if (shown.length === 0 || lines.length < MIN_BLOCK_LINES) return [];
  const wanted = lines.map(comparable);
  const blocks = findBlocks(wanted, shown);
  return isAllShown(wanted, blocks) ? [] : blocks.flatMap((block) => withContext(block, lines.length));
}

/** Whether every line that is not blank is in a block. */
function isAllShown(lines: readonly string[], blocks: readonly ShownBlock[]): boolean {
  let next = 0;
  return lines.every((line, index) => {
    while ((blocks[next]?.end ?? lines.length) <= index) next += 1;
    return line.trim() === '' || (blocks[next]?.start ?? lines.length + 1) <= index + 1;
  });
}

/** Returns a line without its line number but with its indentation, so that lines of different outputs can be compared. */
function comparable(line: string): string {
  return line.replace(NUMBER_PREFIX, '').trimEnd();
}

const NUMBER_PREFIX = /^\s{0,8}\d{1,7}(?:[:│→\t-]| {2})/;

interface ShownBlock {
  start: number;
  end: number;
  readonly call: string;
}

function findBlocks(wanted: readonly string[], shown: readonly ShownOutput[]): ShownBlock[] {
  const windows = windowsOf(shown);
  const blocks: ShownBlock[] = [];
  for (let at = 0; at + MIN_BLOCK_LINES <= wanted.length; ) {
    const place = windows.get(windowKey(wanted, at));
    const length = place === undefined ? 0 : commonLength(wanted, at, place);
    if (
      place === undefined ||
      length < MIN_BLOCK_LINES ||
      charactersIn(wanted, at, length) < MIN_BLOCK_CHARS
    ) {
      at += 1;
      continue;
    }
    blocks.push({ start: at + 1, end: at + length, call: place.call });
    at += length;
  }
  return blocks;
}

interface Place {
  readonly call: string;
  readonly lines: readonly string[];
  readonly at: number;
}

/** Returns where each window of ten lines was last shown. */
function windowsOf(shown: readonly ShownOutput[]): ReadonlyMap<string, Place> {
  const windows = new Map<string, Place>();
  for (const { call, text } of shown) {
    const lines = text.split('\n').map(comparable);
    for (let at = 0; at + MIN_BLOCK_LINES <= lines.length; at += 1)
      windows.set(windowKey(lines, at), { call, lines, at });
  }
  return windows;
}

function windowKey(lines: readonly string[], at: number): string {
  return lines.slice(at, at + MIN_BLOCK_LINES).join('\n');
}

function commonLength(wanted: readonly string[], at: number, place: Place): number {
  let length = 0;
  while (at + length < wanted.length && wanted[at + length] === place.lines[place.at + length]) length += 1;
  return length;
}

function charactersIn(lines: readonly string[], at: number, length: number): number {
  return lines.slice(at, at + length).reduce((sum, line) => sum + line.trim().length, 0);
}

function withContext({ start, end, call }: ShownBlock, lineCount: number): Unit[] {
  const first = start === 1 ? start : start + CONTEXT_LINES;
  const last = end === lineCount ? end : end - CONTEXT_LINES;
  if (last - first + 1 < MIN_BLOCK_LINES) return [];
  return [{ kind: 'shown', name: call, start: first, head: first - 1, end: last, rule: 'shown-before' }];
}
