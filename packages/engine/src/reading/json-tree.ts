/**
 * Reads JSON into a tree with positions and lines, in linear time and without changing a character. It accepts comments,
 * several values in a row, and text that breaks off: what was read before that stays usable.
 */

export interface JsonNode {
  readonly kind: 'object' | 'array' | 'scalar';
  /** The key as written, without quotes; `undefined` for elements of arrays. */
  readonly key: string | undefined;
  /** The offset of the key, or of the value if it has none. */
  readonly start: number;
  /** The offset of the value. */
  readonly valueStart: number;
  /** The offset behind the last character. */
  end: number;
  /** 1-based lines of the first and last character. */
  readonly line: number;
  endLine: number;
  readonly children: JsonNode[];
}

/** Returns the values at the top level of a text. */
export function readJson(text: string): JsonNode[] {
  return new JsonReader(text).read();
}

/** Whether no line has parts of two of the nodes. */
export function haveOwnLines(nodes: readonly JsonNode[]): boolean {
  return nodes.every(({ line }, index) => line > (nodes[index - 1]?.endLine ?? 0));
}

/** The path of a member or element; elements of a list share one. */
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

  /** Moves to the next token; `false` at the end. */
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
    for (
      let at = this.#text.indexOf('\n', this.#at);
      at >= 0 && at < end;
      at = this.#text.indexOf('\n', at + 1)
    ) {
      this.#line += 1;
    }
    this.#at = end;
  }

  /** Reads one token; `false` if it does not belong into JSON. */
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

  /** A string is a key if a colon follows. */
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

/** The offset behind the closing quote; -1 if the string does not end on its line. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 34) return at + 1;
    if (code === 92) at += 1;
    else if (code === 10) return -1;
  }
  return -1;
}
