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
import { isExported } from './visibility.ts';

export function readGo(source: TreeSource): TreeReading {
  const statements = documented(source.root);
  const declarations = statements.flatMap((statement) => readStatement(source, statement));
  return {
    imports: statements.flatMap(({ node }) => readImports(node)),
    declarations: attachMethods(declarations),
  };
}

function readStatement(source: TreeSource, statement: Documented): Declaration[] {
  const { node, doc } = statement;
  if (node.type === 'function_declaration' || node.type === 'method_declaration') {
    return [readFunction(source, statement)];
  }
  if (node.type === 'const_declaration') return readGroup(source, statement, 'const');
  if (node.type === 'var_declaration') return readGroup(source, statement, 'var');
  if (node.type === 'type_declaration') return readGroup(source, statement, 'type');
  if (node.type !== 'package_clause') return [];
  const name = node.firstNamedChild?.text ?? '';
  return [declare(source, { name, kind: 'namespace', first: node, doc, exported: false })];
}

function readFunction(source: TreeSource, { node, doc }: Documented): Declaration {
  const name = fieldText(node, 'name');
  const receiver = receiverType(node);
  return declare(source, {
    name: receiver === undefined ? name : `${receiver}.${name}`,
    kind: receiver === undefined ? 'function' : 'method',
    first: node,
    body: field(node, 'body'),
    doc,
    exported: isExported(name) && (receiver === undefined || isExported(receiver)),
  });
}

function receiverType(node: Node): string | undefined {
  const receiver = field(node, 'receiver');
  return receiver === null ? undefined : receiver.descendantsOfType('type_identifier')[0]?.text;
}

type Keyword = 'const' | 'var' | 'type';

/** `const ( … )` declares one name a line; each reads as if it stood alone. */
function readGroup(source: TreeSource, { node, doc }: Documented, keyword: Keyword): Declaration[] {
  const list = childOfType(node, 'var_spec_list') ?? node;
  const isGrouped = childOfType(list, '(') !== undefined;
  return documented(list).flatMap((spec) => {
    const part = { spec: spec.node, first: isGrouped ? spec.node : node, doc: spec.doc ?? doc };
    const prefix = isGrouped ? `${keyword} ` : undefined;
    return keyword === 'type'
      ? [readType(source, part, prefix)]
      : readValue(source, part, { keyword, prefix });
  });
}

interface Spec {
  spec: Node;
  first: Node;
  doc: string | undefined;
}

interface ValueWords {
  keyword: Keyword;
  prefix: string | undefined;
}

function readValue(
  source: TreeSource,
  { spec, first, doc }: Spec,
  { keyword, prefix }: ValueWords,
): Declaration[] {
  const names = spec.childrenForFieldName('name').filter((name) => name.type === 'identifier');
  const before = field(spec, 'type') ?? names.at(-1) ?? null;
  return names.map((name) =>
    declare(source, {
      name: name.text,
      kind: keyword === 'const' ? 'constant' : 'variable',
      prefix,
      first,
      end: valueEnd(field(spec, 'value'), before, spec),
      doc,
      exported: isExported(name.text),
    }),
  );
}

function readType(source: TreeSource, { spec, first, doc }: Spec, prefix: string | undefined): Declaration {
  const name = fieldText(spec, 'name');
  const type = field(spec, 'type');
  const body = type === null ? undefined : typeBody(type);
  return declare(source, {
    name,
    kind: typeKind(type),
    prefix,
    first,
    body,
    doc,
    exported: isExported(name),
    members: body === undefined ? [] : readMembers(source, type ?? body),
  });
}

function typeKind(type: Node | null): Declaration['kind'] {
  if (type?.type === 'struct_type') return 'struct';
  return type?.type === 'interface_type' ? 'interface' : 'type';
}

function typeBody(type: Node): Node | undefined {
  if (type.type === 'struct_type') return childOfType(type, 'field_declaration_list');
  return type.type === 'interface_type' ? childOfType(type, '{') : undefined;
}

function readMembers(source: TreeSource, type: Node): Declaration[] {
  const list = childOfType(type, 'field_declaration_list') ?? type;
  return documented(list).flatMap(({ node, doc }) =>
    memberNames(node).map((name) =>
      declare(source, {
        name,
        kind: node.type.startsWith('method') ? 'method' : 'property',
        first: node,
        doc,
        exported: isExported(name.replace(/^\*?(\w+\.)?/, '')),
      }),
    ),
  );
}

/** An embedded type is a member that bears its own name. */
function memberNames(node: Node): string[] {
  const names = node.childrenForFieldName('name').filter((name) => name.isNamed);
  if (names.length > 0) return names.map((name) => name.text);
  return [(field(node, 'type') ?? node).text];
}

/** Methods belong to their type when it is declared in the same file. */
function attachMethods(declarations: readonly Declaration[]): Declaration[] {
  const types = new Map(
    declarations
      .filter((each) => /^(struct|interface|type)$/.test(each.kind))
      .map((each) => [each.name, each]),
  );
  return declarations.filter((declaration) => {
    const [owner = '', name] = declaration.name.split('.');
    const type = declaration.kind === 'method' ? types.get(owner) : undefined;
    if (type === undefined || name === undefined) return true;
    type.members.push({ ...declaration, name });
    return false;
  });
}

function readImports(node: Node): ImportStatement[] {
  if (node.type !== 'import_declaration') return [];
  return node.descendantsOfType('import_spec').map((spec) => {
    const alias = field(spec, 'name')?.text;
    return importOf(spec, fieldText(spec, 'path').slice(1, -1), alias === undefined ? [] : [alias]);
  });
}
