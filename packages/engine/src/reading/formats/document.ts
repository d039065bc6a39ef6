import { indentOf, type LineRange } from '@secateur/base/text/lines.ts';
import { type Format, nestUnits, type Unit } from '../document.ts';

/** Matches lines of documents and help texts, whose units are sections with paragraphs, fenced blocks and entries of options. */

const PROSE_LINE = /^(?:#{1,6} |[-*] |\d+\. |> )?["'(*_`]{0,3}\p{L}[^;{}=<>]{30,}[.,:;)\w]$/u;
const OPTION_LINE = /^\s{0,12}-{1,2}[A-Za-z0-9][\w-]*/;
const HEADING_LINE = /^#{1,6} \S/;
/** Matches headings of Markdown sections. Lines with a single `#` are excluded, because they may be comments. */
const SECTION_LINE = /^#{2,4} [`*_[]{0,3}\p{L}/u;
const MIN_SECTIONS = 4;
/** Matches the beginning of a paragraph or list item. */
const PARAGRAPH_LINE = /^(?:[-*] |\d+\. )?[*`_[("]{0,3}\p{L}[^;{}<>]{50}/u;
const CODE_END = /[;{}]\s*$/;
const MIN_SHARE = 0.25;
/** Maximum share of lines that look like headings. With more, they are comments. */
const MAX_HEADINGS = 0.2;

export const documentFormat: Format = {
  name: 'document',
  recognise: (sample) => {
    const fenced = fencedRanges(sample);
    const text = sample.filter((_, at) => !fenced.some(({ start, end }) => start <= at + 1 && at < end));
    const share = (pattern: RegExp) => text.filter((line) => pattern.test(line)).length / (text.length || 1);
    const sections = sample.filter((line) => SECTION_LINE.test(line)).length;
    // Half of a page about code may be code, but comments in code have no paragraphs between them.
    const paragraphs = sample.filter((line) => PARAGRAPH_LINE.test(line)).length;
    if (sections >= MIN_SECTIONS && (share(CODE_END) < MIN_SHARE || paragraphs >= 2 * sections)) return true;
    if (share(/\t/) > 0.5) return false;
    const prose = share(PROSE_LINE) + Math.min(MAX_HEADINGS, share(HEADING_LINE));
    return prose > MIN_SHARE || share(OPTION_LINE) > MIN_SHARE;
  },
  units: documentUnits,
  examples: {
    is: [
      '# Install\n\nRun the installer and follow the steps that it shows on the screen.\n\n# Use\n\nCall the program with the name of a file.\n',
      'Usage: tool [options]\n\n  -v, --verbose   print more\n  -q, --quiet     print less\n  -o, --output    where to write\n',
      `---\ntitle: proxy\n---\n<script>\nready(function() {\n\tstart();\n});\n</script>\n${['Syntax', 'Upstreams', 'Defaults', 'Examples'].map((title) => `## ${title}\nThis section describes how requests are sent to the servers behind the proxy.\nEach server is tried once, in the order in which the file lists the servers.\nproxy {\n\tlimit 3;\n}`).join('\n')}`,
    ],
    isNot: ['const a = 1;\nconst b = 2;\nreturn a + b;\n'],
  },
};

/** Returns the units of a text that consists of sections and paragraphs. */
export function documentUnits(lines: readonly string[]): Unit[] {
  const headings = [...headingsOf(lines)];
  return nestUnits([...sections(lines, headings), ...contentUnits(lines, headings)]);
}

function sections(lines: readonly string[], headings: readonly Heading[]): Unit[] {
  const isInSeries = seriesOf(headings);
  return headings.flatMap((heading, index) => {
    const { start, level, title: name } = heading;
    const next = headings.slice(index + 1).find((other) => other.level <= level);
    const end = lastContent(lines, heading.end, (next?.start ?? lines.length + 1) - 1);
    if (end <= heading.end) return [];
    const head = isInSeries(heading) ? start - 1 : heading.end;
    return [{ kind: 'section' as const, name, start, head, end, rule: 'unrelated-units' as const }];
  });
}

const MIN_SERIES = 6;

/**
 * Returns a function that decides whether a heading belongs to a series that differs only in numbers, such as
 * the releases of a changelog. In a gap, the label names only the first heading of a series.
 */
function seriesOf(headings: readonly Heading[]): (heading: Heading) => boolean {
  const counts = new Map<string, number>();
  const templateOf = ({ level, title }: Heading) =>
    `${level} ${title.replace(/[0-9a-f]+/g, (run) => (/\d/.test(run) ? '#' : run))}`;
  for (const template of headings.map(templateOf)) counts.set(template, (counts.get(template) ?? 0) + 1);
  return (heading) => /\d/.test(heading.title) && (counts.get(templateOf(heading)) ?? 0) >= MIN_SERIES;
}

function lastContent(lines: readonly string[], from: number, to: number): number {
  let end = to;
  while (end > from && (lines[end - 1] ?? '').trim() === '') end -= 1;
  return end;
}

/** Returns the units between headings: paragraphs, fenced blocks and entries. */
function contentUnits(lines: readonly string[], headings: readonly Heading[]): Unit[] {
  const isHeading = new Uint8Array(lines.length + 2);
  for (const { start, end } of headings) isHeading.fill(1, start, end + 1);
  const fenceEnd = new Map(fencedRanges(lines).map(({ start, end }) => [start, end]));
  const units: Unit[] = [];
  for (let line = 1; line <= lines.length; ) {
    if (isHeading[line] === 1 || (lines[line - 1] ?? '').trim() === '') {
      line += 1;
      continue;
    }
    const end = fenceEnd.get(line) ?? contentEnd(lines, line, { isHeading, fenceEnd });
    units.push(contentUnit(lines, line, end));
    line = end + 1;
  }
  return units;
}

function contentUnit(lines: readonly string[], start: number, end: number): Unit {
  const option = optionName(lines[start - 1]);
  const common = { start, head: start - 1, end, rule: 'unrelated-units' as const };
  if (/^\s*\|/.test(lines[start - 1] ?? ''))
    return { kind: 'row', name: '', count: end - start + 1, ...common };
  if (option !== undefined) return { kind: 'entry', name: option, ...common };
  const isMenu = end - start + 1 >= MIN_MENU_LINES && lines.slice(start - 1, end).every(isLink);
  const holds = `${end - start + 1} links`;
  return { kind: 'paragraph', name: '', ...common, ...(isMenu && { holds }) };
}

const MIN_MENU_LINES = 4;

/** Whether a line consists of a link, as in a table of contents or a menu. */
function isLink(line: string): boolean {
  return /^\s*(?:[-*+] |\d{1,3}[.)] )?\[[^\]]{1,200}\]\([^()\s]{0,500}\)$/.test(line.trimEnd());
}

const OPTION_NAME = /^\s{0,12}((?:-{1,2}[A-Za-z0-9][\w-]*(?:, ?|\s?\/\s?)?){1,4})/;

function optionName(line: string | undefined): string | undefined {
  const name = OPTION_NAME.exec((line ?? '').slice(0, 120))?.[1];
  return name?.split(/[, /]+/).findLast((each) => each !== '');
}

/** Maximum lines of a paragraph. A longer range without a blank line is split at the end of a sentence or record. */
const MAX_PARAGRAPH_LINES = 12;

/** Whether a sentence continues on the next line: the first line has no end of a sentence, and the second no beginning. */
function goesOn(line: string | undefined, next: string): boolean {
  return !/[.!?:;|,\d)\]}"']\s*$/.test(line ?? '') && /^\s*\p{Ll}/u.test(next);
}

interface Content {
  isHeading: Uint8Array;
  fenceEnd: ReadonlyMap<number, number>;
}

/** Returns the end of a paragraph: before a blank line, a heading, a fence, or an option that is not indented more deeply. */
function contentEnd(lines: readonly string[], start: number, content: Content): number {
  const first = lines[start - 1] ?? '';
  const indent = indentOf(first);
  const isEntry = OPTION_LINE.test(first);
  const endsBefore = (line: number) => {
    const text = lines[line - 1] ?? '';
    const inner = indentOf(text) - indent;
    if ((isEntry && inner <= 0) || (inner <= 4 && OPTION_LINE.test(text))) return true;
    if (isLink(text) && isLink(lines[line - 2] ?? '')) return false;
    return line - start >= MAX_PARAGRAPH_LINES && !goesOn(lines[line - 2], text);
  };
  let end = start;
  while (end < lines.length && !isApart(lines, end + 1, content) && !endsBefore(end + 1)) end += 1;
  return end;
}

function isApart(lines: readonly string[], line: number, { isHeading, fenceEnd }: Content): boolean {
  return (lines[line - 1] ?? '').trim() === '' || isHeading[line] === 1 || fenceEnd.has(line);
}

/** Headings of Markdown, reStructuredText, AsciiDoc, TeX, HTML and manual pages, and fenced blocks between them. */

/** A heading with its lines (1-based) and its level, of which 1 is the highest. */
export interface Heading extends LineRange {
  readonly level: number;
  readonly title: string;
}

function* headingsOf(lines: readonly string[]): Generator<Heading> {
  const isFenced = new Uint8Array(lines.length);
  for (const { start, end } of fencedRanges(lines)) isFenced.fill(1, start - 1, end);
  // In a text, the first character used to underline is level 1, the next one level 2, and so on.
  const styles: string[] = [];
  const isMarkdown = lines.filter((line) => SECTION_LINE.test(line)).length >= MIN_SECTIONS;
  for (const index of lines.keys()) {
    if (isFenced[index] === 1) continue;
    const heading =
      markedHeading(lines, index) ??
      (isMarkdown ? undefined : plainHeading(lines, index)) ??
      underlinedHeading(lines, { index, isFenced, styles });
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
  if (marked === null || isComment(lines, index)) return undefined;
  return { start: index + 1, end: index + 1, level: levelOf(marked), title: titleOf(line) };
}

/** Returns a heading of a manual or help text: `OPTIONS`, `Common options:`. In Markdown such a line is a sentence. */
function plainHeading(lines: readonly string[], index: number): Heading | undefined {
  const line = beginning(lines[index]);
  const isAlone = beginning(lines[index - 1]) === '';
  if (!isAlone || !(CAPITALS.test(line) || LABEL.test(line))) return undefined;
  return { start: index + 1, end: index + 1, level: CAPITALS_LEVEL, title: line.replace(/:$/, '') };
}

/** Whether a line with a single `#` is a comment and not a heading: another one is next to it, or it has no letters. */
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
  const text = line.replace(/^[#=]+\s*|<[^>]{0,200}>|(?<!\s)\s+(?:[#=]+|\{#[^{}]{0,80}\})$/g, '');
  return text.replace(/\[([^\][]{1,80})\]\([^()\s]{0,200}\)/g, '$1');
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

/** Whether the line above an underline is a title: nothing precedes it directly, and it is not much longer than the underline. */
function isTitle(lines: readonly string[], underline: number): boolean {
  const title = beginning(lines[underline - 1]);
  const above = beginning(lines[underline - 2]);
  if (title === '' || UNDERLINE.test(title) || /^[-*+|]/.test(title)) return false;
  if (above !== '' && !UNDERLINE.test(above)) return false;
  return title.length <= beginning(lines[underline]).length + 2;
}

const FENCE = /^[\s>]{0,60}(?:[-*+] +|\d+[.)] +)?(`{3,}|~{3,})(.*)/;

/** Returns the fenced code blocks. As in Markdown, a block without an end extends to the end of the text. */
function fencedRanges(lines: readonly string[]): LineRange[] {
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
