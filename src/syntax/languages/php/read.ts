import type { Node } from 'web-tree-sitter';
import type { Declaration, DeclarationKind } from '../../outline.ts';
import { declareContainer } from '../../tree/container.ts';
import {
  childOfType,
  childrenOfType,
  type DocStyle,
  type Documented,
  declare,
  documented,
  field,
  fieldText,
  type TreeReading,
  type TreeSource,
  valueEnd,
} from '../../tree/source.ts';
import { readImport } from './imports.ts';

const PHPDOC: DocStyle = { opens: /^\/\*\*/ };

export function readPhp(source: TreeSource): TreeReading {
  const statements = statementsOf(source.root);
  return {
    imports: statements.flatMap(({ node }) => readImport(node)),
    declarations: statements.flatMap((statement) => readStatement(source, statement)),
  };
}

/** Functions are often declared inside `if (!function_exists(…))`. */
function statementsOf(parent: Node): Documented[] {
  return documented(parent, PHPDOC).flatMap((statement) =>
    /^(if_statement|compound_statement|else_clause)$/.test(statement.node.type)
      ? statementsOf(statement.node)
      : [statement],
  );
}

type Reader = (source: TreeSource, statement: Documented) => Declaration[];

const READERS: Readonly<Record<string, Reader>> = {
  namespace_definition: readNamespace,
  class_declaration: (source, statement) => readType(source, statement, 'class'),
  interface_declaration: (source, statement) => readType(source, statement, 'interface'),
  trait_declaration: (source, statement) => readType(source, statement, 'trait'),
  enum_declaration: (source, statement) => readType(source, statement, 'enum'),
  function_definition: (source, statement) => [readFunction(source, statement, 'function')],
  method_declaration: readMethod,
  const_declaration: readConstants,
  property_declaration: readProperties,
  enum_case: (source, { node, doc }) => [declare(source, { node, doc }, { kind: 'case', exported: true })],
  expression_statement: readDefine,
};

function readStatement(source: TreeSource, statement: Documented): Declaration[] {
  return READERS[statement.node.type]?.(source, statement) ?? [];
}

function isExported(node: Node): boolean {
  return !childrenOfType(node, 'visibility_modifier').some((modifier) => modifier.text === 'private');
}

/** `namespace A { … }` holds its declarations; `namespace A;` names the rest of the file. */
function readNamespace(source: TreeSource, statement: Documented): Declaration[] {
  const exported = field(statement.node, 'body') !== null;
  const members = (body: Node) => statementsOf(body).flatMap((each) => readStatement(source, each));
  return [declareContainer(source, statement, { kind: 'namespace', exported, members })];
}

function readType(source: TreeSource, statement: Documented, kind: DeclarationKind): Declaration[] {
  return [
    declareContainer(source, statement, {
      kind,
      exported: true,
      showsBody: (body) => kind === 'enum' && childOfType(body, 'method_declaration') === undefined,
      members: (body) => readMembers(source, body),
    }),
  ];
}

function readMembers(source: TreeSource, body: Node): Declaration[] {
  return documented(body, PHPDOC).flatMap((member) => readStatement(source, member));
}

function readFunction(source: TreeSource, statement: Documented, kind: DeclarationKind): Declaration {
  const { node } = statement;
  const name = fieldText(node, 'name');
  return declare(source, statement, { name, kind, body: field(node, 'body'), exported: isExported(node) });
}

/** A constructor's promoted parameters are properties too. */
function readMethod(source: TreeSource, statement: Documented): Declaration[] {
  const { node } = statement;
  const isConstructor = fieldText(node, 'name') === '__construct';
  const method = readFunction(source, statement, isConstructor ? 'constructor' : 'method');
  const parameters = field(node, 'parameters');
  const promoted = parameters === null ? [] : childrenOfType(parameters, 'property_promotion_parameter');
  const properties = promoted.map((parameter) =>
    declare(
      source,
      { node: parameter },
      {
        name: fieldText(parameter, 'name').slice(1),
        kind: 'property',
        exported: field(parameter, 'visibility')?.text !== 'private',
      },
    ),
  );
  return [method, ...properties];
}

function readConstants(source: TreeSource, statement: Documented): Declaration[] {
  const { node } = statement;
  return childrenOfType(node, 'const_element').map((element) => {
    const name = element.firstNamedChild;
    const end = valueEnd(element.lastNamedChild, name, node);
    return declare(source, statement, {
      name: name?.text ?? '',
      kind: 'constant',
      end,
      exported: isExported(node),
    });
  });
}

function readProperties(source: TreeSource, statement: Documented): Declaration[] {
  const { node } = statement;
  return childrenOfType(node, 'property_element').map((element) => {
    const name = field(element, 'name');
    const hooks = childOfType(node, 'property_hook_list');
    const end = hooks?.startIndex ?? valueEnd(field(element, 'default_value'), name, node);
    const exported = isExported(node);
    return declare(source, statement, {
      name: name?.text.slice(1) ?? '',
      kind: 'property',
      end,
      body: hooks,
      exported,
    });
  });
}

/** `define('NAME', value)` */
function readDefine(source: TreeSource, statement: Documented): Declaration[] {
  const { node } = statement;
  const name = /^define\s*\(\s*['"]([^'"]+)['"]/i.exec(node.text)?.[1];
  return name === undefined ? [] : [declare(source, statement, { name, kind: 'constant', exported: true })];
}
