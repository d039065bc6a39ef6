import type { FormatName, RuleName } from '../reading/document.ts';
import type { RequestKind } from './request-kind.ts';

/**
 * Decides what may be removed from an output, by one table: request kind × format → rules (P51–P55). Read
 * this file first to understand what Sécateur does.
 */

/** Sizes in characters, from the settings. */
export interface PolicySizes {
  /** Maximum size of precise requests and data that are returned unchanged. */
  readonly maxUnchangedChars: number;
  /** Minimum size of dumps and documents that are cut. */
  readonly minDumpChars: number;
  /** Maximum size of diffs that are returned unchanged. */
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
  /** Words of the request: question, task and the agent's last messages. */
  readonly words: string;
  /** Whether the caller explicitly requested a cut with a question or goal. Precise requests are then cut too. */
  readonly isExplicit: boolean;
  readonly sizes: PolicySizes;
  /** Rules that are switched off in the settings. */
  readonly disabled: ReadonlySet<RuleName>;
}

/** Returns the rules that may remove units of this output. */
export function rulesFor(asked: PolicyRequest): ReadonlySet<RuleName> {
  const rules = asked.isExplicit ? EVERY_RULE : implicitRules(asked);
  const isAskedFor = (rule: RuleName) => rule === 'passed-tests' && asksForPassedTests(asked.words);
  return new Set(rules.filter((rule) => !asked.disabled.has(rule) && !isAskedFor(rule)));
}

/** Rules for noise: lines of a run that are not failures, warnings, verdicts or totals. */
export const NOISE: readonly RuleName[] = [
  'passed-tests',
  'progress',
  'repeated-lines',
  'identical-lines',
  'library-frames',
  'long-lines',
];
/** Rules that lose no information, whatever the request is. */
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

/** Rules that may be used for a kind of request: `small` up to its size limit, `large` above it. */
export interface Allowance {
  readonly small: readonly RuleName[];
  readonly large: readonly RuleName[];
  readonly limit: keyof PolicySizes;
  /** Factor of the size limit. Default: 1. */
  readonly factor?: number;
}

const WHOLE: Allowance = { small: [], large: [], limit: 'maxUnchangedChars' };
const ASKED_FOR: Allowance = { small: HARMLESS, large: OVERSIZED, limit: 'maxUnchangedChars' };
/** Code that was requested by line numbers. Agents want every function in the range, and recovered all that was cut. */
const ASKED_CODE: Allowance = { ...ASKED_FOR, factor: 2 };
const REPORTED: Allowance = {
  small: NOISE,
  large: [...NOISE, 'unrelated-units'],
  limit: 'maxUnchangedChars',
};
/** A run whose command line also requests something precise. Noise is removed above the size limit. */
const ASKED_RUN: Allowance = { ...ASKED_FOR, large: EVERY_RULE };
/** A report that an MCP tool returned. A short one answers a query. */
const QUERIED: Allowance = { ...REPORTED, small: HARMLESS };
/** A log that an MCP tool returned. */
const QUERIED_LOG: Allowance = { ...QUERIED, limit: 'minDumpChars' };
/** Output of a run in an unknown format. Its paragraphs may contain anything. */
const NOISY: Allowance = { ...REPORTED, large: NOISE };
const READ: Allowance = { small: HARMLESS, large: DUMP, limit: 'minDumpChars' };
/** Text of unknown format. In doubt it stays unchanged (P58). */
const UNRECOGNISED: Allowance = {
  small: HARMLESS,
  large: [...HARMLESS, 'repeated-lines', 'long-lines'],
  limit: 'maxUnchangedChars',
};
const CHANGES: Allowance = { small: HARMLESS, large: [...HARMLESS, 'diff-parts'], limit: 'maxDiffChars' };

/** Changes that the agent made itself, possibly followed by a run of its tests. The agent needs every hunk. */
const OWN_CHANGES: Allowance = { ...CHANGES, factor: 2 };

/** Rules per format; `*` is for all other formats. */
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
  precise: {
    '*': ASKED_FOR,
    code: ASKED_CODE,
    plain: UNRECOGNISED,
    'test-run': ASKED_RUN,
    build: ASKED_RUN,
    diff: OWN_CHANGES,
  },
  report: { '*': WHOLE },
  diff: { '*': CHANGES },
  run: { '*': NOISY, ...REPORTS, diff: OWN_CHANGES, table: ASKED_FOR, json: ASKED_FOR },
  dump: { '*': ASKED_FOR, ...READABLE, ...REPORTS },
  page: { '*': READ, json: ASKED_FOR, table: ASKED_FOR, config: ASKED_FOR, ...REPORTS },
  result: { '*': ASKED_FOR, ...READABLE, 'test-run': QUERIED, build: QUERIED, log: QUERIED_LOG },
  unknown: { '*': ASKED_FOR, ...REPORTS, diff: CHANGES, plain: UNRECOGNISED },
};

function implicitRules({ request, format, characters, words, sizes }: PolicyRequest): readonly RuleName[] {
  const row = POLICY_TABLE[request];
  const { small, large, limit, factor = 1 } = row[format] ?? row['*'];
  const isWhole = asksForWhole(words);
  const size = sizes[limit === 'minDumpChars' && isWhole ? 'maxUnchangedChars' : limit] * factor;
  const isDoubled =
    limit !== 'maxDiffChars' && (isWhole || asksForAll(words) || (format === 'table' && SEVERAL.test(words)));
  if (characters > (isDoubled ? 2 * size : size)) return large;
  // All members of a list stay visible; only their opaque fields are removed.
  return characters > size && RECORDS.has(format) ? [...small, 'record-fields'] : small;
}

