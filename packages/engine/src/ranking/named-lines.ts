import type { LineRange } from '@secateur/base/text/lines.ts';
import type { Unit } from '../reading/document.ts';
import { goalText, type LineScores, type ScoreRequest } from './scorer.ts';

/** This file finds lines that a request names by quoted strings, identifiers, numbers, or plain words that few lines contain (P28). */

/** Maximum length of a request whose words select lines. A longer one, such as an issue, has too many words. */
const MAX_REQUEST_CHARS = 3600;
const MAX_LINES_PER_WORD = 6;
const MAX_SHARE_PER_WORD = 0.05;
/** Maximum number of lines that a literal (a quoted word, or one written as code) selects. */
const MAX_LINES_PER_LITERAL = 12;
const MAX_NAMED_LINES = 100;
/** Maximum share of a list or log that a literal selects. There it selects rows, such as those of a status or a customer. */
const MAX_SHARE_PER_FILTER = 0.15;
const MAX_SHARE_IF_COMPLETE = 0.3;
/** Maximum share of records that contain a literal for the fields with this literal to be kept. */
const MAX_SHARE_PER_FIELD = 0.6;

/** Kind of a text, and the number of lines that a word of the request may select in it. */
export interface Naming {
  /** Number of rows, records or lines, of which a word may select a certain share. Default: the number of lines. */
  readonly base?: number;
  /** Whether the lines are rows, search results or log entries. A literal may then select more of them. */
  readonly isList?: boolean;
  /** Whether the request asks for all members of a list. Any word may then select more lines. */
  readonly isComplete?: boolean;
  /** Maximum number of selected lines. If set, lines with rare words come first. Default: 100, in the order of the words in the request. */
  readonly most?: number;
}

/** Lines that contain words of a request, by kind of word. Indices begin at 0. */
export interface NamedLines {
  /** Lines with quoted strings and identifiers of the request. */
  readonly byLiterals: ReadonlySet<number>;
  /** Lines with any word of the request. */
  readonly byWords: ReadonlySet<number>;
  /** Lines with literals and hyphenated words of the request. In a list, such a word may be in up to 60 % of the records. */
  readonly byFilters: ReadonlySet<number>;
}

