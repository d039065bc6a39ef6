import type { DeclarationKind } from '@secateur/base/languages/structure.ts';
import type { Node } from 'web-tree-sitter';
import type { Declaration, ImportStatement } from '../../outline.ts';
import { cleanDoc } from '../../tree/doc-comment.ts';
import { conditionalsInTheWay } from '../../tree/parsers.ts';
import {
  childOfType,
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
  docs: { follows: true },
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
  const doc = statement.doc ?? docOfGuard(statement);
  return declare({ ...statement, doc }, { kind: 'macro', end });
}

/** Returns the comment above `#ifndef A`, which is about the default in `#define A 1` after it. */
function docOfGuard({ node, source }: Statement): string | undefined {
  const guard = node.parent;
  if (
    guard === null ||
    childOfType(guard, '#ifndef') === null ||
    fieldText(guard, 'name') !== fieldText(node, 'name')
  )
    return undefined;
  const above = guard.previousNamedSibling;
  const isAbove = above?.type === 'comment' && above.endPosition.row + 1 >= guard.startPosition.row;
  return isAbove ? cleanDoc(source.text.slice(above.startIndex, above.endIndex)) : undefined;
}

const NAME =
  /^(?:(?:field_|type_|qualified_)?identifier|primitive_type|(?:operator|destructor)_name|operator_cast|template_(?:function|method))$/;

interface Declarator {
  name: string;
  /** Whether the declarator declares a function. A pointer to a function does not. */
  isFunction: boolean;
}

/** Returns the name in a declarator. In C's tree it is inside nodes for pointers, arrays and parameters. */
export function readDeclarator(node: Node): Declarator {
  let current: Node | null = node;
  let isFunction = false;
  while (current !== null && !NAME.test(current.type)) {
    const inner = innerDeclarator(current);
    if (current.type === 'function_declarator') isFunction = inner?.type !== 'parenthesized_declarator';
    current = inner;
  }
  if (current?.type === 'operator_cast')
    return { name: `operator ${fieldText(current, 'type')}`.trim(), isFunction: true };
  return { name: current?.text ?? '', isFunction };
}

export function declaredName(definition: Node): string {
  const declarator = field(definition, 'declarator');
  return declarator === null ? '' : readDeclarator(declarator).name;
}

/** Returns the next declarator inside. In references and parentheses it is in no field. */
function innerDeclarator(node: Node): Node | null {
  const inner = field(node, 'declarator');
  if (inner !== null) return inner;
  return (
    node.namedChildren.find((child) => child.type.endsWith('declarator') || NAME.test(child.type)) ?? null
  );
}

const WRAPPER =
  /^(?:preproc_(?:if|ifdef|else|elif|elifdef)|declaration_list|linkage_specification|export_declaration)$/;

/** Whether a node only groups declarations of the file, such as `#if` and `extern "C"`. */
export function isWrapper({ node }: Statement): boolean {
  return WRAPPER.test(node.type);
}

/** Whether a `#define` is an include guard: `#define NAME_H` after `#ifndef NAME_H`. */
function isIncludeGuard(node: Node): boolean {
  if (field(node, 'value') !== null) return false;
  const name = fieldText(node, 'name');
  for (let at = node.parent; at !== null && (WRAPPER.test(at.type) || at.isError); at = at.parent)
    if (childOfType(at, '#ifndef') !== null && fieldText(at, 'name') === name) return true;
  return false;
}

/** Whether a statement is in a header, whose declarations are all visible to the files that include it. */
function isInHeader({ source }: Statement): boolean {
  return !/\.(c|cc|cpp|cxx|c\+\+|m|mm)$/i.test(source.path ?? '');
}

export function isInClass({ holder }: Statement): boolean {
  return holder !== undefined && holder.kind !== 'namespace';
}

/** Whether a function or variable is visible outside its file. */
export function hasLinkage(statement: Statement): boolean {
  const isStatic = statement.node.children.some(
    (child) => child.type === 'storage_class_specifier' && child.text === 'static',
  );
  return isOpen(statement) && (isInClass(statement) || isInHeader(statement) || !isStatic);
}

/** Whether a type or macro is visible outside its file: it is in a header or in a class. */
export function isShared(statement: Statement): boolean {
  return isOpen(statement) && (isInClass(statement) || isInHeader(statement));
}

function isOpen({ holder }: Statement): boolean {
  return holder?.isOpen ?? true;
}

/** Removes forward declarations of types that the file also defines. */
export function dropForwards(declarations: readonly Declaration[]): Declaration[] {
  const defined = new Set(
    declarations.filter((each) => each.bodyStartLine !== undefined).map(({ name }) => name),
  );
  const isForward = (each: Declaration) =>
    /^(struct|class|enum)$/.test(each.kind) && each.bodyStartLine === undefined;
  return declarations.filter((each) => !isForward(each) || !defined.has(each.name));
}
