import type { LineRange } from '@secateur/base/text/lines.ts';
import type { Unit } from '../reading/document.ts';
import { goalText, type LineScores, type ScoreRequest } from './scorer.ts';

/** Lines that a request names: its quoted strings, identifiers, numbers, and plain words that few lines contain (P28). */

/** A longer request, for example an issue, has too many words to name lines. */
const MAX_REQUEST_CHARS = 3600;
const MAX_LINES_PER_WORD = 6;
const MAX_SHARE_PER_WORD = 0.05;
/** Limit for literals: quoted words and words written as code. */
const MAX_LINES_PER_LITERAL = 12;
const MAX_NAMED_LINES = 100;
/** Limit for literals in a list or a log, where they select rows: a status, a customer. */
const MAX_SHARE_PER_FILTER = 0.15;
const MAX_SHARE_IF_COMPLETE = 0.3;
/** A field that contains a literal is kept if at most this share of the records contains the literal. */
const MAX_SHARE_PER_FIELD = 0.6;

/** The kind of a text, and how many lines a word of the request may select. */
export interface Naming {
  /** Number of rows, records or lines. A word in more than a share of them selects none. Default: number of lines. */
  readonly base?: number;
  /** Whether the lines are rows, hits or log entries, so that a literal may select more of them. */
  readonly isList?: boolean;
  /** Whether the request asks for every member of a list, so that any word may select more lines. */
  readonly isComplete?: boolean;
  /** Maximum number of selected lines; lines with rare words come first. Default 100, in order of the words. */
  readonly most?: number;
}

/** Lines that contain words of a request, as 0-based indices, per kind of word. */
export interface NamedLines {
  /** Lines with quoted strings and identifiers of the request. */
  readonly byLiterals: ReadonlySet<number>;
  /** Lines with any word of the request. */
  readonly byWords: ReadonlySet<number>;
  /** Lines with literals and hyphenated words of the request, which may be in up to 60 % of the records of a list. */
  readonly byFilters: ReadonlySet<number>;
}

/** Finds a limited number of lines with words of a request. A word in many lines selects none. */
export function namedLines(lines: readonly string[], request: string, naming: Naming = {}): NamedLines {
  const words = request.length > MAX_REQUEST_CHARS ? [] : wordsOf(request);
  if (words.length === 0) return { byLiterals: new Set(), byWords: new Set(), byFilters: new Set() };
  const lowered = loweredText(lines);
  const found = words.map(({ word, isLiteral }) => {
    const { base = lines.length, isList = false } = naming;
    const most = Math.min(MAX_NAMED_LINES, Math.floor(maxLinesOf(isLiteral, { ...naming, base })));
    const isFilter = isLiteral || HYPHENATED.test(word);
    const widest = isFilter && isList ? Math.floor(base * MAX_SHARE_PER_FIELD) : 0;
    const holding = linesWith(word, lowered, Math.min(MAX_NAMED_LINES, Math.max(most, widest)));
    return { isLiteral, isFilter, lines: holding, isFew: holding.length <= most };
  });
  const literal = found.filter((each) => each.isLiteral && each.lines.length <= MAX_LINES_PER_LITERAL);
  const max = Math.min(naming.most ?? MAX_NAMED_LINES, MAX_NAMED_LINES);
  if (naming.most !== undefined) found.sort((a, b) => a.lines.length - b.lines.length);
  return {
    byLiterals: bounded(literal, max),
    byWords: bounded(
      found.filter(({ isFew }) => isFew),
      max,
    ),
    byFilters: bounded(
      found.filter(({ isFilter }) => isFilter),
      max,
    ),
  };
}

/** Returns the lines of each word of a request, plain words in singular and plural. A long request selects no lines. */
function linesOfWords(
  lines: readonly string[],
  request: string,
): { readonly isLiteral: boolean; readonly lines: readonly number[] }[] {
  const words = request.length > MAX_REQUEST_CHARS ? [] : wordsOf(request);
  if (words.length === 0) return [];
  const lowered = loweredText(lines);
  return words.map(({ word, isLiteral }) => {
    const forms = isLiteral ? [word] : [word, word.endsWith('s') ? word.slice(0, -1) : `${word}s`];
    return { isLiteral, lines: forms.flatMap((form) => linesWith(form, lowered, lines.length)) };
  });
}

function maxLinesOf(isLiteral: boolean, { base = 0, isList, isComplete }: Naming): number {
  if (isComplete === true) return Math.max(MAX_LINES_PER_LITERAL, base * MAX_SHARE_IF_COMPLETE);
  if (!isLiteral) return Math.max(MAX_LINES_PER_WORD, base * MAX_SHARE_PER_WORD);
  return Math.max(MAX_LINES_PER_LITERAL, isList === true ? base * MAX_SHARE_PER_FILTER : 0);
}

