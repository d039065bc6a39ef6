/**
 * HTML and XML documents, and accessibility trees of web pages as browser servers print them (`- button "Add"
 * [ref=e12]`). Sections and regions are units. Their names are tag and id, or role and accessible name.
 */
import type { Format, Unit } from '../document.ts';
import { isSnapshot, snapshotUnits } from '../snapshot.ts';

const MARKUP = /^\s*<(?:!doctype\b|\?xml\b|[A-Za-z])/i;
export const markupFormat: Format = {
  name: 'markup',
  recognise(sample) {
    const first = sample[0] ?? '';
    const tags = sample.filter((line) => /^\s*<|>\s*$/.test(line)).length;
    if (MARKUP.test(first) && first.trimEnd().endsWith('>') && tags > 0.4 * sample.length) return true;
    return sample.length >= 5 && isSnapshot(sample);
  },
  units: (lines) => (isSnapshot(lines.slice(0, 400)) ? snapshotUnits(lines) : tagUnits(lines)),
  examples: {
    is: [
      '<!DOCTYPE html>\n<html>\n<body>\n  <div id="cart">\n  </div>\n</body>\n</html>',
      '<?xml version="1.0"?>\n<project>\n  <name>shop</name>\n</project>',
    ],
    isNot: ['- eggs\n- milk\n- bread\n- two apples\n- text for the card'],
  },
};

/** A node of a page or of a document, with its lines. */
interface Element {
  readonly name: string;
  readonly start: number;
  end: number;
  readonly children: Element[];
}

const MIN_UNIT_LINES = 4;
const MAX_UNIT_LINES = 80;

/** Returns units for elements that are large enough. Very large elements are removed in parts. */
function elementUnits(lines: readonly string[], elements: readonly Element[]): Unit[] {
  return elements.flatMap((element) => {
    const { start, end } = element;
    const size = end - start + 1;
    if (size < MIN_UNIT_LINES) return [];
    const children = elementUnits(lines, element.children);
    const isRemovable = size <= MAX_UNIT_LINES || children.length === 0;
    const unit = { kind: 'element', name: nameWithHeading(lines, element), start, end, head: start } as const;
    return {
      ...unit,
      ...(isRemovable && { rule: 'unrelated-units' as const }),
      ...(children.length > 0 && { children }),
    };
  });
}

const HEADING = /<h[1-6][^<>]*>([^<]*)/;
const MAX_LOOKED = 12;

/** Returns the name of an element; without one, its first heading. */
function nameWithHeading(lines: readonly string[], { name, start, end }: Element): string {
  if (name.includes('#')) return name;
  for (const line of lines.slice(start, Math.min(end, start + MAX_LOOKED))) {
    const heading = (HEADING.exec(line.slice(0, 300))?.[1] ?? '').trim();
    if (heading !== '') return `${name} "${heading.slice(0, 60)}"`;
  }
  return name;
}

const TAG = /<(\/?)([A-Za-z][\w:.-]*)(?![\w:.-])((?:[^<>"']|"[^"<]*"|'[^'<]*')*)(>|$)/g;
/** HTML elements without an end tag, or whose end tag may be omitted. */
const VOID_NAMES =
  'area base br col embed hr img input link meta param source track wbr p li dt dd tr td th option thead tbody';
const VOID = new Set(VOID_NAMES.split(' '));
const MAX_TAG_LINE = 2000;
const MAX_OPEN_TAGS = 200;

interface OpenTag {
  readonly tag: string;
  readonly element: Element;
}

/** Nests elements whose start and end tags are on separate lines. */
function tagUnits(lines: readonly string[]): Unit[] {
  const isXml = /^\s*<\?xml/i.test(lines.find((line) => line.trim() !== '') ?? '');
  const root: Element = { name: '', start: 1, end: lines.length, children: [] };
  const open: OpenTag[] = [{ tag: '', element: root }];
  let raw: string | undefined;
  for (const [index, line] of lines.entries()) {
    // Up to their end tag, scripts and styles contain no tags.
    if (raw !== undefined && !line.includes(`</${raw}`)) continue;
    for (const tag of line.slice(0, MAX_TAG_LINE).matchAll(TAG)) readTag({ open, isXml }, tag, index + 1);
    const last = open.at(-1)?.tag;
    raw = last === 'script' || last === 'style' ? last : undefined;
  }
  return elementUnits(lines, withOwnLines(root.children));
}

function readTag(
  { open, isXml }: { open: OpenTag[]; isXml: boolean },
  [, slash, name = '', attributes = '']: RegExpExecArray,
  line: number,
): void {
  const tag = isXml ? name : name.toLowerCase();
  if (attributes.endsWith('/') || (!isXml && VOID.has(tag)) || open.length > MAX_OPEN_TAGS) return;
  if (slash === '/') {
    const at = open.findLastIndex((each) => each.tag === tag);
    if (at < 1) return;
    for (const { element } of open.splice(at)) element.end = line;
    return;
  }
  const element = { name: tagName(tag, attributes), start: line, end: line, children: [] };
  open.at(-1)?.element.children.push(element);
  open.push({ tag, element });
}

/** Keeps the elements that do not share a line with a sibling. */
function withOwnLines(elements: readonly Element[]): Element[] {
  const own = elements.filter(
    ({ start, end }, index) =>
      start > (elements[index - 1]?.end ?? 0) &&
      end < (elements[index + 1]?.start ?? Number.MAX_SAFE_INTEGER),
  );
  return own.map((element) => ({
    ...element,
    children: withOwnLines(
      element.children.filter(({ start, end }) => start > element.start && end < element.end),
    ),
  }));
}

/** Returns the name of an element in the notation of style sheets: `section#pricing`, `div.card`. */
function tagName(tag: string, attributes: string): string {
  const id = /\b(?:id|name)=["']?([\w.:-]+)/.exec(attributes)?.[1];
  if (id !== undefined) return `${tag}#${id}`;
  const style = /\bclass=["']?([\w-]+)/.exec(attributes)?.[1];
  return style === undefined ? tag : `${tag}.${style}`;
}
