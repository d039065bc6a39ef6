import type { LineRange } from '../../../text/lines.ts';
import type { ClassifiedText } from '../classify.ts';
import type { Frame, Frames } from '../frames.ts';
import { fencedBlocks } from '../protect/docs.ts';

interface Heading {
  head: LineRange;
  level: number;
  title: string;
}

/** A heading encloses what follows, up to the next of its level or above. */
export function docsFrames({ bare: lines }: ClassifiedText): Frames {
  const frames: Frame[] = [];
  const owner = new Int32Array(lines.length);
  const open: { frame: number; level: number }[] = [];
  let next = 0;
  const fill = (end: number) => {
    owner.fill(open.at(-1)?.frame ?? -1, next, end);
    next = end;
  };
  for (const { head, level, title } of headingsOf(lines)) {
    fill(head.start - 1);
    while ((open.at(-1)?.level ?? 0) >= level) open.pop();
    fill(head.end);
    frames.push({ head, noun: 'section', name: title, parent: open.at(-1)?.frame ?? -1 });
    open.push({ frame: frames.length - 1, level });
  }
  fill(lines.length);
  return { frames, owner, structural: [] };
}

const MARKED =
  /^(?:(#{1,6})(?:\s|$)|(={1,6}) \S|<h([1-6])[\s>]|\\(part|chapter|(?:sub)*section|paragraph)\*?\{)/i;
const TEX_LEVELS = ['part', 'chapter', 'section', 'subsection', 'subsubsection', 'paragraph'];
const UNDERLINE = /^([=\-~^"'*+#.`_:])\1{2,}$/;

function* headingsOf(lines: readonly string[]): Generator<Heading> {
  const prose = proseLines(lines);
  // Underlines mean the level they first stood for in this text.
  const styles: string[] = [];
  for (const index of lines.keys()) {
    if (prose[index] === 0) continue;
    const heading = markedHeading(lines, index) ?? underlinedHeading(lines, { index, prose, styles });
    if (heading !== undefined) yield heading;
  }
}

/** 1 where a line stands outside of fenced code. */
function proseLines(lines: readonly string[]): Uint8Array {
  const prose = new Uint8Array(lines.length).fill(1);
  for (const { start, end } of fencedBlocks(lines)) prose.fill(0, start - 1, end);
  return prose;
}

function markedHeading(lines: readonly string[], index: number): Heading | undefined {
  const line = beginning(lines[index]);
  const marked = MARKED.exec(line);
  if (marked === null) return undefined;
  return { head: { start: index + 1, end: index + 1 }, level: levelOf(marked), title: titleOf(line) };
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
  index: number;
  prose: Uint8Array;
  styles: string[];
}

function underlinedHeading(
  lines: readonly string[],
  { index, prose, styles }: Underline,
): Heading | undefined {
  const line = beginning(lines[index]);
  if (!UNDERLINE.test(line) || prose[index - 1] !== 1 || !isTitle(lines, index)) return undefined;
  const isFramed = beginning(lines[index - 2]) === line;
  const style = `${isFramed}${line.charAt(0)}`;
  if (!styles.includes(style)) styles.push(style);
  const start = isFramed ? index - 1 : index;
  return {
    head: { start, end: index + 1 },
    level: styles.indexOf(style) + 1,
    title: beginning(lines[index - 1]),
  };
}

/** A title stands alone above its underline and is not much longer than it. */
function isTitle(lines: readonly string[], underline: number): boolean {
  const title = beginning(lines[underline - 1]);
  const above = beginning(lines[underline - 2]);
  if (title === '' || UNDERLINE.test(title) || /^[-*+|]/.test(title)) return false;
  if (above !== '' && !UNDERLINE.test(above)) return false;
  return title.length <= beginning(lines[underline]).length + 4;
}

function beginning(line: string | undefined): string {
  return (line ?? '').slice(0, 200).trim();
}
