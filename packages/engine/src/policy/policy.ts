import type { FormatName, RuleName } from '../reading/document.ts';
import type { RequestKind } from './request-kind.ts';

/**
 * Rules for what may be removed from an output: one table, request kind × format → rules (P51–P55). Read this
 * file first to understand what Sécateur does.
 */

/** Sizes in characters, from the settings. */
export interface PolicySizes {
  /** Precise requests and data up to this size are returned unchanged. */
  readonly maxUnchangedChars: number;
  /** Dumps and documents below this size are returned unchanged. */
  readonly minDumpChars: number;
  /** Diffs up to this size are returned unchanged. */
  readonly maxDiffChars: number;
}

export const DEFAULT_SIZES: PolicySizes = {
  maxUnchangedChars: 16_000,
  minDumpChars: 6000,
  maxDiffChars: 20_000,
};

export interface PolicyRequest {
  readonly request: RequestKind;
  readonly format: FormatName;
  readonly characters: number;
  /** The words of the request: question, task and what the agent said last. */
  readonly words: string;
  /** The caller asked for a cut towards a question or goal: precise requests are not exempt. */
  readonly isExplicit: boolean;
  readonly sizes: PolicySizes;
  /** Rules switched off in the settings. */
  readonly disabled: ReadonlySet<RuleName>;
}

/** The rules that may remove units of this output. */
export function rulesFor(asked: PolicyRequest): ReadonlySet<RuleName> {
  const rules = asked.isExplicit ? EVERY_RULE : implicitRules(asked);
  const isAskedFor = (rule: RuleName) => rule === 'passed-tests' && asksForPassedTests(asked.words);
  return new Set(rules.filter((rule) => !asked.disabled.has(rule) && !isAskedFor(rule)));
}

/** Noise by form: what a run prints besides failures, warnings, verdicts and totals. */
export const NOISE: readonly RuleName[] = [
  'passed-tests',
  'progress',
  'repeated-lines',
  'identical-lines',
  'library-frames',
  'long-lines',
];
/** Rules that lose nothing, whatever was asked for. */
const HARMLESS: readonly RuleName[] = ['identical-lines', 'shown-before'];
const DUMP: readonly RuleName[] = [...HARMLESS, 'unrelated-units', 'licence-header', 'long-lines'];
const OVERSIZED: readonly RuleName[] = [
  ...DUMP,
  'repeated-lines',
  'oversized-rows',
  'record-fields',
  'diff-parts',
];
const EVERY_RULE: readonly RuleName[] = [...new Set([...NOISE, ...OVERSIZED])];

/** Rules that a kind of request allows; `small` up to its size limit, `large` above it. */
export interface Allowance {
  readonly small: readonly RuleName[];
  readonly large: readonly RuleName[];
  readonly limit: keyof PolicySizes;
  /** Times the limit that counts as small. Default 1. */
  readonly factor?: number;
}

const WHOLE: Allowance = { small: [], large: [], limit: 'maxUnchangedChars' };
const ASKED_FOR: Allowance = { small: HARMLESS, large: OVERSIZED, limit: 'maxUnchangedChars' };
/** Lines of code asked for by number: agents that name a range want its functions, and recovered every cut one. */
const ASKED_CODE: Allowance = { ...ASKED_FOR, factor: 2 };
const REPORTED: Allowance = {
  small: NOISE,
  large: [...NOISE, 'unrelated-units'],
  limit: 'maxUnchangedChars',
};
/** A run whose command line asks for something precise: above the limit its noise is removed, too. */
const ASKED_RUN: Allowance = { ...ASKED_FOR, large: EVERY_RULE };
/** A report that a tool of a server returned: a short one is the answer to a query. */
const QUERIED: Allowance = { ...REPORTED, small: HARMLESS };
/** Output of a run that no format of reports recognises: paragraphs may hold anything. */
const NOISY: Allowance = { ...REPORTED, large: NOISE };
const READ: Allowance = { small: HARMLESS, large: DUMP, limit: 'minDumpChars' };
/** Text in which no format was recognised: if in doubt, unchanged (P58). */
const UNRECOGNISED: Allowance = {
  small: HARMLESS,
  large: [...HARMLESS, 'repeated-lines', 'long-lines'],
  limit: 'maxUnchangedChars',
};
const CHANGES: Allowance = { small: HARMLESS, large: [...HARMLESS, 'diff-parts'], limit: 'maxDiffChars' };

