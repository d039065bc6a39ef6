import { indexLines } from '@secateur/base/text/lines.ts';
import type { ts } from '@ts-morph/common';
import type { Declaration, ImportStatement, ParseProblem } from '../../outline.ts';
import { mergeOverloads } from '../../tree/overloads.ts';
import { readMembers, readVariables } from './members.ts';
import {
  addAssignedMembers,
  applyCommonJs,
  applyExportLists,
  readExportAssignment,
  readExportDeclaration,
  readImports,
} from './modules.ts';
import {
  braceBefore,
  compiler,
  declare,
  hasModifier,
  nameText,
  SyntaxKind,
  startOf,
  type TsParts,
  type TsSource,
  textOf,
} from './source.ts';
export type TsDialect = 'ts' | 'tsx' | 'js';

/** Reads TypeScript or JavaScript with the parser of the compiler. No types are resolved. */
export function readTypeScript(text: string, dialect: TsDialect | 'd.ts') {
  const file = parse(`source.${dialect === 'js' ? 'jsx' : dialect}`, text);
  const lines = indexLines(text);
  const source: TsSource = { file, text, isAmbient: file.isDeclarationFile, lines };
  const imports = readImports(source);
  const declarations = withoutRequires(readDeclarations(source, dialect), imports);
  return { outline: { imports, declarations, problems: readProblems(source) }, file, lines };
}

function parse(name: string, text: string): ts.SourceFile {
  // Doc comments are read from the text when needed, because parsing all JSDoc tags takes a fifth of the
  // time.
  const options = {
    languageVersion: compiler.ScriptTarget.Latest,
    jsDocParsingMode: compiler.JSDocParsingMode.ParseNone,
  };
  try {
    return compiler.createSourceFile(name, text, options, false);
  } catch (error) {
    // After a syntax error, the parser's state would affect the next file. Parsing an empty file resets it.
    compiler.createSourceFile(name, '', options, false);
    throw error;
  }
}

function readDeclarations(source: TsSource, dialect: TsDialect | 'd.ts'): Declaration[] {
  const { file } = source;
  const listed = applyExportLists(readStatements(source, file.statements));
  if (compiler.isExternalModule(file)) {
    if (dialect === 'js') addAssignedMembers(source, listed);
    return file.isDeclarationFile ? exportAmbient(file.statements, listed) : listed;
  }
  if (dialect === 'js') return applyCommonJs(source, listed);
  // A TypeScript file without imports and exports is a script, whose declarations are all global.
  return listed.map((declaration) => ({ ...declaration, exported: true }));
}

/** Removes declarations that are imports, such as `const fs = require('fs')`, unless they are exported. */
function withoutRequires(declarations: Declaration[], imports: readonly ImportStatement[]): Declaration[] {
  const imported = new Set(
    imports.flatMap(({ startLine, names }) => names.map((name) => `${startLine} ${name}`)),
  );
  return declarations.filter((each) => each.exported || !imported.has(`${each.startLine} ${each.name}`));
}

function readProblems({ file, lines }: TsSource): ParseProblem[] {
  return diagnosticsOf(file).map(({ start, messageText }) => ({
    line: lines.lineAt(start),
    message: typeof messageText === 'string' ? messageText : messageText.messageText,
  }));
}

function diagnosticsOf(file: ts.SourceFile): readonly ts.DiagnosticWithLocation[] {
  const { parseDiagnostics = [] } = file as { parseDiagnostics?: readonly ts.DiagnosticWithLocation[] };
  return parseDiagnostics;
}

/** Reads the declarations of a file or of the block of a namespace. */
function readStatements(source: TsSource, statements: readonly ts.Statement[]): Declaration[] {
  return mergeOverloads(statements.flatMap((statement) => readStatement(source, statement)));
}

function readStatement(source: TsSource, node: ts.Statement): Declaration[] {
  if (compiler.isFunctionDeclaration(node))
    return [named(source, node, { kind: 'function', body: node.body && startOf(source, node.body) })];
  if (compiler.isClassDeclaration(node)) return [readType(source, node, 'class')];
  if (compiler.isInterfaceDeclaration(node)) return [readType(source, node, 'interface')];
  if (compiler.isTypeAliasDeclaration(node)) return [named(source, node, { kind: 'type' })];
  if (compiler.isEnumDeclaration(node)) return [readType(source, node, 'enum')];
  if (compiler.isVariableStatement(node)) return readVariables(source, node);
  if (compiler.isModuleDeclaration(node)) return [readNamespace(source, node)];
  return readModuleStatement(source, node);
}

