import type { Node } from 'web-tree-sitter';
import type { Declaration } from '../../outline.ts';
import {
  childOfType,
  type Documented,
  documented,
  field,
  fieldText,
  type TreeSource,
} from '../../tree/source.ts';

/** Where a declaration stands, and so who sees it. */
export interface Scope {
  source: TreeSource;
  /** All in a header is seen by whoever includes it; of a source file only what has linkage. */
  isHeader: boolean;
  /** Inside a class: its name, and whether the section is open to others. */
  owner?: string;
  isOpen: boolean;
}

export function fileScope(source: TreeSource): Scope {
  return { source, isHeader: !/\.(c|cc|cpp|cxx|c\+\+|m|mm)$/i.test(source.path ?? ''), isOpen: true };
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

/** The statements of a file or a block, those behind `#if` and inside `extern "C"` among them. */
export function statementsOf(parent: Node): Documented[] {
  return documented(parent).flatMap((statement) => {
    if (!WRAPPERS.has(statement.node.type)) return [statement];
    const guard = guardName(statement.node);
    return statementsOf(statement.node).filter(({ node }) => guard === undefined || !isGuard(node, guard));
  });
}

function guardName(node: Node): string | undefined {
  return childOfType(node, '#ifndef') === undefined ? undefined : fieldText(node, 'name');
}

/** `#define NAME_H` after `#ifndef NAME_H` declares nothing. */
function isGuard(node: Node, guard: string): boolean {
  return node.type === 'preproc_def' && fieldText(node, 'name') === guard && field(node, 'value') === null;
}

function isStatic(node: Node): boolean {
  return node.children.some((child) => child.type === 'storage_class_specifier' && child.text === 'static');
}

/** Things with linkage: functions and variables. */
export function hasLinkage(scope: Scope, node: Node): boolean {
  if (scope.owner !== undefined) return scope.isOpen;
  return scope.isOpen && (scope.isHeader || !isStatic(node));
}

/** Types and macros, which end with the file that holds them. */
export function isShared(scope: Scope): boolean {
  return scope.owner === undefined ? scope.isOpen && scope.isHeader : scope.isOpen;
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
