import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Splits a text into lines. A line ends at `\n`, and a `\r` before it belongs to the line. A final `\n`
 * begins no further line; `''` has no lines. Line numbers are then those of grep, git and compilers.
 */
export function splitLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (text.endsWith('\n')) lines.pop();
  return lines;
}

/** Number of characters that can be split into words in about 10 ms. */
const BLOCK_CHARS = 65_536;

/** Yields a text in blocks of whole lines, so that other events can be handled between blocks. */
export function* lineBlocks(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = endOfLine(text, start + BLOCK_CHARS);
    yield text.slice(start, end);
    start = end + 1;
  }
}

/** Returns the text of lines `start` to `end` (1-based, inclusive), without the last line break. */
export function sliceLines(lines: readonly string[], range: LineRange): string {
  return lines.slice(range.start - 1, range.end).join('\n');
}

/** Returns the offset of the line break at or after `at`, or the length of the text. */
export function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** Converts offsets to line numbers. A line ends at `\n`. */
export interface LineIndex {
  count: number;
  /** Returns the 1-based number of the line that contains `offset`. */
  lineAt(offset: number): number;
  /** Returns the zero-based row of an offset. As in parsers, a text that ends with a line break has an empty last row. */
  rowAt(offset: number): number;
}

export function indexLines(text: string): LineIndex {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const endsInNewline = text.endsWith('\n');
  const count = Math.max(endsInNewline ? starts.length - 1 : starts.length, 1);
  return {
    count,
    lineAt: (offset) => Math.min(lineHolding(starts, offset), count),
    rowAt: (offset) => lineHolding(starts, offset) - 1,
  };
}

