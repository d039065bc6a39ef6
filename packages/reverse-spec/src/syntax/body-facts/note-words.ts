import { grouped } from '@secateur/base/runtime/grouped.ts';
import { UNFINISHED_TAGS } from '@secateur/base/text/doc-words.ts';
import { ADDRESS_NAME, addressIn, limitIn, shortened } from './code-facts.ts';
import type { BodyFact } from './fact.ts';
import type { Node } from './node.ts';
import { commentKinds, ownerKinds, scriptLanguages } from './node-kinds.ts';
import { declaredName, markLine } from './node-words.ts';
import type { Spot } from './recorder.ts';

export function noteLimit({ to, node, place }: Spot): void {
  const found = place.isTest ? undefined : limitIn(limitText(to, node));
  if (found !== undefined) to.add(node, place, { kind: 'limit', ...found });
}

/** Returns the code of a node that may declare limits: a constant, or an object named `defaultOptions` or `limits`. */
function limitText(to: Spot['to'], node: Node): string {
  const text = to.textOf(node);
  if (node.type !== 'pair') return text;
  const holder = node.parent?.parent?.childForFieldName('name')?.text ?? '';
  return /default|limit/i.test(holder) ? text.replace(':', ' =') : '';
}

export function noteString({ to, node, place }: Spot): void {
  // A string that is a whole statement is documentation, not a value.
  if (node.parentType === 'expression_statement') {
    noteWords({ to, node, place }, () => place.owner);
    return;
  }
  const address = isNamedAddress(node) ? addressIn(to.textOf(node)) : undefined;
  if (address !== undefined) to.add(node, place, { kind: 'address', name: shortened(address), text: '' });
}

/**
 * Whether a string is assigned to a name for addresses, such as `apiUrl` or `HOST`. `__url__` in Python is
 * excluded, because it is the project's home page.
 */
function isNamedAddress({ parent }: Node): boolean {
  const named = ['name', 'left', 'key'].map((field) => parent?.childForFieldName(field)?.text);
  const name = named.find((each) => each !== undefined) ?? '';
  return ADDRESS_NAME.test(name) && !/^__\w+__$/.test(name);
}

export function noteComment({ to, node, place }: Spot): void {
  // Kotlin's parser may take an annotation for a comment.
  if (to.text[node.startIndex] === '@') noteAnnotation({ to, node, place });
  else noteWords({ to, node, place }, declaredBelow);
}

function noteWords({ to, node, place }: Spot, declaredBy: (spot: Spot) => string | undefined): void {
  const text = to.textOf(node);
  const at = to.at(node, place);
  if (!place.isTest) to.facts.push(...commentFacts(text, at));
  const reason = deprecationIn(to.language, 'comment', text);
  const owner = reason === undefined || place.isTest ? '' : (declaredBy({ to, node, place }) ?? '');
  if (reason === undefined || owner === '') return;
  const mark = { owner, kind: 'deprecated', name: 'deprecated', text: reason } as const;
  to.facts.push({ ...at, ...markLine(text, at), ...mark });
}

export function noteAnnotation({ to, node, place }: Spot): void {
  const text = to.textOf(node);
  const at = to.at(node, place);
  if (!place.isTest) to.facts.push(...annotationFacts(text, at));
  const reason = deprecationIn(to.language, 'annotation', text);
  if (reason === undefined) return;
  // In Java and Kotlin, annotations are in a `modifiers` node inside the declaration.
  const holder = (node.parentType === 'modifiers' ? node.parent?.parentType : undefined) ?? node.parentType;
  const isInside = ownerKinds.has(holder) && holder !== 'class_definition';
  const around = isInside ? place.owner : memberAround({ to, node, place });
  const declared = around ?? declaredBelow({ to, node, place }) ?? place.owner;
  to.add(node, { ...place, owner: declared }, { kind: 'deprecated', name: 'deprecated', text: reason });
}