/** Formats with rules of their own; `*` is every other format. */
type Row = Partial<Record<FormatName, Allowance>> & { readonly '*': Allowance };

const REPORTS: Partial<Record<FormatName, Allowance>> = {
  'test-run': REPORTED,
  build: REPORTED,
  log: REPORTED,
};
const READABLE: Partial<Record<FormatName, Allowance>> = {
  code: READ,
  document: READ,
  markup: READ,
  plain: UNRECOGNISED,
  diff: CHANGES,
};

export const POLICY_TABLE: Readonly<Record<RequestKind, Row>> = {
  precise: { '*': ASKED_FOR, code: ASKED_CODE, plain: UNRECOGNISED, 'test-run': ASKED_RUN, build: ASKED_RUN },
  report: { '*': WHOLE },
  diff: { '*': CHANGES },
  run: { '*': NOISY, ...REPORTS, diff: CHANGES, table: ASKED_FOR, json: ASKED_FOR },
  dump: { '*': ASKED_FOR, ...READABLE, ...REPORTS },
  page: { '*': READ, json: ASKED_FOR, table: ASKED_FOR, config: ASKED_FOR, ...REPORTS },
  result: { '*': ASKED_FOR, ...READABLE, 'test-run': QUERIED, build: QUERIED, log: QUERIED },
  unknown: { '*': ASKED_FOR, ...REPORTS, diff: CHANGES, plain: UNRECOGNISED },
};

function implicitRules({ request, format, characters, words, sizes }: PolicyRequest): readonly RuleName[] {
  const row = POLICY_TABLE[request];
  const { small, large, limit, factor = 1 } = row[format] ?? row['*'];
  const isDoubled = limit === 'maxUnchangedChars' && asksForAll(words);
  const size = sizes[limit] * factor * (isDoubled ? 2 : 1);
  return characters > size ? large : small;
}

/** Words of a request that change what may be removed, in English, French and Chinese. */

const COMPLETE = [
  String.raw`\b(?:all|every|everything|everywhere|each|complete(?:ly)?|entire|whole|exhaustive|full list|how many|how often|count|number of|list (?:of|the|all|each)|rename|inventory|any other|which\b.{1,60}\b(?:without|no|not|never|lack|miss(?:es|ing)?))\b`,
  String.raw`\b(?:tous|toutes|tout|toute|chaque|chacune?|l'ensemble|intégralité|complète?s?|entière?s?|combien|nombre de|liste[rz]?|renomm\w{1,6}|recense\w{0,4}|partout|quel(?:le)?s?\b.{1,60}\b(?:sans|aucune?|jamais|manqu\w{1,5}))(?![\p{L}])`,
  '(?:所有|全部|每个|每一|每条|一切|整个|完整|多少|几个|几次|数量|列出|清单|重命名|改名|统计|哪些[^。?？]{0,40}(?:没有|缺少|未))',
].map((source) => new RegExp(source, 'iu'));

/** Whether a request asks for every member of something, or for their number. */
export function asksForAll(request: string): boolean {
  return COMPLETE.some((pattern) => pattern.test(request));
}

