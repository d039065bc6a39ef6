import type { DeclarationKind } from '@secateur/base/languages/structure.ts';
import type { Node } from 'web-tree-sitter';
import type { Declaration, ImportStatement, ParseProblem } from '../outline.ts';
import { cleanDoc } from './doc-comment.ts';
import type { HidingFinder } from './parsers.ts';

/** Rules by which tree-sitter reads a language: one per node type, and settings for all. */
export interface TreeCode {
  read(source: TreeSource): TreeReading;
  /** Replaces code that the grammar cannot parse by spaces. Offsets do not change. */
  mask?(text: string): string;
  /** Finds text that causes parse errors. The found text is replaced by spaces, and the file is parsed again. */
  hides?: HidingFinder;
  rules: Readonly<Record<string, Rule>>;
  /** Whether other files can use a declaration. Not called for declarations whose rule sets `exported`. */
  isExported(statement: Statement): boolean;
  /** Whether the contents of a node are read in its place: `#if`, `begin … rescue`. */
  opens?(statement: Statement): boolean;
  docs?: DocStyle;
}

/** Rule to read one node type. A kind alone is enough if the node has the fields `name` and `body`. */
export type Rule = DeclarationKind | ((statement: Statement) => Declaration | Declaration[]);

/** Format of documentation in a language. */
export interface DocStyle {
  /** Matches the start of a documentation comment. If undefined, every comment is documentation. */
  opens?: RegExp;
  /** Type of nodes that are between a comment and its declaration, such as Rust's attributes. */
  attribute?: string;
  /** Whether a comment behind a declaration on one line documents it: `Hour // Hours field`. */
  follows?: true;
}

/** A file that is being read. Offsets are UTF-16 units, as in `text.slice()`. */
export interface TreeSource {
  code: TreeCode;
  text: string;
  /** Text that was parsed, with hidden parts replaced by spaces. As long as `text`. */
  masked: string;
  root: Node;
  /** Path of the file, if known. `__init__.py` and header files have rules of their own. */
  path: string | undefined;
}

export interface TreeReading {
  imports: ImportStatement[];
  declarations: Declaration[];
  /** Code that the grammar parsed wrongly without an error, so that its declarations are missing. */
  unread?: ParseProblem[];
}

/** Context in which statements are read. */
export interface Place {
  source: TreeSource;
  /** Type or namespace that contains the statements; undefined at the top level of the file. */
  holder?: Holder | undefined;
}

/** Type or namespace that contains a statement. */
export interface Holder {
  kind: DeclarationKind;
  name: string;
  /** For C++: whether other code can use declarations in the current section (`public:`). */
  isOpen: boolean;
}

