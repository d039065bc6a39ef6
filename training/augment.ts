/** One line of the evaluation's JSON lines. */
export interface Example {
  id: string;
  source_type: 'code' | 'logs' | 'docs';
  goal_hint: string;
  text: string;
  /** 1-based. */
  gold_lines: number[];
  meta: Record<string, unknown>;
}

const MIN_WINDOW = 60;
const MAX_WINDOW = 350;
const MAX_LINES = 6000;

/**
 * Agents read windows of files, often with line numbers: a fifth of the mined examples become such windows, and no
 * example stays longer than 6,000 lines. The same id always gives the same window.
 */
export function augmented(example: Example): Example {
  const dice = numbersFrom(example.id);
  const lines = example.text.split('\n');
  if (dice() % 5 === 0) {
    const length = MIN_WINDOW + (dice() % (MAX_WINDOW - MIN_WINDOW));
    return numbered(windowed(example, lines, { length, dice }), dice);
  }
  return lines.length > MAX_LINES ? windowed(example, lines, { length: MAX_LINES, dice }) : example;
}

type Dice = () => number;

interface Window {
  length: number;
  dice: Dice;
}

/** A stretch of `length` lines around one of the gold lines. */
function windowed(example: Example, lines: string[], { length, dice }: Window): Example {
  if (lines.length <= length) return example;
  const anchor = (example.gold_lines[dice() % example.gold_lines.length] ?? 1) - 1;
  const first = Math.max(0, Math.min(lines.length - length, anchor - (dice() % length)));
  return {
    ...example,
    text: lines.slice(first, first + length).join('\n'),
    gold_lines: example.gold_lines.map((line) => line - first).filter((line) => line >= 1 && line <= length),
    meta: { ...example.meta, first },
  };
}

/** Some windows carry the numbers that `cat -n` or `grep -n` would print. */
function numbered(example: Example, dice: Dice): Example {
  const style = dice() % 6;
  if (style > 2) return example;
  const first = Number(example.meta.first ?? 0) + 1;
  const prefixes = [
    (line: number) => `${String(line).padStart(6)}\t`,
    (line: number) => `${line}:`,
    (line: number) => `${line}: `,
  ];
  const prefix = prefixes[style] as (line: number) => string;
  const text = example.text.split('\n').map((line, at) => `${prefix(first + at)}${line}`);
  return { ...example, text: text.join('\n') };
}

function numbersFrom(seed: string): Dice {
  let state = 0x811c9dc5;
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state >>> 8;
  };
}
