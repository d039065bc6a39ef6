import { classifyLines, idOfTitle, isClosedKeep, type LineKind } from '../document-text.ts';

/** Text between keep marks, marks included, and where it stood. */
export interface KeptBlock {
  text: string;
  /** The headings above it inside its section, outermost first. */
  place: string[];
  /** Directly below the last of them. */
  isFirst: boolean;
}

export function keptBlocks(body: string): KeptBlock[] {
  const lines = body.split('\n');
  const kinds = classifyLines(lines);
  const found: KeptBlock[] = [];
  const path: Heading[] = [];
  let isFirst = true;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (kinds[at] === 'keep') {
      const end = endOfStretch(lines, kinds, at);
      found.push(blockOf(lines.slice(at, end), { place: path.map(({ name }) => name), isFirst }));
      at = end - 1;
    } else if (enter(path, line, kinds[at])) isFirst = true;
    else if (line.trim() !== '') isFirst = false;
  }
  return found;
}

/** Two blocks may follow each other without a line between: each ends at its own end mark. */
function endOfStretch(lines: readonly string[], kinds: readonly LineKind[], start: number): number {
  let at = start;
  while (at < lines.length && kinds[at] === 'keep') {
    at += 1;
    if (isClosedKeep(lines[at - 1] ?? '')) break;
  }
  return at;
}

function blockOf(lines: readonly string[], where: Pick<KeptBlock, 'place' | 'isFirst'>): KeptBlock {
  const text = lines.join('\n');
  return { text: isClosedKeep(text) ? text : `${text}\n<!-- /keep -->`, ...where };
}

/** The section as the tool wrote it. */
export function withoutKept(body: string): string {
  const lines = body.split('\n');
  const kinds = classifyLines(lines);
  return lines.filter((_, at) => kinds[at] !== 'keep').join('\n');
}

/** Puts each block back where it stood; those whose heading is gone are `homeless`. */
export function placeBlocks(
  body: string,
  kept: readonly KeptBlock[],
): { body: string; homeless: KeptBlock[] } {
  const parts = partsOf(body);
  const homeless: KeptBlock[] = [];
  for (const block of kept) {
    const part = parts.find(({ place }) => place.join('\n') === block.place.join('\n'));
    if (part === undefined) homeless.push(block);
    else (block.isFirst ? part.before : part.after).push(block.text);
  }
  const texts = parts.flatMap(({ heading, before, text, after }) => [heading, ...before, text, ...after]);
  return { body: texts.filter((text) => text !== '').join('\n\n'), homeless };
}

interface Heading {
  level: number;
  name: string;
}

interface Part {
  place: string[];
  heading: string;
  text: string;
  before: string[];
  after: string[];
}

/** The section cut at its headings. */
function partsOf(body: string): Part[] {
  const lines = body.split('\n');
  const kinds = classifyLines(lines);
  const path: Heading[] = [];
  const parts: Part[] = [{ place: [], heading: '', text: '', before: [], after: [] }];
  for (const [at, line] of lines.entries()) {
    if (enter(path, line, kinds[at]))
      parts.push({ place: path.map(({ name }) => name), heading: line, text: '', before: [], after: [] });
    else {
      const part = parts.at(-1);
      if (part !== undefined) part.text += `${line}\n`;
    }
  }
  for (const part of parts) part.text = part.text.trim();
  return parts;
}

/** Whether the line is a heading; `path` then ends with it. */
function enter(path: Heading[], line: string, kind: LineKind | undefined): boolean {
  const [, marks, title] = (kind === 'text' ? /^(#{3,6})\s+(.*)/ : /^$a/).exec(line.trimEnd()) ?? [];
  if (marks === undefined || title === undefined) return false;
  while ((path.at(-1)?.level ?? 0) >= marks.length) path.pop();
  path.push({ level: marks.length, name: nameOf(title) });
  return true;
}

/** A heading is known by the code in it: lines, counts and languages change. */
function nameOf(title: string): string {
  const code = /(`{1,9}) ?(.{1,300}?) ?\1/.exec(title)?.[2];
  return code ?? idOfTitle(title) ?? title;
}
