import type { DeclarationKind } from '@secateur/base/languages/structure.ts';
import type { Node } from 'web-tree-sitter';
import type { Declaration, ImportStatement } from '../../outline.ts';
import { mergeOverloads } from '../../tree/overloads.ts';
import {
  childOfType,
  declare,
  declareHolder,
  field,
  fieldText,
  importOf,
  type Place,
  readInside,
  readStatement,
  type Statement,
  statementsIn,
  type TreeCode,
  valueEnd,
} from '../../tree/source.ts';
import { isPublic } from '../visibility.ts';

/**
 * Returns the names in `__all__`, with what `+=`, `.extend` and `.append` add; undefined without `__all__`.
 */
function readAll(statements: readonly Node[]): Set<string> | undefined {
  const names = statements.flatMap((statement) => namesAdded(statement.firstNamedChild) ?? [[]]);
  const found = statements.some((statement) => namesAdded(statement.firstNamedChild) !== undefined);
  return found ? new Set(names.flat()) : undefined;
}

function namesAdded(node: Node | null): string[][] | undefined {
  if (node === null) return undefined;
  if (node.type === 'assignment' || node.type === 'augmented_assignment') {
    return field(node, 'left')?.text === '__all__' ? [strings(field(node, 'right'))] : undefined;
  }
  if (node.type !== 'call') return undefined;
  const isCall = /^__all__\.(extend|append|insert)$/.test(field(node, 'function')?.text ?? '');
  return isCall ? [strings(field(node, 'arguments'))] : undefined;
}

function strings(node: Node | null): string[] {
  return node === null ? [] : node.descendantsOfType('string_content').map((content) => content.text);
}

/**
 * Applies `__all__`, which decides what a module exports. Listed names that are only imported become
 * re-exports.
 */
function applyAll(
  declarations: Declaration[],
  imports: readonly ImportStatement[],
  all: Set<string> | undefined,
): Declaration[] {
  const passedOn = imports.flatMap((statement) => reExports(statement, all));
  const own =
    all === undefined
      ? declarations
      : declarations.map((each) => ({ ...each, exported: all.has(each.name) }));
  return [...own, ...passedOn].sort((left, right) => left.startLine - right.startLine);
}

function reExports(statement: ImportStatement, all: Set<string> | undefined): Declaration[] {
  const isWhole = statement.text.startsWith('import');
  const names = isWhole && statement.names.length === 0 ? [statement.module] : statement.names;
  return names.flatMap((written) => {
    const [original = '', alias = original] = written.split(/\sas\s/).map((part) => part.trim());
    const isNamed = all === undefined ? isExplicit(written, original, alias) : all.has(alias);
    if (!isNamed) return [];
    return [
      {
        name: alias,
        kind: 're-export' as const,
        signature: isWhole ? `import ${written}` : `from ${statement.module} import ${written}`,
        doc: undefined,
        exported: true,
        from: statement.module,
        members: [],
        startLine: statement.startLine,
        endLine: statement.endLine,
        bodyStartLine: undefined,
      },
    ];
  });
}

/** Whether an import is an explicit re-export: `from .a import b as b`. */
function isExplicit(written: string, original: string, alias: string): boolean {
  return written !== original && original === alias;
}

/** Reads an assignment, with one declaration per name: `X: int = 1`, `a, b = 1, 2`, `A = B = 0`. */
function readAssignment(statement: Statement): Declaration[] {
  const assignment = statement.node.firstNamedChild;
  if (assignment?.type !== 'assignment') return [];
  const before = field(assignment, 'type') ?? field(assignment, 'left');
  const end = valueEnd(field(assignment, 'right'), before, assignment);
  return targets(assignment).map((name) =>
    declare(
      { ...statement, first: assignment },
      { name, kind: kindOf(name, statement), end, exported: isPublic(name) },
    ),
  );
}

function kindOf(name: string, { holder }: Statement): DeclarationKind {
  if (holder !== undefined) return 'property';
  return /^[A-Z][A-Z0-9_]*$/.test(name) ? 'constant' : 'variable';
}

function targets(assignment: Node): string[] {
  const left = field(assignment, 'left');
  const right = field(assignment, 'right');
  const names = left === null ? [] : boundNames(left);
  return right?.type === 'assignment' ? [...names, ...targets(right)] : names;
}

