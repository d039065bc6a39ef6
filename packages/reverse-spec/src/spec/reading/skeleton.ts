import { hash } from 'node:crypto';
import type { DeclarationKind } from '@secateur/base/languages/structure.ts';
import type { Declaration, Outline, ParseProblem } from '../../syntax/outline.ts';
import type { FileFacts } from './facts.ts';

/** Exports and imports of one file. Secrets were redacted before the file was parsed. */
export interface Skeleton {
  /** Path relative to the project, with `/` as separator. */
  filePath: string;
  language: string;
  loc: number;
  exports: SkeletonExport[];
  imports: SkeletonImport[];
  parseErrors?: ParseProblem[];
  /** Hash of the structure. Comments, formatting, function bodies and line numbers do not change it. */
  hash: string;
  parserUsed: string;
}

export interface SkeletonExport {
  name: string;
  kind: DeclarationKind;
  /** Source text of the declaration up to its body. */
  signature: string;
  jsDoc: string | null;
  members?: SkeletonExport[];
  startLine: number;
  endLine: number;
}

export interface SkeletonImport {
  module: string;
  names: string[];
  isTypeOnly: boolean;
  line: number;
}

/** Skeletons of all files of a target, merged into one. Each export has the path of its file. */
export interface MergedSkeleton extends Omit<Skeleton, 'exports'> {
  exports: (SkeletonExport & { filePath: string })[];
}

export function skeletonOf(outline: Outline, file: { path: string; loc: number }): Skeleton {
  const declarations = outline.language === 'go' ? withPromoted(outline.declarations) : outline.declarations;
  const exports = openNamespaces(
    declarations.filter(({ exported }) => exported).flatMap(exportsOf),
    outline.language,
  );
  const imports = outline.imports.map(({ module, names, typeOnly, startLine }) => ({
    module,
    names,
    isTypeOnly: typeOnly,
    line: startLine,
  }));
  return {
    filePath: file.path,
    language: outline.language,
    loc: file.loc,
    exports,
    imports,
    ...(outline.problems.length > 0 && { parseErrors: outline.problems }),
    hash: structureHash(outline.language, exports, imports),
    parserUsed: outline.parser,
  };
}

/** Adds to Go structs the methods and fields of the hidden structs that they embed. Users can reach these. */
function withPromoted(declarations: readonly Declaration[]): readonly Declaration[] {
  const hidden = new Map(declarations.filter(({ exported }) => !exported).map((each) => [each.name, each]));
  return declarations.map((each) => {
    const promoted = each.members
      .filter(({ name, signature }) => each.exported && signature.trim().replace(/^\*/, '') === name)
      .flatMap(({ name }) => hidden.get(name)?.members ?? [])
      .filter(({ name }) => /^\p{Lu}/u.test(name))
      .map((member) => ({ ...member, exported: true }));
    return promoted.length === 0 ? each : { ...each, members: [...each.members, ...promoted] };
  });
}

/** A declaration that is exported under two names becomes two exports. */
function exportsOf(declaration: Declaration): SkeletonExport[] {
  const names = declaration.exportedAs ?? [declaration.name];
  return names.map((name) => exportOf(declaration, name));
}

function exportOf(declaration: Declaration, name: string): SkeletonExport {
  const members = openMembers(declaration);
  return {
    name,
    kind: declaration.kind,
    signature: declaration.signature,
    jsDoc: declaration.doc ?? null,
    ...(members.length > 0 && { members }),
    startLine: declaration.startLine,
    endLine: declaration.endLine,
  };
}

/** Returns the members that code outside the type can use. */
export function openMembers({ members }: Declaration): SkeletonExport[] {
  return members.filter(({ exported }) => exported).flatMap(exportsOf);
}

function structureHash(language: string, exports: SkeletonExport[], imports: SkeletonImport[]): string {
  const lines: string[] = [];
  for (const each of exports) addStructure(lines, each, { language, owner: '' });
  for (const { module, names } of imports) lines.push(`import\0${module}\0${[...names].sort().join()}`);
  return hash('sha256', lines.sort().join('\n'));
}

/** Adds one line for an export and one per member. Each line begins with the owner, so that the lines can be sorted. */
function addStructure(
  lines: string[],
  { name, kind, signature, members }: SkeletonExport,
  { language, owner }: { language: string; owner: string },
): void {
  const path = `${owner}\0${name}`;
  lines.push(`${path}\0${kind}\0${normaliseCode(signature, language)}`);
  for (const member of members ?? []) addStructure(lines, member, { language, owner: path });
}

/** Merges imports so that each module occurs once. */
function mergeImports(imports: Iterable<SkeletonImport>): SkeletonImport[] {
  const merged = new Map<string, SkeletonImport & { seen: Set<string> }>();
  for (const { module, names, isTypeOnly, line } of imports) {
    const known = merged.get(module);
    if (known === undefined) {
      merged.set(module, { module, names: [], isTypeOnly, line, seen: new Set(names) });
      continue;
    }
    known.isTypeOnly &&= isTypeOnly;
    for (const name of names) known.seen.add(name);
  }
  return [...merged.values()].map(({ seen, ...rest }) => ({ ...rest, names: [...seen].sort() }));
}

