/** Checks what each label of a compact marker says against the lines of its gap. */

import { announcedTest, outcomeOf } from '../../packages/engine/src/reading/formats/test-run/outcomes.ts';
import { namesTrouble, statesResult, withoutTimes } from '../../packages/engine/src/reading/marks.ts';
import type { PrunedBlock } from '../../packages/engine/src/request.ts';

interface Hidden {
  /** The lines of the gap that are not blank. */
  readonly lines: readonly string[];
  /** Lines of the gap with the times that builds print before each line. */
  readonly printed: readonly string[];
  /** Some lines above it, the nearest last. */
  readonly above: readonly string[];
  /** All lines of the text. */
  readonly all: readonly string[];
  /** The label has no other part, so its count is that of all lines. */
  readonly isWhole: boolean;
}

interface LabelRule {
  readonly form: RegExp;
  isTrue(found: RegExpExecArray, hidden: Hidden): boolean;
}

const LINES_ABOVE = 60;

/** Returns what is wrong with the label of a gap. */
export function labelFaults(lines: readonly string[], { start, end, reason, marker }: PrunedBlock): string[] {
  const plain = withoutTimes(lines.slice(start - 1, end));
  const parts = partsOf(reason);
  const hidden = {
    printed: lines.slice(start - 1, end),
    lines: plain.filter((line) => line.trim() !== ''),
    above: lines.slice(Math.max(0, start - 1 - LINES_ABOVE), start - 1),
    all: lines,
    isWhole: parts.length === 1,
  };
  return parts.flatMap((part) => {
    const rule = RULES.find(({ form }) => form.test(part));
    if (rule === undefined) return [`${marker}: no check knows the label "${part}"`];
    const found = rule.form.exec(part) as RegExpExecArray;
    return rule.isTrue(found, hidden) ? [] : [`${marker}: "${part}" is not true of its lines`];
  });
}

const COUNTED =
  'findings?:|compiler notes? on library code|tests? passed|tests? skipped|suites? passed|lines?|similar lines?|rows?|hits?|hunks?|paragraphs?|long lines?|library frames?|frames shown above|records?|entries|entry|elements?|sections?|functions?|methods?|tests?|fields?|types?|class(?:es)?|modules?|commits?';
const NAMED =
  'functions?|method|methods|class|classes|types?|modules?|tests?|values? of|sections?|entry|entries|fields?|records?|changes of|commits?|elements?|hits in|lines of|licence header';
/** Matches the continuation of a label with units of another kind. */
const NEXT_PART = new RegExp(`, (?=\\d+ (?:(?:${COUNTED})(?!\\w)|[a-z]+s?\\b)|(?:${NAMED}) )`);

/** In a list of names a number with any word is a name: `records 6 items, 7 items`. */
const NEXT_AFTER_NAMES = new RegExp(`, (?=\\d+ (?:${COUNTED})(?!\\w)|(?:${NAMED}) )`);
const COUNTED_PART = new RegExp(`^\\d+ (?:${COUNTED})(?!\\w)`);
const LIST_OF_NAMES = new RegExp(`^(?:body of )?(?:${NAMED}) `);

function partsOf(label: string): string[] {
  if (label.startsWith('unchanged, ')) return [label];
  const next = LIST_OF_NAMES.test(label) ? NEXT_AFTER_NAMES : NEXT_PART;
  const parts: string[] = [];
  for (const part of label.split(next)) {
    // A template may hold a comma and a word that is also the name of a kind.
    if (parts.at(-1)?.includes(' like: ') && !COUNTED_PART.test(part)) parts.push(`${parts.pop()}, ${part}`);
    else parts.push(part);
  }
  return parts;
}

const numberIn = (found: RegExpExecArray) => Number(found[1]);

