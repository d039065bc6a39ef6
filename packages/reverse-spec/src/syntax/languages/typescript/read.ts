import type { ts } from '@ts-morph/common';
import type { Declaration, ImportStatement, Outline, ParseProblem } from '../../outline.ts';
import { indexLines, type LineIndex } from '../../tree/line-index.ts';
import { mergeOverloads } from '../../tree/overloads.ts';
import { memberKindTable, readMembers, readVariables } from './members.ts';
import {
  applyCommonJs,
  applyExportLists,
  readExportAssignment,
  readExportDeclaration,
  readImports,
} from './modules.ts';
import {
  braceBefore,
  declare,
  hasModifier,
  nameText,
  startOf,
  type TsParts,
  type TsSource,
  type TypeScript,
  textOf,
} from './source.ts';
export type TsDialect = 'ts' | 'tsx' | 'js';

export interface TsRequest {
  text: string;
  dialect: TsDialect;
  isDeclarationFile: boolean;
}

export interface TsReading {
  outline: Pick<Outline, 'imports' | 'declarations' | 'problems'>;
  file: ts.SourceFile;
  lines: LineIndex;
}

/**
 * Creates a reader of TypeScript and JavaScript that uses the parser of the compiler. Types are not resolved
 * or inferred.
 */
export function createTsReader(ts: TypeScript): (request: TsRequest) => TsReading {
  const memberKinds = memberKindTable(ts);
  return (request) => {
    const { text } = request;
    const file = parse(ts, request);
    const isAmbient = file.isDeclarationFile;
    const lines = indexLines(text);
    const source: TsSource = { ts, file, text, isAmbient, lines, memberKinds };
    const imports = readImports(source);
    const declarations = withoutRequires(readDeclarations(source, request.dialect), imports);
    return { outline: { imports, declarations, problems: readProblems(source) }, file, lines };
  };
}

const FILE_NAMES: Readonly<Record<TsDialect, string>> = {
  ts: 'source.ts',
  tsx: 'source.tsx',
  js: 'source.jsx',
};

function parse(ts: TypeScript, { text, dialect, isDeclarationFile }: TsRequest): ts.SourceFile {
  const name = isDeclarationFile ? 'source.d.ts' : FILE_NAMES[dialect];
  // Doc comments are read from the text when needed, because parsing all JSDoc tags takes a fifth of the
  // time.
  const options = {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  };
  try {
    return ts.createSourceFile(name, text, options, false);
  } catch (error) {
    // After an error the parser keeps state of the unfinished file, which would affect the next one. Parsing
    // an empty file resets it.
    ts.createSourceFile(name, '', options, false);
    throw error;
  }
}

function readDeclarations(source: TsSource, dialect: TsDialect): Declaration[] {
  const { ts, file } = source;
  const listed = applyExportLists(readStatements(source, file.statements));
  if (ts.isExternalModule(file)) {
    return file.isDeclarationFile ? exportAmbient(source, file.statements, listed) : listed;
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

/** Reads `export import a = b.c`. */
function readExportedAlias(source: TsSource, node: ts.ImportEqualsDeclaration): Declaration[] {
  if (!isExported(source, node)) return [];
  return [{ ...named(source, node, { kind: 're-export' }), from: textOf(source, node.moduleReference) }];
}

type Named = ts.Statement & { name?: ts.Node | undefined };

/** Declares a statement that has a name and modifiers. */
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
  // The signature of an enum includes its body.
  return named(source, node, { kind, body, end: kind === 'enum' ? node.end : body, members });
}

/**
 * Reads a namespace: `namespace A.B {}` is one declaration named `A.B`. `declare module 'x'` and `declare
 * global` are exported.
 */
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

/** Exports all declarations of an ambient block, unless an export list says which. */
function exportAmbient(
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
