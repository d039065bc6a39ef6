import type { Node } from 'web-tree-sitter';
import type { Declaration, ImportStatement } from '../../outline.ts';
import {
  childOfType,
  declare,
  declareHolder,
  field,
  fieldText,
  importOf,
  readTop,
  type Statement,
  type TreeCode,
  valueEnd,
} from '../../tree/source.ts';

export const javaCode: TreeCode = {
  read: (source) => readTop(source, readImport),
  docs: { opens: /^\/\*\*/ },
  // Without `private`, at least other files of the package can use a declaration.
  isExported: ({ node }) =>
    childOfType(node, 'modifiers')?.children.every((modifier) => modifier.type !== 'private') ?? true,
  opens: ({ node, holder }) => holder !== undefined && node.type === 'enum_body_declarations',
  rules: {
    package_declaration: (statement) => {
      const name = statement.node.lastNamedChild?.text ?? '';
      return declare(statement, { name, kind: 'namespace', exported: false });
    },
    class_declaration: (statement) => declareHolder(statement, { kind: 'class' }),
    record_declaration: (statement) => declareHolder(statement, { kind: 'class' }),
    interface_declaration: (statement) => declareHolder(statement, { kind: 'interface' }),
    annotation_type_declaration: (statement) => declareHolder(statement, { kind: 'interface' }),
    enum_declaration: (statement) =>
      declareHolder(statement, { kind: 'enum', showsBody: (body) => !holdsCode(body) }),
    enum_constant: (statement) => declare(statement, { kind: 'case', exported: true }),
    method_declaration: 'method',
    annotation_type_element_declaration: 'method',
    constructor_declaration: 'constructor',
    compact_constructor_declaration: 'constructor',
    field_declaration: readFields,
    constant_declaration: readFields,
  },
};

function holdsCode(body: Node): boolean {
  return body.namedChildren.some(
    (child) => child.type === 'enum_body_declarations' || field(child, 'body') !== null,
  );
}

function readFields(statement: Statement): Declaration[] {
  const { node } = statement;
  return node.childrenForFieldName('declarator').map((declarator) =>
    declare(statement, {
      name: fieldText(declarator, 'name'),
      kind: 'property',
      end: valueEnd(field(declarator, 'value'), field(declarator, 'name'), node),
    }),
  );
}

function readImport(node: Node): ImportStatement[] {
  if (node.type !== 'import_declaration') return [];
  const path = childOfType(node, 'scoped_identifier', 'identifier')?.text ?? '';
  if (childOfType(node, 'asterisk') !== null) return [importOf(node, path, ['*'])];
  const dot = path.lastIndexOf('.');
  return [importOf(node, path.slice(0, Math.max(dot, 0)), [path.slice(dot + 1)])];
}
