import { UNFINISHED_TAGS } from '@secateur/base/text/doc-words.ts';
import { addressIn, shortened } from './code-facts.ts';
import type { BodyFact } from './fact.ts';
import { commentKinds, ownerKinds } from './node-kinds.ts';
import { declaredName, markLine } from './node-words.ts';
import type { Spot } from './recorder.ts';

export function noteString({ to, node, place }: Spot): void {
  // A string that is a whole statement is documentation and not a value.
  if (node.parentType === 'expression_statement') {
    noteWords({ to, node, place }, place.owner);
    return;
  }
  const address = isAboutProject({ to, node, place }) ? undefined : addressIn(to.textOf(node));
  if (address !== undefined) to.add(node, place, { kind: 'address', name: shortened(address), text: '' });
}

/**
 * Whether a string describes the project: `__url__ = "https://…"` in Python, or any string in a gem
 * specification of Ruby.
 */
function isAboutProject({ to, node }: Spot): boolean {
  if (to.language === 'ruby') return /^Gem::Specification\.new\b/m.test(to.text);
  const assigned =
    node.parentType === 'assignment' ? node.parent?.childForFieldName('left')?.text : undefined;
  return to.language === 'python' && /^__\w+__$/.test(assigned ?? '');
}

export function noteComment({ to, node, place }: Spot): void {
  // In Kotlin the parser may see an annotation as a comment.
  if (to.text[node.startIndex] === '@') noteAnnotation({ to, node, place });
  else noteWords({ to, node, place }, declaredBelow({ to, node, place }));
}

function noteWords({ to, node, place }: Spot, declared: string | undefined): void {
  const text = to.textOf(node);
  const at = to.at(node, place);
  if (!place.isTest) to.facts.push(...commentFacts(text, at));
  const reason = deprecationIn(to.language, { place: 'comment', text });
  if (reason !== undefined && declared !== undefined && declared !== '' && !place.isTest)
    to.facts.push({
      ...at,
      ...markLine(text, at),
      owner: declared,
      kind: 'deprecated',
      name: 'deprecated',
      text: reason,
    });
}

export function noteAnnotation({ to, node, place }: Spot): void {
  const text = to.textOf(node);
  const at = to.at(node, place);
  if (!place.isTest) to.facts.push(...annotationFacts(text, at));
  const reason = deprecationIn(to.language, { place: 'annotation', text });
  if (reason === undefined) return;
  const isInside = ownerKinds.has(node.parentType) && node.parentType !== 'class_definition';
  const declared = isInside ? place.owner : (declaredBelow({ to, node, place }) ?? place.owner);
  to.add(node, { ...place, owner: declared }, { kind: 'deprecated', name: 'deprecated', text: reason });
}

/**
 * Returns the name of the declaration that follows a comment or annotation, or that contains its modifiers.
 */
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
  // In Go the name of a method already contains its type.
  return place.owner === '' || name.startsWith(`${place.owner}.`) ? name : `${place.owner}.${name}`;
}

