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

/** Returns the names in `__all__`, including those added by `+=` and `.extend`. Undefined without `__all__`. */
function readAll(statements: readonly Node[]): Set<string> | undefined {
  const lists = statements.flatMap(({ firstNamedChild }) => listsAdded(firstNamedChild));
  return lists.length === 0
    ? undefined
    : new Set(
        lists.flatMap((list) => list?.descendantsOfType('string_content').map(({ text }) => text) ?? []),
      );
}

/** Returns the lists that a statement assigns or adds to `__all__`: none or one. Null for a missing value. */
function listsAdded(node: Node | null): (Node | null)[] {
  if (node?.type === 'assignment' || node?.type === 'augmented_assignment')
    return fieldText(node, 'left') === '__all__' ? [field(node, 'right')] : [];
  if (node?.type !== 'call') return [];
  const isAdding = /^__all__\.(extend|append|insert)$/.test(fieldText(node, 'function'));
  return isAdding ? [field(node, 'arguments')] : [];
}

/**
 * Applies `__all__` if the module declares it: only the listed names are exported. A listed name that is only
 * imported becomes a re-export.
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
    // `from .a import b as b` is an explicit re-export.
    const isExplicit = written !== original && original === alias;
    const isNamed = all === undefined ? isExplicit : all.has(alias);
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

/** Reads an assignment, with one declaration per name: `X: int = 1`, `a, b = 1, 2`, `A = B = 0`. */
function readAssignment(statement: Statement): Declaration[] {
  const assignment = statement.node.firstNamedChild;
  if (assignment?.type !== 'assignment') return [];
  const before = field(assignment, 'type') ?? field(assignment, 'left');
  const end = valueEnd(field(assignment, 'right'), before, assignment);
  const assigned = { ...statement, first: assignment };
  return targets(assignment).map((name) =>
    declare(assigned, { name, kind: kindOf(name, statement), end, exported: isPublic(name) }),
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
    return node
      .childrenForFieldName('name')
      .map((name) =>
        importOf(node, (field(name, 'name') ?? name).text, name.type === 'aliased_import' ? [name.text] : []),
      );
  }
  if (node.type === 'future_import_statement') return [importOf(node, '__future__', importedNames(node))];
  if (node.type !== 'import_from_statement') return [];
  return [importOf(node, field(node, 'module_name')?.text ?? '', importedNames(node))];
}

function importedNames(node: Node): string[] {
  if (childOfType(node, 'wildcard_import') !== null) return ['*'];
  return node.childrenForFieldName('name').map((name) => name.text);
}

const BRANCH = /^(?:(?:if|try|with)_statement|(?:elif|else|except|except_group|finally)_clause|block)$/;

export const pythonCode: TreeCode = {
  read: (source) => {
    const nodes = statementsIn(source.root, { source }).map(({ node }) => node);
    const imports = nodes.flatMap(readImport);
    return { imports, declarations: applyAll(readBody(source.root, { source }), imports, readAll(nodes)) };
  },
  // Declarations inside `if TYPE_CHECKING:` or `try:` still belong to the module.
  opens: ({ node }) => BRANCH.test(node.type),
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

/** Reads a body. `@overload` variants become one function with their implementation. */
function readBody(parent: Node, place: Place): Declaration[] {
  return mergeOverloads(readInside(parent, place), (last) => isOverload(last.signature));
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

/** Returns a statement with its doc string as documentation. */
function documentedInside(statement: Statement): Statement {
  return { ...statement, doc: docstring(field(statement.node, 'body')) };
}

/** Returns the offset of the colon before a body. A comment after the colon is not part of the signature. */
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

/** Whether the last `def` in a signature has an `@overload` decorator. */
function isOverload(signature: string): boolean {
  if (!signature.includes('overload')) return false;
  const lines = signature.split('\n').map((line) => line.trimStart());
  const def = lines.findLastIndex((line) => /^(?:async\s+)?def\s/.test(line));
  const above = lines.slice(0, Math.max(def, 0));
  const decorators = above.slice(above.findLastIndex((line) => !line.startsWith('@')) + 1);
  return decorators.some((line) => /^@(?:\w+\.)*overload\b/.test(line));
}
