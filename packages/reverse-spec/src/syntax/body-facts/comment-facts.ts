import { UNFINISHED_TAGS } from '@secateur/base/text/unfinished-tags.ts';
import type { BodyFact } from './fact.ts';

const TODO = new RegExp(String.raw`\b(${UNFINISHED_TAGS})\b(?:\([^)]{0,100}\))?\s*[:：-]?\s*([^\n]*)`);
const SUPPRESSED =
  /(eslint-disable[\w-]{0,80}|@ts-(?:ignore|expect-error|nocheck)|biome-ignore\w{0,80}|prettier-ignore|tslint:disable[\w-]{0,80}|istanbul ignore|c8 ignore|# ?noqa|type:\s*ignore|pylint:\s*disable|mypy:\s*ignore[\w-]{0,80}|pyright:\s*ignore|pragma:\s*no cover|nolint|nosec|NOLINT\w{0,80}|NOSONAR|CHECKSTYLE[.:]OFF|noinspection|rubocop:disable|phpcs:(?:ignore|disable)|@phpstan-ignore[\w-]{0,80}|@psalm-suppress|@codingStandardsIgnore\w{0,80}|swiftlint:disable\w{0,80}|ktlint-disable|detekt:|clang-format off|resharper disable|ReSharper disable)\b[:,]?\s*([^\n*]*)/;
type Place = Pick<BodyFact, 'owner' | 'startLine' | 'endLine'>;

/** Returns what a comment admits: unfinished work, checks that were switched off. */
export function commentFacts(comment: string, place: Place): BodyFact[] {
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

export function annotationFacts(annotation: string, place: Place): BodyFact[] {
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
