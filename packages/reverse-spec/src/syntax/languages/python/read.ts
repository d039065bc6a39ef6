import type { Node } from 'web-tree-sitter';
import type { Declaration } from '../../outline.ts';
import { mergeOverloads } from '../../tree/overloads.ts';
import {
  childOfType,
  declare,
  declareHolder,
  field,
  fieldText,
  type Place,
  readInside,
  readStatement,
  type Statement,
  statementsIn,
  type TreeCode,
} from '../../tree/source.ts';
import { readAssignment } from './assignments.ts';
import { applyAll, readAll } from './exports.ts';
import { readImport } from './imports.ts';
import { isPublic } from './visibility.ts';

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
  // What a module declares inside `if TYPE_CHECKING:` or `try:` is declared by the module all the same.
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

/** Python documents a definition in its body. */
function documentedInside(statement: Statement): Statement {
  return { ...statement, doc: docstring(field(statement.node, 'body')) };
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
