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
  const balances = new Balances(lines, { withBraces: false });
  const importBalances = new Balances(lines, { withBraces: true });
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
function statementEnd(first: number, longest: number, balances: Balances): number {
  let depth = 0;
  for (let index = first; index < Math.min(balances.lines, first + longest); index += 1) {
    depth += balances.at(index);
    if (depth <= 0) return index;
  }
  return first;
}

const UNREAD = -LONGEST_LINE - 1;

/** Brackets opened less those closed, of lines that are asked for: each read once, however many statements open and never close. */
class Balances {
  readonly lines: number;
  readonly #text: readonly string[];
  readonly #known: Int32Array;
  readonly #withBraces: boolean;

  constructor(text: readonly string[], { withBraces }: { withBraces: boolean }) {
    this.lines = text.length;
    this.#text = text;
    this.#known = new Int32Array(text.length).fill(UNREAD);
    this.#withBraces = withBraces;
  }

  at(index: number): number {
    const known = this.#known[index] as number;
    if (known !== UNREAD) return known;
    const balance = bracketBalance((this.#text[index] ?? '').slice(0, LONGEST_LINE), this.#withBraces);
    this.#known[index] = balance;
    return balance;
  }
}
