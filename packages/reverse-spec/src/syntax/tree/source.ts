import type { DeclarationKind } from '@secateur/base/languages/structure.ts';
import type { Node } from 'web-tree-sitter';
import type { Declaration, ImportStatement, ParseProblem } from '../outline.ts';
import { cleanDoc } from './doc-comment.ts';
import type { HidingFinder } from './parsers.ts';

/** Rules that read a language with tree-sitter: one rule per node type, and settings that all rules share. */
export interface TreeCode {
  read(source: TreeSource): TreeReading;
  /** Returns the text with code that the grammar cannot parse replaced by blanks. The length does not change. */
  mask?(text: string): string;
  /** Finds parts that prevent a better tree. They are replaced by blanks and the text is parsed again. */
  hides?: HidingFinder;
  rules: Readonly<Record<string, Rule>>;
  /** Whether other files can see a declaration. Asked only if its rule does not set `exported`. */
  isExported(statement: Statement): boolean;
  /** Returns whether a node is replaced by its contents: `#if`, `begin … rescue`. */
  opens?(statement: Statement): boolean;
  docs?: DocStyle;
}

/** Rule to read one node type. A kind alone is enough for nodes whose fields `name` and `body` give the rest. */
export type Rule = DeclarationKind | ((statement: Statement) => Declaration | Declaration[]);

/** Form of documentation in a language. */
export interface DocStyle {
  /** Start of a documentation comment. If undefined, any comment is documentation. */
  opens?: RegExp;
  /** Type of the nodes that belong to the declaration after them, such as Rust's attributes. */
  attribute?: string;
}

/** One file being read. Offsets are UTF-16 units, so slices of `text` are exact. */
export interface TreeSource {
  code: TreeCode;
  text: string;
  /** Text that the parser saw, with hidden parts replaced by blanks. It is as long as `text`. */
  masked: string;
  root: Node;
  /** Path of the file, if known: `__init__.py` and headers have rules of their own. */
  path: string | undefined;
}

export interface TreeReading {
  imports: ImportStatement[];
  declarations: Declaration[];
  /** Code that the grammar parsed as something else without an error, so that its declarations are missing. */
  unread?: ParseProblem[];
}

/** Context in which statements are read. */
export interface Place {
  source: TreeSource;
  /** The type or namespace around the statements; undefined at the top level of the file. */
  holder?: Holder;
}

/** The type or namespace around a statement. */
export interface Holder {
  kind: DeclarationKind;
  name: string;
  /** For C++: whether code outside the type can see the current section (`public:`). */
  isOpen: boolean;
}

/** A node that may be a declaration. */
export interface Statement extends Place {
  node: Node;
  /** Start of the signature: the first decorator or attribute before the node, else the node itself. */
  first: Node;
  /** Text of the comments directly above, without comment marks. */
  doc: string | undefined;
}

/** Returns a statement with another node and without documentation. */
export function inPlaceOf(statement: Statement, node: Node): Statement {
  return { ...statement, node, first: node, doc: undefined };
}

/** Reads the statements at the top level of a file. */
export function readTop(
  source: TreeSource,
  readImport: (node: Node) => ImportStatement[],
): Pick<TreeReading, 'imports' | 'declarations'> {
  const statements = statementsIn(source.root, { source });
  return {
    imports: statements.flatMap(({ node }) => readImport(node)),
    declarations: statements.flatMap(readStatement),
  };
}

export function readInside(parent: Node, place: Place): Declaration[] {
  return statementsIn(parent, place).flatMap(readStatement);
}

export function readStatement(statement: Statement): Declaration[] {
  const rule = statement.source.code.rules[statement.node.type];
  if (rule === undefined) return [];
  return [typeof rule === 'string' ? declare(statement, { kind: rule }) : rule(statement)].flat();
}

export function statementsIn(parent: Node, place: Place): Statement[] {
  const { code } = place.source;
  return documented(parent, place).flatMap((statement) =>
    code.opens?.(statement) ? statementsIn(statement.node, place) : [statement],
  );
}

function lineRange(first: Node, last: Node = first): { startLine: number; endLine: number } {
  const startLine = first.startPosition.row + 1;
  return { startLine, endLine: Math.max(lastRow(last) + 1, startLine) };
}

/** Returns the last row of a node. A node with its line break, as a C macro, ends on the row before. */
function lastRow(node: Node): number {
  const { row, column } = node.endPosition;
  return column === 0 && row > node.startPosition.row ? row - 1 : row;
}

/** Returns the text from the start of `first` up to `end`, without the final `;` or `,`. */
function headText(source: TreeSource, first: Node, end: number): string {
  return source.text
    .slice(unmaskedStart(source, first.startIndex), end)
    .trim()
    .replace(/[;,]$/, '')
    .trimEnd();
}