/** Returns the 1-based number of the line that contains an offset. `starts` has the offset of each line. */
export function lineHolding(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

/** Lines from `start` to `end`, 1-based and inclusive. */
export interface LineRange {
  start: number;
  end: number;
}

const SPACE = 32;
const TAB = 9;

/** Returns the columns of leading white space; a tab counts as four. */
export function indentOf(line = ''): number {
  let indent = 0;
  for (let at = 0; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if (code === SPACE) indent += 1;
    else if (code === TAB) indent += 4;
    else break;
  }
  return indent;
}

/**
 * Lines are shown to readers with the numbers of a file, if the text is a part of the file or shows its
 * numbers, and otherwise with the numbers of the text (A16).
 */

/** Numbering of a text's lines in markers. Default: from 1. */
export type Numbering =
  /** The text begins at line `firstLine` of its file. */
  | { readonly kind: 'from'; readonly firstLine: number }
  /** The lines begin with their numbers, as `cat -n`, `nl` and `grep -n` print them. */
  | { readonly kind: 'shown' };

/** Returns how a text is numbered: from the caller's first line, or by the numbers at the beginning of the lines. */
export function numberingOf(text: string, firstLine?: number): Numbering | undefined {
  if (firstLine !== undefined) return firstLine === 1 ? undefined : { kind: 'from', firstLine };
  if (!beginsNumbered(text) || shownNumbers(splitLines(text)) === undefined) return undefined;
  return { kind: 'shown' };
}

/** Converts lines of a text to the line numbers that a reader sees, and back. */
export interface LineNumbers {
  /** Whether the lines themselves show their numbers. */
  readonly areShown: boolean;
  readonly first: number;
  readonly last: number;
  /** Returns the number under which a reader sees a line. The lines of the text count from 1. */
  numberOf(line: number): number;
  /** Returns the lines of the text in a range of numbers; `undefined` if the range contains no line. */
  linesOf(range: LineRange): LineRange | undefined;
}

export function lineNumbers(lines: readonly string[], numbering: Numbering | undefined): LineNumbers {
  const shown = numbering?.kind === 'shown' ? shownNumbers(lines) : undefined;
  if (shown !== undefined) return fromList(shown);
  const offset = numbering?.kind === 'from' ? numbering.firstLine - 1 : 0;
  return countedFrom(offset, lines.length);
}

/** Returns the line numbers of a text that has `lineCount` lines and follows `offset` lines of its file. */
export function countedFrom(offset: number, lineCount: number): LineNumbers {
  return {
    areShown: false,
    first: offset + 1,
    last: offset + lineCount,
    numberOf: (line) => line + offset,
    linesOf: ({ start, end }) => {
      const found = { start: Math.max(1, start - offset), end: Math.min(lineCount, end - offset) };
      return found.start > found.end ? undefined : found;
    },
  };
}

function fromList(numbers: readonly number[]): LineNumbers {
  return {
    areShown: true,
    first: numbers[0] ?? 1,
    last: numbers.at(-1) ?? 0,
    numberOf: (line) => numbers[line - 1] ?? line,
    linesOf: ({ start, end }) => {
      const first = numbers.findIndex((number) => number >= start);
      const last = numbers.findLastIndex((number) => number <= end);
      return first < 0 || last < first ? undefined : { start: first + 1, end: last + 1 };
    },
  };
}

const NUMBER_PREFIX = /^\s{0,8}(\d{1,7})([:|│→\t-]| {2})/;
const MAX_PREFIX_CHARS = 24;
/** Maximum share of lines without a number, such as headings and separators. */
const MAX_UNNUMBERED_SHARE = 0.1;
const MIN_NUMBERED_LINES = 3;
const LOOKED_AT_CHARS = 2000;

/** Whether the first lines of a text begin with numbers. This check excludes most texts at constant cost. */
function beginsNumbered(text: string): boolean {
  const head = splitLines(text.slice(0, LOOKED_AT_CHARS)).filter((line) => line.trim() !== '');
  const numbered = head.filter((line) => NUMBER_PREFIX.test(line.slice(0, MAX_PREFIX_CHARS)));
  return numbered.length > head.length / 2;
}

/**
 * Returns the number of each line. A line without a number gets that of the line before it. `undefined`
 * unless numbers increase by one, or the text is output of `grep -n`.
 */
function shownNumbers(lines: readonly string[]): number[] | undefined {
  const sequence = new NumberSequence();
  const numbers: number[] = [];
  let unnumbered = 0;
  for (const line of lines) {
    const prefix = NUMBER_PREFIX.exec(line.slice(0, MAX_PREFIX_CHARS));
    if (prefix !== null && !sequence.add(Number(prefix[1]), prefix[2] ?? '')) return undefined;
    if (prefix === null && line.trim() !== '' && line !== '--') unnumbered += 1;
    numbers.push(sequence.last);
  }
  if (sequence.count < MIN_NUMBERED_LINES || unnumbered > MAX_UNNUMBERED_SHARE * sequence.count)
    return undefined;
  if (!sequence.isOfFile()) return undefined;
  return numbers.map((number) => Math.max(number, sequence.first));
}

/** An increasing sequence of line numbers. */
class NumberSequence {
  first = 1;
  last = 0;
  count = 0;
  #hasJumps = false;
  #hasMatches = false;
  #isOfSearch = true;

  /** Adds a number. Returns `false` if it is not larger than the previous number. */
  add(number: number, separator: string): boolean {
    if (this.count > 0 && number <= this.last) return false;
    if (this.count === 0) this.first = number;
    else if (number !== this.last + 1) this.#hasJumps = true;
    if (separator === ':') this.#hasMatches = true;
    else if (separator !== '-') this.#isOfSearch = false;
    this.last = number;
    this.count += 1;
    return number >= 1;
  }

  /**
   * Whether the numbers are line numbers, and not sizes or dates. They may have gaps only in search results,
   * which have `:` after some numbers.
   */
  isOfFile(): boolean {
    return this.#isOfSearch ? this.#hasMatches : !this.#hasJumps;
  }
}

/** Maximum bytes between number and text: three for `│`, one for the space. */
const SEPARATOR_BYTES = 4;
const NEWLINE = 0x0a;

/** Returns the number of bytes of a UTF-8 text that fit into `maxBytes` together with line numbers. */
export function bytesThatFitNumbered(bytes: Uint8Array, maxBytes: number): number {
  let left = maxBytes;
  let line = 0;
  let startsLine = true;
  for (let at = 0; at < bytes.length; at += 1) {
    if (startsLine) {
      line += 1;
      left -= String(line).length + SEPARATOR_BYTES;
    }
    left -= 1;
    if (left < 0) return at;
    startsLine = bytes[at] === NEWLINE;
  }
  return bytes.length;
}

/** Number of lines that can be numbered in about 5 ms. */
const LINES_PER_SLICE = 16_384;

/** Adds a number to each line, without the final line break. Other events are handled between slices of the work. */
export async function numberLines(text: string): Promise<string> {
  const slices: string[] = [];
  let number = 0;
  for (let start = 0; start < text.length; ) {
    if (number > 0) await nextTurn();
    const lines: string[] = [];
    while (start < text.length && lines.length < LINES_PER_SLICE) {
      const newline = text.indexOf('\n', start);
      const end = newline === -1 ? text.length : newline;
      number += 1;
      lines.push(`${number}│ ${text.slice(start, end)}`);
      start = end + 1;
    }
    slices.push(lines.join('\n'));
  }
  return slices.join('\n');
}
