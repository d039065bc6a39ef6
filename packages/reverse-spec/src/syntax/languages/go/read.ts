import type { Node } from 'web-tree-sitter';
import type { Declaration, ImportStatement } from '../../outline.ts';
import {
  childOfType,
  declare,
  documented,
  field,
  fieldText,
  importOf,
  readPackage,
  readTop,
  type Statement,
  type TreeCode,
  valueEnd,
} from '../../tree/source.ts';
import { isExported } from '../visibility.ts';

export const goCode: TreeCode = {
  read: (source) => {
    const { imports, declarations } = readTop(source, readImports);
    return { imports, declarations: attachMethods(declarations) };
  },
  docs: { follows: true },
  isExported: ({ node }) => isExported(fieldText(node, 'name')),
  rules: {
    package_clause: readPackage,
    function_declaration: readFunction,
    method_declaration: readFunction,
    const_declaration: (statement) => readGroup(statement, 'const'),
    var_declaration: (statement) => readGroup(statement, 'var'),
    type_declaration: (statement) => readGroup(statement, 'type'),
  },
};

function readFunction(statement: Statement): Declaration {
  const name = fieldText(statement.node, 'name');
  const receiver = receiverType(statement.node);
  if (receiver === undefined) return declare(statement, { kind: 'function' });
  const exported = isExported(name) && isExported(receiver);
  return declare(statement, { name: `${receiver}.${name}`, kind: 'method', exported });
}

function receiverType(node: Node): string | undefined {
  const receiver = field(node, 'receiver');
  return receiver === null ? undefined : receiver.descendantsOfType('type_identifier')[0]?.text;
}

type Keyword = 'const' | 'var' | 'type';

/** Reads a group such as `const ( … )`. Each line becomes a declaration of its own. */
function readGroup(statement: Statement, keyword: Keyword): Declaration[] {
  const { node, doc } = statement;
  const list = childOfType(node, 'var_spec_list') ?? node;
  const isGrouped = childOfType(list, '(') !== null;
  return documented(list, statement).flatMap((line) => {
    const whole = isGrouped ? line.node : node;
    const part = { ...line, node: whole, first: whole, doc: line.doc ?? doc };
    const prefix = isGrouped ? `${keyword} ` : '';
    if (keyword === 'type') return [readType(part, line.node, prefix)];
    return readValues(part, line.node, { kind: keyword === 'const' ? 'constant' : 'variable', prefix });
  });
}

function readValues(part: Statement, spec: Node, words: { kind: 'constant' | 'variable'; prefix: string }) {
  const names = spec.childrenForFieldName('name').filter((name) => name.type === 'identifier');
  const before = field(spec, 'type') ?? names.at(-1) ?? null;
  const end = valueEnd(field(spec, 'value'), before, spec);
  return names.map(({ text: name }) => declare(part, { name, ...words, end, exported: isExported(name) }));
}

function readType(part: Statement, spec: Node, prefix: string): Declaration {
  const name = fieldText(spec, 'name');
  const type = field(spec, 'type');
  const body = type && typeBody(type);
  const members = body === null ? [] : readMembers(part, type ?? body);
  return declare(part, { name, kind: typeKind(type), prefix, body, exported: isExported(name), members });
}

function typeKind(type: Node | null): Declaration['kind'] {
  if (type?.type === 'struct_type') return 'struct';
  return type?.type === 'interface_type' ? 'interface' : 'type';
}

function typeBody(type: Node): Node | null {
  if (type.type === 'struct_type') return childOfType(type, 'field_declaration_list');
  return type.type === 'interface_type' ? childOfType(type, '{') : null;
}

function readMembers(part: Statement, type: Node): Declaration[] {
  const list = childOfType(type, 'field_declaration_list') ?? type;
  return documented(list, part).flatMap((member) =>
    memberNames(member.node).map((name) =>
      declare(member, {
        name,
        kind: member.node.type.startsWith('method') ? 'method' : 'property',
        exported: isExported(name.replace(/^\*?(\w+\.)?/, '')),
      }),
    ),
  );
}

/** Returns the names that a struct member declares. An embedded type is named after its type. */
function memberNames(node: Node): string[] {
  const names = node.childrenForFieldName('name').filter((name) => name.isNamed);
  if (names.length > 0) return names.map((name) => name.text);
  return [(field(node, 'type') ?? node).text];
}

/** Moves methods into the type of their receiver if the same file declares it. */
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
