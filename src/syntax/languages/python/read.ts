import type { Node } from 'web-tree-sitter';
import type { Declaration } from '../../outline.ts';
import { mergeOverloads } from '../../tree/overloads.ts';
import {
  childOfType,
  type Documented,
  declare,
  documented,
  field,
  fieldText,
  type TreeReading,
  type TreeSource,
} from '../../tree/source.ts';
import { readAssignment } from './assignments.ts';
import { applyAll, readAll } from './exports.ts';
import { readImport } from './imports.ts';
import { isPublic } from './visibility.ts';

export function readPython(source: TreeSource): TreeReading {
  const statements = flatten(documented(source.root));
  const imports = statements.flatMap(({ node }) => readImport(node));
  const declarations = mergePython(statements.flatMap((statement) => readStatement(source, statement)));
  return {
    imports,
    declarations: applyAll(declarations, imports, readAll(statements.map(({ node }) => node))),
  };
}

const BRANCHES: ReadonlySet<string> = new Set([
  'if_statement',
  'elif_clause',
  'else_clause',
  'try_statement',
  'except_clause',
  'except_group_clause',
  'finally_clause',
  'with_statement',
  'block',
]);

/** What a module declares inside `if TYPE_CHECKING:` or `try:` is declared by the module all the same. */
function flatten(statements: readonly Documented[]): Documented[] {
  return statements.flatMap((statement) =>
    BRANCHES.has(statement.node.type) ? flatten(documented(statement.node)) : [statement],
  );
}

function readStatement(source: TreeSource, statement: Documented): Declaration[] {
  const { node, doc } = statement;
  if (node.type === 'decorated_definition') return readDecorated(source, node);
  if (node.type === 'function_definition')
    return [readFunction(source, { node, first: node, inClass: false })];
  if (node.type === 'class_definition') return [readClass(source, node, node)];
  if (node.type === 'type_alias_statement') return [readTypeAlias(source, node, doc)];
  if (node.type === 'expression_statement') return readAssignment(source, statement);
  return [];
}

function readDecorated(source: TreeSource, node: Node, inClass = false): Declaration[] {
  const definition = field(node, 'definition');
  if (definition?.type === 'class_definition') return [readClass(source, definition, node)];
  if (definition?.type === 'function_definition') {
    return [readFunction(source, { node: definition, first: node, inClass })];
  }
  return [];
}

interface FunctionNode {
  node: Node;
  first: Node;
  inClass: boolean;
}

function readFunction(source: TreeSource, { node, first, inClass }: FunctionNode): Declaration {
  const name = fieldText(node, 'name');
  const body = field(node, 'body');
  const described = { node, first, doc: docstring(body) };
  return declare(source, described, {
    kind: inClass ? methodKind(name, first) : 'function',
    end: headEnd(node),
    body,
    exported: isPublic(name),
  });
}

const PROPERTY = /^@(?:\w+\.)*(?:(?:cached_|abstract)?property|\w+\.(?:setter|getter|deleter))\s*$/;

function methodKind(name: string, first: Node): Declaration['kind'] {
  if (name === '__init__' || name === '__new__') return 'constructor';
  const decorators = first.children.filter((child) => child.type === 'decorator');
  return decorators.some((decorator) => PROPERTY.test(decorator.text)) ? 'property' : 'method';
}

function readClass(source: TreeSource, node: Node, first: Node): Declaration {
  const body = field(node, 'body');
  const described = { node, first, doc: docstring(body) };
  return declare(source, described, {
    kind: 'class',
    end: headEnd(node),
    body,
    exported: isPublic(fieldText(node, 'name')),
    members: body === null ? [] : readMembers(source, body),
  });
}

function readMembers(source: TreeSource, body: Node): Declaration[] {
  return mergePython(flatten(documented(body)).flatMap((statement) => readMember(source, statement)));
}

function readMember(source: TreeSource, statement: Documented): Declaration[] {
  const { node } = statement;
  if (node.type === 'decorated_definition') return readDecorated(source, node, true);
  if (node.type === 'function_definition')
    return [readFunction(source, { node, first: node, inClass: true })];
  if (node.type !== 'expression_statement') return readStatement(source, statement);
  return readAssignment(source, statement).map((each) => ({ ...each, kind: 'property' }));
}

function readTypeAlias(source: TreeSource, node: Node, doc: string | undefined): Declaration {
  const name = /^type\s+(\w+)/.exec(node.text)?.[1] ?? '';
  return declare(source, { node, doc }, { name, kind: 'type', exported: isPublic(name) });
}

/** The colon that opens the body: what follows it may be a comment, which is not the signature's. */
function headEnd(node: Node): number | undefined {
  return childOfType(node, ':')?.startIndex;
}

function docstring(body: Node | null): string | undefined {
  const first = body?.firstNamedChild;
  const string = first?.type === 'expression_statement' ? first.firstNamedChild : undefined;
  if (string?.type !== 'string') return undefined;
  const text = string.text.replace(/^[rRuUbB]*("""|'''|"|')/, '').replace(/("""|'''|"|')$/, '');
  const lines = text.split('\n');
  const indents = lines.slice(1).flatMap((line) => (line.trim() === '' ? [] : [line.search(/\S/)]));
  const indent = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  const cleaned = lines.map((line, index) => (index === 0 ? line : line.slice(indent)).trimEnd());
  return cleaned.join('\n').trim() || undefined;
}

/** `@overload` variants and what implements them are one function. */
function mergePython(declarations: readonly Declaration[]): Declaration[] {
  return mergeOverloads(declarations, (last) => isOverload(last.signature));
}

/** The last of the signatures says what follows: is `@overload` among the decorators right above its `def`? */
function isOverload(signature: string): boolean {
  if (!signature.includes('overload')) return false;
  const lines = signature.split('\n').map((line) => line.trimStart());
  const def = lines.findLastIndex((line) => /^(?:async\s+)?def\s/.test(line));
  const above = lines.slice(0, Math.max(def, 0));
  const decorators = above.slice(above.findLastIndex((line) => !line.startsWith('@')) + 1);
  return decorators.some((line) => /^@(?:\w+\.)*overload\b/.test(line));
}
