import type { LineRange } from '../../../text/lines.ts';
import type { ClassifiedText } from '../classify.ts';
import type { Protection } from './protection.ts';

/** A fenced code block goes or stays as one. */
export function protectDocs({ bare: lines }: ClassifiedText, protection: Protection): void {
  for (const { start, end } of fencedBlocks(lines)) protection.keepWhole(start - 1, end - 1);
}

export function* fencedBlocks(lines: readonly string[]): Generator<LineRange> {
  for (let index = 0; index < lines.length; index += 1) {
    const last = fencedBlockEnd(lines, index);
    if (last === undefined) continue;
    yield { start: index + 1, end: last + 1 };
    index = last;
  }
}

const FENCE = /^[\s>]{0,60}(?:[-*+] +|\d+[.)] +)?(`{3,}|~{3,})(.*)/;

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

function head(line: string | undefined): string {
  return (line ?? '').slice(0, 200);
}
