import type { LineRange } from '../../../text/lines.ts';
import type { ClassifiedText } from '../classify.ts';
import type { CodeLandmark } from '../code-structure.ts';
import type { Frames } from '../frames.ts';
import { bracketBalance } from '../protect/brackets.ts';
import { type IndentedHead, nestByIndent } from './indentation.ts';

const LONGEST_IMPORT = 80;
const LONGEST_SIGNATURE = 15;
const LONGEST_LINE = 500;
const COMMENT = /^\s*(?:#|\/\/|\/\*|\*|--|;|%|<!--|"""|''')/;

/** Declarations enclose what is indented deeper below them, up to the next line that is not. */
export function codeFrames({ bare: lines, landmarks }: ClassifiedText): Frames {
  const { signatures, imports } = statementsOf(lines, landmarks);
  const header = COMMENT.test((lines[0] ?? '').slice(0, 80)) ? [{ start: 1, end: 1 }] : [];
  return { ...nestByIndent(lines, signatures), structural: [...header, ...imports] };
}

/** Signatures and imports with the lines their brackets take; what stands inside a signature is none of its own. */
function statementsOf(lines: readonly string[], landmarks: readonly CodeLandmark[]) {
  const balances = bracketBalances(lines, false);
  const importBalances = bracketBalances(lines, true);
  const signatures: IndentedHead[] = [];
  const imports: LineRange[] = [];
  let lastHead = -1;
  for (const landmark of landmarks) {
    const { index, role } = landmark;
    if (index <= lastHead) continue;
    if (role === 'import') {
      imports.push({ start: index + 1, end: statementEnd(index, LONGEST_IMPORT, importBalances) + 1 });
      continue;
    }
    lastHead = statementEnd(index, LONGEST_SIGNATURE, balances);
    const { noun, name, indent } = landmark;
    signatures.push({ head: { start: index + 1, end: lastHead + 1 }, noun, name, indent });
  }
  return { signatures, imports };
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

/** Line by line, read once, however many statements open and never close. */
function bracketBalances(lines: readonly string[], withBraces: boolean): Int32Array {
  const balances = new Int32Array(lines.length);
  for (const [index, line] of lines.entries())
    balances[index] = bracketBalance(line.slice(0, LONGEST_LINE), withBraces);
  return balances;
}
