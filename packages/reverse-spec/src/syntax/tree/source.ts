import type { DeclarationKind } from '@secateur/base/languages/structure.ts';
import type { Node } from 'web-tree-sitter';
import type { Declaration, ImportStatement, ParseProblem } from '../outline.ts';
import { cleanDoc } from './doc-comment.ts';
import type { HidingFinder } from './parsers.ts';

/** Rules to read a language through tree-sitter: one per node type, and what the rules share. */
export interface TreeCode {
  read(source: TreeSource): TreeReading;
  /** The text with what the grammar cannot read blanked out, length for length. */
  mask?(text: string): string;
  /** Finds parts that prevent a better tree; hidden as by `mask`, then parsed again. */
  hides?: HidingFinder;
  rules: Readonly<Record<string, Rule>>;
  /** Whether other files can see a declaration, where its rule does not say. */
  isExported(statement: Statement): boolean;
  /** Returns whether a node is replaced by its contents: `#if`, `begin … rescue`. */
  opens?(statement: Statement): boolean;
  docs?: DocStyle;
}

/** The kind alone where a node has nothing special: its fields `name` and `body` tell the rest. */
export type Rule = DeclarationKind | ((statement: Statement) => Declaration | Declaration[]);

/** Form of documentation in a language. */
export interface DocStyle {
  /** Start of a documenting comment; any comment documents if absent. */
  opens?: RegExp;
  /** Nodes that belong to the declaration after them: Rust's attributes. */
  attribute?: string;
}

/** One file being read. Offsets are UTF-16 units, so slices of `text` are exact. */
export interface TreeSource {
  code: TreeCode;
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
  /** Code the grammar took for something else: valid to it, and lost to the outline. */
  unread?: ParseProblem[];
}

/** Place of statements. */
export interface Place {
  source: TreeSource;
  /** Nothing at the top of a file. */
  holder?: Holder;
}

/** The type or namespace around a statement. */
export interface Holder {
  kind: DeclarationKind;
  name: string;
  /** C++: whether the section it is in is open to others. */
  isOpen: boolean;
}

/** A node where declarations stand. */
export interface Statement extends Place {
  node: Node;
  /** Start of the signature: the first decorator or attribute before the node, else the node itself. */
  first: Node;
  /** The comments directly above, cleaned. */
  doc: string | undefined;
}

/** Another node in the place of a statement, without comments of its own. */
export function inPlaceOf(statement: Statement, node: Node): Statement {
  return { ...statement, node, first: node, doc: undefined };
}

/** A file, statement by statement. */
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
  // The `{` of an outer block is not part of it.
  while (at > 0 && text[at - 1] !== '{' && (masked[at - 1] === ' ' || masked[at - 1] === '\t')) at--;
  const above = masked.slice(Math.max(0, at - MAX_GAP), at).trimEnd();
  const end = at - Math.min(at, MAX_GAP) + above.length;
  if (!above.endsWith('*/') || text.startsWith('*/', end - 2)) return at;
  return Math.max(masked.lastIndexOf('/*', end), 0);
}

/** White space between a declaration and what was hidden above it. */
const MAX_GAP = 200;

export interface DeclarationParts {
  /** Default: the node's own `name`. */
  name?: string;
  kind: DeclarationKind;
  /** Text a group writes once for all its parts: `const ` before each name of `const ( … )`. */
  prefix?: string;
  /** Default: the node's own. The signature leaves it out. */
  body?: Node | null;
  /** End of the signature if it is neither the body nor the end of the node. */
  end?: number | undefined;
  exported?: boolean;
  members?: Declaration[];
}

/** Name of what has none in the outline: an unnamed enum, union or namespace. */
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

export interface HolderParts {
  kind: DeclarationKind;
  exported?: boolean;
  /** End of the signature if it is not the body. */
  end?: number | undefined;
  /** Whether the signature shows the body too, as for an enum of nothing but constants. */
  showsBody?(body: Node): boolean;
  /** Reads the body if it is not like any other place of declarations. */
  members?(body: Node, place: Place): Declaration[];
  isOpen?: boolean;
}

/** Declares what holds other declarations: a type, a namespace. */
export function declareHolder(statement: Statement, parts: HolderParts): Declaration {
  const { source, node } = statement;
  const { kind, exported, end, showsBody, members = readInside, isOpen = true } = parts;
  const body = field(node, 'body');
  const holder = { kind, name: fieldText(node, 'name'), isOpen };
  return declare(statement, {
    kind,
    body,
    ...(exported !== undefined && { exported }),
    end: body !== null && showsBody?.(body) ? node.endIndex : end,
    members: body === null ? [] : members(body, { source, holder }),
  });
}

/**
 * Returns a node's named children without comments, each with the comments directly above it. Ranges the
 * parser could not read are opened: their contents are read as far as possible.
 */
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
      // A comment behind code on the same row speaks of that code.
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

/** Returns what is on the rows right before `node`; a blank line cuts off comments, but not attributes. */
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

export function childOfType(node: Node, ...types: readonly string[]): Node | null {
  return node.children.find((child) => types.includes(child.type)) ?? null;
}

export function childrenOfType(node: Node, ...types: readonly string[]): Node[] {
  return node.children.filter((child) => types.includes(child.type));
}

export function importOf(node: Node, module: string, names: string[] = []): ImportStatement {
  return { module, names, text: node.text.trim(), typeOnly: false, ...lineRange(node) };
}

const SHORT_VALUE = 160;

/** Finds a signature's end before a value: a short value is kept, a long one is left out with its `=`. */
export function valueEnd(value: Node | null, before: Node | null, whole: Node): number {
  if (value === null || before === null || value.endIndex - value.startIndex <= SHORT_VALUE)
    return whole.endIndex;
  return before.endIndex;
}
