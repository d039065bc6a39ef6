import type { Node } from 'web-tree-sitter';
import type { Declaration, DeclarationKind, ImportStatement } from '../../outline.ts';
import { conditionalsInTheWay } from '../../tree/conditionals.ts';
import { declareContainer } from '../../tree/container.ts';
import {
  type Documented,
  declare,
  field,
  fieldText,
  importOf,
  type TreeReading,
  type TreeSource,
  valueEnd,
} from '../../tree/source.ts';
import type { TreeCode } from '../language.ts';
import { readDeclarator } from './declarators.ts';
import { maskMacros } from './mask.ts';
import { dropForwards, fileScope, hasLinkage, isShared, type Scope, statementsOf } from './scope.ts';

export const cCode: TreeCode = { read: readC, mask: maskMacros, hides: conditionalsInTheWay };

function readC(source: TreeSource): TreeReading {
  const scope = fileScope(source);
  const statements = statementsOf(source.root);
  return {
    imports: statements.flatMap(({ node }) => readInclude(node)),
    declarations: dropForwards(statements.flatMap((statement) => readCStatement(scope, statement))),
  };
}

export function readCStatement(scope: Scope, statement: Documented): Declaration[] {
  switch (statement.node.type) {
    case 'function_definition':
      return [readDefinition(scope, statement)];
    case 'declaration':
      return readDeclaration(scope, statement);
    case 'type_definition':
      return readTypedef(scope, statement);
    case 'struct_specifier':
    case 'union_specifier':
      return [readStruct(scope, statement)];
    case 'enum_specifier':
      return [readEnum(scope, statement)];
    case 'preproc_def':
    case 'preproc_function_def':
      return [readMacro(scope, statement)];
    default:
      return [];
  }
}

export function readInclude(node: Node): ImportStatement[] {
  if (node.type !== 'preproc_include') return [];
  const path = fieldText(node, 'path');
  return [importOf(node, path.startsWith('"') ? path.slice(1, -1) : path)];
}

function readDefinition(scope: Scope, statement: Documented): Declaration {
  const { node } = statement;
  const declarator = field(node, 'declarator');
  return declare(scope.source, statement, {
    name: declarator === null ? '' : readDeclarator(declarator).name,
    kind: 'function',
    body: field(node, 'body'),
    exported: hasLinkage(scope, node),
  });
}

/** Prototypes and variables, one declaration a name. */
export function readDeclaration(scope: Scope, statement: Documented): Declaration[] {
  const { node } = statement;
  const isConstant = node.children.some((child) => /^(const|constexpr)$/.test(child.text));
  return node.childrenForFieldName('declarator').map((declarator) => {
    const { name, isFunction } = readDeclarator(declarator);
    return declare(scope.source, statement, {
      name,
      kind: isFunction ? 'function' : variableKind(isConstant),
      end: valueEnd(field(declarator, 'value'), field(declarator, 'declarator'), node),
      exported: hasLinkage(scope, node),
    });
  });
}

function variableKind(isConstant: boolean): DeclarationKind {
  return isConstant ? 'constant' : 'variable';
}

/** A typedef is a type and is shown whole; the fields or names it opens are its members. */
export function readTypedef(scope: Scope, statement: Documented): Declaration[] {
  const { node } = statement;
  const type = field(node, 'type');
  const body = type === null ? null : field(type, 'body');
  return node.childrenForFieldName('declarator').map((declarator) =>
    declare(scope.source, statement, {
      name: readDeclarator(declarator).name,
      kind: typedefKind(body === null ? undefined : type?.type),
      end: node.endIndex,
      body,
      exported: isShared(scope),
      members: body === null ? [] : readFields(scope, body),
    }),
  );
}

function typedefKind(type: string | undefined): DeclarationKind {
  if (type === 'enum_specifier') return 'enum';
  return type === undefined ? 'type' : 'struct';
}

function readStruct(scope: Scope, statement: Documented): Declaration {
  return declareContainer(scope.source, statement, {
    kind: 'struct',
    exported: isShared(scope),
    members: (body) => readFields(scope, body),
  });
}

export function readEnum(scope: Scope, statement: Documented): Declaration {
  return declareContainer(scope.source, statement, {
    kind: 'enum',
    exported: isShared(scope),
    showsBody: () => true,
    members: (body) => readFields(scope, body),
  });
}

function readFields(scope: Scope, body: Node): Declaration[] {
  return statementsOf(body).flatMap((member) => {
    const { node } = member;
    if (node.type === 'enumerator')
      return [declare(scope.source, member, { kind: 'case', exported: isShared(scope) })];
    const inner = fieldsWithin(scope, node);
    const names = node
      .childrenForFieldName('declarator')
      .map((declarator) => readDeclarator(declarator).name);
    // Fields of a struct or union without a name are its owner's own.
    if (names.length === 0) return inner;
    return names.map((name) =>
      declare(scope.source, member, { name, kind: 'property', exported: isShared(scope), members: inner }),
    );
  });
}

/** The fields of a struct or union that is written where it is used. */
function fieldsWithin(scope: Scope, node: Node): Declaration[] {
  const type = field(node, 'type');
  const body = type === null ? null : field(type, 'body');
  return body === null ? [] : readFields(scope, body);
}

function readMacro(scope: Scope, statement: Documented): Declaration {
  const { node } = statement;
  const before = field(node, 'parameters') ?? field(node, 'name');
  const isFunction = node.type === 'preproc_function_def';
  return declare(scope.source, statement, {
    kind: 'macro',
    end: isFunction ? before?.endIndex : valueEnd(field(node, 'value'), before, node),
    exported: isShared(scope),
  });
}
