import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { matcherOf } from '@secateur/base/text/glob.ts';
import { specError } from '../locales.ts';
import { codeTokens, plainName, type SkeletonExport } from '../reading/skeleton.ts';
import type { Baseline } from '../writing/document/baseline.ts';
import { compareBaselines, flattenNamespaces } from './compare.ts';
import { type Change, type ComparedExport, type Comparison, changedName } from './export-changes.ts';
import { closingOf, splitAtCommas } from './shape.ts';
import { publicOnly, publicTypes } from './visibility.ts';

/** Parts of a signature that the rules can ignore. */
export const ignorableKinds = [
  'annotations',
  'attributes',
  'version-values',
  'values',
  'parameter-names',
] as const;

export type IgnorableKind = (typeof ignorableKinds)[number];

export interface DriftRules {
  /** Parts of signatures in which differences are ignored. */
  ignore: readonly IgnorableKind[];
  /** Globs for paths relative to the repository. */
  ignorePaths: readonly string[];
  /** Names of exports to ignore, with `Owner.member` for members. `*` matches any text. */
  ignoreSymbols: readonly string[];
  /** `public`: exports that users of the package can reach; `all`: exports that other files can reach. */
  visibility: 'public' | 'all';
}

/** Default rules. The values of version constants are ignored, because every release changes them. */
const defaultRules: DriftRules = {
  ignore: ['annotations', 'attributes', 'version-values', 'parameter-names'],
  ignorePaths: [],
  ignoreSymbols: [],
  visibility: 'public',
};

const RULES_FILE = '.reverse-spec-ignore';

/** Returns the rules of a repository: the default rules with the changes in its rules file. */
export async function readRules(repository: string): Promise<DriftRules> {
  const text = await readFile(join(repository, RULES_FILE), 'utf8').catch(() => '');
  return parseRules(text);
}

/** Parses one rule per line: `ignore KIND`, `count KIND`, `path GLOB`, `symbol NAME`, `visibility public|all`. */
export function parseRules(text: string): DriftRules {
  let rules = defaultRules;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const [word = '', ...rest] = line.trim().split(/\s+/);
    if (word === '' || word.startsWith('#')) continue;
    const next = READERS[word]?.(rules, rest[0] ?? '');
    if (next === undefined) throw badLine(at + 1, line);
    rules = next;
  }
  return rules;
}

type RuleReader = (rules: DriftRules, value: string) => DriftRules | undefined;

const READERS: Readonly<Record<string, RuleReader>> = {
  ignore: (rules, value) =>
    isKind(value) ? { ...rules, ignore: [...new Set([...rules.ignore, value])] } : undefined,
  count: (rules, value) =>
    isKind(value) ? { ...rules, ignore: rules.ignore.filter((kind) => kind !== value) } : undefined,
  path: (rules, value) =>
    value === '' ? undefined : { ...rules, ignorePaths: [...rules.ignorePaths, value] },
  symbol: (rules, value) =>
    value === '' ? undefined : { ...rules, ignoreSymbols: [...rules.ignoreSymbols, value] },
  visibility: (rules, value) =>
    value === 'public' || value === 'all' ? { ...rules, visibility: value } : undefined,
};

function isKind(value: string): value is IgnorableKind {
  return (ignorableKinds as readonly string[]).includes(value);
}

function badLine(line: number, text: string): DomainError {
  return specError('bad_rules', {
    file: RULES_FILE,
    line,
    text: text.trim().slice(0, 80),
    rules: `ignore|count ${ignorableKinds.join('|')} · path GLOB · symbol NAME · visibility public|all`,
  });
}

/** Compares two states under the rules of a repository. Ignored changes are counted as noise. */
export function compareUnderRules(before: Baseline, after: Baseline, rules: DriftRules): Comparison {
  const [old, now] = [flattenNamespaces(before), flattenNamespaces(after)];
  const types = publicTypes([old, now]);
  const ignored = new Set(rules.ignore);
  const seen = (baseline: Baseline) => {
    const visible = rules.visibility === 'all' ? baseline : publicOnly(baseline, types);
    const files = visible.files.map((file) => ({
      ...file,
      exports: file.exports.map((each) => strip(each, file.language, ignored)),
    }));
    return { ...visible, files };
  };
  const { changes, noise } = compareBaselines(seen(old), seen(now));
  const isIgnored = ignoredBy(rules);
  const kept = changes.filter((change) => !isIgnored(change));
  return { changes: kept, noise: noise + changes.length - kept.length };
}

function ignoredBy({ ignorePaths, ignoreSymbols }: DriftRules): (change: Change) => boolean {
  const paths = ignorePaths.map(matcherOf);
  const symbols = ignoreSymbols.map(matcherOf);
  return (change) => {
    const placed = [
      ...('before' in change ? [change.before] : []),
      ...('after' in change ? [change.after] : []),
    ];
    return placed.some(
      (each) =>
        paths.some((matches) => matches(each.path)) ||
        symbols.some((matches) => matches(changedName(change, each))),
    );
  };
}

/** Removes the ignored parts from a signature. `written` keeps the original. */
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
  if (ignore.has('annotations') && ANNOTATED.has(language))
    tokens = withoutRanges(tokens, (at) => annotationEnd(tokens, at));
  if (ignore.has('attributes'))
    tokens = withoutRanges(tokens, (at, isFirst) => attributeEnd(tokens, at, { language, isFirst }));
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

