import type { ClassifiedText } from '../classify.ts';
import type { Frame, Frames } from '../frames.ts';

const TAG = /<(\/?)([A-Za-z][\w:-]*)(?![\w:-])((?:[^<>"']|"[^"<]*"|'[^'<]*')*)(>|$)/g;
/** Elements that place what they hold; the others, often left open, do not. */
const PLACING = new Set(
  'html head body header footer main nav section article aside div table thead tbody tr ul ol dl form fieldset template svg select details dialog figure script style'.split(
    ' ',
  ),
);
const HEADING = /^\s*<h[1-6][\s>]/i;
const LONGEST_LINE = 2000;

interface Element {
  tag: string;
  /** `section#pricing`, `div.card`, as a style sheet would name it; empty where it is one of many. */
  name: string;
}

interface OpenElement {
  tag: string;
  frame: number;
}

/** A line that stays keeps the opening tags of the elements around it; headings are worth keeping. */
export function markupFrames({ bare: lines }: ClassifiedText): Frames {
  const isXml = /^\s*<\?xml/.test(lines[0] ?? '');
  const frames: Frame[] = [];
  const owner = new Int32Array(lines.length);
  const open: OpenElement[] = [];
  for (const [index, line] of lines.entries()) {
    owner[index] = open.at(-1)?.frame ?? -1;
    const opened = leftOpen(line.slice(0, LONGEST_LINE), { open, isXml });
    if (opened.length === 0) continue;
    const head = { start: index + 1, end: index + 1 };
    const frame =
      frames.push({ head, noun: 'element', name: opened[0]?.name ?? '', parent: owner[index] ?? -1 }) - 1;
    for (const { tag } of opened) open.push({ tag, frame });
  }
  const headings = lines.flatMap((line, index) =>
    HEADING.test(line.slice(0, 200)) ? [{ start: index + 1, end: index + 1 }] : [],
  );
  return { frames, owner, structural: headings };
}

/** The elements a line opens and does not close; those it closes are taken from `open`. */
function leftOpen(line: string, { open, isXml }: { open: OpenElement[]; isXml: boolean }): Element[] {
  const opened: Element[] = [];
  for (const [, slash, tag = '', attributes = ''] of line.matchAll(TAG)) {
    if (!isXml && !PLACING.has(tag.toLowerCase())) continue;
    if (attributes.endsWith('/')) continue;
    if (slash === '') opened.push(elementOf(tag.toLowerCase(), attributes));
    else if (opened.length > 0) opened.pop();
    else closeElement(open, tag);
  }
  return opened;
}

function closeElement(open: OpenElement[], tag: string): void {
  const at = open.findLastIndex((each) => each.tag === tag.toLowerCase());
  if (at >= 0) open.length = at;
}

const ONE_OF_MANY = new Set('html div ul ol dl tr thead tbody svg g template'.split(' '));

function elementOf(tag: string, attributes: string): Element {
  const id = /\bid=["']?([\w-]+)/.exec(attributes)?.[1];
  const style = /\bclass=["']?([\w-]+)/.exec(attributes)?.[1];
  if (id !== undefined) return { tag, name: `${tag}#${id}` };
  if (style !== undefined) return { tag, name: `${tag}.${style}` };
  return { tag, name: ONE_OF_MANY.has(tag) ? '' : tag };
}