function boundNames(target: Node): string[] {
  if (target.type === 'identifier') return [target.text];
  const isGroup = /^(pattern_list|tuple_pattern|list_pattern|list_splat_pattern)$/.test(target.type);
  return isGroup ? target.namedChildren.flatMap(boundNames) : [];
}

function readImport(node: Node): ImportStatement[] {
  if (node.type === 'import_statement') {
    return node.childrenForFieldName('name').map((name) => importOf(node, moduleName(name), aliasOf(name)));
  }
  if (node.type === 'future_import_statement') return [importOf(node, '__future__', importedNames(node))];
  if (node.type !== 'import_from_statement') return [];
  return [importOf(node, field(node, 'module_name')?.text ?? '', importedNames(node))];
}

function moduleName(name: Node): string {
  return (field(name, 'name') ?? name).text;
}

function aliasOf(name: Node): string[] {
  return name.type === 'aliased_import' ? [name.text] : [];
}

function importedNames(node: Node): string[] {
  if (childOfType(node, 'wildcard_import') !== null) return ['*'];
  return node.childrenForFieldName('name').map((name) => name.text);
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

export const pythonCode: TreeCode = {
  read: (source) => {
    const nodes = statementsIn(source.root, { source }).map(({ node }) => node);
    const imports = nodes.flatMap(readImport);
    return { imports, declarations: applyAll(readBody(source.root, { source }), imports, readAll(nodes)) };
  },
  // Declarations inside `if TYPE_CHECKING:` or `try:` still belong to the module.
  opens: ({ node }) => BRANCHES.has(node.type),
  isExported: ({ node }) => isPublic(fieldText(node, 'name')),
  rules: {
    decorated_definition: (statement) => {
      const definition = field(statement.node, 'definition');
      return definition === null ? [] : readStatement({ ...statement, node: definition });
    },
    function_definition: readFunction,
    class_definition: readClass,
    type_alias_statement: (statement) => {
      const name = /^type\s+(\w+)/.exec(statement.node.text)?.[1] ?? '';
      return declare(statement, { name, kind: 'type', exported: isPublic(name) });
    },
    expression_statement: readAssignment,
  },
};

function readBody(parent: Node, place: Place): Declaration[] {
  return mergePython(readInside(parent, place));
}

function readFunction(statement: Statement): Declaration {
  const { node, holder } = statement;
  return declare(documentedInside(statement), {
    kind: holder === undefined ? 'function' : methodKind(statement),
    end: headEnd(node),
  });
}

const PROPERTY = /^@(?:\w+\.)*(?:(?:cached_|abstract)?property|\w+\.(?:setter|getter|deleter))\s*$/;

function methodKind({ node, first }: Statement): Declaration['kind'] {
  if (/^__(?:init|new)__$/.test(fieldText(node, 'name'))) return 'constructor';
  const decorators = first.children.filter((child) => child.type === 'decorator');
  return decorators.some((decorator) => PROPERTY.test(decorator.text)) ? 'property' : 'method';
}

function readClass(statement: Statement): Declaration {
  const parts = { kind: 'class', end: headEnd(statement.node), members: readBody } as const;
  return declareHolder(documentedInside(statement), parts);
}

/** Returns a statement with the doc string in its body as its documentation. */
function documentedInside(statement: Statement): Statement {
  return { ...statement, doc: docstring(field(statement.node, 'body')) };
}

/**
 * Returns the offset of the colon before the body. A comment may follow, which is not part of the signature.
 */
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

/** Merges `@overload` variants and their implementation into one function. */
function mergePython(declarations: readonly Declaration[]): Declaration[] {
  return mergeOverloads(declarations, (last) => isOverload(last.signature));
}

/** Whether the last signature is an overload: `@overload` is among the decorators right above its `def`. */
function isOverload(signature: string): boolean {
  if (!signature.includes('overload')) return false;
  const lines = signature.split('\n').map((line) => line.trimStart());
  const def = lines.findLastIndex((line) => /^(?:async\s+)?def\s/.test(line));
  const above = lines.slice(0, Math.max(def, 0));
  const decorators = above.slice(above.findLastIndex((line) => !line.startsWith('@')) + 1);
  return decorators.some((line) => /^@(?:\w+\.)*overload\b/.test(line));
}
