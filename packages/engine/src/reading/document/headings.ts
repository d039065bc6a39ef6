/** Headings of Markdown, reStructuredText, AsciiDoc, TeX, HTML and manual pages, and the fenced blocks between them. */
import type { LineRange } from '@secateur/base/text/lines.ts';

/** Its lines, 1-based, and how deep it is. */
export interface Heading extends LineRange {
  readonly level: number;
  readonly title: string;
}

export function* headingsOf(lines: readonly string[]): Generator<Heading> {
  const isFenced = new Uint8Array(lines.length);
  for (const { start, end } of fencedRanges(lines)) isFenced.fill(1, start - 1, end);
  // An underline means the level at which its character was first used in this text.
  const styles: string[] = [];
  for (const index of lines.keys()) {
    if (isFenced[index] === 1) continue;
    const heading = markedHeading(lines, index) ?? underlinedHeading(lines, { index, isFenced, styles });
    if (heading !== undefined) yield heading;
  }
}

const MARKED =
  /^(?:(#{1,6})(?:\s|$)|(={1,6}) \S|<h([1-6])[\s>]|\\(part|chapter|(?:sub)*section|paragraph)\*?\{)/i;
const CAPITALS = /^[A-Z][A-Z0-9][A-Z0-9 ,/()-]{1,60}:?$/;
const LABEL = /^[A-Z][\w ,/()-]{2,60}:$/;
const TEX_LEVELS = ['part', 'chapter', 'section', 'subsection', 'subsubsection', 'paragraph'];
const UNDERLINE = /^([=\-~^"'*+#.`_:])\1{2,}$/;
const CAPITALS_LEVEL = 7;

function markedHeading(lines: readonly string[], index: number): Heading | undefined {
  const line = beginning(lines[index]);
  const marked = MARKED.exec(line);
  const place = { start: index + 1, end: index + 1 };
  if (marked !== null)
    return isComment(lines, index) ? undefined : { ...place, level: levelOf(marked), title: titleOf(line) };
  const isAlone = beginning(lines[index - 1]) === '';
  if (!isAlone || !(CAPITALS.test(line) || LABEL.test(line))) return undefined;
  return { ...place, level: CAPITALS_LEVEL, title: line.replace(/:$/, '') };
}

/** Lines of one `#` below each other are a comment, not headings; so is one without words. */
function isComment(lines: readonly string[], index: number): boolean {
  const isHash = (line: string | undefined) => /^#(?!#)/.test(line ?? '');
  if (!isHash(lines[index])) return false;
  return isHash(lines[index - 1]) || isHash(lines[index + 1]) || !/\p{L}/u.test(lines[index] ?? '');
}

function levelOf([, hashes, equals, digit, word]: RegExpExecArray): number {
  if (hashes !== undefined) return hashes.length;
  if (equals !== undefined) return equals.length;
  return digit === undefined ? TEX_LEVELS.indexOf(word?.toLowerCase() ?? '') + 1 : Number(digit);
}

function titleOf(line: string): string {
  if (line.startsWith('\\')) return line.replace(/^\\\w+\*?\{|\}$/g, '');
  return line.replace(/^[#=]+\s*|<[^>]{0,200}>|(?<!\s)\s+[#=]+$/g, '');
}

interface Underline {
  readonly index: number;
  readonly isFenced: Uint8Array;
  readonly styles: string[];
}

function underlinedHeading(
  lines: readonly string[],
  { index, isFenced, styles }: Underline,
): Heading | undefined {
  const line = beginning(lines[index]);
  if (!UNDERLINE.test(line) || isFenced[index - 1] !== 0 || !isTitle(lines, index)) return undefined;
  const isFramed = beginning(lines[index - 2]) === line;
  const style = `${isFramed}${line.charAt(0)}`;
  if (!styles.includes(style)) styles.push(style);
  return {
    start: isFramed ? index - 1 : index,
    end: index + 1,
    level: styles.indexOf(style) + 1,
    title: beginning(lines[index - 1]),
  };
}

/** A title is alone above its underline and not much longer than it. */
function isTitle(lines: readonly string[], underline: number): boolean {
  const title = beginning(lines[underline - 1]);
  const above = beginning(lines[underline - 2]);
  if (title === '' || UNDERLINE.test(title) || /^[-*+|]/.test(title)) return false;
  if (above !== '' && !UNDERLINE.test(above)) return false;
  return title.length <= beginning(lines[underline]).length + 2;
}

const FENCE = /^[\s>]{0,60}(?:[-*+] +|\d+[.)] +)?(`{3,}|~{3,})(.*)/;

/** Fenced code blocks; one that is never closed reaches to the end of the text, as in Markdown. */
export function fencedRanges(lines: readonly string[]): LineRange[] {
  const ranges: LineRange[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const end = fenceEnd(lines, index);
    if (end === undefined) continue;
    ranges.push({ start: index + 1, end: end + 1 });
    index = end;
  }
  return ranges;
}

function fenceEnd(lines: readonly string[], first: number): number | undefined {
  const [, ticks, info = ''] = FENCE.exec(beginning(lines[first])) ?? [];
  if (ticks === undefined || (ticks.startsWith('`') && info.includes('`'))) return undefined;
  for (let index = first + 1; index < lines.length; index += 1)
    if (closes(beginning(lines[index]), ticks)) return index;
  return lines.length - 1;
}

function closes(line: string, ticks: string): boolean {
  const bare = line.replace(/^[\s>]+/, '').trimEnd();
  return bare.startsWith(ticks) && bare === ticks.charAt(0).repeat(bare.length);
}

function beginning(line: string | undefined): string {
  return (line ?? '').slice(0, 200).trimEnd();
}
