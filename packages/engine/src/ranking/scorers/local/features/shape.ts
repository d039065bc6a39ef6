import { type CharText, DIGIT, KINDS, LOWER, OTHER, UPPER } from '../../lexical/words.ts';

/** Form of the lines, without regard to their words. Each array has one entry per line. */
export interface LineShapes {
  /** Start of the line itself, behind `123:` or the number of `cat -n` if most lines have one. */
  bodies: Int32Array;
  /** End of the last visible character. In a blank line, equal to `firsts`. */
  ends: Int32Array;
  /** Width of leading whitespace in columns. A tab is four. */
  indents: Int32Array;
  /** Position of the first visible character. */
  firsts: Int32Array;
  numbered: boolean;
  letters: Int32Array;
  capitals: Int32Array;
  digits: Int32Array;
  symbols: Int32Array;
}

const TAB = 9;
const SPACE = 32;
const TAB_COLUMNS = 4;

export function readShapes(text: CharText): LineShapes {
  const total = text.starts.length - 1;
  const { bodies, numbered } = readNumbers(text);
  const column = () => new Int32Array(total);
  const shapes: LineShapes = {
    bodies,
    ends: column(),
    indents: column(),
    firsts: column(),
    numbered,
    letters: column(),
    capitals: column(),
    digits: column(),
    symbols: column(),
  };
  for (let line = 0; line < total; line += 1) {
    readEdges(text, shapes, line);
    countCharacters(text, shapes, line);
  }
  return shapes;
}

export function isBlank(shapes: LineShapes, line: number): boolean {
  return shapes.firsts[line] === shapes.ends[line];
}

function readEdges(text: CharText, shapes: LineShapes, line: number): void {
  const limit = (text.starts[line + 1] as number) - 1;
  let at = shapes.bodies[line] as number;
  let indent = 0;
  while (at < limit && (text.codes[at] as number) <= SPACE) {
    indent += text.codes[at] === TAB ? TAB_COLUMNS : 1;
    at += 1;
  }
  let end = limit;
  while (end > at && (text.codes[end - 1] as number) <= SPACE) end -= 1;
  shapes.firsts[line] = at;
  shapes.ends[line] = end;
  shapes.indents[line] = indent;
}

function countCharacters(text: CharText, shapes: LineShapes, line: number): void {
  const end = shapes.ends[line] as number;
  let capitals = 0;
  let digits = 0;
  let others = 0;
  let blanks = 0;
  for (let at = shapes.firsts[line] as number; at < end; at += 1) {
    const code = text.codes[at] as number;
    const kind = KINDS[code];
    if (kind === LOWER) continue;
    if (kind === UPPER) capitals += 1;
    else if (kind === DIGIT) digits += 1;
    else if (kind === OTHER) others += 1;
    if (code === SPACE || code === TAB) blanks += 1;
  }
  shapes.capitals[line] = capitals;
  shapes.digits[line] = digits;
  shapes.symbols[line] = others - blanks;
  shapes.letters[line] = end - (shapes.firsts[line] as number) - others - digits;
}

/** Recognises line numbers that were printed before lines. Most lines must have one, and they must ascend. */
function readNumbers(text: CharText): Pick<LineShapes, 'bodies' | 'numbered'> {
  const total = text.starts.length - 1;
  const bodies = text.starts.slice(0, total);
  let found = 0;
  let ascending = 0;
  let previous = 0;
  for (let line = 0; line < total; line += 1) {
    const prefix = readPrefix(text, line);
    if (prefix === undefined) continue;
    bodies[line] = prefix.end;
    found += 1;
    if (prefix.number > previous) ascending += 1;
    previous = prefix.number;
  }
  if (total >= 3 && found >= 0.7 * total && ascending >= 0.7 * found) return { bodies, numbered: true };
  return { bodies: text.starts.slice(0, total), numbered: false };
}

const MAX_NUMBER_DIGITS = 7;
/** Characters that may follow a printed line number: `:`, `-`, `|`, tab, `→`, `│`. */
const PARTING: ReadonlySet<number> = new Set([58, 45, 124, TAB, 0x2192, 0x2502]);

function readPrefix({ codes, starts }: CharText, line: number): { number: number; end: number } | undefined {
  const limit = (starts[line + 1] as number) - 1;
  let at = starts[line] as number;
  while (at < limit && codes[at] === SPACE) at += 1;
  const digitStart = at;
  let number = 0;
  while (at < limit && KINDS[codes[at] as number] === DIGIT && at - digitStart < MAX_NUMBER_DIGITS) {
    number = number * 10 + (codes[at] as number) - 48;
    at += 1;
  }
  if (at === digitStart) return undefined;
  if (at === limit) return { number, end: at };
  return PARTING.has(codes[at] as number) ? { number, end: at + 1 } : undefined;
}
