import type { Node } from 'web-tree-sitter';
import type { Declaration } from '../../outline.ts';
import { childOfType, field, fieldText, type Statement } from '../../tree/source.ts';

const NAMES: ReadonlySet<string> = new Set([
  'identifier',
  'field_identifier',
  'type_identifier',
  'primitive_type',
  'qualified_identifier',
  'operator_name',
  'destructor_name',
  'operator_cast',
  'template_function',
  'template_method',
]);

export interface Declarator {
  name: string;
  /** Whether it declares a function. A pointer to a function is not one. */
  isFunction: boolean;
}

/** Returns the name in a declarator. In C it is nested inside pointers, arrays and parameter lists. */
export function readDeclarator(node: Node): Declarator {
  let current: Node | null = node;
  let isFunction = false;
  while (current !== null && !NAMES.has(current.type)) {
    const inner = innerDeclarator(current);
    if (current.type === 'function_declarator') isFunction = inner?.type !== 'parenthesized_declarator';
    current = inner;
  }
  if (current?.type === 'operator_cast')
    return { name: `operator ${fieldText(current, 'type')}`.trim(), isFunction: true };
  return { name: current?.text ?? '', isFunction };
}

/** Returns a function definition's name. */
export function declaredName(definition: Node): string {
  const declarator = field(definition, 'declarator');
  return declarator === null ? '' : readDeclarator(declarator).name;
}

/** Returns the declarator inside another one. In references and parentheses it has no field name. */
function innerDeclarator(node: Node): Node | null {
  const inner = field(node, 'declarator');
  if (inner !== null) return inner;
  return (
    node.namedChildren.find((child) => child.type.endsWith('declarator') || NAMES.has(child.type)) ?? null
  );
}

const WRAPPERS: ReadonlySet<string> = new Set([
  'preproc_if',
  'preproc_ifdef',
  'preproc_else',
  'preproc_elif',
  'preproc_elifdef',
  'declaration_list',
  'linkage_specification',
  'export_declaration',
]);

/** Whether a node only wraps declarations of the file, such as `#if` and `extern "C"`. */
export function isWrapper({ node }: Statement): boolean {
  return WRAPPERS.has(node.type);
}

/** Whether a `#define` is an include guard: `#define NAME_H` after `#ifndef NAME_H`. */
export function isIncludeGuard(node: Node): boolean {
  if (field(node, 'value') !== null) return false;
  const name = fieldText(node, 'name');
  for (let at = node.parent; at !== null && (WRAPPERS.has(at.type) || at.isError); at = at.parent)
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

/**
 * Whether a type or macro is visible outside its file. It has no linkage, so it must be in a header or a
 * class.
 */
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