/** A node that may be a declaration. */
export interface Statement extends Place {
  node: Node;
  /** First node of the signature: a decorator or attribute before the node, else the node itself. */
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

/** Returns the last row of a node. A node that contains its line break, such as a macro in C, ends on the row before. */
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

/** Moves the start of a declaration back to include hidden words before it and hidden code above it. */
function unmaskedStart({ text, masked }: TreeSource, start: number): number {
  if (text === masked) return start;
  let at = start;
  // Spaces before a declaration may be hidden words. The search ends at `{`, where an outer block begins.
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
  /** Text that is written once for a group and repeated for each of its declarations: the `const ` of `const ( … )`. */
  prefix?: string;
  /** Body of the declaration. It is not part of the signature. Default: the node's field `body`. */
  body?: Node | null;
  /** Offset of the end of the signature. Default: the start of the body, else the end of the node. */
  end?: number | undefined;
  exported?: boolean | undefined;
  members?: Declaration[];
}

/** Name that an unnamed enum, union or namespace gets in the outline. */
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
  /** Whether the signature includes the body, as for an enum that only contains constants. */
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

/** Returns the named children, each with the comments directly above it. Also reads inside `ERROR` nodes. */
export function documented(parent: Node, place: Place): Statement[] {
  const found: Statement[] = [];
  collect(parent, place, found);
  return found;
}

function collect(parent: Node, place: Place, found: Statement[]): void {
  const { source, holder } = place;
  const style = source.code.docs ?? {};
  let above: Node[] = [];
  let codeRow = -1;
  for (const node of parent.namedChildren) {
    if (isComment(node) || node.type === style.attribute) {
      // A comment that follows code on the same row is about that code, not about the next node.
      const isBehind = node.startPosition.row === codeRow;
      if (isBehind) addDocBehind(found, node, style);
      else above = [...followed(above, node, style), node];
      continue;
    }
    const own = followed(above, node, style);
    if (node.isError) collect(node, place, found);
    else {
      const first = own.find((each) => !isComment(each)) ?? node;
      found.push({ source, holder, node, first, doc: docText(own, source, style) });
    }
    codeRow = node.endPosition.row;
    above = [];
  }
}

/**
 * Uses a comment behind a declaration on one line as its documentation, unless the declaration has another
 * comment or the comment is an instruction for tools.
 */
function addDocBehind(found: Statement[], comment: Node, { follows }: DocStyle): void {
  const before = follows === undefined ? undefined : found.at(-1);
  const { node, doc } = before ?? {};
  if (before === undefined || node?.startPosition.row !== comment.startPosition.row) return;
  const text = before.source.text.slice(comment.startIndex, comment.endIndex);
  if (doc === undefined && !TOOL_COMMENT.test(text))
    found[found.length - 1] = { ...before, doc: cleanDoc(text) };
}

const TOOL_COMMENT =
  /^\/[/*]\s?(?:nolint|nosec|NOLINT|NOSONAR|clang-format|cppcheck|lint:|go:|IWYU|LCOV|GCOV|TODO|FIXME|XXX|\W*$)/;

function isComment(node: Node): boolean {
  return node.type.endsWith('comment');
}

/** Returns the comments and attributes that belong to `node`. A blank line separates comments, but not attributes. */
function followed(above: readonly Node[], node: Node, { attribute }: DocStyle): readonly Node[] {
  const last = above.at(-1);
  if (last === undefined || lastRow(last) + 1 >= node.startPosition.row) return above;
  return above.filter((each) => each.type === attribute);
}

/** Returns the documentation of a node: the last block comment above it, or the line comments after that. */
function docText(above: readonly Node[], { text }: TreeSource, { opens }: DocStyle): string | undefined {
  // In the parsed text, words of a comment may be hidden.
  const comments = above
    .filter((node) => isComment(node) && (opens === undefined || opens.test(node.text)))
    .map(({ startIndex, endIndex }) => text.slice(startIndex, endIndex));
  const last = comments.at(-1);
  if (last === undefined) return undefined;
  if (last.startsWith('/*')) return cleanDoc(last);
  const run = comments.slice(comments.findLastIndex((comment) => comment.startsWith('/*')) + 1);
  return cleanDoc(run.map((comment) => comment.trimEnd()).join('\n'));
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

/** Reads the line that names the package of a file. */
export function readPackage(statement: Statement): Declaration {
  const name = statement.node.lastNamedChild?.text ?? '';
  return declare(statement, { name, kind: 'namespace', body: null, exported: false });
}

/** Reads fields, with one declaration per name. The last child of a declarator may be its initial value. */
export function readFields(statement: Statement, declarators: readonly Node[]): Declaration[] {
  return declarators.map((each) => {
    const end = valueEnd(each.lastNamedChild, field(each, 'name'), statement.node);
    return declare(statement, { name: fieldText(each, 'name'), kind: 'property', end });
  });
}

/** Returns the import for a path: `a.b` imports `b` from `a`. `suffix` follows the path. */
export function importFrom(node: Node, path: string, { separator = '.', suffix = '' } = {}): ImportStatement {
  const cut = path.lastIndexOf(separator);
  return importOf(node, path.slice(0, Math.max(cut, 0)), [path.slice(cut + 1) + suffix]);
}

export function importOf(node: Node, module: string, names: string[] = []): ImportStatement {
  return { module, names, text: node.text.trim(), typeOnly: false, ...lineRange(node) };
}

/** Maximum length in characters of a value in a signature. A longer value is omitted. */
export const SHORT_VALUE = 160;

/** Returns the end of a signature with a value. A short value is included; a long one is omitted with its `=`. */
export function valueEnd(value: Node | null, before: Node | null, whole: Node): number {
  if (value === null || before === null || value.endIndex - value.startIndex <= SHORT_VALUE)
    return whole.endIndex;
  return before.endIndex;
}