/** A label that is too long for its marker ends in `…`; what it lists is then checked as far as it is shown. */
const RULES: readonly LabelRule[] = [
  { form: /^unchanged, shown above by: /, isTrue: () => true },
  { form: /^(\d+) tests? passed$/, isTrue: (found, hidden) => countsPassed(numberIn(found), hidden) },
  {
    form: /^(\d+) tests? skipped$/,
    isTrue: (found, { lines }) =>
      numberIn(found) === lines.filter((line) => outcomeOf(line)?.kind === 'skipped').length &&
      !lines.some((line) => outcomeOf(line)?.kind === 'other'),
  },
  {
    form: /^(\d+) suites? passed$/,
    isTrue: (found, { lines }) => numberIn(found) <= lines.length && !lines.some(isOther),
  },
  { form: /^(\d+) lines? of progress$/, isTrue: (found, hidden) => countsLines(numberIn(found), hidden) },
  {
    form: /^(\d+) lines? like: (.*)$/,
    isTrue: (found, hidden) => areLike(numberIn(found), found[2] ?? '', hidden),
  },
  {
    form: /^(\d+) lines? with (\d+) (?:error|warning)s? like: (.*)$/,
    isTrue: (found, hidden) =>
      areLike(numberIn(found), found[3] ?? '', hidden) &&
      hidden.lines.filter(namesTrouble).length >= Number(found[2]),
  },
  {
    form: /^(\d+) lines?(?: of (.+))?, no failure or warning$/,
    isTrue: (found, hidden) =>
      countsLines(numberIn(found), hidden) &&
      (!hidden.isWhole || !hidden.lines.some((line) => namesTrouble(line) || statesResult(line))),
  },
  {
    form: /^(\d+) findings?: (.+)$/,
    isTrue: (found, { lines }) =>
      numberIn(found) <= lines.length &&
      holdsNames(lines, (found[2] ?? '').replaceAll('warning ', '')) &&
      !lines.some(isError),
  },
  {
    form: /^(\d+) compiler notes? on library code$/,
    isTrue: (found, { lines }) =>
      lines.filter((line) => /: {1,3}(?:note|required)/.test(line)).length >= numberIn(found),
  },
  {
    form: /^(\d+) similar lines?(?: with (\d+) (?:error|warning)s?)?(, no warning)?$/,
    isTrue: (found, hidden) =>
      countsLines(numberIn(found), hidden) &&
      hidden.lines.filter(namesTrouble).length >= Number(found[2] ?? 0) &&
      (found[3] === undefined || !hidden.isWhole || !hidden.lines.some(namesTrouble)),
  },
  {
    form: /^(\d+) (?:library frames?|frames shown above)$/,
    isTrue: (found, { lines }) => numberIn(found) <= lines.length,
  },
  {
    form: /^(\d+) hunks?(?:: (.+))?$/,
    isTrue: (found, { lines }) =>
      lines.filter((line) => /^@@/.test(line)).length === numberIn(found) &&
      holdsNames(lines, found[2] ?? ''),
  },
  {
    form: /^(\d+) (?:rows?|paragraphs?|links): (.+)$/,
    isTrue: (found, { lines, printed }) =>
      numberIn(found) <= lines.length &&
      (found[2] ?? '').split(' … ').every((each) => holdsNames(lines, each) || holdsNames(printed, each)),
  },
  {
    form: /^(\d+) (?:rows?|hits?|records?|entries|entry|paragraphs?|elements?|sections?|fields?|commits?|tests?)$/,
    isTrue: (found, { lines }) => numberIn(found) <= lines.length,
  },
  {
    form: /^(\d+) long lines?$/,
    isTrue: (_, { lines }) => lines.every((line) => line.length >= MIN_LONG_LINE),
  },
  { form: /^(\d+) lines?$/, isTrue: (found, hidden) => countsLines(numberIn(found), hidden) },
  {
    form: /^licence header$/,
    isTrue: (_, { lines }) => lines.some((line) => /licen[cs]e|copyright|spdx/i.test(line)),
  },
  { form: /^hits in (.+)$/, isTrue: (found, hidden) => countsHits(found[1] ?? '', hidden) },
  { form: /^records? (.+)$/, isTrue: (found, { lines }) => holdsWords(lines, found[1] ?? '') },
  {
    form: /^(?:body of )?elements? (.+)$/,
    isTrue: (found, { above, lines }) =>
      holdsWords([...above, ...lines], (found[1] ?? '').replace(/[#.]/g, ' ')),
  },
  {
    form: /^body of this section(?:: (.+))?$/,
    isTrue: (found, { above, lines }) =>
      above.some((line) => line.trim() !== '') && holdsNames(lines, found[1] ?? ''),
  },
  {
    form: /^(?:text and sections?|table of) (.+)$/,
    isTrue: (found, { lines }) => holdsNames(lines.map(withoutLinks), found[1] ?? ''),
  },
  { form: /^(\d+) more$/, isTrue: (found, { lines }) => numberIn(found) <= lines.length },
  {
    form: /^(\d+) ([A-Za-z ]+?)s?(?:: (.+))?$/,
    isTrue: (found, { lines }) =>
      numberIn(found) <= lines.filter((line) => hasRole(line, found[2] ?? '')).length &&
      holdsWords(lines, (found[3] ?? '').replace(' … ', ' ')),
  },
  {
    form: /^body of (?:\w+(?: of| in)?) (.+)$/,
    isTrue: (found, { above }) => holdsNames(above, found[1] ?? ''),
  },
  {
    form: new RegExp(`^(?:${NAMED}) (.+)$`),
    isTrue: (found, hidden) =>
      holdsNames([...hidden.above, ...hidden.lines].map(withoutLinks), found[1] ?? ''),
  },
  {
    form: /^(\d+) fields as in (\d+)-(\d+)$/,
    isTrue: (found, { lines, all }) => {
      const above = outerKeysIn(all.slice(Number(found[2]) - 1, Number(found[3])));
      const keys = outerKeysIn(lines);
      return numberIn(found) === keys.size && [...keys].every((key) => above.has(key));
    },
  },
  // Fields: each name is a key, of elements the key of their list.
  {
    form: /^(.+)$/,
    isTrue: (found, { lines, above }) =>
      (found[1] ?? '')
        .replace(MORE, '')
        .split(', ')
        .every((name) => [...above, ...lines].some((line) => line.includes(name.replace(/…$/, '')))),
  },
];

/** Returns the keys of the fields in a gap, without the keys inside a field. */
function outerKeysIn(lines: readonly string[]): Set<string> {
  const keys = lines.flatMap((line) => {
    const [, indent = '', key] = /^(\s*(?:- )?)"?([\w./-]+)"? ?:/.exec(line) ?? [];
    return key === undefined ? [] : [{ indent: indent.length, key }];
  });
  const outer = Math.min(...keys.map(({ indent }) => indent));
  return new Set(keys.filter(({ indent }) => indent === outer).map(({ key }) => key));
}

/** Headings are named without the addresses of their links and without tags. */
function withoutLinks(line: string): string {
  return line.replace(/\[([^\][]{1,80})\]\([^()\s]{0,200}\)/g, '$1').replace(/<[^>]{0,200}>/g, '');
}

/** `, +4` in French, `and 4 more` in English. */
const MORE = /(?:, \+\d+| and \d+ more?)?…?$/;
const MIN_LONG_LINE = 200;
const ROLES: Readonly<Record<string, string>> = {
  link: 'link|\\[.{1,300}\\]\\(',
  image: 'img',
  'list item': 'listitem',
  choice: 'combobox',
  option: 'radio|checkbox|option',
  input: 'textbox|searchbox',
  'column heading': 'columnheader',
};

/** Returns whether a line of a page's snapshot, or of a menu, is an element with this role. */
function hasRole(line: string, word: string): boolean {
  return new RegExp(`^\\s*(?:[-*+] ['"]?|uid=\\S+ |\\d+[.)] )?(?:${ROLES[word] ?? word})`).test(line);
}

function countsLines(count: number, { lines, isWhole }: Hidden): boolean {
  return isWhole ? count === lines.length : count <= lines.length;
}

function isError(line: string): boolean {
  return /^\S+:\d+:\d+: error\b|^\s*× /.test(line);
}

function isOther(line: string): boolean {
  const kind = outcomeOf(line)?.kind;
  return kind === 'other' || kind === 'skipped';
}

function testsIn(line: string): number {
  const outcome = outcomeOf(line);
  return outcome?.kind === 'passed' ? outcome.tests : 0;
}

/** Each line counts as many tests as it reports; a test that holds others, and a file that lists its own, may not count. */
function countsPassed(count: number, { lines, isWhole }: Hidden): boolean {
  if (isWhole && lines.some(isOther)) return false;
  const reported = lines.reduce((sum, line) => sum + testsIn(line), 0);
  if (reported === 0) return count <= lines.length;
  const around = lines.filter(
    (line) => outcomeOf(line) === undefined || announcedTest(line) !== undefined,
  ).length;
  const sums = lines
    .filter((line) => /\(\d+ tests?\)/.test(line))
    .reduce((sum, line) => sum + testsIn(line), 0);
  return count <= reported && (count === reported || around > 0 || count === reported - sums);
}

const MIN_WORD = 3;

/** All lines are counted but the excerpts below a warning; the words of the template are in each counted line. */
function areLike(count: number, template: string, hidden: Hidden): boolean {
  const { lines, isWhole } = hidden;
  if (count > lines.length) return false;
  const [kinds = '', more, denial] = template.split(MORE_KINDS);
  if (denial !== undefined && isWhole && lines.some(namesTrouble)) return false;
  if (!isWhole || more !== undefined) return true;
  const isLike = kinds.split('; ').map(likeness);
  const like = lines.filter((line) => isLike.some((holds) => holds(line)));
  return (
    like.length >= count &&
    (like.length === lines.length || lines.filter((line) => !like.includes(line)).every(isExcerpt))
  );
}

const MORE_KINDS = /; (\d+ more kinds?)(, no warning)?$/;

/** Returns whether a line has the words of a template. */
function likeness(template: string): (line: string) => boolean {
  const words = template
    .replace(/^(?:warning|error): /, '')
    .replace(/\S*…$/, '')
    .split(/…|[^\p{L}]+/u)
    .filter((word) => word.length > MIN_WORD);
  return (line) => words.every((word) => line.includes(word));
}

function isExcerpt(line: string): boolean {
  return /^(?:\[warn\]|\s|\d+ *\||[|^~])/.test(line);
}

/** Files with their number of hits: each file is named by its hits or above them, and together they have no more hits than lines. */
function countsHits(list: string, { lines, above }: Hidden): boolean {
  const text = [...above, ...lines].join('\n');
  const files = [...list.matchAll(/(?:^|, )([^,\s][^,]*): (\d+) hits?/g)];
  const hits = files.reduce((sum, [, , count]) => sum + Number(count), 0);
  return hits <= lines.length && files.every(([, file = '']) => text.includes(file.replace(/^…/, '')));
}

/** The words of identifying fields, which are in different lines of a record. */
function holdsWords(lines: readonly string[], list: string): boolean {
  const text = lines.join('\n');
  const words = list.replace(MORE, '').split(/[\s,]+/);
  return words.every((word) => word.endsWith('…') || text.includes(word));
}

const MIN_SHOWN_NAME = 8;

/** The names before `, +4`, each as far as it is shown. */
function holdsNames(lines: readonly string[], list: string): boolean {
  const text = normal(lines.join('\n'));
  const names = list.replace(MORE, '');
  const isHeld = (name: string) => {
    const shown = normal(name.replace(/…$/, ''));
    return text.includes(shown) && (shown === name || shown.length >= MIN_SHOWN_NAME);
  };
  return isHeld(names) || names.split(', ').every(isHeld);
}

function normal(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cs}⟦⟧]+/gu, ' ').trim();
}