const RECORDS: ReadonlySet<FormatName> = new Set<FormatName>(['json', 'config']);

/** Matches words of a request that change what may be removed, in English, French and Chinese. */

const COMPLETE = [
  String.raw`\b(?:all|every|everything|everywhere|each|complete|entire|whole|exhaustive|full list|how many|how often|count (?:the|all|every|of|how)|(?:is|was|are|me|find|report|need|know|get) the number of|(?<=^|\b(?:please|and|to|me|a) )list (?:of|the|all|each)|rename|inventory|any other|which\b.{1,60}\b(?:without|no|not|never|lack|miss(?:es|ing)?))\b`,
  String.raw`\b(?:tous|toutes|tout|toute|chaque|chacune?|l'ensemble|intégralité|complète?s?|entière?s?|combien|nombre de|liste[rz]?|renomm\w{1,6}|recense\w{0,4}|partout|quel(?:le)?s?\b.{1,60}\b(?:sans|aucune?|jamais|manqu\w{1,5}))(?![\p{L}])`,
  '(?:所有|全部|每个|每一|每条|一切|整个|完整|多少|几个|几次|数量|列出|清单|重命名|改名|统计|哪些[^。?？]{0,40}(?:没有|缺少|未))',
].map((source) => new RegExp(source, 'iu'));

/** Matches requests for several members of a list ("which invoices were paid twice"), but not for one ("which process is the largest"). */
const SEVERAL =
  /\bwhich (?:of the |(?!is |was |has |does )[\w-]{1,30} ){0,3}?[\w-]{2,30}[^\W\ds]s (?!is\b|was\b|has\b|does\b|did\b|would\b)/i;

const WHOLE_TEXT =
  /\b(?:whole|entire|complete|in full)\b|\b(?:en entier|entière?|intégral)(?![\p{L}])|(?:整个|完整|全文)/iu;

/** Whether a request asks for a file or a page as a whole. */
function asksForWhole(request: string): boolean {
  return WHOLE_TEXT.test(request);
}

/** Matches words of a sentence that requests something, in English and French. "Every parcel is rejected." reports a fact. */
const REQUESTING =
  /\b(?:which|what|who|whose|how|why|needs?|wants?|would like)\b|(?:^|\b(?:please|and|then|you|to|me|ll|will|let's) )(?:list|give|show|find|tell|name|count|check|look|see|get|report|print|collect|make|write|read|add|change|fix|rename|replace|remove|delete|update|migrate|convert|go|pick|search)\b|\?\s*$|\b(?:quel(?:le)?s?|qui|combien|comment|pourquoi|faut|besoin|veux|voudrais|voulons)(?!\p{L})|^(?:liste|donne|montre|trouve|cherche|dis|compte|recense|renomme|vérifie|corrige|remplace)\p{L}{0,2}(?!\p{L})|\p{Script=Han}/iu;

/** Whether a request asks for all members of a list, or for their number. */
export function asksForAll(request: string): boolean {
  const sentences = request.split(/(?<=[.!?])\s+|[\n;]/).map((sentence) => sentence.trim());
  const requests = sentences.filter((sentence) => !/[.!]$/.test(sentence) || REQUESTING.test(sentence));
  return requests.some((sentence) => COMPLETE.some((pattern) => pattern.test(sentence)));
}

const COMPARES = [
  String.raw`\b(?:cheap|low|high|fast|slow|new|old|late|earli|long|short|small|larg|bigg?|great|near|clos|few)(?:est|er)\b|\b(?:most|least|best|worst|latest|minimal|maximal|compare|(?:minimum|maximum) (?:of|in|price|value|number|amount))\b|\bor (?:later|earlier|more|less|newer|older)\b|\b(?:under|over|below|above|before|after|from|until|between|than|up to) [€$£]?\d`,
  String.raw`\b(?:le|la|les) (?:plus|moins|meilleure?s?|pires?) |\b(?:minimale?|maximale?|(?:minimum|maximum) (?:de|des|du))\b|\b(?:avant|après|dès|entre|moins de|plus de|à partir de) \d|\bcompare[rz]?\b`,
  '最(?:大|小|高|低|快|慢|新|旧|便宜|贵|早|晚|近|多|少)|(?:之前|之后|以上|以下|以内|比较)',
].map((source) => new RegExp(source, 'iu'));

/** Whether a request selects members of a list by a comparison: the cheapest, or at 17:00 or later. It needs all of them. */
export function asksToCompare(request: string): boolean {
  return COMPARES.some((pattern) => pattern.test(request)) || SEVERAL.test(request) || asksForAll(request);
}

const PASSED = [
  /\b(?:which|what|list|names?|how many|show)\b[^.?!\n]{0,60}\b(?:pass(?:ed|es|ing)?|skip(?:ped|s)?)\b|\b(?:passing|skipped) tests\b|\b(?:slow(?:est)?|durations?|how long)\b[^.?!\n]{0,40}\btests?\b|\btests?\b[^.?!\n]{0,40}\bslow(?:est)?\b/i,
  /\b(?:quels?|liste[rz]?|combien)\b[^.?!\n]{0,60}\b(?:réussi|pass|ignoré|saut)\w{0,4}|\b(?:lents?|durées?)\b[^.?!\n]{0,40}\btests?\b|\btests?\b[^.?!\n]{0,40}\blents?\b/iu,
  /(?:哪些|列出|多少)[^。？?\n]{0,30}(?:通过|跳过)|最慢[^。？?\n]{0,20}测试|测试[^。？?\n]{0,20}最慢/u,
];

/** Whether a request asks for passed or skipped tests. They are then not noise. */
export function asksForPassedTests(request: string): boolean {
  return PASSED.some((pattern) => pattern.test(request));
}
