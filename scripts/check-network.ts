import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ts } from '@ts-morph/common';
import { sourceFiles } from './source-files.ts';

/** Modules through which a file can listen or connect. */
const NETWORK_MODULES: ReadonlySet<string> = new Set([
  ...['http', 'https', 'http2', 'net', 'tls', 'dgram'].flatMap((name) => [name, `node:${name}`]),
  ...['undici', '@redis/client', '@anthropic-ai/sdk', 'openai', '@modelcontextprotocol/client'],
]);

/** Names of those modules that open nothing. */
const HARMLESS: ReadonlySet<string> = new Set(['isIP', 'isIPv4', 'isIPv6', 'BlockList']);

const HEADING = '## Network connections';

/** Compares the files that can open a network connection with the list in SECURITY.md. */
export function checkNetwork(root: string): string[] {
  const opening = existsSync(join(root, 'packages'))
    ? sourceFiles(root).filter((file) => opensAny(root, file))
    : [];
  const listed = listedFiles(root);
  return [
    ...opening
      .filter((file) => !listed.has(file))
      .map((file) => `SECURITY.md, ${HEADING.slice(3)}: ${file} can open a connection and is not listed`),
    ...[...listed]
      .filter((file) => !opening.includes(file))
      .map((file) => `SECURITY.md, ${HEADING.slice(3)}: ${file} is listed and opens no connection`),
  ];
}

function listedFiles(root: string): Set<string> {
  const page = join(root, 'SECURITY.md');
  const text = existsSync(page) ? readFileSync(page, 'utf8') : '';
  const [, after = ''] = text.split(HEADING);
  const [section = ''] = after.split('\n## ');
  return new Set([...section.matchAll(/^\| `(packages\/[\w./-]+)`/gm)].map(([, file = '']) => file));
}

function opensAny(root: string, file: string): boolean {
  const text = readFileSync(join(root, file), 'utf8');
  if (!mentionsNetwork(text)) return false;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
  let opens = false;
  let isFetchLocal = false;
  let usesFetch = false;
  const visit = (node: ts.Node): void => {
    opens ||= importsNetwork(node);
    isFetchLocal ||= declaresFetch(node);
    usesFetch ||= ts.isIdentifier(node) && node.text === 'fetch' && isValue(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return opens || (usesFetch && !isFetchLocal);
}

/** Saves parsing most files. */
function mentionsNetwork(text: string): boolean {
  return text.includes('fetch') || [...NETWORK_MODULES].some((name) => text.includes(`'${name}'`));
}

function importsNetwork(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) && isNetworkModule(node.moduleSpecifier)) return importsValue(node);
  const isDynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isDynamic && isNetworkModule(node.arguments[0]);
}

function isNetworkModule(node: ts.Node | undefined): boolean {
  return node !== undefined && ts.isStringLiteral(node) && NETWORK_MODULES.has(node.text);
}

function importsValue({ importClause }: ts.ImportDeclaration): boolean {
  if (importClause === undefined) return true;
  const { namedBindings } = importClause;
  if (importClause.isTypeOnly) return false;
  if (namedBindings === undefined || !ts.isNamedImports(namedBindings)) return true;
  return namedBindings.elements.some(({ isTypeOnly, name }) => !isTypeOnly && !HARMLESS.has(name.text));
}

/** A parameter or variable of this name is the `fetch` that another file has handed in. */
function declaresFetch(node: ts.Node): boolean {
  const isBinding = ts.isParameter(node) || ts.isVariableDeclaration(node) || ts.isBindingElement(node);
  return isBinding && ts.isIdentifier(node.name) && node.name.text === 'fetch';
}

/** Returns whether the identifier refers to the function itself: called, or passed on. */
function isValue(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isCallExpression(parent)) return parent.expression === node || parent.arguments.includes(node);
  return ts.isPropertyAssignment(parent) && parent.initializer === node;
}