function readModuleStatement(source: TsSource, node: ts.Statement): Declaration[] {
  if (compiler.isExportDeclaration(node)) return readExportDeclaration(source, node);
  if (compiler.isExportAssignment(node)) return [readExportAssignment(source, node)];
  if (compiler.isImportEqualsDeclaration(node)) return readExportedAlias(source, node);
  if (compiler.isNamespaceExportDeclaration(node)) {
    return [{ ...named(source, node, { kind: 'namespace' }), exported: false }];
  }
  return [];
}

/** Reads `export import a = b.c`. */
function readExportedAlias(source: TsSource, node: ts.ImportEqualsDeclaration): Declaration[] {
  if (!isExported(node)) return [];
  return [{ ...named(source, node, { kind: 're-export' }), from: textOf(source, node.moduleReference) }];
}

type Named = ts.Statement & { name?: ts.Node | undefined };

/** Returns the declaration of a statement that has a name and modifiers. */
function named(source: TsSource, node: Named, parts: Omit<TsParts, 'name' | 'exported'>): Declaration {
  const isDefault = hasModifier(node, SyntaxKind.DefaultKeyword);
  const name = node.name === undefined ? 'default' : nameText(source, node.name);
  const declaration = declare(source, node, { name, exported: isExported(node), ...parts });
  if (isDefault) declaration.exportedAs = ['default'];
  return declaration;
}

function isExported(node: ts.Node): boolean {
  return hasModifier(node, SyntaxKind.ExportKeyword);
}

type Braced = ts.ClassDeclaration | ts.InterfaceDeclaration | ts.EnumDeclaration;

function readType(source: TsSource, node: Braced, kind: 'class' | 'interface' | 'enum'): Declaration {
  const body = braceBefore(source, node.members);
  const members = readMembers(source, node.members);
  // The signature of an enum contains its body.
  return named(source, node, { kind, body, end: kind === 'enum' ? node.end : body, members });
}

/** Reads `namespace A.B {}` as `A.B`. `declare module 'x'` and `declare global` are exported. */
function readNamespace(source: TsSource, node: ts.ModuleDeclaration): Declaration {
  const { names, body } = unfold(source, node);
  const block = body !== undefined && compiler.isModuleBlock(body) ? body : undefined;
  const isGlobal = (node.flags & compiler.NodeFlags.GlobalAugmentation) !== 0;
  const declaration = named(source, node, {
    kind: 'namespace',
    body: block && startOf(source, block),
    members: block === undefined ? [] : readBlock(source, node, block),
  });
  const exported = declaration.exported || isGlobal || compiler.isStringLiteral(node.name);
  return { ...declaration, name: names.join('.'), exported };
}

function readBlock(source: TsSource, node: ts.ModuleDeclaration, block: ts.ModuleBlock): Declaration[] {
  const isAmbient = source.isAmbient || hasModifier(node, SyntaxKind.DeclareKeyword);
  const members = applyExportLists(readStatements({ ...source, isAmbient }, block.statements));
  return isAmbient ? exportAmbient(block.statements, members) : members;
}

/** Exports the declarations of an ambient block: those in its export lists, or all if it has none. */
function exportAmbient(statements: readonly ts.Statement[], declarations: Declaration[]): Declaration[] {
  if (statements.some((each) => compiler.isExportDeclaration(each) || compiler.isExportAssignment(each)))
    return declarations;
  return declarations.map((declaration) => ({ ...declaration, exported: true }));
}

function unfold(source: TsSource, node: ts.ModuleDeclaration) {
  const names = [nameText(source, node.name)];
  let body: ts.Node | undefined = node.body;
  while (body !== undefined && compiler.isModuleDeclaration(body)) {
    names.push(nameText(source, body.name));
    body = body.body;
  }
  return { names, body };
}
