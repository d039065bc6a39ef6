import type { ts } from '@ts-morph/common';
import type { TypeScript } from '../../languages/typescript/source.ts';
import { type Kind, Node, type Source } from '../node.ts';
import type { Details, Part, Shape } from './kinds.ts';

/** Tables of the compiler's node kinds, shared by all files. */
export interface Grammar {
  ts: TypeScript;
  shapes: ReadonlyMap<number, Shape>;
  /** Rules to copy nodes that are targets of assignments, by node kind. */
  targets: ReadonlyMap<number, Shape>;
  tokens: ReadonlyMap<number, string>;
  /** Functions that copy nodes of special kinds, by node kind. */
  specials: ReadonlyMap<number, Special>;
  kinds: Map<string, Kind>;
}

/** Adds the copy of a node to an open node. */
export type Special = (copy: Copy, open: Open, node: { node: ts.Node; role: Role }) => void;

/** A node to which children are being added. */
export interface Open {
  node: Node;
  /** Offset up to which the text of the node has been copied. */
  at: number;
  depth: number;
}

/** Role of a node in its parent. */
export interface Role {
  field?: string | undefined;
  /** Node type of the copy if the node is an identifier. */
  as?: string | undefined;
  isTarget?: boolean | undefined;
}

interface Span {
  type: string;
  start: number;
  end: number;
  field?: string | undefined;
}

/** Maximum depth of the copy. */
const MAX_DEPTH = 1_000;

export const NO_ROLE: Role = {};

/** Copies one file. */
export class Copy {
  readonly #grammar: Grammar;
  readonly #source: Source;
  readonly #text: string;
  readonly #kinds: TypeScript['SyntaxKind'];

  constructor(grammar: Grammar, source: Source) {
    this.#grammar = grammar;
    this.#source = source;
    this.#text = source.text;
    this.#kinds = grammar.ts.SyntaxKind;
  }

  root(file: ts.SourceFile): Node {
    const end = this.#text.length;
    const span = { startIndex: 0, endIndex: end, fieldName: null, parent: null, at: 0 };
    const node = new Node(this.#source, this.#kind('program'), span);
    const first = this.#text.startsWith('#!') ? this.#text.indexOf('\n') : 0;
    const open = { node, at: first === -1 ? end : first, depth: 0 };
    for (const statement of file.statements) this.#addStatement(open, statement);
    this.skip(open, { from: end, end });
    return node;
  }

  #kind(type: string, isNamed = true): Kind {
    const known = this.#grammar.kinds.get(type);
    if (known !== undefined) return known;
    const kind = { type, isNamed };
    this.#grammar.kinds.set(type, kind);
    return kind;
  }

  /** Adds a node that has no children. */
  push({ node: parent }: Open, { type, start, end, field }: Span, isNamed = true): Node {
    const { children } = parent;
    const span = { startIndex: start, endIndex: end, fieldName: field ?? null, parent, at: children.length };
    const node = new Node(this.#source, this.#kind(type, isNamed), span);
    if (children.length === 0) parent.children = [node];
    else children.push(node);
    return node;
  }

  open(open: Open, span: Span): Open {
    return { node: this.push(open, span), at: span.start, depth: open.depth + 1 };
  }

  /** Adds a compiler node without its children. Below `MAX_DEPTH` the children are never added. */
  begin(
    open: Open,
    { pos, end }: ts.Node,
    { type, field }: { type: string; field: string | undefined },
  ): Open {
    const start = this.skip(open, { from: Math.max(pos, open.at), end });
    const inner = this.open(open, { type, start, end, field });
    if (inner.depth > MAX_DEPTH) inner.at = end;
    return inner;
  }

  /** Adds the comments up to the end of a node. */
  close(inner: Open, open?: Open): void {
    const end = inner.node.endIndex;
    this.skip(inner, { from: end, end });
    if (open !== undefined) open.at = end;
  }

  /** Adds the comments before the first token at or after `from`. Returns the offset of that token. */
  skip(open: Open, { from, end }: { from: number; end: number }): number {
    const text = this.#text;
    let at = open.at;
    while (at < end) {
      const code = text.charCodeAt(at);
      if (code === SLASH && opensComment(text.charCodeAt(at + 1))) at = this.#addComment(open, at);
      else if (at >= from && !isBlank(code)) return at;
      else at += 1;
    }
    return Math.min(at, end);
  }

  #addComment(open: Open, start: number): number {
    const end = this.#commentEnd(start);
    this.push(open, { type: 'comment', start, end });
    return end;
  }

