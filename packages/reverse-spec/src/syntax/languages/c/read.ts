import type { DeclarationKind } from '@secateur/base/languages/structure.ts';
import type { Node } from 'web-tree-sitter';
import type { Declaration, ImportStatement } from '../../outline.ts';
import { conditionalsInTheWay } from '../../tree/parsers.ts';
import {
  declare,
  declareHolder,
  field,
  fieldText,
  importOf,
  type Place,
  type Rule,
  readTop,
  type Statement,
  statementsIn,
  type TreeCode,
  type TreeReading,
  type TreeSource,
  valueEnd,
} from '../../tree/source.ts';
import {
  declaredName,
  dropForwards,
  hasLinkage,
  isIncludeGuard,
  isShared,
  isWrapper,
  readDeclarator,
} from './declarations.ts';
import { maskMacros } from './mask.ts';

export const cRules: Readonly<Record<string, Rule>> = {
  function_definition: (statement) =>
    declare(statement, {
      name: declaredName(statement.node),
      kind: 'function',
      exported: hasLinkage(statement),
    }),
  declaration: readDeclaration,
  type_definition: readTypedef,
  struct_specifier: readStruct,
  union_specifier: readStruct,
  enum_specifier: (statement) =>
    declareHolder(statement, {
      kind: 'enum',
      showsBody: () => true,
      members: (body) => readFields(body, statement),
    }),
  preproc_def: (statement) => (isIncludeGuard(statement.node) ? [] : readMacro(statement)),
  preproc_function_def: readMacro,
};

export const cCode: TreeCode = {
  read: readC,
  mask: maskMacros,
  hides: conditionalsInTheWay,
  opens: isWrapper,
  isExported: isShared,
  rules: cRules,
};

export function readC(source: TreeSource): TreeReading {
  const { imports, declarations } = readTop(source, readInclude);
  return { imports, declarations: dropForwards(declarations) };
}

function readInclude(node: Node): ImportStatement[] {
  if (node.type !== 'preproc_include') return [];
  const path = fieldText(node, 'path');
  return [importOf(node, path.startsWith('"') ? path.slice(1, -1) : path)];
}

/** Reads prototypes and variables, with one declaration per name. */
export function readDeclaration(statement: Statement): Declaration[] {
  const { node } = statement;
  const isConstant = node.children.some((child) => /^(const|constexpr)$/.test(child.text));
  const variableKind = isConstant ? 'constant' : 'variable';
  return node.childrenForFieldName('declarator').map((declarator) => {
    const { name, isFunction } = readDeclarator(declarator);
    return declare(statement, {
      name,
      kind: isFunction ? 'function' : variableKind,
      end: valueEnd(field(declarator, 'value'), field(declarator, 'declarator'), node),
      exported: hasLinkage(statement),
    });
  });
}

/** Reads a typedef. Its signature includes the body, whose fields or names are its members. */
function readTypedef(statement: Statement): Declaration[] {
  const { node } = statement;
  const type = field(node, 'type');
  const body = type && field(type, 'body');
  return node.childrenForFieldName('declarator').map((declarator) =>
    declare(statement, {
      name: readDeclarator(declarator).name,
      kind: typedefKind(body === null ? undefined : type?.type),
      end: node.endIndex,
      body,
      members: body === null ? [] : readFields(body, statement),
    }),
  );
}

function typedefKind(type: string | undefined): DeclarationKind {
  if (type === 'enum_specifier') return 'enum';
  return type === undefined ? 'type' : 'struct';
}

/** Reads a struct. Its fields are as visible as the struct. */
function readStruct(statement: Statement): Declaration {
  return declareHolder(statement, { kind: 'struct', members: (body) => readFields(body, statement) });
}

function readFields(body: Node, place: Place): Declaration[] {
  return statementsIn(body, place).flatMap((member) => {
    const { node } = member;
    if (node.type === 'enumerator') return [declare(member, { kind: 'case' })];
    const type = field(node, 'type');
    const inner = type && field(type, 'body');
    const members = inner === null ? [] : readFields(inner, place);
    const declarators = node.childrenForFieldName('declarator');
    // Fields of an unnamed struct or union belong to the type around it.
    if (declarators.length === 0) return members;
    return declarators.map((declarator) =>
      declare(member, { name: readDeclarator(declarator).name, kind: 'property', members }),
    );
  });
}

function readMacro(statement: Statement): Declaration {
  const { node } = statement;
  const before = field(node, 'parameters') ?? field(node, 'name');
  const isFunction = node.type === 'preproc_function_def';
  const end = isFunction ? before?.endIndex : valueEnd(field(node, 'value'), before, node);
  return declare(statement, { kind: 'macro', end });
}
