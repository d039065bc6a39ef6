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
  /** Declares a function, not a pointer to one. */
  isFunction: boolean;
}

/** C writes types inside out: the name sits at the bottom of pointers, arrays and parameter lists. */
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

/** References and parentheses keep what they wrap without a field name. */
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

/** Code behind `#if` and inside `extern "C"` still belongs to the file. */
export function isWrapper({ node }: Statement): boolean {
  return WRAPPERS.has(node.type);
}

/** `#define NAME_H` after `#ifndef NAME_H` declares nothing. */
export function isIncludeGuard(node: Node): boolean {
  if (field(node, 'value') !== null) return false;
  const name = fieldText(node, 'name');
  for (let at = node.parent; at !== null && (WRAPPERS.has(at.type) || at.isError); at = at.parent)
    if (childOfType(at, '#ifndef') !== null && fieldText(at, 'name') === name) return true;
  return false;
}

/** Headers show everything to files that include them; sources only what has linkage. */
function isInHeader({ source }: Statement): boolean {
  return !/\.(c|cc|cpp|cxx|c\+\+|m|mm)$/i.test(source.path ?? '');
}

export function isInClass({ holder }: Statement): boolean {
  return holder !== undefined && holder.kind !== 'namespace';
}

/** Things with linkage: functions and variables. */
export function hasLinkage(statement: Statement): boolean {
  const isStatic = statement.node.children.some(
    (child) => child.type === 'storage_class_specifier' && child.text === 'static',
  );
  return isOpen(statement) && (isInClass(statement) || isInHeader(statement) || !isStatic);
}

/** Types and macros, which end with the file that holds them. */
export function isShared(statement: Statement): boolean {
  return isOpen(statement) && (isInClass(statement) || isInHeader(statement));
}

function isOpen({ holder }: Statement): boolean {
  return holder?.isOpen ?? true;
}

/** A forward declaration says nothing once the thing itself is there. */
export function dropForwards(declarations: readonly Declaration[]): Declaration[] {
  const defined = new Set(
    declarations.filter((each) => each.bodyStartLine !== undefined).map(({ name }) => name),
  );
  const isForward = (each: Declaration) =>
    /^(struct|class|enum)$/.test(each.kind) && each.bodyStartLine === undefined;
  return declarations.filter((each) => !isForward(each) || !defined.has(each.name));
}
