import type { DeclarationKind } from '@secateur/base/languages/structure.ts';
import type { Node } from 'web-tree-sitter';
import type { Declaration, ImportStatement } from '../../outline.ts';
import {
  childOfType,
  childrenOfType,
  declare,
  declareHolder,
  documented,
  field,
  fieldText,
  importFrom,
  importOf,
  inPlaceOf,
  readStatement,
  readTop,
  type Statement,
  type TreeCode,
  valueEnd,
} from '../../tree/source.ts';

export const phpCode: TreeCode = {
  read: (source) => readTop(source, readImport),
  docs: { opens: /^\/\*\*/ },
  isExported: ({ node }) =>
    childrenOfType(node, 'visibility_modifier').every((modifier) => modifier.text !== 'private'),
  // Functions are often declared inside `if (!function_exists(…))`.
  opens: ({ node }) => /^(if_statement|compound_statement|else_clause)$/.test(node.type),
  rules: {
    // `namespace A { … }` contains its declarations; `namespace A;` applies to the rest of the file.
    namespace_definition: (statement) =>
      declareHolder(statement, { kind: 'namespace', exported: field(statement.node, 'body') !== null }),
    class_declaration: (statement) => readType(statement, 'class'),
    interface_declaration: (statement) => readType(statement, 'interface'),
    trait_declaration: (statement) => readType(statement, 'trait'),
    enum_declaration: (statement) => readType(statement, 'enum'),
    enum_case: (statement) => declare(statement, { kind: 'case', exported: true }),
    function_definition: 'function',
    method_declaration: readMethod,
    const_declaration: readConstants,
    property_declaration: readProperties,
    expression_statement: readDefine,
  },
};

function readType(statement: Statement, kind: DeclarationKind): Declaration {
  return declareHolder(statement, {
    kind,
    exported: true,
    showsBody: (body) => kind === 'enum' && childOfType(body, 'method_declaration') === null,
    members: (body, place) => documented(body, place).flatMap(readStatement),
  });
}

/** Reads a method, and the properties that promoted constructor parameters declare. */
function readMethod(statement: Statement): Declaration[] {
  const { node } = statement;
  const isConstructor = fieldText(node, 'name') === '__construct';
  const parameters = field(node, 'parameters');
  const promoted = parameters === null ? [] : childrenOfType(parameters, 'property_promotion_parameter');
  const properties = promoted.map((parameter) =>
    declare(inPlaceOf(statement, parameter), {
      name: fieldText(parameter, 'name').slice(1),
      kind: 'property',
      exported: fieldText(parameter, 'visibility') !== 'private',
    }),
  );
  return [declare(statement, { kind: isConstructor ? 'constructor' : 'method' }), ...properties];
}

function readConstants(statement: Statement): Declaration[] {
  const { node } = statement;
  return childrenOfType(node, 'const_element').map((element) => {
    const name = element.firstNamedChild;
    const end = valueEnd(element.lastNamedChild, name, node);
    return declare(statement, { name: name?.text ?? '', kind: 'constant', end });
  });
}

function readProperties(statement: Statement): Declaration[] {
  const { node } = statement;
  const hooks = childOfType(node, 'property_hook_list');
  return childrenOfType(node, 'property_element').map((element) => {
    const name = field(element, 'name');
    const end = hooks?.startIndex ?? valueEnd(field(element, 'default_value'), name, node);
    return declare(statement, { name: name?.text.slice(1) ?? '', kind: 'property', end, body: hooks });
  });
}

/** Reads a constant: `define('NAME', value)`. */
function readDefine(statement: Statement): Declaration[] {
  const name = /^define\s*\(\s*['"]([^'"]+)['"]/i.exec(statement.node.text)?.[1];
  return name === undefined ? [] : [declare(statement, { name, kind: 'constant', exported: true })];
}

function readImport(node: Node): ImportStatement[] {
  if (node.type === 'expression_statement') return readRequire(node);
  if (node.type !== 'namespace_use_declaration') return [];
  const group = field(node, 'body');
  if (group === null)
    return childrenOfType(node, 'namespace_use_clause').map((clause) => readClause(node, clause));
  const names = childrenOfType(group, 'namespace_use_clause').map((clause) => clause.text);
  return [importOf(node, childOfType(node, 'namespace_name')?.text ?? '', names)];
}

/** Reads one import: `use A\B\C as D` imports `C as D` from `A\B`. */
function readClause(node: Node, clause: Node): ImportStatement {
  const written = clause.text.replace(/^(function|const)\s+/, '');
  const path = (written.split(/\sas\s/)[0] ?? '').trimEnd();
  return importFrom(node, path, { separator: '\\', suffix: written.slice(path.length) });
}

function readRequire(node: Node): ImportStatement[] {
  const load = node.firstNamedChild;
  if (load === null || !/^(require|include)/.test(load.type)) return [];
  return [importOf(node, load.firstNamedChild?.text ?? '')];
}
