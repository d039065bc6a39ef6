import type { DeclarationKind } from '@secateur/base/languages/structure.ts';
import type { Node } from 'web-tree-sitter';
import type { Declaration, ImportStatement } from '../../outline.ts';
import { conditionalsInTheWay } from '../../tree/parsers.ts';
import {
  childOfType,
  childrenOfType,
  declare,
  declareHolder,
  documented,
  field,
  fieldText,
  importOf,
  inPlaceOf,
  readFields,
  readInside,
  readTop,
  type Statement,
  type TreeCode,
  valueEnd,
} from '../../tree/source.ts';

export const csharpCode: TreeCode = {
  read: (source) => readTop(source, readUsing),
  hides: conditionalsInTheWay,
  docs: { opens: /^(\/\/\/|\/\*\*)/ },
  opens: ({ node }) => node.type.startsWith('preproc_'),
  isExported,
  rules: {
    namespace_declaration: (statement) => declareHolder(statement, { kind: 'namespace', exported: true }),
    file_scoped_namespace_declaration: readFileNamespace,
    class_declaration: (statement) => readType(statement, 'class'),
    record_declaration: (statement) =>
      readType(statement, childOfType(statement.node, 'struct') === null ? 'class' : 'struct'),
    record_struct_declaration: (statement) => readType(statement, 'struct'),
    struct_declaration: (statement) => readType(statement, 'struct'),
    interface_declaration: (statement) => readType(statement, 'interface'),
    enum_declaration: (statement) =>
      declareHolder(statement, {
        kind: 'enum',
        showsBody: () => true,
        members: (body, place) =>
          documented(body, place).map((member) => declare(member, { kind: 'case', exported: true })),
      }),
    delegate_declaration: (statement) => readMember(statement, 'type'),
    method_declaration: (statement) => readMember(statement, 'method'),
    local_function_statement: (statement) => readMember(statement, 'function'),
    constructor_declaration: (statement) => readMember(statement, 'constructor'),
    operator_declaration: (statement) => readMember(statement, 'method'),
    conversion_operator_declaration: (statement) => readMember(statement, 'method'),
    property_declaration: readProperty,
    indexer_declaration: readProperty,
    event_declaration: readProperty,
    field_declaration: readDeclarators,
    event_field_declaration: readDeclarators,
  },
};

/** Whether other files can use a declaration. Without a modifier, only members of a class are private. */
function isExported({ node, holder }: Statement): boolean {
  const words = childrenOfType(node, 'modifier').map((modifier) => modifier.text);
  if (words.includes('public') || words.includes('protected') || words.includes('internal')) return true;
  const isOpen = holder === undefined || holder.kind === 'namespace' || holder.kind === 'interface';
  return isOpen && !words.includes('private') && !words.includes('file');
}

/** Reads `namespace A;`, which applies to the rest of the file and has no body. */
function readFileNamespace(statement: Statement): Declaration[] {
  const { node, source } = statement;
  const end = childOfType(node, ';')?.startIndex;
  const line = declare(statement, { kind: 'namespace', end, body: null, exported: false });
  return [{ ...line, endLine: line.startLine }, ...readInside(node, { source })];
}

function readType(statement: Statement, kind: DeclarationKind): Declaration {
  const type = declareHolder(statement, { kind });
  return { ...type, members: [...recordProperties(statement), ...type.members] };
}

/** Reads the properties of a record: `record A(string B)` declares `B`. Constructor parameters of a class declare none. */
function recordProperties(statement: Statement): Declaration[] {
  const { node } = statement;
  const list = node.type.startsWith('record') ? childOfType(node, 'parameter_list') : null;
  return childrenOfType(list ?? node, 'parameter').map((parameter) =>
    declare(inPlaceOf(statement, parameter), { kind: 'property', exported: true }),
  );
}

function readMember(statement: Statement, kind: DeclarationKind): Declaration {
  const { node } = statement;
  return declare(statement, {
    name: memberName(node),
    kind,
    end: childOfType(node, 'constructor_initializer')?.startIndex,
    body: field(node, 'body') ?? childOfType(node, 'arrow_expression_clause'),
  });
}

function memberName(node: Node): string {
  if (node.type === 'indexer_declaration') return 'this';
  if (node.type === 'operator_declaration') return `operator ${fieldText(node, 'operator')}`;
  if (node.type !== 'conversion_operator_declaration') return fieldText(node, 'name');
  const word = childOfType(node, 'implicit', 'explicit')?.type ?? '';
  return `${word} operator ${fieldText(node, 'type')}`;
}

/** Reads a property. Its signature includes `{ get; set; }`, but not the code of accessors. */
function readProperty(statement: Statement): Declaration {
  const { node } = statement;
  const accessors = field(node, 'accessors');
  const value = field(node, 'value');
  const isCode = accessors !== null && /=>|\{[^{}]*\{/.test(accessors.text);
  const arrow = value?.type === 'arrow_expression_clause' ? value : null;
  const code = isCode ? accessors : arrow;
  const end = code === null ? valueEnd(value, accessors, node) : code.startIndex;
  return declare(statement, { name: memberName(node), kind: 'property', end, body: code });
}

function readDeclarators(statement: Statement): Declaration[] {
  return readFields(statement, statement.node.descendantsOfType('variable_declarator'));
}

function readUsing(node: Node): ImportStatement[] {
  if (node.type !== 'using_directive') return [];
  const alias = field(node, 'name');
  const target = node.namedChildren.findLast((child) => child.id !== alias?.id);
  return [importOf(node, target?.text ?? '', alias === null ? [] : [alias.text])];
}