/** Returns the lines of all words. Skips a word whose lines would exceed `most`. */
function bounded(found: readonly { readonly lines: readonly number[] }[], most: number): Set<number> {
  const named = new Set<number>();
  for (const { lines } of found)
    if (lines.length <= most - named.size) for (const line of lines) named.add(line);
  return named;
}

/** Scores rows by the words of the goal in them; rare words weigh most. Cheaper than BM25 for thousands of rows. */
export function scoreRows({
  lines,
  focus,
}: Pick<ScoreRequest, 'lines' | 'focus'>): LineScores & { areRows: true } {
  const scores = new Float64Array(lines.length);
  const words = wordsOf(goalText(focus).slice(0, MAX_GOAL_CHARS));
  const lowered = words.length === 0 ? undefined : loweredText(lines);
  for (const { word } of words) {
    const found = lowered === undefined ? [] : linesWith(word, lowered, lines.length);
    const weight = Math.log(1 + lines.length / (1 + found.length));
    for (const line of found) scores[line] = (scores[line] ?? 0) + weight;
  }
  return { scores, areLogOdds: false, tier: 'lexical', areRows: true };
}

const MAX_GOAL_CHARS = 2000;

const MAX_SHOWN_LITERALS = 2;
const MAX_SEARCHED_CHARS = 1_000_000;
const MIN_TELLING_CHARS = 3;
const MAX_TELLING_CHARS = 40;

/** Whether a word is an identifier or an id: retryDelay, K-0417. A gap may express plain words differently. */
function isTelling(word: string): boolean {
  if (word.length < MIN_TELLING_CHARS || word.length > MAX_TELLING_CHARS) return false;
  return /[\p{Ll}\d]\p{Lu}|_/u.test(word) || (/\p{Lu}/u.test(word) && /\d/.test(word));
}

/**
 * Returns up to two literals of a request that occur in some lines, but in none of the lines `hidden`. The first line
 * of a cut lists them, so that agents need not recover lines to check.
 */
export function literalsNotIn(
  hidden: readonly LineRange[],
  { lines, request, characters }: { lines: readonly string[]; request: string; characters: number },
): string[] {
  if (characters > MAX_SEARCHED_CHARS) return [];
  const words = wordsOf(request.slice(0, MAX_GOAL_CHARS)).filter(
    ({ said, isLiteral }) => isLiteral && isTelling(said),
  );
  if (words.length === 0) return [];
  const lowered = loweredText(lines);
  const isShownOnly = ({ word }: NamedWord) => {
    const found = linesWith(word, lowered, lines.length);
    const isHeld = counterOf(found, lines.length);
    return found.length > 0 && !hidden.some(({ start, end }) => isHeld(start, end));
  };
  const shown: string[] = [];
  for (const word of words) if (shown.length < MAX_SHOWN_LITERALS && isShownOnly(word)) shown.push(word.said);
  return shown;
}
const MAX_LINE_CHARS = 4000;

function loweredText(lines: readonly string[]): LoweredText {
  const hasLong = lines.some(({ length }) => length > MAX_LINE_CHARS);
  const short = hasLong ? lines.map((line) => line.slice(0, MAX_LINE_CHARS)) : lines;
  const lowered = short.join('\n').toLowerCase();
  return { lowered, ends: lineEnds(lowered, lines.length) };
}

interface NamedWord {
  /** The word in lower case. */
  readonly word: string;
  /** The word as written in the request. */
  readonly said: string;
  readonly isLiteral: boolean;
}

const QUOTED = /["`«“]([^"`»”\n]{2,80})["`»”]|'([^'\n]{2,80})'(?!\p{L})/gu;
const WORD = /[\p{L}\p{N}_$@][\p{L}\p{N}_$@./:-]{0,300}[\p{L}\p{N}_$]|[\p{L}\p{N}]/gu;
const HAN = /\p{Script=Han}+/gu;
/** camelCase, snake_case, a file name, a number, a dotted name. */
const CODE_LIKE = /[\p{Ll}\p{N}][\p{Lu}]|[_$@./:]|\d/u;

/** Name of a package or a service, or two plain words. */
const HYPHENATED = /\p{L}-\p{L}/u;

