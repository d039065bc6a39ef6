import { plainName } from '../reading/namespaces.ts';
import { codeTokens } from '../reading/normalise-code.ts';
import type { SkeletonExport } from '../reading/skeleton.ts';
import type { BaselineFile } from '../writing/document/baseline.ts';
import type { ComparedExport } from './change.ts';
import { withoutParameterNames } from './parameter-names.ts';
import type { IgnorableKind } from './rules.ts';
import { closingOf } from './tokens.ts';

/** The exports of a file with signatures cut down to what counts; the text of the source stays beside them. */
export function stripFile(file: BaselineFile, ignore: ReadonlySet<IgnorableKind>): BaselineFile {
  return { ...file, exports: file.exports.map((each) => strip(each, file.language, ignore)) };
}

function strip(symbol: SkeletonExport, language: string, ignore: ReadonlySet<IgnorableKind>): ComparedExport {
  const { members, ...own } = symbol;
  return {
    ...own,
    written: symbol.signature,
    signature: signatureOf(symbol, language, ignore),
    ...(members && { members: members.map((member) => strip(member, language, ignore)) }),
  };
}

function signatureOf(symbol: SkeletonExport, language: string, ignore: ReadonlySet<IgnorableKind>): string {
  let tokens = inOneOrder(codeTokens(symbol.signature, language), language);
  if (ignore.has('annotations') && ANNOTATED.has(language)) tokens = withoutAnnotations(tokens);
  if (ignore.has('attributes')) tokens = withoutAttributes(tokens, language);
  if (hasIgnoredValue(symbol, ignore)) tokens = withoutValue(tokens);
  if (ignore.has('parameter-names'))
    tokens = withoutParameterNames(tokens, { language, name: plainName(symbol.name) });
  return tokens.join(' ');
}

const MODIFIERS: ReadonlySet<string> = new Set(
  'public protected private internal static abstract final sealed virtual override readonly const async extern unsafe partial new open inner data suspend inline operator infix external volatile transient synchronized native strictfp default'.split(
    ' ',
  ),
);
const FREE_ORDER: ReadonlySet<string> = new Set(['java', 'csharp', 'kotlin', 'php']);

/** `static abstract` and `abstract static` say the same. */
function inOneOrder(tokens: string[], language: string): string[] {
  const from = FREE_ORDER.has(language) ? tokens.findIndex((token) => MODIFIERS.has(token)) : -1;
  if (from === -1) return tokens;
  const past = tokens.findIndex((token, at) => at > from && !MODIFIERS.has(token));
  const to = past === -1 ? tokens.length : past;
  return [...tokens.slice(0, from), ...tokens.slice(from, to).sort(), ...tokens.slice(to)];
}

/** Where an annotation says something to tools; a decorator of Python or TypeScript makes another thing of what it stands on. */
const ANNOTATED: ReadonlySet<string> = new Set(['java', 'kotlin', 'swift']);

function withoutAnnotations(tokens: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    if (!token.startsWith('@') || token === '@interface') kept.push(token);
    else at = annotationEnd(tokens, at);
  }
  return kept;
}

/** The last token of an annotation: its name may have dots, and arguments may follow. */
function annotationEnd(tokens: readonly string[], start: number): number {
  let at = tokens[start] === '@' ? start + 1 : start;
  while (tokens[at + 1] === '.' || tokens[at + 1] === ':') at += 2;
  return tokens[at + 1] === '(' ? closingOf(tokens, at + 1) : at;
}

/** `#[must_use]`, `[Obsolete]`, `[[nodiscard]]`, `__attribute__((…))`. */
function withoutAttributes(tokens: readonly string[], language: string): string[] {
  const kept: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const end = attributeEnd(tokens, at, { language, isFirst: kept.length === 0 });
    if (end === undefined) kept.push(tokens[at] ?? '');
    else at = end;
  }
  return kept;
}

function attributeEnd(
  tokens: readonly string[],
  at: number,
  { language, isFirst }: { language: string; isFirst: boolean },
): number | undefined {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if ((language === 'rust' || language === 'php') && token === '#' && next === '[')
    return closingOf(tokens, at + 1);
  if (language === 'csharp' && isFirst && token === '[') return closingOf(tokens, at);
  if (language !== 'cpp' && language !== 'c') return undefined;
  if (token === '[' && next === '[') return closingOf(tokens, at);
  return token === '__attribute__' && next === '(' ? closingOf(tokens, at + 1) : undefined;
}

function hasIgnoredValue({ name, kind }: SkeletonExport, ignore: ReadonlySet<IgnorableKind>): boolean {
  if (!VALUE_KINDS.has(kind)) return false;
  return ignore.has('values') || (ignore.has('version-values') && VERSION.test(name));
}

const VALUE_KINDS: ReadonlySet<string> = new Set(['constant', 'variable', 'property', 'macro']);
const VERSION = /version|revision|build_?(?:number|date|id)|commit_?(?:hash|id)/i;

function withoutValue(tokens: readonly string[]): string[] {
  const equals = tokens.indexOf('=');
  if (equals !== -1) return tokens.slice(0, equals);
  // `#define VERSION "1.0"` has no sign between name and value.
  return tokens[0] === '#define' ? tokens.slice(0, 2) : [...tokens];
}
