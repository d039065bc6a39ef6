import { closeSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
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

/** More than lies before the end of the parser, with some room for it to grow. */
const MOST_BYTES = 3_000_000;
const OPENS = 'var ts = {}; ((module) => {';
const PARSER_ENDS = '\n// src/compiler/commandLineParser.ts';

/**
 * The compiler is one file of nine megabytes in which everything stands behind what it needs; the parser ends after
 * the first two, and they run without the rest. Nothing when the file is not built like that any more.
 */
export function loadParser(): TypeScript | undefined {
  try {
    const path = load.resolve('ts6');
    const text = readStart(path);
    const start = text.indexOf(OPENS);
    const end = text.indexOf(PARSER_ENDS);
    if (start === -1 || end === -1) return undefined;
    const code = `${text.slice(start + OPENS.length, end)}\nreturn { ${NAMES.join()}, getTokenPosOfNode };`;
    const run = compileFunction(code, ['module', 'require', '__filename'], { filename: path });
    const parser: TypeScript = run({ exports: {} }, load, path);
    return parser.createSourceFile('a.ts', 'let a', parser.ScriptTarget.Latest).statements.length === 1
      ? parser
      : undefined;
  } catch {
    return undefined;
  }
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
