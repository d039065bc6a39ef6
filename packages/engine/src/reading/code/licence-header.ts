import type { Unit } from '../document.ts';

const COMMENT = /^\s*(?:#(?!!)|\/\/|\/?\*|--|;|%|<!--|"""|''')|^\s*$/;
const LICENCE =
  /\b(?:licen[cs]ed?|copyright|SPDX-License-Identifier|all rights reserved|warrant(?:y|ies))\b/i;
const MIN_LINES = 5;
const MAX_LINES = 60;

/** The licence that opens a source file, if it is long enough to be worth a marker. */
export function licenceHeader(lines: readonly string[]): Unit[] {
  const first = lines.findIndex((line) => line.trim() !== '' && !/^#!|^\s*<\?php/.test(line));
  if (first < 0 || !COMMENT.test(lines[first] ?? '')) return [];
  const comment = lines.slice(first, first + MAX_LINES).map((line) => line.slice(0, 200));
  const count = commentLength(comment);
  const isLicence = comment.slice(0, count).some((line) => LICENCE.test(line));
  if (!isLicence || count < MIN_LINES) return [];
  const end = first + count;
  return [{ kind: 'licence', name: '', start: first + 1, head: first, end, rule: 'licence-header', count }];
}

/**
 * Counts the lines of the comment at the beginning: a block comment to its end, line comments to the first
 * blank line.
 */
function commentLength(lines: readonly string[]): number {
  const isBlock = /^\s*\/\*/.test(lines[0] ?? '');
  const end = isBlock
    ? lines.findIndex((line) => line.trimEnd().endsWith('*/')) + 1
    : lines.findIndex((line) => line.trim() === '' || !COMMENT.test(line));
  return end < 0 ? lines.length : end;
}
