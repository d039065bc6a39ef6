import { UNFINISHED_TAGS } from '@secateur/base/text/unfinished-tags.ts';
import type { Callout } from '../reading/facts.ts';

const TAGS = `${UNFINISHED_TAGS}|SECURITY|DEPRECATED`;
const TAG = new RegExp(TAGS);
const CALLOUT = new RegExp(
  String.raw`(?:\/\/|#|\/\*|^\s*\*|--|<!--|;;).{0,120}?\b(${TAGS})\b(?:\([^)]{0,100}\))?\s{0,20}[:：-]?\s{0,20}(.*)`,
);
const MAX_LENGTH = 300;
/** Nobody writes such a line by hand, and a pattern that looks ahead would read it again and again. */
const MAX_LINE = 2_000;

/** Comments that ask for attention. */
export function findCallouts(lines: readonly string[]): Callout[] {
  const callouts: Callout[] = [];
  for (const [at, line] of lines.entries()) {
    // The cheap look first: most lines have none, and the whole pattern looks far ahead.
    if (line.length > MAX_LINE || !TAG.test(line)) continue;
    const [, tag, rest = ''] = CALLOUT.exec(line) ?? [];
    if (tag === undefined) continue;
    callouts.push({
      tag,
      text: rest
        .replace(/(?<!\s)\s*(?:\*\/|-->)\s*$/, '')
        .trim()
        .slice(0, MAX_LENGTH),
      line: at + 1,
    });
  }
  return callouts;
}

const MARK_LINES = 30;
/** As Go, Bazel and Meta's tools, and the tools of .NET write it. */
const GENERATED_MARK =
  /^.{0,100}(?:\bcode generated\b.{0,200}\bdo not (?:edit|modify)\b|(?<![\w`'"])@generated\b|<auto-?generated|\bthis (?:file|code) (?:is|was) (?:auto(?:matically)?[- ]?)?generated\b.{0,200}\bdo not (?:edit|modify)\b)/i;
const COMMENT = /^\s*(?:\/\/|#|\/?\*|--|;|<!--)/;

/** Whether the comments a file opens with say that a program wrote it. */
export function isMarkedGenerated(lines: readonly string[]): boolean {
  return lines
    .slice(0, MARK_LINES)
    .some((line) => line.length < MAX_LINE && COMMENT.test(line) && GENERATED_MARK.test(line));
}

const LICENCE = /copyright|licen[cs]e|spdx-|all rights reserved/i;
const MAX_HEAD_LINES = 40;

/** The words of the comment a file opens with; licences say nothing about the file. */
export function headComment(lines: readonly string[]): string | null {
  const start = lines[0]?.startsWith('#!') === true ? 1 : 0;
  const opening = lines
    .slice(start, start + MAX_HEAD_LINES)
    .join('\n')
    .trimStart();
  const words = blockComment(opening) ?? lineComments(opening);
  if (words === undefined || words.trim() === '' || LICENCE.test(words)) return null;
  return words.trim().slice(0, 2_000);
}

/** A comment longer than the lines looked at counts as far as they go. */
function blockComment(text: string): string | undefined {
  const [, slashed, , quoted] =
    /^(?:\/\*{1,200}!?([\s\S]*?)(?:\*\/|$)|[rRuU]?("""|''')([\s\S]*?)(?:\2|$))/.exec(text) ?? [];
  const body = slashed ?? quoted;
  return body?.replace(/^[ \t]*\*? ?/gm, '');
}

function lineComments(text: string): string | undefined {
  const block = /^(?:[ \t]*(?:\/\/|#(?!!|include|define|if|pragma))[^\n]*(?:\n|$))+/.exec(text)?.[0];
  return block?.replace(/^[ \t]*(?:\/\/+!?|#+) ?/gm, '');
}
