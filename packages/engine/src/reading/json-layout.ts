/** JSON in very long lines, laid out with one field per line (P55), every key and value as it was written. */
import { type JsonNode, readJson } from './json-tree.ts';

const MAX_LINE_CHARS = 2000;
const MAX_INLINE_CHARS = 100;
const MAX_LAYOUT_DEPTH = 100;
/** Laying out a longer text would hold up other calls. */
const MAX_LAID_OUT_CHARS = 4 << 20;
const MIN_NEW_LINES = 3;
/** Below this share of a text its JSON is a detail: a log with some long entries stays a log. */
const MIN_JSON_SHARE = 0.5;

/**
 * Lays out JSON that has lines over 2,000 characters. Returns `undefined` if the text has no such line, or is not JSON for
 * the most part. Lines that are not JSON stay as they are.
 */
export function layOutJson(text: string): string | undefined {
  if (text.length > MAX_LAID_OUT_CHARS) return undefined;
  const lines = text.split('\n');
  const isLong = lines.map(({ length }) => length > MAX_LINE_CHARS);
  if (!isLong.includes(true)) return undefined;
  const laidOut = isJson(text) ? layOutValues(text) : layOutLines(text, lines);
  if (laidOut === undefined || laidOut.split('\n').length < lines.length + MIN_NEW_LINES) return undefined;
  return text.endsWith('\n') && !laidOut.endsWith('\n') ? `${laidOut}\n` : laidOut;
}

function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function layOutLines(text: string, lines: readonly string[]): string | undefined {
  let characters = 0;
  const laidOut = lines.map((line) => {
    if (line.length <= MAX_LINE_CHARS || !isJson(line)) return line;
    characters += line.length;
    return layOutValues(line);
  });
  return characters < MIN_JSON_SHARE * text.length ? undefined : laidOut.join('\n');
}

function layOutValues(text: string): string {
  const parts: string[] = [];
  for (const root of readJson(text)) layOutNode({ text, parts }, root, '');
  return parts.join('');
}

interface Layout {
  readonly text: string;
  readonly parts: string[];
}

function layOutNode(layout: Layout, node: JsonNode, indent: string): void {
  const { text, parts } = layout;
  if (node.key !== undefined) parts.push(`${text.slice(node.start, node.start + node.key.length + 2)}: `);
  if (isInline(text, node) || indent.length > MAX_LAYOUT_DEPTH) {
    parts.push(inlineText(text, node));
    return;
  }
  const [open, close] = node.kind === 'object' ? ['{', '}'] : ['[', ']'];
  const inner = `${indent}  `;
  parts.push(open);
  for (const [index, child] of node.children.entries()) {
    parts.push(index === 0 ? `\n${inner}` : `,\n${inner}`);
    layOutNode(layout, child, inner);
  }
  parts.push(`\n${indent}${close}`);
}

/** Plain values, empty containers, and lists of plain values that are short or all numbers take one line. */
function isInline(text: string, { kind, children, valueStart, end }: JsonNode): boolean {
  if (children.length === 0) return true;
  if (kind === 'object' || children.some((child) => child.kind !== 'scalar')) return false;
  return (
    end - valueStart <= MAX_INLINE_CHARS ||
    children.every((child) => /[-\d]/.test(text[child.valueStart] ?? ''))
  );
}

/** The text of a value; line breaks between elements become spaces. */
function inlineText(text: string, { valueStart, end, kind, children }: JsonNode): string {
  if (kind === 'scalar') return text.slice(valueStart, end);
  if (children.length === 0) return kind === 'object' ? '{}' : '[]';
  return text
    .slice(valueStart, end)
    .split('\n')
    .map((line) => line.trim())
    .join(' ');
}
