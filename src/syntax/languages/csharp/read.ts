import type { Node } from 'web-tree-sitter';
import type { Declaration, DeclarationKind, ImportStatement } from '../../outline.ts';
import { conditionalsInTheWay } from '../../tree/conditionals.ts';
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
  importOf,
  type TreeReading,
  type TreeSource,
  valueEnd,
} from '../../tree/source.ts';
import type { TreeCode } from '../language.ts';

const XML_DOC: DocStyle = { opens: /^(\/\/\/|\/\*\*)/ };

export const csharpCode: TreeCode = { read: readCsharp, hides: conditionalsInTheWay };

function readCsharp(source: TreeSource): TreeReading {
  const statements = statementsOf(source.root);
  return {
    imports: statements.flatMap(({ node }) => readUsing(node)),
    declarations: statements.flatMap((statement) => readDeclaration({ source, isOpen: true }, statement)),
  };
}

/** What a declaration without a word of its own is: open in a namespace or an interface, private in a class. */
interface Scope {
  source: TreeSource;
  isOpen: boolean;
}

function statementsOf(parent: Node): Documented[] {
  return documented(parent, XML_DOC).flatMap((statement) =>
    statement.node.type.startsWith('preproc_') ? statementsOf(statement.node) : [statement],
  );
}

type Reader = (scope: Scope, statement: Documented) => Declaration[];

const READERS: Readonly<Record<string, Reader>> = {
  namespace_declaration: readNamespace,
  file_scoped_namespace_declaration: readFileNamespace,
  class_declaration: (scope, statement) => readType(scope, statement, 'class'),
  record_declaration: (scope, statement) => readType(scope, statement, recordKind(statement.node)),
  record_struct_declaration: (scope, statement) => readType(scope, statement, 'struct'),
  struct_declaration: (scope, statement) => readType(scope, statement, 'struct'),
  interface_declaration: (scope, statement) => readType(scope, statement, 'interface'),
  enum_declaration: readEnum,
  delegate_declaration: (scope, statement) => [readMember(scope, statement, 'type')],
  method_declaration: (scope, statement) => [readMember(scope, statement, 'method')],
  local_function_statement: (scope, statement) => [readMember(scope, statement, 'function')],
  constructor_declaration: (scope, statement) => [readMember(scope, statement, 'constructor')],
  operator_declaration: (scope, statement) => [readMember(scope, statement, 'method')],
  conversion_operator_declaration: (scope, statement) => [readMember(scope, statement, 'method')],
  property_declaration: (scope, statement) => [readProperty(scope, statement)],
  indexer_declaration: (scope, statement) => [readProperty(scope, statement)],
  event_declaration: (scope, statement) => [readProperty(scope, statement)],
  field_declaration: readFields,
  event_field_declaration: readFields,
};

function readDeclaration(scope: Scope, statement: Documented): Declaration[] {
  return READERS[statement.node.type]?.(scope, statement) ?? [];
}

function isExported({ isOpen }: Scope, node: Node): boolean {
  const words = childrenOfType(node, 'modifier').map((modifier) => modifier.text);
  if (words.includes('public') || words.includes('protected') || words.includes('internal')) return true;
  return isOpen && !words.includes('private') && !words.includes('file');
}

function readNamespace({ source }: Scope, statement: Documented): Declaration[] {
  const members = (body: Node) => readBody({ source, isOpen: true }, body);
  return [declareContainer(source, statement, { kind: 'namespace', exported: true, members })];
}

/** `namespace A;` names the rest of the file and opens nothing. */
function readFileNamespace({ source }: Scope, statement: Documented): Declaration[] {
  const { node } = statement;
  const end = childOfType(node, ';')?.startIndex;
  const name = fieldText(node, 'name');
  const line = declare(source, statement, { name, kind: 'namespace', end, exported: false });
  return [{ ...line, endLine: line.startLine }, ...readBody({ source, isOpen: true }, node)];
}

