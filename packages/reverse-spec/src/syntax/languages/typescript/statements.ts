import type { ts } from '@ts-morph/common';
import type { Declaration } from '../../outline.ts';
import { mergeOverloads } from '../../tree/overloads.ts';
import { applyExportLists, readExportAssignment, readExportDeclaration } from './exports.ts';
import { readMembers } from './members.ts';
import {
  braceBefore,
  declare,
  hasModifier,
  nameText,
  startOf,
  type TsParts,
  type TsSource,
  textOf,
} from './source.ts';
import { readVariables } from './variables.ts';

/** The declarations of a file or of a namespace's block. */
export function readStatements(source: TsSource, statements: readonly ts.Statement[]): Declaration[] {
  return mergeOverloads(statements.flatMap((statement) => readStatement(source, statement)));
}

function readStatement(source: TsSource, node: ts.Statement): Declaration[] {
  const { ts } = source;
  if (ts.isFunctionDeclaration(node))
    return [named(source, node, { kind: 'function', body: node.body && startOf(source, node.body) })];
  if (ts.isClassDeclaration(node)) return [readType(source, node, 'class')];
  if (ts.isInterfaceDeclaration(node)) return [readType(source, node, 'interface')];
  if (ts.isTypeAliasDeclaration(node)) return [named(source, node, { kind: 'type' })];
  if (ts.isEnumDeclaration(node)) return [readType(source, node, 'enum')];
  if (ts.isVariableStatement(node)) return readVariables(source, node);
  if (ts.isModuleDeclaration(node)) return [readNamespace(source, node)];
  return readModuleStatement(source, node);
}

function readModuleStatement(source: TsSource, node: ts.Statement): Declaration[] {
  const { ts } = source;
  if (ts.isExportDeclaration(node)) return readExportDeclaration(source, node);
  if (ts.isExportAssignment(node)) return [readExportAssignment(source, node)];
  if (ts.isImportEqualsDeclaration(node)) return readExportedAlias(source, node);
  if (ts.isNamespaceExportDeclaration(node)) {
    return [{ ...named(source, node, { kind: 'namespace' }), exported: false }];
  }
  return [];
}

/** `export import a = b.c` */
function readExportedAlias(source: TsSource, node: ts.ImportEqualsDeclaration): Declaration[] {
  if (!isExported(source, node)) return [];
  return [{ ...named(source, node, { kind: 're-export' }), from: textOf(source, node.moduleReference) }];
}

type Named = ts.Statement & { name?: ts.Node | undefined };

/** A statement with its own name and modifiers. */
function named(source: TsSource, node: Named, parts: Omit<TsParts, 'name' | 'exported'>): Declaration {
  const isDefault = hasModifier(node, source.ts.SyntaxKind.DefaultKeyword);
  const name = node.name === undefined ? 'default' : nameText(source, node.name);
  const declaration = declare(source, node, { ...parts, name, exported: isExported(source, node) });
  return { ...declaration, ...(isDefault && { exportedAs: ['default'] }) };
}

function isExported({ ts }: TsSource, node: ts.Node): boolean {
  return hasModifier(node, ts.SyntaxKind.ExportKeyword);
}

type Braced = ts.ClassDeclaration | ts.InterfaceDeclaration | ts.EnumDeclaration;

function readType(source: TsSource, node: Braced, kind: 'class' | 'interface' | 'enum'): Declaration {
  const body = braceBefore(source, node.members);
  const members = readMembers(source, node.members);
  // An enum is shown whole.
  return named(source, node, { kind, body, end: kind === 'enum' ? node.end : body, members });
}

/** `namespace A.B {}` is one declaration named `A.B`; `declare module 'x'` and `declare global` are seen from outside. */
function readNamespace(source: TsSource, node: ts.ModuleDeclaration): Declaration {
  const { ts } = source;
  const { names, body } = unfold(source, node);
  const block = body !== undefined && ts.isModuleBlock(body) ? body : undefined;
  const isGlobal = (node.flags & ts.NodeFlags.GlobalAugmentation) !== 0;
  const declaration = named(source, node, {
    kind: 'namespace',
    body: block && startOf(source, block),
    members: block === undefined ? [] : readBlock(source, node, block),
  });
  const exported = declaration.exported || isGlobal || ts.isStringLiteral(node.name);
  return { ...declaration, name: names.join('.'), exported };
}

function readBlock(source: TsSource, node: ts.ModuleDeclaration, block: ts.ModuleBlock): Declaration[] {
  const isAmbient = source.isAmbient || hasModifier(node, source.ts.SyntaxKind.DeclareKeyword);
  const members = applyExportLists(readStatements({ ...source, isAmbient }, block.statements));
  return isAmbient ? exportAmbient(source, block.statements, members) : members;
}

/** Where nothing but declarations can stand, they are all exported unless an export list says which. */
export function exportAmbient(
  { ts }: TsSource,
  statements: readonly ts.Statement[],
  declarations: Declaration[],
): Declaration[] {
  if (statements.some((each) => ts.isExportDeclaration(each) || ts.isExportAssignment(each)))
    return declarations;
  return declarations.map((declaration) => ({ ...declaration, exported: true }));
}

function unfold(
  source: TsSource,
  node: ts.ModuleDeclaration,
): { names: string[]; body: ts.Node | undefined } {
  const names = [nameText(source, node.name)];
  let body: ts.Node | undefined = node.body;
  while (body !== undefined && source.ts.isModuleDeclaration(body)) {
    names.push(nameText(source, body.name));
    body = body.body;
  }
  return { names, body };
}
