import type { ClassifiedText } from '../classify.ts';
import type { Protection } from './protection.ts';

const LONGEST_HEADER = 30;
const LONGEST_IMPORT = 80;
const LONGEST_SIGNATURE = 15;

/** Imports, declarations and file headers stay: a reader who loses them no longer knows where a line belongs. */
export function protectCode({ bare: lines, landmarks }: ClassifiedText, protection: Protection): void {
  pinHeader(lines, protection);
  for (const [index, line] of lines.entries()) {
    if (FILE_BOUNDARY.test(line.slice(0, 200))) protection.pin(index);
  }
  const balances = bracketBalances(lines, false);
  const importBalances = bracketBalances(lines, true);
  for (const { index, role } of landmarks) {
    if (role === 'import') protection.pinRange(index, statementEnd(index, LONGEST_IMPORT, importBalances));
    else protection.pinRange(decoratorsStart(lines, index), statementEnd(index, LONGEST_SIGNATURE, balances));
  }
}

/** Where one file of several begins. */
const FILE_BOUNDARY =
  /^(?:==> .* <==$|(?:\/\/|#|--|\/\*) ?(?:file|path):? \S+|<(?:file|document)[ >]|diff --git |(?:---|\+\+\+) [ab]\/|## File: )/i;
const COMMENT = /^\s*(?:#|\/\/|\/\*|\*|--|;|%|<!--|"""|''')/;

function pinHeader(lines: readonly string[], protection: Protection): void {
  let index = 0;
  while (index < lines.length && index < LONGEST_HEADER && COMMENT.test((lines[index] ?? '').slice(0, 80)))
    index += 1;
  if (index > 0) protection.pinRange(0, index - 1);
}

function decoratorsStart(lines: readonly string[], index: number): number {
  let start = index;
  while (start > 0 && index - start < 6 && /^\s*(?:@\w|#\[|\[\w+[\](])/.test(lines[start - 1] ?? ''))
    start -= 1;
  return start;
}

/** The last line of a statement that opens here: where its round and square brackets, or an import's braces, are closed. */
function statementEnd(first: number, longest: number, balances: Int8Array): number {
  let depth = 0;
  for (let index = first; index < Math.min(balances.length, first + longest); index += 1) {
    depth += balances[index] ?? 0;
    if (depth <= 0) return index;
  }
  return first;
}

const LONGEST_LINE = 500;

/** Brackets opened less those closed, line by line: read once, however many statements open and never close. */
function bracketBalances(lines: readonly string[], withBraces: boolean): Int8Array {
  return Int8Array.from(lines, (line) => Math.max(-128, Math.min(127, bracketBalance(line, withBraces))));
}

function bracketBalance(line: string, withBraces: boolean): number {
  let balance = 0;
  for (let at = 0; at < Math.min(line.length, LONGEST_LINE); at += 1) {
    const code = line.charCodeAt(at);
    if (code === 40 || code === 91 || (withBraces && code === 123)) balance += 1;
    if (code === 41 || code === 93 || (withBraces && code === 125)) balance -= 1;
  }
  return balance;
}