/** Moves the start of a declaration back over hidden words, and over hidden code above it. */
function unmaskedStart({ text, masked }: TreeSource, start: number): number {
  if (text === masked) return start;
  let at = start;
  // The `{` of an outer block is not part of it.
  while (at > 0 && text[at - 1] !== '{' && (masked[at - 1] === ' ' || masked[at - 1] === '\t')) at--;
  const above = masked.slice(Math.max(0, at - MAX_GAP), at).trimEnd();
  const end = at - Math.min(at, MAX_GAP) + above.length;
  if (!above.endsWith('*/') || text.startsWith('*/', end - 2)) return at;
  return Math.max(masked.lastIndexOf('/*', end), 0);
}

/** Maximum number of characters that are searched for hidden code above a declaration. */
const MAX_GAP = 200;

export interface DeclarationParts {
  /** Default: the text of the node's field `name`. */
  name?: string;
  kind: DeclarationKind;
  /** Text that a group writes once for all its parts: `const ` before each name of `const ( … )`. */
  prefix?: string;
  /** Body, which is not part of the signature. Default: the node's field `body`. */
  body?: Node | null;
  /** End of the signature if it is neither the body nor the end of the node. */
  end?: number | undefined;
  exported?: boolean | undefined;
  members?: Declaration[];
}

/** Name in the outline of an enum, union or namespace without a name. */
const ANONYMOUS = '<anonymous>';

export function declare(statement: Statement, parts: DeclarationParts): Declaration {
  const { source, node, first, doc } = statement;
  const { name = fieldText(node, 'name'), body = field(node, 'body'), prefix = '' } = parts;
  return {
    name: name === '' ? ANONYMOUS : name,
    kind: parts.kind,
    signature: prefix + headText(source, first, parts.end ?? body?.startIndex ?? node.endIndex),
    doc,
    exported: parts.exported ?? source.code.isExported(statement),
    members: parts.members ?? [],
    ...lineRange(first, node),
    bodyStartLine: body === null ? undefined : body.startPosition.row + 1,
  };
}

export interface HolderParts extends Pick<DeclarationParts, 'kind' | 'exported' | 'end'> {
  /** Whether the signature shows the body too, as for an enum of nothing but constants. */
  showsBody?(body: Node): boolean;
  /** Reads the members from the body. Default: `readInside`. */
  members?(body: Node, place: Place): Declaration[];
  isOpen?: boolean;
}

/** Declares a type or namespace, together with its members. */
export function declareHolder(statement: Statement, parts: HolderParts): Declaration {
  const { source, node } = statement;
  const { kind, exported, end, showsBody, members = readInside, isOpen = true } = parts;
  const body = field(node, 'body');
  const holder = { kind, name: fieldText(node, 'name'), isOpen };
  return declare(statement, {
    kind,
    body,
    exported,
    end: body !== null && showsBody?.(body) ? node.endIndex : end,
    members: body === null ? [] : members(body, { source, holder }),
  });
}

/** Returns named children with the comments directly above each. Unreadable ranges are opened. */
export function documented(parent: Node, place: Place): Statement[] {
  const found: Statement[] = [];
  collect(parent, place, found);
  return found;
}

function collect(parent: Node, place: Place, found: Statement[]): void {
  const style = place.source.code.docs ?? {};
  let above: Node[] = [];
  let codeRow = -1;
  for (const node of parent.namedChildren) {
    if (isComment(node) || node.type === style.attribute) {
      // A comment that follows code on the same row is about that code.
      if (node.startPosition.row !== codeRow) above = [...followed(above, node, style), node];
      continue;
    }
    const own = followed(above, node, style);
    if (node.isError) collect(node, place, found);
    else {
      const first = own.find((each) => !isComment(each)) ?? node;
      found.push({ ...place, node, first, doc: docText(own, style) });
    }
    codeRow = node.endPosition.row;
    above = [];
  }
}

function isComment(node: Node): boolean {
  return node.type.endsWith('comment');
}

/** Returns comments and attributes above `node`. A blank line cuts off comments, but no attributes. */
function followed(above: readonly Node[], node: Node, { attribute }: DocStyle): readonly Node[] {
  const last = above.at(-1);
  if (last === undefined || lastRow(last) + 1 >= node.startPosition.row) return above;
  return above.filter((each) => each.type === attribute);
}

/** Returns the documentation of the node below: the last block comment, or the last line comments in a row. */
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

export function childOfType(node: Node, ...types: readonly string[]): Node | null {
  return node.children.find((child) => types.includes(child.type)) ?? null;
}

export function childrenOfType(node: Node, ...types: readonly string[]): Node[] {
  return node.children.filter((child) => types.includes(child.type));
}

export function importOf(node: Node, module: string, names: string[] = []): ImportStatement {
  return { module, names, text: node.text.trim(), typeOnly: false, ...lineRange(node) };
}

/** Maximum length in characters of a value in a signature. Longer values are omitted. */
export const SHORT_VALUE = 160;

/** Finds a signature's end before a value: a short value is kept, a long one is left out with its `=`. */
export function valueEnd(value: Node | null, before: Node | null, whole: Node): number {
  if (value === null || before === null || value.endIndex - value.startIndex <= SHORT_VALUE)
    return whole.endIndex;
  return before.endIndex;
}