/** Returns the words of a request that may select lines. */
function wordsOf(request: string): NamedWord[] {
  const words = new Map<string, NamedWord>();
  const add = (word: string, isLiteral: boolean) => {
    const key = word.toLowerCase();
    if (key !== '' && !words.has(key)) words.set(key, { word: key, said: word, isLiteral });
  };
  for (const [, double, single] of request.matchAll(QUOTED)) add((double ?? single ?? '').trim(), true);
  // Chinese writes identifiers between its words without a space.
  const spaced = request.replace(HAN, (run) => ` ${run} `);
  for (const [word] of spaced.matchAll(WORD)) {
    if (CODE_LIKE.test(word) && word.length > 1) add(word, true);
    else if (word.length >= MIN_WORD_CHARS && !saysLittle(word)) add(word, false);
  }
  return [...words.values()];
}

const MIN_WORD_CHARS = 3;

/** An acronym (SES) is a name, although it may be a plain word in lower case. */
function saysLittle(word: string): boolean {
  return SAYS_LITTLE.has(word.toLowerCase()) && !/^\p{Lu}{2}/u.test(word);
}

/** Words that select no lines because most requests contain them, in English and French. */
const SAYS_LITTLE = new Set(
  (
    'the and are was were been being for from into with without that this these those there here then than when where which what who whom whose why how ' +
    'does did done doing have has had can could should would will may might must not but its our your their them they you all any each every some such ' +
    'code file files line lines text value values name names function functions method class test tests error errors log logs output run setting settings ' +
    'use used uses using get set make made show find look see say says tell give list happen happens work works exactly whole about after before between ' +
    'les des une aux dans par pour sur avec sans est sont qui que quoi quel quelle quels quelles comment pourquoi cette ces son ses leur leurs fichier fichiers ' +
    'ligne lignes fonction fonctions erreur erreurs tous toutes chaque'
  ).split(' '),
);

