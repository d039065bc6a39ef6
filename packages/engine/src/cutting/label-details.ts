/** Details of labels: as many names as fit, the first words of a text, and kinds of similar lines. */
import type { Unit, UnitKind } from '../reading/document.ts';
import { namesFailure, namesTrouble, withoutTime } from '../reading/marks.ts';

export type Language = 'english' | 'french';

/** Facts about a gap that its label needs besides the units. */
export interface Labelled {
  /** Whether the gap is the body of one unit, whose signature is kept. */
  readonly isBody: boolean;
  readonly lines: readonly string[];
  /** Lists of fields that earlier markers name, with the lines of each marker. */
  readonly named: ReadonlyMap<string, string>;
}

export interface Wording extends Labelled {
  readonly language: Language;
  readonly room: number;
}

/** Descriptions for kinds of units whose labels are more than a list of names. */
export const OWN_WORDS: Partial<
  Record<UnitKind, (units: readonly Unit[], wording: Wording) => string | undefined>
> = {
  'similar-lines': describeSimilar,
  section: ([section], wording) =>
    wording.isBody && section !== undefined ? describeBody(section, wording) : undefined,
  element: ([first, ...others], { isBody }) => {
    if (first?.holds === undefined) return undefined;
    if (isBody) return first.holds;
    const [last] = others.slice(-1);
    const count = others.length + 1;
    const names = [first, last].map((unit) => shortName(singleLine(unit?.name ?? ''), MAX_ITEM_NAME_CHARS));
    const said = names.filter((name) => name !== '').join(' … ');
    return `${count} ${first.holds}${count === 1 ? '' : 's'}${said === '' ? '' : `: ${said}`}`;
  },
  paragraph: (units, { lines, room }) => {
    const count = countOf(units);
    const holds = units.length === 1 ? units[0]?.holds : undefined;
    return withBeginning(holds ?? `${count} paragraph${count === 1 ? '' : 's'}`, {
      said: beginningOf(lines, units[0]),
      room,
    });
  },
  row: (units, { lines, room }) => {
    const count = countOf(units);
    if (count < MIN_QUOTED_ROWS) return undefined;
    const ends = [units[0], units.at(-1)].map((unit) => shortName(beginningOf(lines, unit), MAX_ROW_CHARS));
    const said = `${count} rows: ${ends.filter((end) => end !== '').join(' … ')}`;
    return said.length <= room && !said.endsWith(': ') ? said : undefined;
  },
  hunk: (units, { language, room }) => {
    const names = namesOf(units);
    if (names.length === 0) return undefined;
    const counted = units.length === 1 ? '1 hunk:' : `${units.length} hunks:`;
    return listed([counted, counted], names, { language, room });
  },
  /**
   * The longest fields are named, because they are most of what is hidden. If an earlier marker hides the
   * same fields, the label refers to the lines of that marker.
   */
  field: (units, { language, room, named }) => {
    const byLength = [...units].sort((a, b) => (b.characters ?? 0) - (a.characters ?? 0));
    const names = namesOf(byLength);
    if (names.length === 0) return undefined;
    const above = named.get(fieldsKey(units));
    if (above !== undefined && names.length > MAX_FIELDS) return `${names.length} fields as in ${above}`;
    return listed(['', ''], names, { language, room }).trimStart();
  },
};

/** Maximum number of fields that are named again instead of referring to an earlier marker. */
const MAX_FIELDS = 2;

/** Returns a key that is the same for two gaps with the same fields. */
export function fieldsKey(units: readonly Unit[]): string {
  return units.every(({ kind }) => kind === 'field') ? namesOf(units).toSorted().join() : '';
}

const MAX_ITEM_NAME_CHARS = 16;
/** Minimum number of rows in a gap whose label quotes some. Fewer rows are explained by the rows around them. */
const MIN_QUOTED_ROWS = 10;
const MAX_ROW_CHARS = 24;
const MAX_BEGINNING_CHARS = 40;
const MIN_BEGINNING_CHARS = 8;

