/** Explanation of a cut: why each line was kept, and the rule of each removed block. */
import type { RuleName } from './reading/document.ts';

/** Letters for the rules by which a line is kept. */
export const KEEP_RULES = {
  /** No rule applies to the line, or the goal needs it. */
  score: 's',
  /** A gap here would be shorter than its marker. */
  neighbour: 'n',
  /** The line is a signature, heading or import, and is important itself or encloses a kept line. */
  structure: 'h',
  /** The line reports a failure, is beside a failure, or is at the end of a log. */
  failure: 'e',
  /** The line contains a word of the request. */
  literal: 'l',
  /** The line is between NO_PRUNE directives. */
  directive: 'd',
  /** The line is a marker of an earlier cut. */
  handle: 'm',
  /** The line begins a file, or a change in a diff. */
  boundary: 'b',
} as const;

export type KeepRule = keyof typeof KEEP_RULES;

/** Rule of a removed block: a rule of the engine, or the limit of `prune_text`. */
export type RemovalRule = RuleName | 'max-prune-ratio';

/** A sentence per rule, for `secateur explain`, the dashboard and the documentation. */
export const RULE_WORDS: Readonly<Record<RemovalRule, string>> = {
  'passed-tests':
    'Tests that passed; also skipped tests, if there are more than ten. Failures and totals are kept.',
  progress: 'Lines that only show that a build, an installer or a download is at work.',
  'repeated-lines':
    'Lines that differ only in numbers, ids, times or paths; the first, the last, extremes and rare ones are kept.',
  'identical-lines': 'One line repeated word for word ten times or more in a row; the first is kept.',
  'library-frames': 'Frames of a stack trace that belong to libraries, or that the same text showed before.',
  'licence-header': 'The licence header of a source file.',
  'long-lines': 'Parts of minified, base64 and other very long lines.',
  'unrelated-units': 'Functions, sections and other whole units that the task does not need.',
  'oversized-rows':
    'Rows, entries, hits and records of a very long result; the first, the last, extremes, rare and named ones are kept.',
  'record-fields': 'Long or opaque fields, the same in every record.',
  'diff-parts': 'Hunks, files and commits of a long diff.',
  'shown-before': 'A block that the conversation already shows word for word.',
  'max-prune-ratio': 'Lines that the goal needs least, down to the limit `max_prune_ratio` of the request.',
};

/** Returns the sentence for a rule, or `undefined` for a rule of another version. */
export function ruleWords(rule: string): string | undefined {
  return Object.hasOwn(RULE_WORDS, rule) ? RULE_WORDS[rule as RemovalRule] : undefined;
}

/** Letter for a removed line. */
export const REMOVED = '-';

/** Reasons why each line was kept or removed. Line `n` of the text has index `n − 1`. */
export interface Explanation {
  /** One letter per line: a rule of `KEEP_RULES`, or `REMOVED`. */
  rules: string;
  /** Score of each line, rounded to two decimals. Scores can only be compared within one text. Empty if lines were not ranked. */
  scores: number[];
  /** Whether scores are log-odds. If not, only their order means something. */
  areLogOdds: boolean;
  /** Removed blocks, with the best line and score of each. */
  blocks: {
    start: number;
    end: number;
    reason: string;
    rule: RemovalRule;
    bestScore: number;
    bestLine: number;
  }[];
}
