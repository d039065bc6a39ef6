import { KEEP_RULES, type KeepRule, REMOVED } from '../keep-rules.ts';

/** Lines that one rule kept. */
export interface KeptRun {
  readonly start: number;
  readonly end: number;
  readonly rule: KeepRule;
  /** The rule in words. */
  readonly why: string;
}

const WORDS: Readonly<Record<KeepRule, string>> = {
  score: 'no rule removes it, or the goal needs it',
  neighbour: 'a gap here would be too small for a marker',
  structure: 'it is a signature, a heading or an import',
  failure: 'it reports a failure, is next to such a line, or is at the end of a log',
  literal: 'it holds a word of the request',
  directive: 'it is between NO_PRUNE directives',
  handle: 'it is a marker of an earlier cut',
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
