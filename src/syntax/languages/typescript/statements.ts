import type { ts } from '@ts-morph/common';
import type { Declaration } from '../../outline.ts';
import { mergeOverloads } from '../../tree/overloads.ts';
import { applyExportLists, readExportAssignment, readExportDeclaration } from './exports.ts';
import { readMembers } from './members.ts';
import {
  braceBefore,
  docOf,
  hasModifier,
  headOf,
  lineRange,
  nameText,
  startOf,
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
  if (ts.isFunctionDeclaration(node)) return [readFunction(source, node)];
  if (ts.isClassDeclaration(node)) return [readType(source, node, 'class')];
  if (ts.isInterfaceDeclaration(node)) return [readType(source, node, 'interface')];
  if (ts.isTypeAliasDeclaration(node)) return [readWhole(source, node, 'type')];
  if (ts.isEnumDeclaration(node)) return [readEnum(source, node)];
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
    return [{ ...readWhole(source, node, 'namespace'), exported: false }];
  }
  return [];
}

/** `export import a = b.c` */
function readExportedAlias(source: TsSource, node: ts.ImportEqualsDeclaration): Declaration[] {
  if (!isExported(source, node)) return [];
  return [{ ...readWhole(source, node, 're-export'), from: textOf(source, node.moduleReference) }];
}

type Named = ts.Statement & { name?: ts.Node | undefined };

function base(source: TsSource, node: Named): Omit<Declaration, 'kind' | 'signature' | 'bodyStartLine'> {
  const { ts } = source;
  const isDefault = hasModifier(node, ts.SyntaxKind.DefaultKeyword);
  return {
    name: node.name === undefined ? 'default' : nameText(source, node.name),
    doc: docOf(source, node),
    exported: isExported(source, node),
    ...(isDefault && { exportedAs: ['default'] }),
    members: [],
    ...lineRange(source, node),
  };
}

function isExported({ ts }: TsSource, node: ts.Node): boolean {
  return hasModifier(node, ts.SyntaxKind.ExportKeyword);
}

function readFunction(source: TsSource, node: ts.FunctionDeclaration): Declaration {
  const body = node.body === undefined ? undefined : startOf(source, node.body);
  return {
    ...base(source, node),
    kind: 'function',
    signature: headOf(source, node, body ?? node.end),
    bodyStartLine: body === undefined ? undefined : source.lines.lineAt(body),
  };
}

type Braced = ts.ClassDeclaration | ts.InterfaceDeclaration;

function readType(source: TsSource, node: Braced, kind: 'class' | 'interface'): Declaration {
  const brace = braceBefore(source, node.members);
  return {
    ...base(source, node),
    kind,
    signature: headOf(source, node, brace),
    members: readMembers(source, node.members),
    bodyStartLine: source.lines.lineAt(brace),
  };
}

function readWhole(source: TsSource, node: Named, kind: Declaration['kind']): Declaration {
  return { ...base(source, node), kind, signature: headOf(source, node, node.end), bodyStartLine: undefined };
}

function readEnum(source: TsSource, node: ts.EnumDeclaration): Declaration {
  const brace = braceBefore(source, node.members);
  return {
    ...readWhole(source, node, 'enum'),
    members: readMembers(source, node.members),
    bodyStartLine: source.lines.lineAt(brace),
  };
}

/** `namespace A.B {}` is one declaration named `A.B`; `declare module 'x'` and `declare global` are seen from outside. */
function readNamespace(source: TsSource, node: ts.ModuleDeclaration): Declaration {
  const { ts } = source;
  const { names, body } = unfold(source, node);
  const block = body !== undefined && ts.isModuleBlock(body) ? body : undefined;
  const opens = block === undefined ? undefined : startOf(source, block);
  const isGlobal = (node.flags & ts.NodeFlags.GlobalAugmentation) !== 0;
  const plain = base(source, node);
  return {
    ...plain,
    name: names.join('.'),
    kind: 'namespace',
    signature: headOf(source, node, opens ?? node.end),
    exported: plain.exported || isGlobal || ts.isStringLiteral(node.name),
    members: block === undefined ? [] : readBlock(source, node, block),
    bodyStartLine: opens === undefined ? undefined : source.lines.lineAt(opens),
  };
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
