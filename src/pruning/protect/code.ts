import type { ClassifiedText } from '../classify.ts';
import { bracketBalance } from './brackets.ts';
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
function statementEnd(first: number, longest: number, balances: Int32Array): number {
  let depth = 0;
  for (let index = first; index < Math.min(balances.length, first + longest); index += 1) {
    depth += balances[index] ?? 0;
    if (depth <= 0) return index;
  }
  return first;
}

const LONGEST_LINE = 500;

/** Line by line, read once, however many statements open and never close. */
function bracketBalances(lines: readonly string[], withBraces: boolean): Int32Array {
  return Int32Array.from(lines, (line) => bracketBalance(line.slice(0, LONGEST_LINE), withBraces));
}