/** Returns a test whether a request contains all words of a title, in singular or plural. */
export function titlesNamedIn(request: string): (title: string) => boolean {
  const singular = (word: string) => (word.length > MIN_WORD_CHARS ? word.replace(/s$/, '') : word);
  const wordsIn = (text: string) => wordsOf(text.replace(/[`*_]/g, ' ')).map(({ word }) => singular(word));
  const said = new Set(wordsIn(request));
  return (title) => {
    if (/^\p{Script=Han}{2,}$/u.test(title)) return request.includes(title);
    const words = wordsIn(title);
    return words.length > 0 && words.every((word) => said.has(word));
  };
}

/** Returns the parts, of four letters or more, of the identifiers in a text: `cache.maxIdle` has `cache` and `idle`. */
export function partsOfNames(text: string): ReadonlySet<string> {
  const names = wordsOf(text.replace(/[`*]/g, ' ')).filter(({ isLiteral }) => isLiteral);
  const spaced = names.map(({ said }) => said.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')).join(' ');
  return new Set(spaced.toLowerCase().match(/\p{L}{4,}/gu));
}

const EDGE = /[\p{L}\p{N}_$]/u;

interface LoweredText {
  readonly lowered: string;
  /** Offset of the end of each line. */
  readonly ends: Int32Array;
}

function lineEnds(text: string, lines: number): Int32Array {
  const ends = new Int32Array(lines).fill(text.length);
  let line = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends[line++] = at;
  return ends;
}

/** Returns the indices of lines with the word as a whole word, or an empty list if there are more than `most`. */
function linesWith(word: string, { lowered, ends }: LoweredText, most: number): number[] {
  const found: number[] = [];
  let line = 0;
  for (let at = lowered.indexOf(word); at >= 0; at = lowered.indexOf(word, at + 1)) {
    if (EDGE.test(lowered.charAt(at - 1)) || EDGE.test(lowered.charAt(at + word.length))) continue;
    while ((ends[line] as number) < at) line += 1;
    if (found.length === most) return [];
    found.push(line);
    at = ends[line] as number;
  }
  return found;
}

/**
 * Returns a pattern for requests to list things, in English, French or Chinese. The things must follow within three
 * words: it does not match "all of it, then the tests".
 */
const asksToList = (english: string, french: string, chinese: string) =>
  new RegExp(
    [
      String.raw`\b(?:which|what|list|all|every|how many|name the)(?:\s+[\w-]+){0,3}?\s+(?:${english})\b`,
      String.raw`\b(?:quel(?:le)?s|liste[rz]?|tous|toutes|combien de)(?:\s+\p{L}+){0,3}?\s+(?:${french})(?!\p{L})`,
      `(?:哪些|列出|所有|全部|多少)[^。？?\\n]{0,8}(?:${chinese})`,
    ].join('|'),
    'iu',
  );
/** Maximum number of listed lines. If more lines match, no line is listed. */
const MAX_LISTED_LINES = 300;
const MAX_QUESTION_CHARS = 300;

const LISTABLE: readonly { asked: RegExp; entry: RegExp }[] = [
  {
    // "All tests pass" reports a result and does not ask for a list.
    asked: asksToList(String.raw`(?:tests?|specs?)(?!\s+(?:still\s+|now\s+)?pass)`, 'tests?', '测试'),
    entry:
      /^\s*(?:(?:it|test|describe)(?:\.\w+)*\(|(?:async )?def test_|func Test\w|#\[test\]|@Test\b)|::test_\w|^\s*[✓✔√✗✘×]|\b(?:PASS|FAIL)(?:ED)?\b/,
  },
  {
    asked: asksToList('folders?|director(?:y|ies)', 'dossiers?|répertoires?', '目录|文件夹'),
    // In a long listing (`ls -l`), folders begin with `d`.
    entry: /^(?:d[rwxsStT-]{9}\s|(?:\.{0,2}\/)?[\w@.-]+(?:\/[\w@.-]+)*[/:]?$|[│├└─\s]*[├└]── )/,
  },
  {
    asked: asksToList('files?', 'fichiers?', '文件(?!夹)'),
    entry: /^(?:[bcdlps-][rwxsStT-]{9}\s|(?:\.{0,2}\/)?[\w@.-]+(?:\/[\w@.-]+)*\/?$|[│├└─\s]*[├└]── )/,
  },
];

/** Returns the 0-based lines that a short question asks to list: tests, folders or files (P28). */
export function listedLines(lines: readonly string[], question: string): number[] {
  if (question.length > MAX_QUESTION_CHARS) return [];
  return LISTABLE.filter(({ asked }) => asked.test(question)).flatMap(({ entry }) => {
    const entries = lines.flatMap((line, index) => (entry.test(line.slice(0, 300)) ? [index] : []));
    return entries.length > MAX_LISTED_LINES ? [] : entries;
  });
}

/**
 * Words of a request that distinguish units of a long document. A page about server settings contains "server" and
 * "setting" in every section. Only the rarer words of the request tell which sections it asks for.
 */

/** A word in a larger share of the units does not distinguish them. */
const MAX_UNITS_SHARE = 0.2;
/** Minimum number of rare words in a unit, if none is a literal: one plain word may occur by chance. */
const MIN_WORDS = 2;
const MIN_UNITS = 8;
/** Units with at least this share of the best unit's score are selected, too. */
const MIN_SCORE_SHARE = 0.5;

/**
 * Returns a test for units with rare words of a request, or `undefined` if no unit has enough. A unit must have `share`
 * of the best unit's score.
 */
export function rareWordsIn(
  lines: readonly string[],
  request: string,
  { units, share: least = MIN_SCORE_SHARE }: { readonly units: readonly Unit[]; readonly share?: number },
): ((unit: Unit) => boolean) | undefined {
  if (units.length < MIN_UNITS) return undefined;
  const rare = linesOfWords(lines, request).flatMap(({ isLiteral, lines: found }) => {
    const isIn = counterOf(found, lines.length);
    const share = units.filter(({ start, end }) => isIn(start, end)).length / units.length;
    if (share === 0 || share > MAX_UNITS_SHARE) return [];
    return [{ isIn, isLiteral, weight: -Math.log(share) }];
  });
  const heldBy = ({ start, end }: Unit) => rare.filter(({ isIn }) => isIn(start, end));
  const scoreOf = (unit: Unit) => heldBy(unit).reduce((sum, { weight }) => sum + weight, 0);
  const isEnough = (unit: Unit) => {
    const held = heldBy(unit);
    return held.length >= MIN_WORDS || held.some(({ isLiteral }) => isLiteral);
  };
  const best = Math.max(0, ...units.filter(isEnough).map(scoreOf));
  return best === 0 ? undefined : (unit) => scoreOf(unit) >= least * best;
}

/** Returns a test whether a range of lines (1-based, inclusive) contains one of the 0-based lines `found`. */
export function counterOf(
  found: Iterable<number>,
  lineCount: number,
): (start: number, end: number) => boolean {
  const before = new Int32Array(lineCount + 1);
  for (const line of found) before[line + 1] = 1;
  for (let line = 1; line <= lineCount; line += 1)
    before[line] = (before[line] as number) + (before[line - 1] as number);
  return (start, end) => (before[end] ?? 0) > (before[start - 1] ?? 0);
}