  #commentEnd(start: number): number {
    const text = this.#text;
    const isBlock = text.charCodeAt(start + 1) === STAR;
    const close = isBlock ? text.indexOf('*/', start + 2) : text.indexOf('\n', start);
    if (close === -1) return text.length;
    if (isBlock) return close + 2;
    return text.charCodeAt(close - 1) === RETURN ? close - 1 : close;
  }

  /** Adds a statement. `export` and `declare` become nodes around the declaration. */
  #addStatement(open: Open, node: ts.Statement): void {
    const { modifiers } = node as { modifiers?: ts.NodeArray<ts.ModifierLike> };
    const around = modifiers === undefined ? [] : this.#openMarks(open, node, modifiers);
    this.add(around.at(-1) ?? open, node, around.length === 0 ? NO_ROLE : DECLARED);
    for (const inner of around.reverse()) this.close(inner);
    if (around.length > 0) open.at = node.end;
  }

  #openMarks(open: Open, node: ts.Statement, marks: ts.NodeArray<ts.ModifierLike>): Open[] {
    const { ExportKeyword, DefaultKeyword, DeclareKeyword, Decorator } = this.#kinds;
    const around: Open[] = [];
    const wrap = (type: string, { field }: Role) => {
      const outer = around.at(-1) ?? open;
      const start = this.skip(outer, { from: Math.max(node.pos, outer.at), end: node.end });
      around.push(this.open(outer, { type, start, end: node.end, field }));
    };
    if (marks.some(({ kind }) => kind === ExportKeyword)) wrap('export_statement', NO_ROLE);
    for (const mark of marks) {
      if (mark.kind === DeclareKeyword) wrap('ambient_declaration', DECLARED);
      const inner = around.at(-1);
      if (inner === undefined) break;
      if (mark.kind === Decorator) this.add(inner, mark, DECORATING);
      else if (mark.kind === ExportKeyword || mark.kind === DefaultKeyword || mark.kind === DeclareKeyword)
        inner.at = mark.end;
    }
    return around;
  }

  add(open: Open, node: ts.Node, role: Role): void {
    const { shapes, targets, tokens, specials } = this.#grammar;
    const { kind, pos, end } = node;
    if (end <= open.at || pos === end) return;
    const token = tokens.get(kind);
    if (token !== undefined) return void this.#addToken(open, node, { token, role });
    // Brackets, operators and keywords are omitted unless `tokens` contains them.
    if (kind <= this.#kinds.LastToken) return;
    const target = role.isTarget === true ? targets.get(kind) : undefined;
    const special = target === undefined ? specials.get(kind) : undefined;
    if (special !== undefined) return void special(this, open, { node, role });
    if (kind >= this.#kinds.FirstTypeNode && kind <= this.#kinds.LastTypeNode)
      return void this.#addType(open, node, role);
    const shape = target ?? shapes.get(kind);
    if (shape !== undefined) this.#addShaped(open, node, { shape, role });
  }

  #addToken(open: Open, node: ts.Node, { token, role }: { token: string; role: Role }): void {
    const { kind, pos, end } = node;
    const start = kind === this.#kinds.JsxText ? pos : this.skip(open, { from: pos, end });
    const name = token === 'identifier' ? (node as ts.Identifier).escapedText : undefined;
    const type = name === undefined ? token : (role.as ?? SPECIAL_NAMES.get(name) ?? token);
    this.push(open, { type, start, end, field: role.field });
    open.at = end;
  }

  /** Adds a type. Copies its children only if it contains braces, brackets, quotes or slashes; other types have no facts. */
  #addType(open: Open, node: ts.Node, { field }: Role): void {
    const inner = this.begin(open, node, { type: field === undefined ? 'type' : 'type_annotation', field });
    const isPlain = node.kind === this.#kinds.TemplateLiteralType;
    if (isPlain || !HOLDS_MORE.test(this.#text.slice(inner.at, node.end))) inner.at = node.end;
    else this.#addChildren(inner, node);
    this.close(inner, open);
  }

  #addChildren(open: Open, node: ts.Node): void {
    this.#grammar.ts.forEachChild(node, (child) => this.add(open, child, NO_ROLE));
  }

  #addShaped(open: Open, node: ts.Node, { shape, role }: { shape: Shape; role: Role }): void {
    const type = typeof shape.type === 'string' ? shape.type : shape.type(node as Details);
    if (shape.isMethod === true) this.#addDecorators(open, node);
    const inner = this.begin(open, node, { type, field: role.field });
    if (shape.parts === undefined) this.#addChildren(inner, node);
    else for (const part of shape.parts) this.#addPart(inner, node, part);
    this.close(inner, open);
  }

  /** Adds the decorators of a method before the method. Decorators of fields and classes are children instead. */
  #addDecorators(open: Open, node: ts.Node): void {
    const { modifiers = [] } = node as { modifiers?: readonly ts.Node[] };
    for (const mark of modifiers) if (mark.kind === this.#kinds.Decorator) this.add(open, mark, DECORATING);
  }

  #addPart(open: Open, node: ts.Node, part: Part): void {
    const value = (node as unknown as Readonly<Record<string, Value | undefined>>)[part.of];
    if (part.isWord === true) this.#addWord(open, part);
    else if (value === undefined) return;
    else if (part.wrap !== undefined) this.#addWrapped(open, value, { type: part.wrap, field: part.field });
    else if (!isList(value)) this.add(open, value, part);
    else if (part.of === 'statements')
      for (const each of value) this.#addStatement(open, each as ts.Statement);
    else for (const each of value) this.add(open, each, part);
  }

  #addWord(open: Open, { of: word, as: type = word, field }: Part): void {
    const start = this.#text.indexOf(word, open.at);
    const end = start + word.length;
    if (start === -1 || end > open.node.endIndex) return;
    this.push(open, { type, start, end, field }, field !== undefined);
    open.at = end;
  }

  #addWrapped(open: Open, value: Value, { type, field }: { type: string; field: string | undefined }): void {
    const { pos, end } = value;
    const isOpened = pos > open.at && '([{'.includes(this.#text[pos - 1] ?? ' ');
    const items = isList(value) ? value : [value];
    if (!isOpened && type === 'formal_parameters') {
      // `x => x` has a parameter without brackets.
      for (const each of items) this.add(open, (each as ts.ParameterDeclaration).name, PARAMETER);
      return;
    }
    const start = this.skip(open, { from: isOpened ? pos - 1 : pos, end });
    const inner = this.open(open, { type, start, end: isOpened ? this.#closing(end) : end, field });
    if (isOpened) inner.at = pos;
    for (const each of items) this.add(inner, each, NO_ROLE);
    this.close(inner, open);
  }

  /** Returns the offset after the bracket that closes a list. */
  #closing(listEnd: number): number {
    const text = this.#text;
    let at = listEnd;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code === SLASH && opensComment(text.charCodeAt(at + 1))) at = this.#commentEnd(at);
      else if (code === COMMA || isBlank(code)) at += 1;
      else return ')]}'.includes(text[at] ?? '') ? at + 1 : listEnd;
    }
    return listEnd;
  }
}

type Value = ts.Node | ts.NodeArray<ts.Node>;

function isList(value: Value): value is ts.NodeArray<ts.Node> {
  return Array.isArray(value);
}

const DECLARED: Role = { field: 'declaration' };
const DECORATING: Role = { field: 'decorator' };
const PARAMETER: Role = { field: 'parameter' };

const HOLDS_MORE = /[{(/"'`]/;

const SPECIAL_NAMES: ReadonlyMap<unknown, string> = new Map(
  ['undefined', 'this'].map((name) => [name, name]),
);

const [SLASH, STAR, COMMA, RETURN, BLANK] = [47, 42, 44, 13, 32];
const [NO_BREAK_SPACE, BYTE_ORDER_MARK] = [0xa0, 0xfeff];

function opensComment(code: number): boolean {
  return code === SLASH || code === STAR;
}

function isBlank(code: number): boolean {
  return code <= BLANK || code === NO_BREAK_SPACE || code === BYTE_ORDER_MARK;
}
