import type { LineRange } from '../../../text/lines.ts';
import { FRAME_NOUNS, type FrameNoun } from '../frames/noun.ts';
import type { Frame } from '../frames.ts';
import type { PrunedView } from '../reasons.ts';
import { PLAIN, type Reason, type Reasons } from './reason.ts';

const LONGEST = 60;
const SHORTEST = 24;
/** Names take no more than this share of what they stand for. */
const SHARE_OF_HIDDEN = 0.02;

/**
 * A block names the functions, types or sections whose heads it hides: first those that the goal or a kept line
 * mentions, then the outermost, as many as fit. One that hides none stands below a head that is still there.
 */
export function frameReasons(view: PrunedView): Reasons {
  const { frames } = view.frames;
  const mentioned = mentionedNames(view);
  return (range) => {
    const first = firstAt(frames, range.start);
    const hidden = frames.slice(first, firstAt(frames, range.end + 1)).filter(({ name }) => name !== '');
    const known = hidden.filter(({ name }) => mentioned.has(name));
    const others = hidden.filter(({ name, parent }) => parent < first && !mentioned.has(name));
    const room = SHARE_OF_HIDDEN * charactersIn(view.text.bare, range);
    return named(distinct([...known, ...others]), Math.min(LONGEST, Math.max(SHORTEST, room)));
  };
}

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
const LONGEST_LINE = 400;

function mentionedNames({ text: { bare: lines }, frames, goal, gaps }: PrunedView): Set<string> {
  const names = new Set(frames.frames.map(({ name }) => name));
  const mentioned = new Set<string>();
  const look = (text: string) => {
    for (const word of text.match(WORD) ?? []) if (names.has(word)) mentioned.add(word);
  };
  look(goal);
  if (names.size === 0) return mentioned;
  let next = 1;
  for (const { start, end } of [...gaps, { start: lines.length + 1, end: lines.length }]) {
    for (; next < start; next += 1) look((lines[next - 1] ?? '').slice(0, LONGEST_LINE));
    next = end + 1;
  }
  return mentioned;
}

function charactersIn(lines: readonly string[], { start, end }: LineRange): number {
  let sum = 0;
  for (let line = start - 1; line < end; line += 1) sum += (lines[line] ?? '').length + 1;
  return sum;
}

function distinct(frames: readonly Frame[]): Frame[] {
  return [...new Map(frames.map((frame) => [frame.name, frame])).values()];
}

/** `hors focus: fonctions parse, load +4`: as many names as there is room for, the first in any case. */
function named(frames: readonly Frame[], room: number): Reason {
  if (frames.length === 0) return PLAIN;
  let shown = 1;
  while (shown < frames.length && inFrench(frames, shown + 1).length <= room) shown += 1;
  return { french: inFrench(frames, shown), english: inEnglish(frames, shown) };
}

function inFrench(frames: readonly Frame[], shown: number): string {
  const more = frames.length > shown ? ` +${frames.length - shown}` : '';
  return `${PLAIN.french}: ${list(frames.slice(0, shown), (noun) => FRAME_NOUNS[noun])}${more}`;
}

function inEnglish(frames: readonly Frame[], shown: number): string {
  const more = frames.length > shown ? `, +${frames.length - shown}` : '';
  return `${list(frames.slice(0, shown), (noun) => noun)}${more}`;
}

/** Names behind the noun they share; without one where they do not. */
function list(frames: readonly Frame[], wordFor: (noun: FrameNoun) => string): string {
  const names = frames.map(({ name }) => name).join(', ');
  const [noun, ...others] = new Set(frames.map((frame) => wordFor(frame.noun)));
  if (noun === undefined || others.length > 0) return names;
  return `${frames.length > 1 ? plural(noun) : noun} ${names}`;
}

function plural(noun: string): string {
  return noun.endsWith('s') ? `${noun}es` : `${noun}s`;
}

/** The first frame whose head starts at this line or below. */
function firstAt(frames: readonly Frame[], line: number): number {
  let low = 0;
  let high = frames.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((frames[middle]?.head.start ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}
