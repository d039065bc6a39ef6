import type { Node } from 'web-tree-sitter';
import type { Declaration, ImportStatement } from '../../outline.ts';
import {
  childOfType,
  type Documented,
  declare,
  documented,
  field,
  fieldText,
  importOf,
  type TreeReading,
  type TreeSource,
  valueEnd,
} from '../../tree/source.ts';
import { applyVisibility } from './visibility.ts';

export function readRuby(source: TreeSource): TreeReading {
  const statements = statementsOf(source.root);
  return {
    imports: statements.flatMap(({ node }) => readRequire(node)),
    declarations: readBody({ source, isClass: false }, statements),
  };
}

const BRANCHES: ReadonlySet<string> = new Set([
  'begin',
  'if',
  'unless',
  'then',
  'else',
  'elsif',
  'rescue',
  'ensure',
  'case',
  'when',
  'if_modifier',
  'unless_modifier',
]);

/** What a file declares inside `begin … rescue LoadError` or `if` is declared by the file all the same. */
function statementsOf(parent: Node): Documented[] {
  return documented(parent).flatMap((statement) =>
    BRANCHES.has(statement.node.type) ? statementsOf(statement.node) : [statement],
  );
}

interface Scope {
  source: TreeSource;
  isClass: boolean;
}

function readBody(scope: Scope, statements: readonly Documented[]): Declaration[] {
  return applyVisibility(statements, (statement) => readStatement(scope, statement));
}

/** The statements of a class; a comment above the first one stands outside the body's own node. */
function bodyStatements(node: Node): Documented[] {
  return documented(node).flatMap(({ node: child, doc }) => {
    if (child.type !== 'body_statement') return [];
    return statementsOf(child).map((each, index) => (index === 0 ? { ...each, doc: each.doc ?? doc } : each));
  });
}

function readStatement(scope: Scope, statement: Documented): Declaration[] {
  switch (statement.node.type) {
    case 'module':
      return [readContainer(scope, statement, 'namespace')];
    case 'class':
      return [readContainer(scope, statement, 'class')];
    case 'singleton_class':
      return readBody({ ...scope, isClass: true }, bodyStatements(statement.node)).map(ofClass);
    case 'method':
    case 'singleton_method':
      return [readMethod(scope, statement)];
    case 'assignment':
      return readConstant(scope, statement);
    case 'call':
      return readCall(scope, statement);
    case 'alias':
      return [named(scope, statement, fieldText(statement.node, 'name').replace(/^:/, ''))];
    default:
      return [];
  }
}

/** What `class << self` holds is the class's own, attributes and constants too. */
function ofClass(member: Declaration): Declaration {
  return { ...member, name: `self.${member.name}` };
}

function readContainer(scope: Scope, { node, doc }: Documented, kind: 'class' | 'namespace'): Declaration {
  const head = field(node, 'superclass') ?? field(node, 'name');
  return declare(
    scope.source,
    { node, doc },
    {
      kind,
      end: head?.endIndex,
      body: field(node, 'body'),
      exported: true,
      members: readBody({ ...scope, isClass: true }, bodyStatements(node)),
    },
  );
}

function readMethod(scope: Scope, statement: Documented): Declaration {
  const { node } = statement;
  const name = fieldText(node, 'name');
  const object = field(node, 'object');
  const plainKind = scope.isClass ? 'method' : 'function';
  return declare(scope.source, statement, {
    name: object === null ? name : `${object.text}.${name}`,
    kind: name === 'initialize' ? 'constructor' : plainKind,
    end: (field(node, 'parameters') ?? field(node, 'name'))?.endIndex,
    body: field(node, 'body'),
    exported: true,
  });
}

/** Methods in any other block are nobody's until it is called. */
const MAKES_TYPE = /^(?:::)?(?:(?:Struct|Class|Module)\.new|Data\.define)\b/;

function readConstant(scope: Scope, { node, doc }: Documented): Declaration[] {
  const name = field(node, 'left');
  const value = field(node, 'right');
  if (name?.type !== 'constant') return [];
  const block = value === null ? null : field(value, 'block');
  const body =
    block === null || !MAKES_TYPE.test(value?.text ?? '') ? undefined : childOfType(block, 'body_statement');
  return [
    declare(
      scope.source,
      { node, doc },
      {
        name: name.text,
        kind: 'constant',
        end: block?.startIndex ?? valueEnd(value, name, node),
        body: block,
        exported: true,
        members: body === undefined ? [] : readBody({ ...scope, isClass: true }, documented(body)),
      },
    ),
  ];
}

const ATTRIBUTES: ReadonlySet<string> = new Set(['attr_reader', 'attr_writer', 'attr_accessor', 'attr']);
const DEFINERS: ReadonlySet<string> = new Set(['define_method', 'alias_method', 'define_singleton_method']);

function readCall(scope: Scope, statement: Documented): Declaration[] {
  const word = fieldText(statement.node, 'method');
  const symbols = symbolsOf(statement.node);
  if (ATTRIBUTES.has(word)) {
    return symbols.map((name) => ({ ...named(scope, statement, name), kind: 'property' as const }));
  }
  const [first] = symbols;
  return DEFINERS.has(word) && first !== undefined ? [named(scope, statement, first)] : [];
}

function named({ source }: Scope, { node, doc }: Documented, name: string): Declaration {
  return declare(source, { node, doc }, { name, kind: 'method', body: field(node, 'block'), exported: true });
}

function symbolsOf(call: Node): string[] {
  const list = field(call, 'arguments');
  return list === null
    ? []
    : list.namedChildren.flatMap((child) => (child.type === 'simple_symbol' ? [child.text.slice(1)] : []));
}

function readRequire(node: Node): ImportStatement[] {
  if (node.type !== 'call' || !/^(require|require_relative|load|autoload)$/.test(fieldText(node, 'method')))
    return [];
  const content = field(node, 'arguments')?.descendantsOfType('string_content')[0];
  return content === undefined ? [] : [importOf(node, content.text, symbolsOf(node))];
}
