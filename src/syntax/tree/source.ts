import type { Node } from 'web-tree-sitter';
import type { Declaration, DeclarationKind, ImportStatement, ParseProblem } from '../outline.ts';
import { cleanDoc } from './doc-comment.ts';

/** One file being read through tree-sitter. Offsets are UTF-16 units, so slices of `text` are exact. */
export interface TreeSource {
  text: string;
  /** The text the parser saw, where words were hidden from it; as long as `text`. */
  masked: string;
  root: Node;
  /** Name of the file, when known: `__init__.py` and headers read differently. */
  path: string | undefined;
}

export interface TreeReading {
  imports: ImportStatement[];
  declarations: Declaration[];
  /** What the grammar took for something else: valid to it, and lost to the outline. */
  unread?: ParseProblem[];
}

function lineRange(first: Node, last: Node = first): { startLine: number; endLine: number } {
  const startLine = first.startPosition.row + 1;
  return { startLine, endLine: Math.max(lastRow(last) + 1, startLine) };
}

/** A node that swallowed its line's end (a C macro does) ends on the line before. */
function lastRow(node: Node): number {
  const { row, column } = node.endPosition;
  return column === 0 && row > node.startPosition.row ? row - 1 : row;
}

/** Text from the start of `first` up to `end`, without what only closes a statement. */
function headText(source: TreeSource, first: Node, end: number): string {
  return source.text
    .slice(unmaskedStart(source, first.startIndex), end)
    .trim()
    .replace(/[;,]$/, '')
    .trimEnd();
}

/** A word hidden right before a declaration belongs to it, and so does what was made a comment above it. */
function unmaskedStart({ text, masked }: TreeSource, start: number): number {
  if (text === masked) return start;
  let at = start;
  // What opens a block around the declaration is no word of it.
  while (at > 0 && text[at - 1] !== '{' && (masked[at - 1] === ' ' || masked[at - 1] === '\t')) at--;
  const above = masked.slice(Math.max(0, at - MAX_GAP), at).trimEnd();
  const end = at - Math.min(at, MAX_GAP) + above.length;
  if (!above.endsWith('*/') || text.startsWith('*/', end - 2)) return at;
  return Math.max(masked.lastIndexOf('/*', end), 0);
}

/** White space between a declaration and what was hidden above it. */
const MAX_GAP = 200;

/** What is declared: a node, what stands before it, and what is said of it. */
export interface DeclaredNode {
  node: Node;
  /** Where the signature begins: the decorators or attributes; the node itself where there are none. */
  first?: Node;
  doc?: string | undefined;
}

export interface DeclarationParts {
  /** The node's own `name` unless told. */
  name?: string;
  kind: DeclarationKind;
  /** What a group says once for all its parts: `const ` before each name of `const ( … )`. */
  prefix?: string | undefined;
  /** The body, which the signature leaves out. */
  body?: Node | null | undefined;
  /** Where the signature ends when that is neither the body nor the end of the node. */
  end?: number | undefined;
  exported: boolean;
  members?: Declaration[];
}

/** What has no name (an unnamed enum, union or namespace) still stands in the outline. */
const ANONYMOUS = '<anonymous>';

export function declare(
  source: TreeSource,
  { node, first = node, doc }: DeclaredNode,
  { name = fieldText(node, 'name'), kind, prefix = '', body, end, exported, members = [] }: DeclarationParts,
): Declaration {
  return {
    name: name === '' ? ANONYMOUS : name,
    kind,
    signature: prefix + headText(source, first, end ?? body?.startIndex ?? node.endIndex),
    doc,
    exported,
    members,
    ...lineRange(first, node),
    bodyStartLine: body ? body.startPosition.row + 1 : undefined,
  };
}

export interface Documented {
  node: Node;
  /** The first of the attributes that stand before the node as its siblings; the node itself when none do. */
  first: Node;
  /** The comments directly above, cleaned. */
  doc: string | undefined;
}

/** What counts as documentation in a language. */
export interface DocStyle {
  /** How a documenting comment begins; any comment does when absent. */
  opens?: RegExp;
  /** Nodes that belong to the declaration after them: Rust's attributes. */
  attribute?: string;
}

/**
 * A node's named children without comments, each with the comments directly above it.
 * Stretches the parser could not read are opened: what stands in them is read as far as it goes.
 */
export function documented(parent: Node, style: DocStyle = {}): Documented[] {
  const found: Documented[] = [];
  collect(parent, style, found);
  return found;
}

function collect(parent: Node, style: DocStyle, found: Documented[]): void {
  let above: Node[] = [];
  let codeRow = -1;
  for (const node of parent.namedChildren) {
    if (isComment(node) || node.type === style.attribute) {
      // A comment behind code on the same row speaks of that code.
      if (node.startPosition.row !== codeRow) above = [...followed(above, node, style), node];
      continue;
    }
    const own = followed(above, node, style);
    if (node.isError) collect(node, style, found);
    else found.push({ node, first: own.find((each) => !isComment(each)) ?? node, doc: docText(own, style) });
    codeRow = node.endPosition.row;
    above = [];
  }
}

function isComment(node: Node): boolean {
  return node.type.endsWith('comment');
}

/** What stands on the rows right before `node`; a blank line cuts comments off, attributes it does not. */
function followed(above: readonly Node[], node: Node, { attribute }: DocStyle): readonly Node[] {
  const last = above.at(-1);
  if (last === undefined || lastRow(last) + 1 >= node.startPosition.row) return above;
  return above.filter((each) => each.type === attribute);
}

/** Only the last block, or the last run of line comments, documents what follows. */
function docText(above: readonly Node[], { opens }: DocStyle): string | undefined {
  const comments = above.filter((node) => isComment(node) && (opens === undefined || opens.test(node.text)));
  const last = comments.at(-1);
  if (last === undefined) return undefined;
  if (last.text.startsWith('/*')) return cleanDoc(last.text);
  const run = comments.slice(comments.findLastIndex((comment) => comment.text.startsWith('/*')) + 1);
  return cleanDoc(run.map((comment) => comment.text.trimEnd()).join('\n'));
}

export function field(node: Node, name: string): Node | null {
  return node.childForFieldName(name);
}

export function fieldText(node: Node, name: string): string {
  return node.childForFieldName(name)?.text ?? '';
}

export function childOfType(node: Node, ...types: readonly string[]): Node | undefined {
  return node.children.find((child) => types.includes(child.type));
}

export function childrenOfType(node: Node, ...types: readonly string[]): Node[] {
  return node.children.filter((child) => types.includes(child.type));
}

export function importOf(node: Node, module: string, names: string[] = []): ImportStatement {
  return { module, names, text: node.text.trim(), typeOnly: false, ...lineRange(node) };
}

const SHORT_VALUE = 160;

/** Where a signature ends when a value follows: a short value is kept, a long one is left out with its `=`. */
export function valueEnd(value: Node | null, before: Node | null, whole: Node): number {
  if (value === null || before === null || value.endIndex - value.startIndex <= SHORT_VALUE)
    return whole.endIndex;
  return before.endIndex;
}