function readBody(scope: Scope, body: Node): Declaration[] {
  return statementsOf(body).flatMap((statement) => readDeclaration(scope, statement));
}

function recordKind(node: Node): DeclarationKind {
  return childOfType(node, 'struct') === undefined ? 'class' : 'struct';
}

function readType(scope: Scope, statement: Documented, kind: DeclarationKind): Declaration[] {
  const { source } = scope;
  const exported = isExported(scope, statement.node);
  const members = (body: Node) => readBody({ source, isOpen: kind === 'interface' }, body);
  const type = declareContainer(source, statement, { kind, exported, members });
  return [{ ...type, members: [...recordProperties(source, statement.node), ...type.members] }];
}

/** `record A(string B)` declares the property `B`; the parameters of a class stay its own. */
function recordProperties(source: TreeSource, node: Node): Declaration[] {
  const list = node.type.startsWith('record') ? childOfType(node, 'parameter_list') : undefined;
  return childrenOfType(list ?? node, 'parameter').map((parameter) =>
    declare(source, { node: parameter }, { kind: 'property', exported: true }),
  );
}

function readEnum(scope: Scope, statement: Documented): Declaration[] {
  return [
    declareContainer(scope.source, statement, {
      kind: 'enum',
      exported: isExported(scope, statement.node),
      showsBody: () => true,
      members: (body) => documented(body, XML_DOC).map((member) => readCase(scope, member)),
    }),
  ];
}

function readCase({ source }: Scope, statement: Documented): Declaration {
  return declare(source, statement, { kind: 'case', exported: true });
}

function readMember(scope: Scope, statement: Documented, kind: DeclarationKind): Declaration {
  const { node } = statement;
  const body = field(node, 'body') ?? childOfType(node, 'arrow_expression_clause');
  return declare(scope.source, statement, {
    name: memberName(node),
    kind,
    end: childOfType(node, 'constructor_initializer')?.startIndex,
    body,
    exported: isExported(scope, node),
  });
}

function memberName(node: Node): string {
  if (node.type === 'indexer_declaration') return 'this';
  if (node.type === 'operator_declaration') return `operator ${fieldText(node, 'operator')}`;
  if (node.type !== 'conversion_operator_declaration') return fieldText(node, 'name');
  const word = childOfType(node, 'implicit', 'explicit')?.type ?? '';
  return `${word} operator ${fieldText(node, 'type')}`;
}

/** `{ get; set; }` is part of what a property promises; accessors with code are not. */
function readProperty(scope: Scope, statement: Documented): Declaration {
  const { node } = statement;
  const accessors = field(node, 'accessors');
  const value = field(node, 'value');
  const isCode = accessors !== null && /=>|\{[^{}]*\{/.test(accessors.text);
  const arrow = value?.type === 'arrow_expression_clause' ? value : null;
  const code = isCode ? accessors : arrow;
  return declare(scope.source, statement, {
    name: memberName(node),
    kind: 'property',
    end: code === null ? valueEnd(value, accessors, node) : code.startIndex,
    body: code,
    exported: isExported(scope, node),
  });
}

function readFields(scope: Scope, statement: Documented): Declaration[] {
  const { node } = statement;
  const declarators = node.descendantsOfType('variable_declarator');
  return declarators.map((declarator) =>
    declare(scope.source, statement, {
      name: fieldText(declarator, 'name'),
      kind: 'property',
      end: valueEnd(declarator.lastNamedChild, field(declarator, 'name'), node),
      exported: isExported(scope, node),
    }),
  );
}

function readUsing(node: Node): ImportStatement[] {
  if (node.type !== 'using_directive') return [];
  const alias = field(node, 'name');
  const target = node.namedChildren.findLast((child) => child.id !== alias?.id);
  return [importOf(node, target?.text ?? '', alias === null ? [] : [alias.text])];
}