const PASSED = [
  /\b(?:which|what|list|names?|how many|show)\b[^.?!\n]{0,60}\b(?:pass(?:ed|es|ing)?|skip(?:ped|s)?)\b|\b(?:passing|skipped) tests\b|\b(?:slow(?:est)?|durations?|how long)\b[^.?!\n]{0,40}\btests?\b|\btests?\b[^.?!\n]{0,40}\bslow(?:est)?\b/i,
  /\b(?:quels?|liste[rz]?|combien)\b[^.?!\n]{0,60}\b(?:réussi|pass|ignoré|saut)\w{0,4}|\b(?:lents?|durées?)\b[^.?!\n]{0,40}\btests?\b|\btests?\b[^.?!\n]{0,40}\blents?\b/iu,
  /(?:哪些|列出|多少)[^。？?\n]{0,30}(?:通过|跳过)|最慢[^。？?\n]{0,20}测试|测试[^。？?\n]{0,20}最慢/u,
];

/** Whether a request asks for tests that passed or were skipped, so that they are not noise. */
export function asksForPassedTests(request: string): boolean {
  return PASSED.some((pattern) => pattern.test(request));
}

/** Why a line stayed, one letter each. */
export const KEEP_RULES = {
  /** No rule removed it, or the goal needs it. */
  score: 's',
  /** A gap here would have been too small for a marker. */
  neighbour: 'n',
  /** A signature, heading or import, worth keeping or around a line that stays. */
  structure: 'h',
  /** It reports a failure, is next to such a line, or is at the end of a log. */
  failure: 'e',
  /** It holds a word of the request. */
  literal: 'l',
  /** Between NO_PRUNE directives. */
  directive: 'd',
  /** A marker of an earlier cut. */
  handle: 'm',
  /** A line that begins a file, a change of a diff. */
  boundary: 'b',
} as const;

export type KeepRule = keyof typeof KEEP_RULES;

/** Rule of a removed block: a rule of the engine, or the limit that `prune_text` was given. */
export type RemovalRule = RuleName | 'max-prune-ratio';

/** Each rule in one sentence, for `secateur explain`, the page and the documentation. */
export const RULE_WORDS: Readonly<Record<RemovalRule, string>> = {
  'passed-tests': 'Tests that passed; skipped ones too if they are more than ten. Failures and totals stay.',
  progress: 'Lines that only show that a build, an installer or a download is at work.',
  'repeated-lines':
    'Lines that differ only in numbers, ids, times or paths; the first, the last, extremes and rare ones stay.',
  'identical-lines': 'One line repeated word for word ten times or more in a row; the first stays.',
  'library-frames': 'Frames of a stack trace that belong to libraries, or that the same text showed before.',
  'licence-header': 'The licence header of a source file.',
  'long-lines': 'Parts of minified, base64 and other very long lines.',
  'unrelated-units': 'Functions, sections and other whole units that the task does not need.',
  'oversized-rows':
    'Rows, entries, hits and records of a very long result; the first, the last, extremes, rare and named ones stay.',
  'record-fields': 'Long or opaque fields, the same in every record.',
  'diff-parts': 'Hunks, files and commits of a long diff.',
  'shown-before': 'A block that the conversation already shows word for word.',
  'max-prune-ratio': 'What the goal needs least, down to the limit `max_prune_ratio` of the request.',
};

/** A rule in words; undefined for a rule of another version. */
export function ruleWords(rule: string): string | undefined {
  return Object.hasOwn(RULE_WORDS, rule) ? RULE_WORDS[rule as RemovalRule] : undefined;
}

/** Letter of a line that was removed. */
export const REMOVED = '-';

/** Why each line stayed or went. Line `n` of the text is character or entry `n − 1`. */
export interface Explanation {
  /** One letter per line: a rule of `KEEP_RULES`, or `REMOVED`. */
  rules: string;
  /** Each line's score, two digits behind the point; comparable within one text only. Empty if nothing was ranked. */
  scores: number[];
  /** Whether a difference of scores is one of log-odds, or only gives an order. */
  areLogOdds: boolean;
  /** Removed blocks, each with its best line and score. */
  blocks: {
    start: number;
    end: number;
    reason: string;
    rule: RemovalRule;
    bestScore: number;
    bestLine: number;
  }[];
}
