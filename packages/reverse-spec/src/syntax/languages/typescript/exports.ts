import { grouped } from '@secateur/base/runtime/grouped.ts';
import type { ts } from '@ts-morph/common';
import type { Declaration } from '../../outline.ts';
import { functionBodyStart } from './members.ts';
import { declare, docOf, nameText, SHORT_VALUE, type TsSource, textOf } from './source.ts';
import { objectMembers } from './variables.ts';

/** `export * from`, `export { a } from`, `export { a as b }`: one entry a name, each with the statement's text. */
export function readExportDeclaration(source: TsSource, node: ts.ExportDeclaration): Declaration[] {
  const { ts } = source;
  const clause = node.exportClause;
  const from = node.moduleSpecifier && { from: nameText(source, node.moduleSpecifier) };
  const reExport = (part: ts.Node, name: string): Declaration => ({
    ...declare(source, part, { name, kind: 're-export', exported: true }),
    ...from,
  });
  if (clause === undefined) return [reExport(node, '*')];
  if (ts.isNamespaceExport(clause)) return [reExport(node, nameText(source, clause.name))];
  return clause.elements.map((element) => {
    const { doc = docOf(source, node), ...part } = reExport(element, nameText(source, element.name));
    return { ...part, doc, signature: specifierText(source, node, element) };
  });
}

/** A list of forty names would repeat itself forty times: each name keeps its own part of the statement. */
function specifierText(source: TsSource, node: ts.ExportDeclaration, element: ts.ExportSpecifier): string {
  const from = node.moduleSpecifier === undefined ? '' : ` from ${textOf(source, node.moduleSpecifier)}`;
  return `export ${node.isTypeOnly ? 'type ' : ''}{ ${textOf(source, element)} }${from}`;
}

/** `export default <expression>` and `export = <name>`. */
export function readExportAssignment(source: TsSource, node: ts.ExportAssignment): Declaration {
  const { expression } = node;
  const isLongObject =
    source.ts.isObjectLiteralExpression(expression) && expression.end - expression.pos > SHORT_VALUE;
  return declare(source, node, {
    name: node.isExportEquals === true ? 'export=' : 'default',
    kind: 'default',
    exported: true,
    body: functionBodyStart(source, expression),
    ...(isLongObject && { end: expression.pos }),
    members: objectMembers(source, expression),
  });
}

/**
 * Export lists speak of declarations made elsewhere in the file: those become exported under the listed names,
 * and only names declared in other files stay as re-exports.
 */
export function applyExportLists(declarations: Declaration[]): Declaration[] {
  const local = declarations.filter((each) => each.kind !== 're-export' && !isExportList(each));
  const locals = grouped(local.map((each) => [each.name, each]));
  return declarations.filter((each) => !isExportList(each) || !exportLocals(each, locals));
}

function isExportList(declaration: Declaration): boolean {
  return (
    (declaration.kind === 're-export' && declaration.from === undefined && declaration.name !== '*') ||
    (declaration.kind === 'default' && exportedIdentifier(declaration) !== undefined)
  );
}

function exportLocals(list: Declaration, locals: Map<string, Declaration[]>): boolean {
  const targets = locals.get(exportedIdentifier(list) ?? list.name) ?? [];
  for (const target of targets) exportAs(target, list.name);
  return targets.length > 0;
}

/** Notes one more name under which a declaration is seen outside. */
export function exportAs(local: Declaration, name: string): void {
  const names = local.exported ? (local.exportedAs ?? [local.name]) : [];
  local.exported = true;
  local.exportedAs = [...names, name];
  if (local.exportedAs.every((each) => each === local.name)) delete local.exportedAs;
}

/** The local name an export statement points at: `a` in `export { a as b }`, `export default a`, `export = a`. */
function exportedIdentifier({ kind, signature }: Declaration): string | undefined {
  if (kind === 'default') return /^export\s*(?:default\s|=)\s*([\p{L}\p{N}_$]+)$/u.exec(signature)?.[1];
  return /^export (?:type )?\{ (?:type\s+)?([^\s}]+)/.exec(signature)?.[1];
}
