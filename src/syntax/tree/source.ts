import type { Node } from 'web-tree-sitter';
import { cleanDoc } from '../doc-comment.ts';
import type { Declaration, DeclarationKind, ImportStatement } from '../outline.ts';

/** One file being read through tree-sitter. Offsets are UTF-16 units, so slices of `text` are exact. */
export interface TreeSource {
  text: string;
  root: Node;
  /** Name of the file, when known: `__init__.py` and headers read differently. */
  path: string | undefined;
}

export interface TreeReading {
  imports: ImportStatement[];
  declarations: Declaration[];
}

export function lineRange(first: Node, last: Node = first): { startLine: number; endLine: number } {
  const startLine = first.startPosition.row + 1;
  return { startLine, endLine: Math.max(lastRow(last) + 1, startLine) };
}

/** A node that swallowed its line's end (a C macro does) ends on the line before. */
function lastRow(node: Node): number {
  const { row, column } = node.endPosition;
  return column === 0 && row > node.startPosition.row ? row - 1 : row;
}

/** Text from the start of `first` up to `end`, without what only closes a statement. */
export function headText(source: TreeSource, first: Node, end: number): string {
  return source.text.slice(first.startIndex, end).trimEnd().replace(/[;,]$/, '').trimEnd();
}

export interface DeclarationParts {
  name: string;
  kind: DeclarationKind;
  /** Where the signature begins: the decorators or attributes, if any. */
  first: Node;
  /** What the declaration spans; `first` when absent. */
  whole?: Node;
  /** The body, which the signature leaves out. */
  body?: Node | null | undefined;
  /** Where the signature ends when that is neither the body nor the end of the node. */
  end?: number | undefined;
  doc?: string | undefined;
  exported: boolean;
  members?: Declaration[];
}

export function declare(source: TreeSource, parts: DeclarationParts): Declaration {
  const whole = parts.whole ?? parts.first;
  const end = parts.end ?? parts.body?.startIndex ?? whole.endIndex;
  return {
    name: parts.name,
    kind: parts.kind,
    signature: headText(source, parts.first, end),
    doc: parts.doc,
    exported: parts.exported,
    members: parts.members ?? [],
    ...lineRange(parts.first, whole),
    bodyStartLine: parts.body ? parts.body.startPosition.row + 1 : undefined,
  };
}

export interface Documented {
  node: Node;
  /** The comments directly above, cleaned. */
  doc: string | undefined;
}

/**
 * A node's named children without comments, each with the comments directly above it.
 * Stretches the parser could not read are opened: what stands in them is read as far as it goes.
 */
export function documented(parent: Node): Documented[] {
  const found: Documented[] = [];
  collect(parent, found);
  return found;
}

function collect(parent: Node, found: Documented[]): void {
  let comments: Node[] = [];
  let codeRow = -1;
  for (const node of parent.namedChildren) {
    if (isComment(node)) {
      if (node.startPosition.row !== codeRow) comments = [...followed(comments, node), node];
      continue;
    }
    const above = followed(comments, node);
    comments = [];
    codeRow = node.endPosition.row;
    if (node.isError) collect(node, found);
    else found.push({ node, doc: docText(above) });
  }
}

export function isComment(node: Node): boolean {
  return node.type.endsWith('comment');
}

/** The comments that stand on the rows right before `node`; a blank line cuts them off. */
function followed(comments: readonly Node[], node: Node): readonly Node[] {
  const last = comments.at(-1);
  return last !== undefined && lastRow(last) + 1 >= node.startPosition.row ? comments : [];
}

/** Only the last block, or the last run of line comments, documents what follows. */
function docText(comments: readonly Node[]): string | undefined {
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