const TODO = new RegExp(String.raw`\b(${UNFINISHED_TAGS})\b(?:\([^)]{0,100}\))?\s*[:：-]?\s*([^\n]*)`);
const SUPPRESSED =
  /(eslint-disable[\w-]{0,80}|@ts-(?:ignore|expect-error|nocheck)|biome-ignore\w{0,80}|prettier-ignore|tslint:disable[\w-]{0,80}|istanbul ignore|c8 ignore|# ?noqa|type:\s*ignore|pylint:\s*disable|mypy:\s*ignore[\w-]{0,80}|pyright:\s*ignore|pragma:\s*no cover|nolint|nosec|NOLINT\w{0,80}|NOSONAR|CHECKSTYLE[.:]OFF|noinspection|rubocop:disable|phpcs:(?:ignore|disable)|@phpstan-ignore[\w-]{0,80}|@psalm-suppress|@codingStandardsIgnore\w{0,80}|swiftlint:disable\w{0,80}|ktlint-disable|detekt:|clang-format off|resharper disable|ReSharper disable)\b[:,]?\s*([^\n*]*)/;
type Place = Pick<BodyFact, 'owner' | 'startLine' | 'endLine'>;

/** Returns facts from a comment: unfinished work and suppressed checks. */
function commentFacts(comment: string, place: Place): BodyFact[] {
  const found: BodyFact[] = [];
  const add = (kind: BodyFact['kind'], pattern: RegExp) => {
    const match = pattern.exec(comment);
    if (match === null) return;
    const [, name = '', text = ''] = match;
    const line = place.startLine + comment.slice(0, match.index).split('\n').length - 1;
    found.push({ ...place, kind, name, text: tidy(text), startLine: line, endLine: line });
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
 * Mark of a deprecated declaration in a language. `comment`: in the doc comment before it (in Python the doc
 * string). `annotation`: an annotation, attribute or decorator. `call`: a warning in its body. `yes` is code
 * in which `old` is deprecated, `no` code without a deprecation; both are tests.
 */
export interface DeprecationRow {
  languages: readonly string[];
  place: 'comment' | 'annotation' | 'call';
  /** Pattern of the mark. Its first group, if any, is the reason. */
  pattern: RegExp;
  yes: string;
  no: string;
}

const SCRIPT = ['javascript', 'typescript', 'tsx'] as const;
/** A `@deprecated` tag at the start of a line. */
const TAG = /(?:^|\n)[ \t]{0,80}(?:\/\*\*|\*|\/\/\/?|#)?[ \t]{0,80}[@\\]deprecated\b:?[ \t]{0,80}([^\n]*)/;

export const DEPRECATION_ROWS: readonly DeprecationRow[] = [
  {
    languages: SCRIPT,
    place: 'comment',
    // TypeScript accepts the tag anywhere in a doc comment.
    pattern: /^\/\*\*(?:[^`{]|\{(?!@code))*?[\s*]@deprecated\b:?[ \t]{0,80}([^\n]*)/,
    yes: '/** Old. @deprecated use b */\nexport function old() {}',
    no: '/** Warns of `@deprecated`. */\nexport function a() {}\n// @deprecated\nfunction b() { this.deprecated = true }',
  },
  {
    languages: ['java', 'kotlin', 'c', 'cpp', 'ruby', 'php', 'swift'],
    place: 'comment',
    pattern: TAG,
    yes: 'class A {\n  /**\n   * Old.\n   * @deprecated use b\n   */\n  void old() {}\n}',
    no: 'class A {\n  /** See what {@code @deprecated} means. */\n  void a() { deprecated = true; }\n}',
  },
  {
    languages: ['java', 'kotlin'],
    place: 'annotation',
    pattern: /^@(?:java\.lang\.|kotlin\.)?Deprecated\b(?:[^"]*"([^"]*)")?/,
    yes: 'class A {\n  @Deprecated\n  void old() {}\n}',
    no: 'class A {\n  @DeprecatedSince("1")\n  void a() {}\n}',
  },
  {
    languages: ['go'],
    place: 'comment',
    pattern: /(?:^|\n)(?:\/\/|\/\*)?[ \t]*Deprecated:[ \t]*([^\n]*)/,
    yes: 'package a\n\n// Old is old.\n//\n// Deprecated: use B\nfunc old() {}',
    no: 'package a\n\n// A says which are Deprecated: none.\nfunc a() {}',
  },
  {
    languages: ['rust'],
    place: 'annotation',
    pattern: /^#\[deprecated\b(?:[^"]*(?:note\s*=\s*"|=\s*")([^"]*)")?/,
    yes: '#[deprecated(since = "1.0", note = "use b")]\npub fn old() {}',
    no: '#[allow(deprecated)]\npub fn a() {}',
  },
  {
    languages: ['csharp'],
    place: 'annotation',
    pattern: /^\[(?:System\.)?Obsolete(?:Attribute)?\b(?:[^"]*"([^"]*)")?/,
    yes: 'class A {\n  [Obsolete("use b")]\n  void old() {}\n}',
    no: 'class A {\n  [NotObsolete]\n  void a() {}\n}',
  },
  {
    languages: ['swift'],
    place: 'annotation',
    pattern: /^@available\([^)"]{0,100}\bdeprecated\b(?:[^")]{0,100}message:\s{0,9}"([^"]{0,300})")?/,
    yes: '@available(*, deprecated, message: "use b")\nfunc old() {}',
    no: '@available(iOS 13, *)\nfunc a() {}',
  },
  {
    languages: ['c', 'cpp'],
    place: 'annotation',
    pattern: /^\[\[deprecated\b(?:[^"]*"([^"]*)")?|^__attribute__\s*\(\(\s*(?:__)?deprecated/,
    yes: '[[deprecated("use b")]] void old() {}',
    no: '[[nodiscard]] int a() { return 1; }',
  },
  {
    languages: ['php'],
    place: 'annotation',
    pattern: /^#\[\\?Deprecated\b(?:[^"']*["']([^"']*)["'])?/,
    yes: '<?php\n#[\\Deprecated("use b")]\nfunction old() {}',
    no: '<?php\n#[NotDeprecated]\nfunction a() {}',
  },
  {
    languages: ['python'],
    place: 'annotation',
    pattern: /^@(?:\w+\.)?deprecated\b(?:\(\s*["']([^"']*)["'])?/,
    yes: '@deprecated("use b")\ndef old():\n    pass',
    no: '@not_deprecated\ndef a(self, deprecated=None):\n    self.deprecated = deprecated',
  },
  {
    languages: ['python'],
    place: 'comment',
    pattern: /(?:^|\n)[ \t]*\.\. deprecated::[ \t]*([^\n]*)/,
    yes: 'def old():\n    """Old.\n\n    .. deprecated:: 8.0\n    """',
    no: 'def a():\n    """Says whether x is deprecated."""',
  },
  {
    languages: ['python'],
    place: 'call',
    pattern: /^(?:warnings\.)?warn\([\s\S]*\b(?:Pending)?DeprecationWarning\b/,
    yes: 'def old():\n    warnings.warn("use b", DeprecationWarning, stacklevel=2)',
    no: 'def a():\n    warnings.warn("hot", UserWarning)',
  },
  {
    languages: ['php'],
    place: 'call',
    pattern: /^\\?@?trigger_(?:error|deprecation)\([\s\S]*(?:E_USER_DEPRECATED|trigger_deprecation)/,
    yes: "<?php\nfunction old() { trigger_error('use b', E_USER_DEPRECATED); }",
    no: "<?php\nfunction a() { trigger_error('hot', E_USER_WARNING); }",
  },
];

export interface DeprecationMark {
  place: DeprecationRow['place'];
  text: string;
}

/**
 * Returns the reason of a deprecation, which may be empty; undefined if the text does not mark one in this
 * language.
 */
export function deprecationIn(language: string, { place, text }: DeprecationMark): string | undefined {
  for (const row of DEPRECATION_ROWS) {
    if (row.place !== place || !row.languages.includes(language)) continue;
    const match = row.pattern.exec(text);
    if (match !== null) return (match[1] ?? '').replace(/\*\/\s{0,9}$/, '').trim();
  }
  return undefined;
}