/** Returns the property or field that has an attribute of C# or an annotation of Kotlin. Such a member owns no facts itself. */
function memberAround({ node: { parent }, place }: Spot): string | undefined {
  // In Kotlin a parameter of a constructor may be a property.
  const parameter = parent?.parentType === 'class_parameter' ? parent.parent : null;
  const property = parameter?.namedChildren.find(
    ({ type }) => type === 'simple_identifier' || type === 'identifier',
  );
  if (property !== undefined) return [place.owner, property.text].filter((part) => part !== '').join('.');
  const name = /^(?:property|field|event|event_field|delegate|indexer)_declaration$/.test(parent?.type ?? '')
    ? parent && declaredName(parent)
    : undefined;
  return name == null ? undefined : [place.owner, name].filter((part) => part !== '').join('.');
}

/** Returns the name of the declaration that follows a comment or annotation, or that contains its modifiers. */
function declaredBelow({ node, place }: Spot): string | undefined {
  let next =
    node.parent?.type === 'modifiers' || node.parent?.type === 'decorated_definition'
      ? node.parent
      : node.nextNamedSibling;
  while (
    next !== null &&
    (commentKinds.has(next.type) ||
      /^(?:attribute_item|decorator|modifiers|attribute_list|marker_annotation|annotation)$/.test(next.type))
  )
    next = next.type === 'modifiers' ? next.parent : next.nextNamedSibling;
  if (next === null) return undefined;
  const name = declaredName(next);
  if (name === undefined) return undefined;
  // In Go the declared name of a method already contains the type.
  return place.owner === '' || name.startsWith(`${place.owner}.`) ? name : `${place.owner}.${name}`;
}

