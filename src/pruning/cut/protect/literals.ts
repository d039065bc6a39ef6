import type { ClassifiedText } from '../classify.ts';
import type { Protection } from './protection.ts';

/** A question names what it wants; a text this long, an issue say, names everything. */
const LONGEST_QUESTION = 300;
/** A word that stands in more lines than these tells none of them apart. */
const FEW_LINES = 6;
const FEW_SHARE = 0.02;
/** What was quoted or written as code is meant to the letter. */
const FEW_LINES_QUOTED = 12;
/** The bound on all of it. */
const MOST_LINES = 40;

/** Lines that hold a literal word of the question stay, and so does what it asks to list. */
export function protectLiterals(
  { bare: lines }: ClassifiedText,
  question: string,
  protection: Protection,
): void {
  for (const index of literalLines(lines, question)) protection.pin(index);
  if (question.length <= LONGEST_QUESTION) pinListed(lines, question, protection);
}

/** Indices of the lines that hold a word the question means to the letter, and that few lines hold. */
export function literalLines(lines: readonly string[], question: string): number[] {
  if (question.trim() === '' || question.length > LONGEST_QUESTION) return [];
  const lowered = lines.join('\n').toLowerCase();
  const ends = lineEnds(lowered, lines.length);
  const held: number[] = [];
  for (const { word, isQuoted } of literalsOf(question)) {
    const few = isQuoted ? FEW_LINES_QUOTED : Math.max(FEW_LINES, Math.floor(lines.length * FEW_SHARE));
    const most = Math.min(few, MOST_LINES - held.length);
    const found = linesWith(word, { lowered, ends }, most + 1);
    if (found.length <= most) held.push(...found);
  }
  return held;
}

interface Literal {
  word: string;
  isQuoted: boolean;
}

const QUOTED = /["`«“]([^"`»”\n]{2,80})["`»”]|'([^'\n]{2,80})'(?!\p{L})/gu;
const WORD = /[\p{L}\p{N}_$@][\p{L}\p{N}_$@./:-]{0,300}[\p{L}\p{N}_$]|[\p{L}\p{N}]/gu;
/** camelCase, snake_case, a file name, a number, a dotted name. */
const CODE_LIKE = /[\p{Ll}\p{N}][\p{Lu}]|[_$@./:]|\d/u;

function literalsOf(question: string): Literal[] {
  const literals = new Map<string, Literal>();
  const add = (word: string, isQuoted: boolean) => {
    const key = word.toLowerCase();
    if (!literals.has(key)) literals.set(key, { word: key, isQuoted });
  };
  for (const [, double, single] of question.matchAll(QUOTED)) add((double ?? single ?? '').trim(), true);
  for (const [word] of question.matchAll(WORD)) {
    if (CODE_LIKE.test(word) && word.length > 1) add(word, true);
    else if (word.length >= 3 && !SAYS_LITTLE.has(word.toLowerCase())) add(word, false);
  }
  return [...literals.values()].filter(({ word }) => word !== '');
}

/** Words of a question rather than of a text. */
const SAYS_LITTLE = new Set(
  (
    'the and are was were been being for from into with without that this these those there here then than when where which what who whom whose why how ' +
    'does did done doing have has had can could should would will may might must not but its our your their them they you all any each every some such ' +
    'code file files line lines text value values name names function functions method class test tests error errors log logs output run setting settings ' +
    'use used uses using get set make made show find look see say says tell give list happen happens work works exactly whole about after before between'
  ).split(' '),
);

const EDGE = /[\p{L}\p{N}_$]/u;

interface LoweredText {
  lowered: string;
  /** Where each of its lines ends. */
  ends: Int32Array;
}

function lineEnds(text: string, lines: number): Int32Array {
  const ends = new Int32Array(lines).fill(text.length);
  let line = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends[line++] = at;
  return ends;
}

/** Indices of the lines that hold the word by itself, `most` of them at most. */
function linesWith(word: string, { lowered, ends }: LoweredText, most: number): number[] {
  const found: number[] = [];
  let line = 0;
  for (let at = lowered.indexOf(word); at >= 0 && found.length < most; at = lowered.indexOf(word, at + 1)) {
    if (EDGE.test(lowered.charAt(at - 1)) || EDGE.test(lowered.charAt(at + word.length))) continue;
    while ((ends[line] as number) < at) line += 1;
    found.push(line);
    at = ends[line] as number;
  }
  return found;
}

/** Asks for all of something, which is named a few words later at most: an agent's "all of it, then the tests" lists nothing. */
const asksToList = (what: string) =>
  new RegExp(
    String.raw`\b(?:which|what|list|all|every|how many|name the)(?:\s+[\w-]+){0,3}?\s+(?:${what})\b`,
    'i',
  );
/** A list longer than this is asked for by its count, not by its entries. */
const LONGEST_LIST = 300;

const LISTABLE: readonly { asked: RegExp; entry: RegExp }[] = [
  {
    // "All tests pass" says how it went; it asks for none of them.
    asked: asksToList(String.raw`(?:tests?|specs?)(?!\s+(?:still\s+|now\s+)?pass)`),
    entry:
      /^\s*(?:(?:it|test|describe)(?:\.\w+)*\(|(?:async )?def test_|func Test\w|#\[test\]|@Test\b)|::test_\w|^\s*[✓✔√✗✘×]|\b(?:PASS|FAIL)(?:ED)?\b/,
  },
  {
    asked: asksToList('folders?|director(?:y|ies)'),
    // A long listing says which of its entries are folders.
    entry: /^(?:d[rwxsStT-]{9}\s|(?:\.{0,2}\/)?[\w@.-]+(?:\/[\w@.-]+)*[/:]?$|[│├└─\s]*[├└]── )/,
  },
  {
    asked: asksToList('files?'),
    entry: /^(?:[bcdlps-][rwxsStT-]{9}\s|(?:\.{0,2}\/)?[\w@.-]+(?:\/[\w@.-]+)*\/?$|[│├└─\s]*[├└]── )/,
  },
];

function pinListed(lines: readonly string[], question: string, protection: Protection): void {
  for (const { asked, entry } of LISTABLE) {
    if (!asked.test(question)) continue;
    const entries = lines.flatMap((line, index) => (entry.test(line.slice(0, 300)) ? [index] : []));
    if (entries.length > LONGEST_LIST) continue;
    for (const index of entries) protection.pin(index);
  }
}
