import { KEEP_RULES, type KeepRule, REMOVED } from '../../engine/keep-rules.ts';

/** Lines that one rule kept. */
export interface KeptRun {
  readonly start: number;
  readonly end: number;
  readonly rule: KeepRule;
  /** The rule in words. */
  readonly why: string;
}

const WORDS: Readonly<Record<KeepRule, string>> = {
  score: 'its score was worth its tokens',
  neighbour: 'a gap here would have cost more than it hides',
  structure: 'structure: a signature, heading or import that stays, or stands around what stays',
  failure: 'it speaks of a failure, stands beside such a line, or ends a log',
  literal: 'it holds a word of the question, or is what the question asks to list',
  directive: 'it stands between directives that forbid pruning',
  handle: 'it stands for text that was removed before',
  boundary: 'it begins a file, or is a change of a diff',
};

const RULE_OF: ReadonlyMap<string, KeepRule> = new Map(
  Object.entries(KEEP_RULES).map(([rule, letter]) => [letter, rule as KeepRule]),
);

/** One letter a line → runs; letters of a later version count as the score's. */
export function keptRuns(letters: string): KeptRun[] {
  const runs: KeptRun[] = [];
  for (let index = 0; index < letters.length; index += 1) {
    const letter = letters[index] ?? REMOVED;
    if (letter === REMOVED) continue;
    const rule = RULE_OF.get(letter) ?? 'score';
    const last = runs.at(-1);
    const line = index + 1;
    if (last?.rule === rule && last.end === index) runs[runs.length - 1] = { ...last, end: line };
    else runs.push({ start: line, end: line, rule, why: WORDS[rule] });
  }
  return runs;
}
