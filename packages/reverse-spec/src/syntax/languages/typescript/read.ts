import type { ts } from '@ts-morph/common';
import type { Declaration, ImportStatement, Outline, ParseProblem } from '../../outline.ts';
import { indexLines } from '../../tree/line-index.ts';
import { applyCommonJs } from './commonjs.ts';
import type { TypeScript } from './compiler.ts';
import { applyExportLists } from './exports.ts';
import { readImports } from './imports.ts';
import { memberKindTable } from './members.ts';
import type { TsSource } from './source.ts';
import { exportAmbient, readStatements } from './statements.ts';

export type TsDialect = 'ts' | 'tsx' | 'js';

export interface TsRequest {
  text: string;
  dialect: TsDialect;
  isDeclarationFile: boolean;
}

export type TsReading = Pick<Outline, 'imports' | 'declarations' | 'problems'>;

/** Reads TypeScript and JavaScript with the compiler's own parser: no types are resolved, none invented. */
export function createTsReader(ts: TypeScript): (request: TsRequest) => TsReading {
  const memberKinds = memberKindTable(ts);
  return (request) => {
    const { text } = request;
    const file = parse(ts, request);
    const isAmbient = file.isDeclarationFile;
    const source: TsSource = { ts, file, text, isAmbient, lines: indexLines(text), memberKinds };
    const imports = readImports(source);
    return {
      imports,
      declarations: withoutRequires(readDeclarations(source, request.dialect), imports),
      problems: readProblems(source),
    };
  };
}

const FILE_NAMES: Readonly<Record<TsDialect, string>> = {
  ts: 'source.ts',
  tsx: 'source.tsx',
  js: 'source.jsx',
};

function parse(ts: TypeScript, { text, dialect, isDeclarationFile }: TsRequest): ts.SourceFile {
  const name = isDeclarationFile ? 'source.d.ts' : FILE_NAMES[dialect];
  // Doc comments are read from the text where needed: parsing every JSDoc tag costs a fifth of the time.
  const options = {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  };
  try {
    return ts.createSourceFile(name, text, options, false);
  } catch (error) {
    // The parser keeps what it knew of a file it did not finish, and would read the next one by it.
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
  // A TypeScript file without imports and exports is a script: all it declares is global.
  return listed.map((declaration) => ({ ...declaration, exported: true }));
}

/** `const fs = require('fs')` is an import; it is a declaration too only when it is given on. */
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
