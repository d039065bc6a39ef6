import type { ts } from '@ts-morph/common';
import { grouped } from '../../../runtime/grouped.ts';
import type { Declaration } from '../../outline.ts';
import { functionBodyStart } from './members.ts';
import { docOf, headOf, lineRange, nameText, type TsSource, textOf } from './source.ts';
import { objectMembers } from './variables.ts';

/** `export * from`, `export { a } from`, `export { a as b }`: one entry a name, each with the statement's text. */
export function readExportDeclaration(source: TsSource, node: ts.ExportDeclaration): Declaration[] {
  const { ts } = source;
  const clause = node.exportClause;
  if (clause === undefined) return [reExport(source, { node, name: '*' })];
  if (ts.isNamespaceExport(clause)) return [reExport(source, { node, name: nameText(source, clause.name) })];
  return clause.elements.map((element) =>
    reExport(source, { node, name: nameText(source, element.name), element }),
  );
}

interface ReExported {
  node: ts.ExportDeclaration;
  name: string;
  /** Where the statement lists names. */
  element?: ts.ExportSpecifier;
}

function reExport(source: TsSource, { node, name, element }: ReExported): Declaration {
  const from = node.moduleSpecifier;
  return {
    name,
    kind: 're-export',
    signature: element === undefined ? headOf(source, node, node.end) : specifierText(source, node, element),
    doc: docOf(source, element ?? node) ?? docOf(source, node),
    exported: true,
    ...(from !== undefined && { from: nameText(source, from) }),
    members: [],
    ...lineRange(source, element ?? node),
    bodyStartLine: undefined,
  };
}

/** A list of forty names would repeat itself forty times: each name keeps its own part of the statement. */
function specifierText(source: TsSource, node: ts.ExportDeclaration, element: ts.ExportSpecifier): string {
  const from = node.moduleSpecifier === undefined ? '' : ` from ${textOf(source, node.moduleSpecifier)}`;
  return `export ${node.isTypeOnly ? 'type ' : ''}{ ${textOf(source, element)} }${from}`;
}

/** `export default <expression>` and `export = <name>`. */
export function readExportAssignment(source: TsSource, node: ts.ExportAssignment): Declaration {
  const { ts } = source;
  const body = functionBodyStart(source, node.expression);
  const isLong = node.expression.end - node.expression.pos > 160;
  const isObject = ts.isObjectLiteralExpression(node.expression);
  const end = body ?? (isLong && isObject ? node.expression.pos : node.end);
  return {
    name: node.isExportEquals === true ? 'export=' : 'default',
    kind: 'default',
    signature: headOf(source, node, end),
    doc: docOf(source, node),
    exported: true,
    members: objectMembers(source, node.expression),
    ...lineRange(source, node),
    bodyStartLine: body === undefined ? undefined : source.lines.lineAt(body),
  };
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
  for (const target of targets) {
    const names = target.exported ? (target.exportedAs ?? [target.name]) : [];
    target.exported = true;
    target.exportedAs = [...names, list.name];
    if (target.exportedAs.every((name) => name === target.name)) delete target.exportedAs;
  }
  return targets.length > 0;
}

/** The local name an export statement points at: `a` in `export { a as b }`, `export default a`, `export = a`. */
function exportedIdentifier({ kind, signature }: Declaration): string | undefined {
  if (kind === 'default') return /^export\s*(?:default\s|=)\s*([\p{L}\p{N}_$]+)$/u.exec(signature)?.[1];
  return /^export (?:type )?\{ (?:type\s+)?([^\s}]+)/.exec(signature)?.[1];
}
