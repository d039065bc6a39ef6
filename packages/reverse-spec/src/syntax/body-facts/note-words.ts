import { UNFINISHED_TAGS } from '@secateur/base/text/unfinished-tags.ts';
import { addressIn, shortened } from './code-facts.ts';
import { deprecationIn } from './deprecations.ts';
import type { BodyFact } from './fact.ts';
import { commentKinds, ownerKinds } from './node-kinds.ts';
import { declaredName, markLine } from './node-words.ts';
import type { Spot } from './recorder.ts';
export function noteString({ to, node, place }: Spot): void {
  // A string that is all of a statement is words, not a value.
  if (node.parentType === 'expression_statement') {
    noteWords({ to, node, place }, place.owner);
    return;
  }
  const address = isAboutProject({ to, node, place }) ? undefined : addressIn(to.textOf(node));
  if (address !== undefined) to.add(node, place, { kind: 'address', name: shortened(address), text: '' });
}

/** `__url__ = "https://…"` of Python and what a specification of a gem lists are words about the project. */
function isAboutProject({ to, node }: Spot): boolean {
  if (to.language === 'ruby') return /^Gem::Specification\.new\b/m.test(to.text);
  const assigned =
    node.parentType === 'assignment' ? node.parent?.childForFieldName('left')?.text : undefined;
  return to.language === 'python' && /^__\w+__$/.test(assigned ?? '');
}

export function noteComment({ to, node, place }: Spot): void {
  noteWords({ to, node, place }, declaredBelow({ to, node, place }));
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

/** The declaration that follows a comment or an annotation, or that contains its modifiers. */
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
  // A Go method has its type in its name.
  return place.owner === '' || name.startsWith(`${place.owner}.`) ? name : `${place.owner}.${name}`;
}

const TODO = new RegExp(String.raw`\b(${UNFINISHED_TAGS})\b(?:\([^)]{0,100}\))?\s*[:：-]?\s*([^\n]*)`);
const SUPPRESSED =
  /(eslint-disable[\w-]{0,80}|@ts-(?:ignore|expect-error|nocheck)|biome-ignore\w{0,80}|prettier-ignore|tslint:disable[\w-]{0,80}|istanbul ignore|c8 ignore|# ?noqa|type:\s*ignore|pylint:\s*disable|mypy:\s*ignore[\w-]{0,80}|pyright:\s*ignore|pragma:\s*no cover|nolint|nosec|NOLINT\w{0,80}|NOSONAR|CHECKSTYLE[.:]OFF|noinspection|rubocop:disable|phpcs:(?:ignore|disable)|@phpstan-ignore[\w-]{0,80}|@psalm-suppress|@codingStandardsIgnore\w{0,80}|swiftlint:disable\w{0,80}|ktlint-disable|detekt:|clang-format off|resharper disable|ReSharper disable)\b[:,]?\s*([^\n*]*)/;
type Place = Pick<BodyFact, 'owner' | 'startLine' | 'endLine'>;

/** Returns what a comment admits: unfinished work, checks that were switched off. */
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
