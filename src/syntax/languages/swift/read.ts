import type { Node } from 'web-tree-sitter';
import type { Declaration, DeclarationKind, ImportStatement } from '../../outline.ts';
import { declareContainer } from '../../tree/container.ts';
import { type MemberScope, readTop } from '../../tree/scope.ts';
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
import type { TreeCode } from '../language.ts';
import { maskNewWords } from './mask.ts';

const DOC: DocStyle = { opens: /^(\/\/\/|\/\*\*)/ };

export const swiftCode: TreeCode = { read: readSwift, mask: maskNewWords };

function readSwift(source: TreeSource): TreeReading {
  return {
    imports: source.root.namedChildren.flatMap(readImport),
    declarations: readTop(source, DOC, readStatement),
  };
}

type Reader = (scope: MemberScope, statement: Documented) => Declaration[];

const READERS: Readonly<Record<string, Reader>> = {
  class_declaration: readType,
  protocol_declaration: readType,
  function_declaration: readFunction,
  protocol_function_declaration: readFunction,
  init_declaration: readFunction,
  subscript_declaration: readSubscript,
  property_declaration: readProperty,
  protocol_property_declaration: readProperty,
  typealias_declaration: readAlias,
  associatedtype_declaration: readAlias,
  macro_declaration: (scope, statement) => [
    declare(scope.source, statement, {
      kind: 'macro',
      name: fieldText(statement.node, 'name'),
      exported: isExported(statement.node),
    }),
  ],
  enum_entry: readCases,
};

function readStatement(scope: MemberScope, statement: Documented): Declaration[] {
  return READERS[statement.node.type]?.(scope, statement) ?? [];
}

/** Swift shows everything but what is private to a type or a file; `private(set)` hides only the setter. */
function isExported(node: Node): boolean {
  const modifiers = childOfType(node, 'modifiers');
  return (
    modifiers === undefined ||
    !modifiers.namedChildren.some((each) => /^(private|fileprivate)$/.test(each.text))
  );
}

const TYPE_KINDS: Readonly<Record<string, DeclarationKind>> = {
  class: 'class',
  actor: 'class',
  struct: 'struct',
  enum: 'enum',
  extension: 'impl',
  protocol: 'interface',
};

function readType({ source }: MemberScope, statement: Documented): Declaration[] {
  const { node } = statement;
  const word = childOfType(node, ...Object.keys(TYPE_KINDS))?.type ?? 'class';
  const kind = TYPE_KINDS[word] ?? 'class';
  const inside: MemberScope = { source, isMember: true };
  return [
    declareContainer(source, statement, {
      kind,
      exported: isExported(node),
      showsBody: (body) => kind === 'enum' && documented(body, DOC).every(isCase),
      members: (body) => documented(body, DOC).flatMap((member) => readStatement(inside, member)),
    }),
  ];
}

function isCase({ node }: Documented): boolean {
  return node.type === 'enum_entry';
}

function readFunction({ source, isMember }: MemberScope, statement: Documented): Declaration[] {
  const { node } = statement;
  const isInit = childOfType(node, 'init') !== undefined;
  const plainKind = isMember ? 'method' : 'function';
  return [
    declare(source, statement, {
      name: isInit ? 'init' : fieldText(node, 'name') || operatorName(node),
      kind: isInit ? 'constructor' : plainKind,
      body: field(node, 'body'),
      exported: isExported(node),
    }),
  ];
}

/** `static func + (…)`: the operator stands where a name would. */
function operatorName(node: Node): string {
  return childOfType(node, 'func')?.nextSibling?.text ?? '';
}

function readSubscript({ source }: MemberScope, statement: Documented): Declaration[] {
  const { node } = statement;
  const body = childOfType(node, 'computed_property');
  return [
    declare(source, statement, { name: 'subscript', kind: 'method', body, exported: isExported(node) }),
  ];
}

function readProperty({ source, isMember }: MemberScope, statement: Documented): Declaration[] {
  const { node } = statement;
  const names = node.childrenForFieldName('name').filter((name) => name.type === 'pattern');
  const code = field(node, 'computed_value') ?? childOfType(node, 'willset_didset_block');
  const before = childOfType(node, 'type_annotation') ?? names.at(-1) ?? null;
  const value = field(node, 'value');
  const plainKind = /(^|\s)let\s/.test(node.text.slice(0, 200)) ? 'constant' : 'variable';
  return names.map((name) =>
    declare(source, statement, {
      name: (field(name, 'bound_identifier') ?? name).text,
      kind: isMember ? 'property' : plainKind,
      end: code?.startIndex ?? valueEnd(value, before, node),
      body: code,
      exported: isExported(node),
    }),
  );
}

function readAlias(scope: MemberScope, statement: Documented): Declaration[] {
  const { node } = statement;
  return [
    declare(scope.source, statement, {
      kind: 'type',
      name: fieldText(node, 'name'),
      exported: isExported(node),
    }),
  ];
}

/** `case a, b(Int)` declares two. */
function readCases(scope: MemberScope, statement: Documented): Declaration[] {
  const names = statement.node
    .childrenForFieldName('name')
    .filter((name) => name.type === 'simple_identifier');
  return names.map((name) =>
    declare(scope.source, statement, { kind: 'case', name: name.text, exported: true }),
  );
}

function readImport(node: Node): ImportStatement[] {
  if (node.type !== 'import_declaration') return [];
  const path = node.lastNamedChild?.text ?? '';
  return [importOf(node, path)];
}