/** Returns a hash of the paths and structure hashes of files. Their order does not matter. */
export function hashOfAll(skeletons: readonly Skeleton[]): string {
  const lines = skeletons.map(({ filePath, hash: structure }) => `${filePath}\0${structure}`);
  return hash('sha256', lines.sort().join('\n'));
}

/** Returns the name by which readers know an export: `Reply` for `module.exports = Reply`. */
export function displayName({ name, signature }: Pick<SkeletonExport, 'name' | 'signature'>): string {
  if (name !== 'export=' && name !== 'default') return name;
  return (
    /\b(?:function|class|var|let|const)[\s*]{1,9}(?!extends\b)([\w$]+)/.exec(signature)?.[1] ??
    (name === 'default' ? name : 'module.exports')
  );
}

/** Removes the second of two exports of one declaration that have the same name for readers: `export { Box }; export default Box`. */
export function withoutAliases(exports: readonly SkeletonExport[]): SkeletonExport[] {
  const seen = new Set<string>();
  return exports.filter((each) => {
    const key = `${each.startLine} ${displayName(each)} ${each.signature}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

/** Whether an export is a member of an exported object: `module.exports = { open () {} }`. */
export function isOfObject({ kind, signature }: SkeletonExport): boolean {
  return /^(?:property|method)$/.test(kind) && !/^(?:export|public|val|var|const)\b/.test(signature);
}

const SEPARATORS: Readonly<Record<string, string>> = {
  cpp: '::',
  c: '::',
  rust: '::',
  ruby: '::',
  php: '\\',
};

/**
 * Replaces a namespace, package or module by its members, with qualified names. A block without members (`pub
 * mod a;`) is kept, and of a Ruby module its own methods.
 */
export function openNamespaces(exports: readonly SkeletonExport[], language: string): SkeletonExport[] {
  return exports.flatMap((each) => (each.kind === 'namespace' ? opened(each, language) : [each]));
}

const OWN_KINDS: ReadonlySet<string> = new Set(['method', 'property', 'constructor']);

function opened(namespace: SkeletonExport, language: string): SkeletonExport[] {
  const { members = [], ...head } = namespace;
  if (members.length === 0) return [namespace];
  const own = language === 'ruby' ? members.filter(({ kind }) => OWN_KINDS.has(kind)) : [];
  const held = members.filter((member) => !own.includes(member));
  const separator = SEPARATORS[language] ?? '.';
  const lifted = held.map((member) => ({ ...member, name: `${head.name}${separator}${member.name}` }));
  return [...(own.length > 0 ? [{ ...head, members: own }] : []), ...openNamespaces(lifted, language)];
}

/** Returns the last part of a qualified name. Signatures, and code inside the namespace, use only this part. */
export function plainName(name: string): string {
  return name.slice(Math.max(...[':', '\\', '.'].map((mark) => name.lastIndexOf(mark))) + 1);
}

/** Merges the skeletons of all files of a target; each export has the path of its file. */
export function mergeSkeletons(label: string, files: readonly FileFacts[]): MergedSkeleton {
  const skeletons = files.map(({ skeleton }) => skeleton);
  const parseErrors = skeletons.flatMap(({ filePath, parseErrors: own = [] }) =>
    own.map(({ line, message }) => ({ line, message: `${filePath}: ${message}` })),
  );
  return {
    filePath: label,
    language: listed(skeletons.map(({ language }) => language)),
    loc: skeletons.reduce((sum, { loc }) => sum + loc, 0),
    exports: skeletons.flatMap(({ filePath, exports }) => exports.map((each) => ({ ...each, filePath }))),
    imports: mergeImports(skeletons.flatMap(({ imports }) => imports)),
    ...(parseErrors.length > 0 && { parseErrors }),
    hash: hashOfAll(skeletons),
    parserUsed: listed(skeletons.map(({ parserUsed }) => parserUsed)),
  };
}

function listed(values: readonly string[]): string {
  return [...new Set(values)].sort().join(', ');
}

/**
 * Returns source text as tokens joined by spaces. Whitespace, comments, quote style, trailing separators and
 * a leading `|` do not matter. The contents of strings do.
 */
export function normaliseCode(code: string, language: string): string {
  return codeTokens(code, language).join(' ');
}

export function codeTokens(code: string, language: string): string[] {
  return tidyTokens(code, grammars[language] ?? cLike);
}

interface Grammar {
  /** Whether `'a'` and `"a"` have the same value. */
  quotesAlike: boolean;
  /** Whether members in `{ }` may be separated by `;`, `,` or a line break alike. */
  looseSeparators: boolean;
  /** Matches one token. The first group matches whitespace or a comment, which is skipped. */
  token: RegExp;
}

const SLASHES = '//[^\\n]*';
const HASHES = '#[^\\n]*';
const BLOCK_COMMENT = '/\\*[^]*?(?:\\*/|$)';
const STRING =
  '"""[^]*?(?:"""|$)|\'\'\'[^]*?(?:\'\'\'|$)|"(?:[^"\\\\\\n]|\\\\.)*"|\'(?:[^\'\\\\\\n]|\\\\.)*\'|`(?:[^`\\\\]|\\\\[^])*`';
/** In Rust a `'` without a closing `'` begins a lifetime or a label, not a string. */
const RUST_STRING = "r?(?<hashes>#*)\"[^]*?\"\\k<hashes>|'(?:[^'\\\\\\n]|\\\\[^\\n]{1,8})'";
/** Matches words. Every character that is not ASCII belongs to a word, never to an operator. */
const WORD = '[\\w$@#\\u0080-\\uffff]+';
const OPERATOR = '=>|->|::|\\.\\.\\.|&&|\\|\\||[=!<>]=|[^]';

function tokens(comments: readonly string[], strings: string = STRING): RegExp {
  return new RegExp(`(\\s+|${comments.join('|')})|${strings}|${WORD}|${OPERATOR}`, 'y');
}

const cLike: Grammar = {
  quotesAlike: false,
  looseSeparators: false,
  token: tokens([SLASHES, BLOCK_COMMENT]),
};
const scriptLike: Grammar = { ...cLike, quotesAlike: true, looseSeparators: true };

const grammars: Readonly<Record<string, Grammar>> = {
  typescript: scriptLike,
  tsx: scriptLike,
  javascript: scriptLike,
  python: { ...cLike, quotesAlike: true, token: tokens([HASHES]) },
  ruby: { ...cLike, token: tokens([HASHES]) },
  php: { ...cLike, token: tokens(['(?://|#(?!\\[))[^\\n]*', BLOCK_COMMENT]) },
  rust: { ...cLike, token: tokens([SLASHES, BLOCK_COMMENT], RUST_STRING) },
};

/** Rewrites a string literal with double quotes, so that `'it\'s'` equals `"it's"`. */
function plainQuotes(token: string): string {
  const quote = token[0];
  if (token.length < 2 || (quote !== "'" && quote !== '"') || token.startsWith(quote.repeat(3))) return token;
  const content = token.slice(1, -1).replace(/\\(['"])/g, '$1');
  return `"${content.replace(/"/g, '\\"')}"`;
}

const OPENERS = '([{<';
const CLOSERS = ')]}>';
/** Tokens that continue a member on the next line: a line break beside one separates nothing. */
const JOINS = new Set([',', ';', '|', '&', '=', ':', '=>', '.', '?', '(', '[', '{', '<', '||', '&&']);
const OPENS_UNION = new Set([',', ';', '=', ':', '=>', '(', '[', '{', '<']);

function tidyTokens(code: string, { token, quotesAlike, looseSeparators }: Grammar): string[] {
  const row: string[] = [];
  const brackets: string[] = [];
  let newlineBefore = false;
  token.lastIndex = 0;
  for (let match = token.exec(code); match !== null; match = token.exec(code)) {
    const [text, skipped] = match;
    if (skipped !== undefined) {
      newlineBefore ||= skipped.includes('\n');
      continue;
    }
    const inBody = looseSeparators && brackets.at(-1) === '{';
    if (inBody && newlineBefore && separates(row.at(-1), text)) row.push(';');
    newlineBefore = false;
    takeToken(row, quotesAlike ? plainQuotes(text) : text, inBody);
    trackBrackets(brackets, text);
  }
  while (row.at(-1) === ';') row.pop();
  return row;
}

/** Adds a token. Most tokens have more than one character and need no rule. */
function takeToken(row: string[], text: string, inBody: boolean): void {
  if (text.length > 1) row.push(text);
  else pushToken(row, inBody && text === ',' ? ';' : text);
}

function trackBrackets(brackets: string[], text: string): void {
  if (text.length > 1) return;
  if (isOneOf('([{', text)) brackets.push(text);
  if (isOneOf(')]}', text)) brackets.pop();
}

function separates(before: string | undefined, after: string): boolean {
  return before !== undefined && !JOINS.has(before) && !JOINS.has(after) && !isOneOf(CLOSERS, after);
}

function pushToken(row: string[], text: string): void {
  const last = row.at(-1);
  if (text === ';' && (last === ';' || last === undefined || isOneOf(OPENERS, last))) return;
  // A separator directly before a closing bracket has no meaning.
  if (isOneOf(CLOSERS, text)) while (row.at(-1) === ';' || row.at(-1) === ',') row.pop();
  if ((text === '|' || text === '&') && (last === undefined || OPENS_UNION.has(last))) return;
  row.push(text);
}

function isOneOf(set: string, text: string): boolean {
  return text.length === 1 && set.includes(text);
}