/** Sorts modifiers in languages where their order has no meaning: `static abstract`, `abstract static`. */
function inOneOrder(tokens: string[], language: string): string[] {
  const from = FREE_ORDER.has(language) ? tokens.findIndex((token) => MODIFIERS.has(token)) : -1;
  if (from === -1) return tokens;
  const past = tokens.findIndex((token, at) => at > from && !MODIFIERS.has(token));
  const to = past === -1 ? tokens.length : past;
  return [...tokens.slice(0, from), ...tokens.slice(from, to).sort(), ...tokens.slice(to)];
}

/** Languages in which annotations only inform tools. In Python a decorator changes the function. */
const ANNOTATED: ReadonlySet<string> = new Set(['java', 'kotlin', 'swift']);

/** Returns the index of an annotation's last token. The name may contain dots and be followed by arguments. */
function annotationEnd(tokens: readonly string[], start: number): number | undefined {
  const token = tokens[start] ?? '';
  if (!token.startsWith('@') || token === '@interface') return undefined;
  let at = token === '@' ? start + 1 : start;
  while (tokens[at + 1] === '.' || tokens[at + 1] === ':') at += 2;
  return tokens[at + 1] === '(' ? closingOf(tokens, at + 1) : at;
}

/** Removes ranges of tokens. `endAt` returns the index of the last token of the range that begins at an index. */
function withoutRanges(
  tokens: readonly string[],
  endAt: (at: number, isFirst: boolean) => number | undefined,
): string[] {
  const kept: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const end = endAt(at, kept.length === 0);
    if (end === undefined) kept.push(tokens[at] ?? '');
    else at = end;
  }
  return kept;
}

/** Returns the index of the last token of an attribute: `#[must_use]`, `[Obsolete]`, `[[nodiscard]]`, `__attribute__((…))`. */
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
  // In `#define VERSION "1.0"` no `=` separates name and value.
  return tokens[0] === '#define' ? tokens.slice(0, 2) : [...tokens];
}

type NamePlace = 'last' | 'first' | 'before-colon';

/** Position of a parameter name, for languages in which callers never write it. */
const PLACES: Readonly<Record<string, NamePlace>> = {
  java: 'last',
  c: 'last',
  cpp: 'last',
  go: 'first',
  rust: 'before-colon',
  typescript: 'before-colon',
  tsx: 'before-colon',
};

/** Removes parameter names in languages whose callers never write them. */
function withoutParameterNames(
  tokens: string[],
  { language, name }: { language: string; name: string },
): string[] {
  const place = PLACES[language];
  const open = place === undefined ? -1 : tokens.indexOf('(', tokens.indexOf(name) + 1);
  if (place === undefined || open === -1) return tokens;
  const close = closingOf(tokens, open);
  const parameters = splitAtCommas(tokens.slice(open + 1, close));
  const isGrouped = parameters.some((parameter) => parameter.length > 1);
  const plain = parameters.map((parameter) => withoutName(parameter, place, isGrouped).join(' '));
  return [...tokens.slice(0, open + 1), plain.join(' , '), ...tokens.slice(close)];
}

const WORD = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

function withoutName(parameter: string[], place: NamePlace, isGrouped: boolean): string[] {
  if (place === 'before-colon') return afterColon(parameter[0] === 'mut' ? parameter.slice(1) : parameter);
  if (place === 'first') return withoutFirst(parameter, isGrouped);
  const end = parameter.indexOf('=') === -1 ? parameter.length : parameter.indexOf('=');
  const at = lastWord(parameter.slice(0, end));
  return at > 0 ? parameter.filter((_token, index) => index !== at) : parameter;
}

/** Replaces the parameter name before the colon by `_`: `a ?: T` and `b ?: T` become equal. Keeps `self` and patterns. */
function afterColon(parameter: string[]): string[] {
  const colon = parameter.indexOf(':');
  const name = parameter.slice(0, colon).filter((token) => WORD.test(token) && token !== 'mut');
  if (colon < 1 || name.length !== 1 || name[0] === 'this' || name[0] === 'self') return parameter;
  return ['_', ...parameter.slice(0, colon).filter((token) => !WORD.test(token)), ...parameter.slice(colon)];
}

/** Replaces the parameter name before the type by `_`. In `a, b int`, the single word `a` is a name too. */
function withoutFirst(parameter: string[], isGrouped: boolean): string[] {
  const [first = '', second = ''] = parameter;
  if (!WORD.test(first) || /^(?:func|map|chan|struct|interface)$/.test(first)) return parameter;
  if (parameter.length === 1) return isGrouped ? ['_'] : parameter;
  return second === '.' && parameter.length === 3 ? parameter : ['_', ...parameter.slice(1)];
}

/** Returns the index of a parameter name that follows the type, as in `final List < String > names [ ]`; -1 without a name. */
function lastWord(tokens: readonly string[]): number {
  let at = tokens.length - 1;
  while (at > 0 && /^[[\]\d]+$/.test(tokens[at] ?? '')) at -= 1;
  return WORD.test(tokens[at] ?? '') && tokens[at - 1] !== '.' && tokens[at - 1] !== '::' ? at : -1;
}
