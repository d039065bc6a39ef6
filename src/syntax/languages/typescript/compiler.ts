import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import type ts from 'ts6';

/** All that is used of the compiler. */
const NAMES = [
  'JSDocParsingMode',
  'NodeFlags',
  'ScriptTarget',
  'SyntaxKind',
  'createSourceFile',
  'forEachChild',
  'getLeadingCommentRanges',
  'idText',
  'isArrowFunction',
  'isAsExpression',
  'isAwaitExpression',
  'isBinaryExpression',
  'isBindingElement',
  'isCallExpression',
  'isClassDeclaration',
  'isClassExpression',
  'isEnumDeclaration',
  'isExportAssignment',
  'isExportDeclaration',
  'isExpressionStatement',
  'isExternalModule',
  'isExternalModuleReference',
  'isFunctionDeclaration',
  'isFunctionExpression',
  'isFunctionLike',
  'isIdentifier',
  'isImportDeclaration',
  'isImportEqualsDeclaration',
  'isIndexSignatureDeclaration',
  'isInterfaceDeclaration',
  'isModuleBlock',
  'isModuleDeclaration',
  'isNamespaceExport',
  'isNamespaceExportDeclaration',
  'isNamespaceImport',
  'isNoSubstitutionTemplateLiteral',
  'isObjectLiteralExpression',
  'isParenthesizedExpression',
  'isPrivateIdentifier',
  'isPropertyAccessExpression',
  'isPropertyAssignment',
  'isPropertyDeclaration',
  'isSatisfiesExpression',
  'isShorthandPropertyAssignment',
  'isSpreadAssignment',
  'isStringLiteral',
  'isStringLiteralLike',
  'isTypeAliasDeclaration',
  'isVariableStatement',
  'isVoidExpression',
] as const satisfies readonly (keyof typeof ts)[];

export type TypeScript = Pick<typeof ts, (typeof NAMES)[number]> & {
  /** Where a node begins without its comments; `node.getStart` needs more of the compiler than its parser. */
  getTokenPosOfNode(node: ts.Node, file: ts.SourceFile): number;
};

const load = createRequire(import.meta.url);

/** The parser alone where that works, else everything: 65 ms against 200, and that in every thread. */
export function loadTypeScript(): TypeScript {
  return loadParser() ?? loadWhole();
}

/** `import` would first read nine megabytes twice to find out what they export: 610 ms of CPU against 195. */
export function loadWhole(): TypeScript {
  return load('ts6');
}

/**
 * The compiler is one file of nine megabytes in which everything stands behind what it needs; the parser ends after
 * the first two, and they run without the rest. Nothing when the file is not built like that any more.
 */
export function loadParser(keptAt = KEPT_CODE): TypeScript | undefined {
  try {
    const source = readParser();
    if (source === undefined) return undefined;
    const parser = runParser(source, compileParser(source, keptCode(source, keptAt)));
    return parser.createSourceFile('a.ts', 'let a', parser.ScriptTarget.Latest).statements.length === 1
      ? parser
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The parser as the engine compiled it, with every function that ran in `warmUp`, for a build to keep in `KEPT_CODE`.
 * Good for this text of it, this version of the engine and these flags of it; the engine refuses it elsewhere.
 */
export function parserCode(warmUp: (parser: TypeScript) => void): Buffer | undefined {
  const source = readParser();
  if (source === undefined) return undefined;
  const script = compileParser(source, undefined);
  warmUp(runParser(source, script));
  const compiled = script.createCachedData();
  return Buffer.concat([digestOf(source, compiled), compiled]);
}

const KEPT_CODE = new URL('./parser.code', import.meta.url);
const DIGEST_BYTES = 32;

interface ParserSource {
  path: string;
  code: string;
}

/** More than lies before the end of the parser, with some room for it to grow. */
const MOST_BYTES = 3_000_000;
const OPENS = 'var ts = {}; ((module) => {';
const PARSER_ENDS = '\n// src/compiler/commandLineParser.ts';

function readParser(): ParserSource | undefined {
  const path = load.resolve('ts6');
  const text = readStart(path);
  const start = text.indexOf(OPENS);
  const end = text.indexOf(PARSER_ENDS);
  if (start === -1 || end === -1) return undefined;
  const body = `${text.slice(start + OPENS.length, end)}\nreturn { ${NAMES.join()}, getTokenPosOfNode };`;
  return { path, code: `(function (module, require, __filename) {${body}\n})` };
}

function compileParser({ path, code }: ParserSource, cachedData: Buffer | undefined): Script {
  return new Script(code, { filename: path, ...(cachedData && { cachedData }) });
}

function runParser({ path }: ParserSource, script: Script): TypeScript {
  return script.runInThisContext()({ exports: {} }, load, path);
}

/** What a build kept, if it is whole and about this text: the engine itself looks at the text's length alone. */
function keptCode(source: ParserSource, keptAt: URL): Buffer | undefined {
  if (!existsSync(keptAt)) return undefined;
  const kept = readFileSync(keptAt);
  const compiled = kept.subarray(DIGEST_BYTES);
  return kept.subarray(0, DIGEST_BYTES).equals(digestOf(source, compiled)) ? compiled : undefined;
}

function digestOf({ code }: ParserSource, compiled: Buffer): Buffer {
  return createHash('sha256').update(code).update(compiled).digest();
}

function readStart(path: string): string {
  const descriptor = openSync(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(MOST_BYTES);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, MOST_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}