/** Matches `TODO` and similar tags at the start of a line or before a colon. Elsewhere a text only mentions them. */
const TODO = new RegExp(
  String.raw`(?:^|\n)[^\p{L}\p{N}\n]{0,80}\b(${UNFINISHED_TAGS})\b(?:\([^)]{0,100}\))?\s*[:：-]?\s*([^\n]*)|\b(${UNFINISHED_TAGS})(?:\([^)]{0,100}\))?[:：]\s*([^\n]*)`,
  'u',
);
const SUPPRESSED =
  /(eslint-disable[\w-]{0,80}|@ts-(?:ignore|expect-error|nocheck)|biome-ignore\w{0,80}|prettier-ignore|tslint:disable[\w-]{0,80}|istanbul ignore|c8 ignore|# ?noqa|type:\s*ignore|pylint:\s*disable|mypy:\s*ignore[\w-]{0,80}|pyright:\s*ignore|pragma:\s*no cover|nolint|nosec|NOLINT\w{0,80}|NOSONAR|CHECKSTYLE[.:]OFF|noinspection|rubocop:disable|phpcs:(?:ignore|disable)|@phpstan-ignore[\w-]{0,80}|@psalm-suppress|@codingStandardsIgnore\w{0,80}|swiftlint:disable\w{0,80}|ktlint-disable|detekt:|clang-format off|resharper disable|ReSharper disable)\b[:,]?\s*([^\n*]*)/;
type Place = Pick<BodyFact, 'owner' | 'startLine' | 'endLine'>;

/** Returns facts from a comment: unfinished work and suppressed checks. */
function commentFacts(comment: string, place: Place): BodyFact[] {
  const found: BodyFact[] = [];
  const add = (kind: BodyFact['kind'], pattern: RegExp) => {
    const match = pattern.exec(comment);
    if (match === null) return;
    const [name = '', text = ''] = match.slice(1).filter((group) => group !== undefined);
    const line = place.startLine + comment.slice(0, match.index).split('\n').length - 1;
    found.push({ owner: place.owner, startLine: line, endLine: line, kind, name, text: tidy(text) });
  };
  add('todo', TODO);
  add('suppressed', SUPPRESSED);
  return found;
}

const ANNOTATION_SUPPRESSED =
  /^(?:#!?\[(?:allow|expect)\b|@SuppressWarnings|@Suppress\b|@file:Suppress|@SuppressLint|\[SuppressMessage|#pragma\s+(?:warning\s+disable|GCC diagnostic ignored|clang diagnostic ignored))/;

function annotationFacts(annotation: string, place: Place): BodyFact[] {
  const text = tidy(annotation);
  return ANNOTATION_SUPPRESSED.test(text) ? [{ ...place, kind: 'suppressed', name: text, text: '' }] : [];
}

const MAX_TEXT = 300;

function tidy(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/(?<!\s)\s*(?:\*\/|-->|\{@code)\s*$/, '')
    .trim()
    .slice(0, MAX_TEXT);
}

/**
 * Marks of deprecated declarations in a language. `comment`: in the doc comment or doc string. `annotation`: by
 * an annotation, attribute or decorator. `call`: by a warning in the body.
 */
export interface DeprecationRow {
  languages: readonly string[];
  place: 'comment' | 'annotation' | 'call';
  /** Pattern of the mark. A group in it captures the reason. */
  pattern: RegExp;
}

/** A `@deprecated` tag at the start of a line. */
const TAG = /(?:^|\n)[ \t]{0,80}(?:\/\*\*|\*|\/\/\/?|#)?[ \t]{0,80}[@\\]deprecated\b:?[ \t]{0,80}([^\n]*)/;

export const DEPRECATION_ROWS: readonly DeprecationRow[] = [
  {
    languages: scriptLanguages,
    place: 'comment',
    // TypeScript accepts the tag anywhere in a doc comment.
    pattern: /^\/\*\*(?:[^`{]|\{(?!@code))*?[\s*]@deprecated\b:?[ \t]{0,80}([^\n]*)/,
  },
  { languages: ['java', 'kotlin', 'c', 'cpp', 'ruby', 'php', 'swift'], place: 'comment', pattern: TAG },
  {
    languages: ['java', 'kotlin'],
    place: 'annotation',
    pattern: /^@(?:java\.lang\.|kotlin\.)?Deprecated\b(?:[^"]*"([^"]*)")?/,
  },
  { languages: ['go'], place: 'comment', pattern: /(?:^|\n)(?:\/\/|\/\*)?[ \t]*Deprecated:[ \t]*([^\n]*)/ },
  {
    languages: ['rust'],
    place: 'annotation',
    pattern: /^#\[deprecated\b(?:[^"]*(?:note\s*=\s*"|=\s*")([^"]*)")?/,
  },
  {
    languages: ['csharp'],
    place: 'annotation',
    pattern: /^\[(?:System\.)?Obsolete(?:Attribute)?\b(?:[^"]*"([^"]*)")?/,
  },
  {
    languages: ['swift'],
    place: 'annotation',
    pattern: /^@available\([^)"]{0,100}\bdeprecated\b(?:[^")]{0,100}message:\s{0,9}"([^"]{0,300})")?/,
  },
  {
    languages: ['c', 'cpp'],
    place: 'annotation',
    pattern: /^\[\[deprecated\b(?:[^"]*"([^"]*)")?|^__attribute__\s*\(\(\s*(?:__)?deprecated/,
  },
  { languages: ['php'], place: 'annotation', pattern: /^#\[\\?Deprecated\b(?:[^"']*["']([^"']*)["'])?/ },
  {
    languages: ['python'],
    place: 'annotation',
    pattern: /^@(?:\w+\.)?deprecated\b(?:\(\s*["']([^"']*)["'])?/,
  },
  { languages: ['python'], place: 'comment', pattern: /(?:^|\n)[ \t]*\.\. deprecated::[ \t]*([^\n]*)/ },
  {
    languages: ['python'],
    place: 'call',
    pattern: /^(?:warnings\.)?warn\([\s\S]*\b(?:Pending)?DeprecationWarning\b/,
  },
  {
    languages: ['ruby'],
    place: 'call',
    pattern: /^(?:Kernel\.)?warn[\s(]{1,9}["'][^"']{0,200}\bdeprecated\b/i,
  },
  {
    languages: ['php'],
    place: 'call',
    pattern: /^\\?@?trigger_(?:error|deprecation)\([\s\S]*(?:E_USER_DEPRECATED|trigger_deprecation)/,
  },
];

const DEPRECATIONS = grouped(
  DEPRECATION_ROWS.flatMap((row) =>
    row.languages.map((language) => [`${language} ${row.place}`, row] as const),
  ),
);

/** Returns the reason of a deprecation, which may be empty; undefined if the text does not mark one in this language. */
export function deprecationIn(
  language: string,
  place: DeprecationRow['place'],
  text: string,
): string | undefined {
  for (const { pattern } of DEPRECATIONS.get(`${language} ${place}`) ?? []) {
    const match = pattern.exec(text);
    if (match !== null) return (match[1] ?? '').replace(/\*\/\s{0,9}$/, '').trim();
  }
  return undefined;
}