/** Adds the first words of the text to a label if some fit: `3 paragraphs: Each call is tried…`. */
function withBeginning(what: string, { said, room }: { said: string; room: number }): string {
  const most = Math.min(MAX_BEGINNING_CHARS, room - what.length - ': …'.length);
  if (said === '' || most < MIN_BEGINNING_CHARS) return what;
  return `${what}: ${shortName(said, most)}`;
}

const WORDS = /[\p{L}\p{N}]{2}/u;

/** Returns the first words of a unit after its head. */
function beginningOf(lines: readonly string[], unit: Unit | undefined): string {
  if (unit === undefined) return '';
  const { start, head, end } = unit;
  let isComment = false;
  for (let line = Math.max(start, head + 1); line <= end; line += 1) {
    const text = withoutTime((lines[line - 1] ?? '').replace(ANCHOR, ''));
    const wasComment: boolean = isComment || text.startsWith('<!--');
    isComment = wasComment && !text.includes('-->');
    if (!wasComment && WORDS.test(text))
      return shortName(singleLine(text.slice(0, MAX_QUOTED_CHARS)), MAX_BEGINNING_CHARS);
  }
  return '';
}

/** Matches an empty HTML element that links refer to. */
const ANCHOR = /<a [^<>]{1,200}><\/a>/g;

const MAX_QUOTED_CHARS = 200;

/** Describes the body of a section by the titles of its subsections, or by the beginning of its text. */
function describeBody(section: Unit, { lines, language, room }: Wording): string {
  const inner = (section.children ?? []).filter(({ kind }) => kind === 'section');
  const names = namesOf(inner);
  const ownEnd = (inner[0]?.start ?? section.end + 1) - 1;
  const hasOwnText = lines.slice(section.head, ownEnd).some((line) => WORDS.test(line));
  const nouns = hasOwnText
    ? (['text and section', 'text and sections'] as const)
    : (['section', 'sections'] as const);
  if (names.length > 0) return listed(nouns, names, { language, room });
  const keys = keysOfTable(lines, section);
  if (keys.length > 0) return listed(['table of', 'table of'], keys, { language, room });
  return withBeginning('body of this section', { said: beginningOf(lines, section), room });
}

/** Returns the first cell of each row if the section begins with a Markdown table. */
function keysOfTable(lines: readonly string[], { head, end }: Unit): string[] {
  const content = lines.slice(head, end).filter((line) => line.trim() !== '');
  if (!/^\s*\|/.test(content[0] ?? '') || !/^\s*\|[\s:|-]+$/.test(content[1] ?? '')) return [];
  const cells = content
    .slice(2)
    .map((line) => singleLine((line.split('|', 2)[1] ?? '').slice(0, MAX_QUOTED_CHARS)));
  return cells.filter((cell) => cell !== '');
}

const NO_TROUBLE = ', no warning';

/** Describes kinds of similar lines: warnings first, then frequent kinds, then the number of kinds that do not fit. */
function describeSimilar(units: readonly Unit[], { lines, room }: Wording): string {
  const { kinds, total } = kindsOf(units);
  const count = countOf(units);
  const trouble = troubleIn(units);
  const noun = count === 1 ? 'line' : 'lines';
  const mixed = trouble.count === count ? noun : `${noun}${trouble.said}`;
  const quiet = total === 1 ? '' : denialOf(lines, units);
  for (let shown = Math.min(kinds.length, MAX_KINDS); shown > 0; shown -= 1) {
    const left = total - shown;
    const more = left === 0 ? '' : `; ${left} more ${left === 1 ? 'kind' : 'kinds'}${quiet}`;
    const said = `${count} ${mixed} like: `;
    const few = fittingKinds(distinguished(kinds.slice(0, shown)), room - said.length - more.length);
    if (few !== undefined) return `${said}${few}${more}`;
  }
  const plain = `${count} similar ${noun}${trouble.said}`;
  return plain.length + quiet.length <= room ? `${plain}${quiet}` : plain;
}

/** Returns the number of lines that report errors or warnings, and the same in words: ` with 3 errors`. */
function troubleIn(units: readonly Unit[]): { readonly count: number; readonly said: string } {
  const troubled = units.filter(({ name }) => namesTrouble(name));
  const count = countOf(troubled);
  if (count === 0) return { count, said: '' };
  const word = troubled.some(({ name }) => namesFailure(name)) ? 'error' : 'warning';
  return { count, said: ` with ${count} ${word}${count === 1 ? '' : 's'}` };
}

