import type { ClassifiedText } from '../classify.ts';
import type { Protection } from './protection.ts';

/** Headings stay; a fenced code block goes or stays as one. */
export function protectDocs({ bare: lines }: ClassifiedText, protection: Protection): void {
  let index = 0;
  while (index < lines.length) {
    const last = fencedBlockEnd(lines, index);
    if (last === undefined) {
      pinHeading(lines, index, protection);
      index += 1;
    } else {
      protection.keepWhole(index, last);
      index = last + 1;
    }
  }
}

const FENCE = /^[\s>]{0,60}(?:[-*+] +|\d+[.)] +)?(`{3,}|~{3,})(.*)$/;

/** The last line of the block that opens here; a block nobody closes reaches to the end, as Markdown has it. */
function fencedBlockEnd(lines: readonly string[], first: number): number | undefined {
  const opener = FENCE.exec(head(lines[first]));
  if (opener === null) return undefined;
  const [, ticks = '', info = ''] = opener;
  if (ticks.startsWith('`') && info.includes('`')) return undefined;
  for (let index = first + 1; index < lines.length; index += 1) {
    if (closes(head(lines[index]), ticks)) return index;
  }
  return lines.length - 1;
}

function closes(line: string, ticks: string): boolean {
  const bare = line.replace(/^[\s>]+/, '').trimEnd();
  return bare.startsWith(ticks) && bare === ticks.charAt(0).repeat(bare.length);
}

const HEADING =
  /^(?:#{1,6}(?:\s|$)|={1,6} \S|<h[1-6][\s>]|\\(?:part|chapter|(?:sub)*section|paragraph)\*?\{)/i;
const UNDERLINE = /^([=\-~^"'*+#.`_:])\1{2,}$/;

function pinHeading(lines: readonly string[], index: number, protection: Protection): void {
  const line = head(lines[index]).trim();
  if (HEADING.test(line)) protection.pin(index);
  if (!UNDERLINE.test(line) || !isTitle(lines, index)) return;
  protection.pinRange(index - 1, index);
  if (head(lines[index - 2]).trim() === line) protection.pin(index - 2);
}

/** A title stands alone above its underline and is not much longer than it. */
function isTitle(lines: readonly string[], underline: number): boolean {
  const title = head(lines[underline - 1]).trim();
  const above = head(lines[underline - 2]).trim();
  if (title === '' || UNDERLINE.test(title) || /^[-*+|]/.test(title)) return false;
  if (above !== '' && !UNDERLINE.test(above)) return false;
  return title.length <= head(lines[underline]).trim().length + 4;
}

function head(line: string | undefined): string {
  return (line ?? '').slice(0, 200);
}
