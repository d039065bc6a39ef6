import type { Node } from 'web-tree-sitter';
import type { Declaration, ImportStatement } from '../../outline.ts';
import {
  childOfType,
  type DeclaredNode,
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
  return [declare(source, { node, doc }, { name, kind: 'namespace', exported: false })];
}

function readFunction(source: TreeSource, statement: Documented): Declaration {
  const { node } = statement;
  const name = fieldText(node, 'name');
  const receiver = receiverType(node);
  return declare(source, statement, {
    name: receiver === undefined ? name : `${receiver}.${name}`,
    kind: receiver === undefined ? 'function' : 'method',
    body: field(node, 'body'),
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
    const part = { spec: spec.node, node: isGrouped ? spec.node : node, doc: spec.doc ?? doc };
    const prefix = isGrouped ? `${keyword} ` : undefined;
    return keyword === 'type'
      ? [readType(source, part, prefix)]
      : readValue(source, part, { keyword, prefix });
  });
}

/** One name of a group, declared by its line or by the whole group. */
interface Spec extends DeclaredNode {
  spec: Node;
}

interface ValueWords {
  keyword: Keyword;
  prefix: string | undefined;
}

function readValue(source: TreeSource, part: Spec, { keyword, prefix }: ValueWords): Declaration[] {
  const { spec } = part;
  const names = spec.childrenForFieldName('name').filter((name) => name.type === 'identifier');
  const before = field(spec, 'type') ?? names.at(-1) ?? null;
  return names.map((name) =>
    declare(source, part, {
      name: name.text,
      kind: keyword === 'const' ? 'constant' : 'variable',
      prefix,
      end: valueEnd(field(spec, 'value'), before, spec),
      exported: isExported(name.text),
    }),
  );
}

function readType(source: TreeSource, part: Spec, prefix: string | undefined): Declaration {
  const { spec } = part;
  const name = fieldText(spec, 'name');
  const type = field(spec, 'type');
  const body = type === null ? undefined : typeBody(type);
  return declare(source, part, {
    name,
    kind: typeKind(type),
    prefix,
    body,
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
  return documented(list).flatMap((member) =>
    memberNames(member.node).map((name) =>
      declare(source, member, {
        name,
        kind: member.node.type.startsWith('method') ? 'method' : 'property',
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
