import type { Unit } from '../document.ts';

const COMMENT = /^\s*(?:#(?!!)|\/\/|\/?\*|--|;|%|<!--|"""|''')|^\s*$/;
const LICENCE =
  /\b(?:licen[cs]ed?|copyright|SPDX-License-Identifier|all rights reserved|warrant(?:y|ies))\b/i;
const MIN_LINES = 5;
const MAX_LINES = 60;

/** The licence that opens a source file, if it is long enough to be worth a marker. */
export function licenceHeader(lines: readonly string[]): Unit[] {
  const first = lines.findIndex(
    (line) => line.trim() !== '' && !line.startsWith('#!') && !/^\s*<\?php/.test(line),
  );
  if (first < 0 || !COMMENT.test(lines[first] ?? '')) return [];
  let end = first;
  let isNamed = false;
  for (let index = first; index < Math.min(lines.length, first + MAX_LINES); index += 1) {
    const line = (lines[index] ?? '').slice(0, 200);
    if (!isComment(line, isInBlock(lines, first))) break;
    if (line.trim() === '' && isNamed && index - first >= MIN_LINES) break;
    if (LICENCE.test(line)) isNamed = true;
    if (line.trim() !== '') end = index;
    if (/\*\/\s*$/.test(line)) break;
  }
  const count = end - first + 1;
  if (!isNamed || count < MIN_LINES) return [];
  return [
    { kind: 'licence', name: '', start: first + 1, head: first, end: end + 1, rule: 'licence-header', count },
  ];
}

function isInBlock(lines: readonly string[], first: number): boolean {
  return /^\s*\/\*/.test(lines[first] ?? '');
}

function isComment(line: string, isBlock: boolean): boolean {
  return isBlock || COMMENT.test(line);
}
