import type { Node } from 'web-tree-sitter';
import type { Declaration, DeclarationKind, ImportStatement } from '../../outline.ts';
import { declareContainer } from '../../tree/container.ts';
import {
  childOfType,
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

const JAVADOC: DocStyle = { opens: /^\/\*\*/ };

export function readJava(source: TreeSource): TreeReading {
  const statements = documented(source.root, JAVADOC);
  return {
    imports: statements.flatMap(({ node }) => readImport(node)),
    declarations: statements.flatMap((statement) => readDeclaration(source, statement)),
  };
}

const TYPES: Readonly<Record<string, DeclarationKind>> = {
  class_declaration: 'class',
  record_declaration: 'class',
  interface_declaration: 'interface',
  annotation_type_declaration: 'interface',
  enum_declaration: 'enum',
};

const CALLABLES: Readonly<Record<string, DeclarationKind>> = {
  method_declaration: 'method',
  annotation_type_element_declaration: 'method',
  constructor_declaration: 'constructor',
  compact_constructor_declaration: 'constructor',
};

function readDeclaration(source: TreeSource, statement: Documented): Declaration[] {
  const { node, doc } = statement;
  const type = TYPES[node.type];
  if (type !== undefined) return [readType(source, statement, type)];
  const callable = CALLABLES[node.type];
  if (callable !== undefined) return [readCallable(source, statement, callable)];
  if (node.type === 'field_declaration' || node.type === 'constant_declaration')
    return readField(source, statement);
  if (node.type === 'enum_constant') return [readConstant(source, statement)];
  if (node.type !== 'package_declaration') return [];
  const name = node.lastNamedChild?.text ?? '';
  return [declare(source, { node, doc }, { name, kind: 'namespace', exported: false })];
}

/** All but `private` can be used from another file, of the package at least. */
function isExported(node: Node): boolean {
  const modifiers = childOfType(node, 'modifiers');
  return modifiers === undefined || !modifiers.children.some((modifier) => modifier.type === 'private');
}

function readType(source: TreeSource, statement: Documented, kind: DeclarationKind): Declaration {
  return declareContainer(source, statement, {
    kind,
    exported: isExported(statement.node),
    showsBody: (body) => kind === 'enum' && !holdsCode(body),
    members: (body) => readMembers(source, body),
  });
}

function holdsCode(body: Node): boolean {
  return body.namedChildren.some(
    (child) => child.type === 'enum_body_declarations' || field(child, 'body') !== null,
  );
}

function readMembers(source: TreeSource, body: Node): Declaration[] {
  return documented(body, JAVADOC).flatMap((member) =>
    member.node.type === 'enum_body_declarations'
      ? readMembers(source, member.node)
      : readDeclaration(source, member),
  );
}

function readCallable(source: TreeSource, statement: Documented, kind: DeclarationKind): Declaration {
  const { node } = statement;
  return declare(source, statement, { kind, body: field(node, 'body'), exported: isExported(node) });
}

function readField(source: TreeSource, statement: Documented): Declaration[] {
  const { node } = statement;
  const declarators = node.childrenForFieldName('declarator');
  return declarators.map((declarator) =>
    declare(source, statement, {
      name: fieldText(declarator, 'name'),
      kind: 'property',
      end: valueEnd(field(declarator, 'value'), field(declarator, 'name'), node),
      exported: isExported(node),
    }),
  );
}

function readConstant(source: TreeSource, statement: Documented): Declaration {
  const { node } = statement;
  return declare(source, statement, { kind: 'case', body: field(node, 'body'), exported: true });
}

function readImport(node: Node): ImportStatement[] {
  if (node.type !== 'import_declaration') return [];
  const path = childOfType(node, 'scoped_identifier', 'identifier')?.text ?? '';
  if (childOfType(node, 'asterisk') !== undefined) return [importOf(node, path, ['*'])];
  const dot = path.lastIndexOf('.');
  return [importOf(node, path.slice(0, Math.max(dot, 0)), [path.slice(dot + 1)])];
}