/** Finds the lines that words of a request select, up to a limit. A word that occurs in many lines selects none. */
export function namedLines(lines: readonly string[], request: string, naming: Naming = {}): NamedLines {
  const words = request.length > MAX_REQUEST_CHARS ? [] : wordsOf(request);
  if (words.length === 0) return { byLiterals: new Set(), byWords: new Set(), byFilters: new Set() };
  const lowered = loweredText(lines);
  const found = words.map(({ word, isLiteral }) => {
    const { base = lines.length, isList = false } = naming;
    const most = Math.min(MAX_NAMED_LINES, Math.floor(maxLinesOf(isLiteral, { ...naming, base })));
    const isFilter = isLiteral || HYPHENATED.test(word);
    const widest = isFilter && isList ? Math.floor(base * MAX_SHARE_PER_FIELD) : 0;
    const found = linesWith(word, lowered, Math.min(MAX_NAMED_LINES, Math.max(most, widest)));
    const isWide = !isLiteral && found.length > maxLinesOf(false, { base });
    const holding = isWide ? found.filter((index) => holdsAlone(lines[index] ?? '', word)) : found;
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

/** Returns the lines of each word in a request, plain words in singular and plural. Empty for a long request. */
function linesOfWords(lines: readonly string[], request: string) {
  const words = request.length > MAX_REQUEST_CHARS ? [] : wordsOf(request);
  if (words.length === 0) return [];
  const lowered = loweredText(lines);
  const names = new Set(request.match(PROPER_NAME));
  return words.map(({ word, said, isLiteral }) => {
    const forms = isLiteral ? [word] : [word, word.endsWith('s') ? word.slice(0, -1) : `${word}s`];
    const found = forms.flatMap((form) => linesWith(form, lowered, lines.length));
    return { isLiteral, isName: names.has(said), lines: found };
  });
}

/** A capitalised word inside a sentence or after an initial: the name of a person, a place or a product. */
const PROPER_NAME = /(?<=\p{Ll},? |\b\p{Lu}\. )\p{Lu}\p{Ll}[\p{L}-]{1,40}/gu;

/** Whether a line contains a word on its own, not as a part of a path or a dotted name: `customer.updated`. */
function holdsAlone(line: string, word: string): boolean {
  const text = line.slice(0, MAX_LINE_CHARS).toLowerCase();
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isBegun = /[\p{L}\p{N}_$./:-]/u.test(text.charAt(at - 1));
    if (!isBegun && !/^[.:/-]?[\p{L}\p{N}_$]/u.test(text.slice(at + word.length))) return true;
  }
  return false;
}

function maxLinesOf(isLiteral: boolean, { base = 0, isList, isComplete }: Naming): number {
  if (isComplete === true) return Math.max(MAX_LINES_PER_LITERAL, base * MAX_SHARE_IF_COMPLETE);
  if (!isLiteral) return Math.max(MAX_LINES_PER_WORD, base * MAX_SHARE_PER_WORD);
  return Math.max(MAX_LINES_PER_LITERAL, isList === true ? base * MAX_SHARE_PER_FILTER : 0);
}

/** Returns the lines of all words. A word is skipped if its lines would exceed `most`. */
function bounded(found: readonly { readonly lines: readonly number[] }[], most: number): Set<number> {
  const named = new Set<number>();
  for (const { lines } of found)
    if (lines.length <= most - named.size) for (const line of lines) named.add(line);
  return named;
}

/** Scores rows by the goal's words in them, of which rare ones weigh most. For thousands of rows this is cheaper than BM25. */
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

/** Whether a word is an identifier or an id: retryDelay, K-0417. A plain word is not, because a gap may use another word for the same. */
function isTelling(word: string): boolean {
  if (word.length < MIN_TELLING_CHARS || word.length > MAX_TELLING_CHARS) return false;
  return /[\p{Ll}\d]\p{Lu}|_/u.test(word) || (/\p{Lu}/u.test(word) && /\d/.test(word));
}

/**
 * Returns up to two literals of a request that occur in the text, but not in the lines `hidden`. The headline
 * lists them, so that agents need not recover lines to look for them.
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
  /** Word in lower case. */
  readonly word: string;
  /** Word as written in the request. */
  readonly said: string;
  readonly isLiteral: boolean;
}

const QUOTED = /["`«“]([^"`»”\n]{2,80})["`»”]|'([^'\n]{2,80})'(?!\p{L})/gu;
const WORD = /[\p{L}\p{N}_$@][\p{L}\p{N}_$@./:-]{0,300}[\p{L}\p{N}_$]|[\p{L}\p{N}]/gu;
const HAN = /\p{Script=Han}+/gu;
/** Matches camelCase, snake_case, file names, numbers and dotted names. */
const CODE_LIKE = /[\p{Ll}\p{N}][\p{Lu}]|[_$@./:]|\d/u;

/** Matches the name of a package or service, and two plain words with a hyphen. */
const HYPHENATED = /\p{L}-\p{L}/u;

/** Returns the words of a request that may select lines. */
function wordsOf(request: string): NamedWord[] {
  const words = new Map<string, NamedWord>();
  const add = (word: string, isLiteral: boolean) => {
    const key = word.toLowerCase();
    if (key !== '' && !words.has(key)) words.set(key, { word: key, said: word, isLiteral });
  };
  for (const [, double, single] of request.matchAll(QUOTED)) add((double ?? single ?? '').trim(), true);
  // In Chinese, identifiers have no space around them.
  const spaced = request.replace(HAN, (run) => ` ${run} `);
  for (const [word] of spaced.matchAll(WORD)) {
    if (CODE_LIKE.test(word) && word.length > 1) add(word, true);
    else if (word.length >= MIN_WORD_CHARS && !saysLittle(word)) add(word, false);
  }
  return [...words.values()];
}

const MIN_WORD_CHARS = 3;

/** Whether a word is too common to select lines. An acronym such as SES is not, even if it is a plain word in lower case. */
function saysLittle(word: string): boolean {
  return SAYS_LITTLE.has(word.toLowerCase()) && !/^\p{Lu}{2}/u.test(word);
}

/** Words, in English and French, that select no lines because most requests contain them. */
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

/** Returns a function that decides whether a request contains all words of a title, in singular or plural. */
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

/** Returns the parts of the identifiers in a text that have at least four letters: `cache` and `idle` for `cache.maxIdle`. */
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

