/**
 * Reads JSON into a tree with positions and lines. Takes linear time and changes no character. Accepts
 * comments, several values in a row, and incomplete text, of which the part before the error is used.
 */

export interface JsonNode {
  readonly kind: 'object' | 'array' | 'scalar';
  /** Key as written, without quotes; `undefined` for elements of arrays. */
  readonly key: string | undefined;
  /** Offset of the key. Without a key, offset of the value. */
  readonly start: number;
  /** Offset of the value. */
  readonly valueStart: number;
  /** Offset after the last character. */
  end: number;
  /** Line of the first character, 1-based. `endLine` is that of the last character. */
  readonly line: number;
  endLine: number;
  readonly children: JsonNode[];
}

/** Returns the values at the top level of a text. */
export function readJson(text: string): JsonNode[] {
  return new JsonReader(text).read();
}

/** Whether no two nodes share a line. */
export function haveOwnLines(nodes: readonly JsonNode[]): boolean {
  return nodes.every(({ line }, index) => line > (nodes[index - 1]?.endLine ?? 0));
}

/** Returns the path of a member or element. All elements of a list have the same path. */
export function pathOf(path: string, { key }: JsonNode): string {
  return `${path}/${key ?? '[]'}`;
}

const OPENING = new Map([
  ['{', 'object'],
  ['[', 'array'],
] as const);
const LITERAL = /[\w.+-]+/y;

interface PendingKey {
  readonly name: string;
  readonly start: number;
  readonly line: number;
}

class JsonReader {
  readonly #text: string;
  readonly #roots: JsonNode[] = [];
  readonly #open: JsonNode[] = [];
  #at = 0;
  #line = 1;
  #key: PendingKey | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  read(): JsonNode[] {
    while (this.#skipBlanks() && this.#readToken());
    for (const node of this.#open) this.#close(node);
    return this.#roots;
  }

  /** Moves to the next token. Returns `false` at the end of the text. */
  #skipBlanks(): boolean {
    for (; this.#at < this.#text.length; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 10) this.#line += 1;
      else if (code === 47) this.#skipComment();
      else if (code > 32 && code !== 44) return true;
    }
    return false;
  }

  #skipComment(): void {
    const isBlock = this.#text[this.#at + 1] === '*';
    const close = this.#text.indexOf(isBlock ? '*/' : '\n', this.#at + 2);
    const end = close < 0 ? this.#text.length : close + (isBlock ? 1 : -1);
    this.#line += this.#text.slice(this.#at, end).split('\n').length - 1;
    this.#at = end;
  }

  /** Reads one token. Returns `false` if it is not JSON. */
  #readToken(): boolean {
    const character = this.#text[this.#at] ?? '';
    if (character === '"') return this.#readString();
    const kind = OPENING.get(character as '{' | '[');
    if (kind !== undefined) {
      this.#open.push(this.#add(kind, this.#at + 1));
      this.#at += 1;
      return true;
    }
    if (character === '}' || character === ']') return this.#readClosing();
    LITERAL.lastIndex = this.#at;
    const literal = LITERAL.exec(this.#text)?.[0];
    if (literal === undefined || this.#open.length === 0) return false;
    this.#add('scalar', this.#at + literal.length);
    this.#at += literal.length;
    return true;
  }

  #readClosing(): boolean {
    const node = this.#open.pop();
    if (node === undefined) return false;
    this.#at += 1;
    this.#close(node);
    return true;
  }

  #close(node: JsonNode): void {
    node.end = this.#at;
    node.endLine = this.#line;
  }

  /** Reads a string. It is a key if an object expects one, else a value. Returns `false` if neither is expected. */
  #readString(): boolean {
    const start = this.#at;
    const end = stringEnd(this.#text, start);
    if (end < 0) return false;
    this.#at = end;
    const line = this.#line;
    const isKey = this.#key === undefined && this.#open.at(-1)?.kind === 'object';
    if (isKey) {
      if (!this.#skipBlanks() || this.#text[this.#at] !== ':') return false;
      this.#at += 1;
      this.#key = { name: this.#text.slice(start + 1, end - 1), start, line };
      return true;
    }
    this.#at = start;
    this.#add('scalar', end);
    this.#at = end;
    return true;
  }

  #add(kind: JsonNode['kind'], end: number): JsonNode {
    const key = this.#key;
    this.#key = undefined;
    const node: JsonNode = {
      kind,
      key: key?.name,
      start: key?.start ?? this.#at,
      valueStart: this.#at,
      end,
      line: key?.line ?? this.#line,
      endLine: this.#line,
      children: [],
    };
    (this.#open.at(-1)?.children ?? this.#roots).push(node);
    return node;
  }
}

/** Returns the offset after the closing quote; -1 if there is no closing quote on the line. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 34) return at + 1;
    if (code === 92) at += 1;
    else if (code === 10) return -1;
  }
  return -1;
}

/** The rest of this file pretty-prints JSON that has very long lines, with one field per line (P55). Keys and values stay as written. */

const MAX_LINE_CHARS = 2000;
const MAX_INLINE_CHARS = 100;
const MAX_LAYOUT_DEPTH = 50;
/** Maximum characters of a text that is pretty-printed. A longer one would delay other calls. */
const MAX_LAID_OUT_CHARS = 4 << 20;
const MIN_NEW_LINES = 3;
/** Minimum share of JSON in a text. A log with a few long lines of JSON is not changed. */
const MIN_JSON_SHARE = 0.5;

/**
 * Pretty-prints JSON that has lines over 2,000 characters. Lines that are not JSON stay unchanged.
 * `undefined` if no line is that long, or if the text is mostly not JSON.
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
  const inner = `${indent} `;
  parts.push(open);
  for (const [index, child] of node.children.entries()) {
    parts.push(index === 0 ? `\n${inner}` : `,\n${inner}`);
    layOutNode(layout, child, inner);
  }
  parts.push(`\n${indent}${close}`);
}

/**
 * Whether a node is written on one line: plain values, empty containers, short objects and lists of plain
 * values, and lists of numbers: `"release": {"version": "5.4.0"}`.
 */
function isInline(text: string, node: JsonNode): boolean {
  const { kind, children, valueStart, end } = node;
  if (children.length === 0) return true;
  if (areNumbers(text, node)) return true;
  return (
    end - valueStart <= MAX_INLINE_CHARS &&
    (kind === 'array' || node.key !== undefined) &&
    children.every((child) => child.kind === 'scalar')
  );
}

/** Whether a node is a list of numbers, or a list of such lists. */
function areNumbers(text: string, { kind, children }: JsonNode): boolean {
  const isNumber = (node: JsonNode) => node.kind === 'scalar' && /[-\d]/.test(text[node.valueStart] ?? '');
  const isPair = (node: JsonNode) => node.kind === 'array' && node.children.every(isNumber);
  return kind === 'array' && children.every((child) => isNumber(child) || isPair(child));
}

/** Returns a value on one line. Line breaks between elements become spaces. */
function inlineText(text: string, { valueStart, end, kind, children }: JsonNode): string {
  if (kind === 'scalar') return text.slice(valueStart, end);
  if (children.length === 0) return kind === 'object' ? '{}' : '[]';
  return text
    .slice(valueStart, end)
    .split('\n')
    .map((line) => line.trim())
    .join(' ');
}