const MIN_COMMON_CHARS = 8;

/** Removes the words with which all kinds begin. Otherwise shortened names such as `INFO renderer[a] saved …` would be the same. */
function distinguished(kinds: readonly string[]): readonly string[] {
  const [first = ''] = kinds;
  let common = 0;
  while (common < first.length && kinds.every((kind) => kind[common] === first[common])) common += 1;
  const start = first.slice(0, common).search(/[^\p{L}\p{N}][\p{L}\p{N}]*$/u) + 1;
  if (kinds.length < 2 || start < MIN_COMMON_CHARS) return kinds;
  return kinds.map((kind) => `…${kind.slice(start)}`);
}

/** Returns the kinds that fit. A kind is included if at least its beginning fits. */
function fittingKinds(kinds: readonly string[], room: number): string | undefined {
  const most = Math.floor((room - 2 * (kinds.length - 1)) / kinds.length) - 1;
  const least = kinds.length === 1 ? MIN_TEMPLATE_CHARS : MIN_KIND_CHARS;
  if (kinds.some(({ length }) => most < Math.min(least, length))) return undefined;
  return kinds.map((kind) => shortName(kind, Math.min(most, MAX_NAME_CHARS))).join('; ');
}

const MIN_KIND_CHARS = 16;
const MAX_KINDS = 4;

function kindsOf(units: readonly Unit[]): { kinds: readonly string[]; total: number } {
  const counts = new Map<string, number>();
  for (const { name, count = 1 } of units) counts.set(name, (counts.get(name) ?? 0) + count);
  const names = [...counts].sort(
    ([a, few], [b, many]) => Number(namesTrouble(b)) - Number(namesTrouble(a)) || many - few,
  );
  const kinds = names.map(([name]) => singleLine(name)).filter((name) => name !== '');
  return { kinds, total: counts.size };
}

/** Returns a remark that the units contain no failure or warning; empty if they contain one. */
function denialOf(lines: readonly string[], units: readonly Unit[]): string {
  const hasTrouble = units.some(({ start, end }) => lines.slice(start - 1, end).some(namesTrouble));
  return hasTrouble ? '' : NO_TROUBLE;
}

/** Returns `body, user and 9 more`. */
function fewNames(names: readonly string[], others: number): string {
  return others === 0 ? names.join(', ') : `${names.join(', ')} and ${others} more`;
}

export function countOf(units: readonly Unit[]): number {
  return units.reduce((sum, unit) => sum + (unit.count ?? 1), 0);
}

export function namesOf(units: readonly Unit[]): string[] {
  const raw = new Set(units.map(({ name }) => name));
  return [...new Set(Array.from(raw, singleLine))].filter((name) => name !== '');
}

/** Lists as many whole names as fit, and at least one: `functions parse, load and 4 more`. */
export function listed(
  [one, many]: readonly [string, string],
  names: readonly string[],
  { language, room }: Pick<Wording, 'language' | 'room'>,
): string {
  const word = names.length === 1 ? one : many;
  let shown = 1;
  const say = (count: number) => {
    const few = names.slice(0, count).map((name) => shortName(name));
    const others = names.length - count;
    if (language === 'english') return `${word} ${fewNames(few, others)}`;
    return `${word} ${few.join(', ')}${others > 0 ? ` +${others}` : ''}`;
  };
  while (shown < names.length && say(shown + 1).length <= room) shown += 1;
  return say(shown);
}

const MAX_NAME_CHARS = 40;
export const MIN_TEMPLATE_CHARS = 10;

/** Shortens a long name, between two words if possible. */
export function shortName(name: string, most = MAX_NAME_CHARS): string {
  if (name.length <= most) return name;
  const cut = name.slice(0, most);
  const space = cut.lastIndexOf(' ');
  return `${(space > most / 2 ? cut.slice(0, space) : cut).replace(/[ …]{1,9}$/, '')}…`;
}

/** Returns a label on one line. It cannot contain the end of a marker. */
function singleLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cs}⟦⟧]+/gu, ' ').trim();
}
