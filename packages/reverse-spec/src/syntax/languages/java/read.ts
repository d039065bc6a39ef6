import type { Node } from 'web-tree-sitter';
import type { Declaration, ImportStatement } from '../../outline.ts';
import {
  childOfType,
  declare,
  declareHolder,
  field,
  importFrom,
  importOf,
  readFields,
  readPackage,
  readTop,
  type Statement,
  type TreeCode,
} from '../../tree/source.ts';

export const javaCode: TreeCode = {
  read: (source) => readTop(source, readImport),
  docs: { opens: /^\/\*\*/ },
  // Without `private`, at least other files of the package can use a declaration.
  isExported: ({ node }) =>
    childOfType(node, 'modifiers')?.children.every((modifier) => modifier.type !== 'private') ?? true,
  opens: ({ node, holder }) => holder !== undefined && node.type === 'enum_body_declarations',
  rules: {
    package_declaration: readPackage,
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
    field_declaration: readDeclarators,
    constant_declaration: readDeclarators,
  },
};

function holdsCode(body: Node): boolean {
  return body.namedChildren.some(
    (child) => child.type === 'enum_body_declarations' || field(child, 'body') !== null,
  );
}

function readDeclarators(statement: Statement): Declaration[] {
  return readFields(statement, statement.node.childrenForFieldName('declarator'));
}

function readImport(node: Node): ImportStatement[] {
  if (node.type !== 'import_declaration') return [];
  const path = childOfType(node, 'scoped_identifier', 'identifier')?.text ?? '';
  if (childOfType(node, 'asterisk') !== null) return [importOf(node, path, ['*'])];
  return [importFrom(node, path)];
}