/** Returns the indices of the lines that contain a whole word. Empty if there are more than `most`. */
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
 * Returns a pattern for a request to list things, in English, French or Chinese. The things must be named
 * within three words, so that "all of it, then the tests" does not match.
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
/** Maximum number of lines that are listed. If there are more, none are. */
const MAX_LISTED_LINES = 300;
const MAX_QUESTION_CHARS = 300;

const LISTABLE: readonly { asked: RegExp; entry: RegExp }[] = [
  {
    // "All tests pass" reports a result and does not ask for a list of tests.
    asked: asksToList(String.raw`(?:tests?|specs?)(?!\s+(?:still\s+|now\s+)?pass)`, 'tests?', '测试'),
    entry:
      /^\s*(?:(?:it|test|describe)(?:\.\w+)*\(|(?:async )?def test_|func Test\w|#\[test\]|@Test\b)|::test_\w|^\s*[✓✔√✗✘×]|\b(?:PASS|FAIL)(?:ED)?\b/,
  },
  {
    asked: asksToList('folders?|director(?:y|ies)', 'dossiers?|répertoires?', '目录|文件夹'),
    // In the output of `ls -l`, lines of folders begin with `d`.
    entry: /^(?:d[rwxsStT-]{9}\s|(?:\.{0,2}\/)?[\w@.-]+(?:\/[\w@.-]+)*[/:]?$|[│├└─\s]*[├└]── )/,
  },
  {
    asked: asksToList('files?', 'fichiers?', '文件(?!夹)'),
    entry: /^(?:[bcdlps-][rwxsStT-]{9}\s|(?:\.{0,2}\/)?[\w@.-]+(?:\/[\w@.-]+)*\/?$|[│├└─\s]*[├└]── )/,
  },
];

/** Returns the lines that a short question asks to list: tests, folders or files (P28). Indices begin at 0. */
export function listedLines(lines: readonly string[], question: string): number[] {
  if (question.length > MAX_QUESTION_CHARS) return [];
  return LISTABLE.filter(({ asked }) => asked.test(question)).flatMap(({ entry }) => {
    const entries = lines.flatMap((line, index) => (entry.test(line.slice(0, 300)) ? [index] : []));
    return entries.length > MAX_LISTED_LINES ? [] : entries;
  });
}

/**
 * The rest of this file selects units of a long document by rare words of a request. On a page about server
 * settings, every section contains "server" and "setting". Only rarer words show which sections the request
 * is about.
 */

/** Maximum share of the units that contain a word which distinguishes units. */
const MAX_UNITS_SHARE = 0.2;
/** Minimum number of rare words in a unit if none of them is a literal. One plain word may occur by chance. */
const MIN_WORDS = 2;
const MIN_UNITS = 8;
/** Minimum score of a selected unit, as a share of the best unit's score. Units with a name are always selected. */
const MIN_SCORE_SHARE = 0.5;

/**
 * Returns a function that decides whether a unit has rare words of the request. `undefined` if no unit has
 * enough. A unit must have at least `share` of the best unit's score.
 */
export function rareWordsIn(
  lines: readonly string[],
  request: string,
  { units, share: least = MIN_SCORE_SHARE }: { readonly units: readonly Unit[]; readonly share?: number },
): ((unit: Unit) => boolean) | undefined {
  if (units.length < MIN_UNITS) return undefined;
  const rare = linesOfWords(lines, request).flatMap(({ isLiteral, isName, lines: found }) => {
    const isIn = counterOf(found, lines.length);
    const share = units.filter(({ start, end }) => isIn(start, end)).length / units.length;
    if (share === 0 || share > MAX_UNITS_SHARE) return [];
    return [{ isIn, isLiteral, isName, weight: -Math.log(share) }];
  });
  const heldBy = ({ start, end }: Unit) => rare.filter(({ isIn }) => isIn(start, end));
  const scoreOf = (unit: Unit) => heldBy(unit).reduce((sum, { weight }) => sum + weight, 0);
  const isEnough = (unit: Unit) => {
    const held = heldBy(unit);
    return held.length >= MIN_WORDS || held.some(({ isLiteral }) => isLiteral);
  };
  const best = Math.max(0, ...units.filter(isEnough).map(scoreOf));
  if (best === 0) return undefined;
  return (unit) => scoreOf(unit) >= least * best || heldBy(unit).some(({ isName }) => isName);
}

/** Returns a function that decides whether a range of lines (1-based, inclusive) contains one of the lines `found` (0-based). */
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
