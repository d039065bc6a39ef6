/**
 * Templates of lines: what is left if numbers, ids, times, paths, quoted values and values of keys are taken out. Lines of
 * one template say the same of different things. The parts that were taken out are the fields of the line.
 */

export interface Template {
  /** Text that all lines of one template share. */
  readonly text: string;
  /** The parts taken out, in order. */
  readonly fields: readonly string[];
}

const MAX_LINE = 400;
/** Replaces a part that was taken out. */
const FIELD = '…';

/** The parts to take out, in order of preference at each place. */
const PARTS = new RegExp(
  [
    '"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) [^"]{0,300}"',
    `"[^"]{0,300}"|'[^' ][^']{0,80}'`,
    "[`‘][^`'’]{1,200}[`'’]",
    String.raw`(?<=\w=)[^\s"',;)\]]{1,200}`,
    String.raw`\[\d\d/\w{3}/\d{4}[^\]]{0,30}\]`,
    String.raw`(?<![\w.])(?:[a-z]{2,8}:/)?/[^\s"',;)\]]{1,200}`,
    String.raw`(?<![\w])[\w.:+~@-]{0,60}\d[\w.:+~@,%-]{0,200}`,
  ].join('|'),
  'g',
);
const REQUEST = /^"(\w+) /;
const STATUS = /^[1-5]\d\d$/;

/** Returns the template of a line. Lines above 400 characters are compared by their beginning. */
function templateOf(whole: string): Template {
  const line = whole.length > MAX_LINE ? whole.slice(0, MAX_LINE) : whole;
  if (line.startsWith('{"')) return jsonTemplate(line);
  const fields: string[] = [];
  let before = { part: '', end: -1 };
  const text = line.replace(PARTS, (part, offset: number) => {
    const isStatus = STATUS.test(part) && offset === before.end + 1 && /^["/]/.test(before.part);
    before = { part, end: offset + part.length };
    const key = keyBefore(line, offset);
    if (isStatus || STATUS_KEYS.has(key)) return part;
    return WORD_KEYS.has(key) ? valueTemplate(part, fields) : partTemplate(part, fields);
  });
  return { text: text.trim().replace(/ {2,}/g, ' '), fields };
}

function partTemplate(part: string, fields: string[]): string {
  fields.push(part);
  const method = part.startsWith('"') ? REQUEST.exec(part)?.[1] : undefined;
  if (method !== undefined) return `"${method} ${FIELD}"`;
  return part.startsWith('/') ? `/${FIELD}` : FIELD;
}

/** Returns the template of a value that consists of words: a message, a level. */
function valueTemplate(value: string, fields: string[]): string {
  const inner = templateOf(value.replace(/^"|"$/g, ''));
  fields.push(...inner.fields);
  return inner.text;
}

const MAX_KEY = 12;

/** Returns the key of `key=value`, if the value begins at `offset`. */
function keyBefore(line: string, offset: number): string {
  if (line[offset - 1] !== '=') return '';
  return /[a-z_]{1,12}$/i.exec(line.slice(Math.max(0, offset - 1 - MAX_KEY), offset - 1))?.[0] ?? '';
}

const MAX_LEAD = 40;
/** Characters that may begin a part to take out, or that make the word they are in such a part. */
const BEGINS_PART = new Set(Array.from('0123456789"\'`‘/=', (character) => character.charCodeAt(0)));

/**
 * Returns the word that a line begins with if the template keeps it as it is, else an empty string. Lines of one template
 * begin with the same word, so most lines can be distinguished without a template.
 */
export function leadOf(line: string): string {
  let start = 0;
  while (line.charCodeAt(start) === 32) start += 1;
  for (let end = start; end - start < MAX_LEAD; end += 1) {
    const code = line.charCodeAt(end);
    if (code === 32) return line.slice(start, end);
    if (!(code > 32) || BEGINS_PART.has(code)) return '';
  }
  return '';
}

/** Reads the templates of lines on demand, each once. */
export type Templates = (index: number) => Template;

export function templatesOf(lines: readonly string[]): Templates {
  const known: Template[] = new Array(lines.length);
  return (index) => {
    known[index] ??= templateOf(lines[index] ?? '');
    return known[index];
  };
}

const PAIR = /"([\w.@-]{1,60})" ?: ?("(?:[^"\\]|\\.){0,300}"|[^,{}[\]"\s]{1,60})/g;
/** Keys whose values are words that distinguish kinds of entries. */
const WORD_KEYS = new Set(
  'level severity lvl msg message event method logger name component type state'.split(' '),
);
const STATUS_KEYS = new Set(['status', 'code', 'status_code', 'statusCode']);

/** Returns the template of a JSON line: its keys, with the words of the message, the level and the status. */
function jsonTemplate(line: string): Template {
  const fields: string[] = [];
  const words = Array.from(line.matchAll(PAIR), ([, key = '', value = '']) => {
    if (WORD_KEYS.has(key)) return valueTemplate(value, fields);
    if (STATUS_KEYS.has(key)) return `${key}=${value}`;
    fields.push(value.replace(/^"|"$/g, ''));
    return `${key}=${FIELD}`;
  });
  return { text: words.join(' '), fields };
}

const MAX_NAME = 50;

/** Returns a readable excerpt of a template, at most 50 characters, without the time at its beginning. */
export function excerptOf(template: string): string {
  const plain = template
    .replace(/^[[\](){}\s…:,.-]{1,80}/, '')
    .replace(/…(?:[\s:,.|-]{0,3}…){1,20}/g, '…')
    .replace(/\s+/g, ' ');
  if (plain.length <= MAX_NAME) return plain.trim();
  const cut = plain.slice(0, MAX_NAME - 2);
  const space = cut.lastIndexOf(' ');
  return `${space > MAX_NAME / 2 ? cut.slice(0, space) : cut} …`;
}

/** A number with a unit of at most four letters, possibly after a sign: a duration, size, count or status. */
const NUMBER = /^[-+<>~(]?(\d{1,15}(?:\.\d{1,9})?)(?:[a-zA-Zµ%]{1,4})?[,)]?$/;

/** Returns the number in a field; `undefined` if the field is not one number. */
function numberIn(field: string): number | undefined {
  const found = NUMBER.exec(field)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Lines grouped by template, and the entries of a log that are frequent enough to fold. */

export interface Entry {
  /** 0-based. */
  readonly index: number;
  readonly fields: readonly string[];
}

export interface EntryGroup {
  readonly template: string;
  readonly entries: readonly Entry[];
}

/** Groups those of `count` lines that `isEntry` accepts by template. */
export function groupByTemplate(
  count: number,
  templates: Templates,
  isEntry: (index: number) => boolean,
): readonly EntryGroup[] {
  const groups = new Map<string, Entry[]>();
  for (let index = 0; index < count; index += 1) {
    if (!isEntry(index)) continue;
    const { text, fields } = templates(index);
    const entries = groups.get(text);
    if (entries === undefined) groups.set(text, [{ index, fields }]);
    else entries.push({ index, fields });
  }
  return [...groups].map(([template, entries]) => ({ template, entries }));
}

const MAX_VALUE = 8;

/** Returns the template of a group with the short values that all of `entries` share: a status, a size. */
export function filledTemplate(template: string, entries: readonly Entry[]): string {
  const parts = template.split(FIELD);
  const [first] = entries;
  if (first === undefined || parts.length !== first.fields.length + 1) return template;
  let text = parts[0] ?? '';
  for (const [field, value] of first.fields.entries()) {
    const isShown =
      /\p{L}/u.test(text) && isShort(value) && entries.every((entry) => entry.fields[field] === value);
    text += `${isShown ? value : FIELD}${parts[field + 1] ?? ''}`;
  }
  return text;
}

function isShort(value: string): boolean {
  return value.length <= MAX_VALUE && !/^["'/]/.test(value);
}

/** A kind of entry is frequent from this many entries on, and if it makes up a share of the log. */
const MIN_ENTRIES = 6;
const MIN_SHARE = 0.07;
const MAX_REQUIRED = 30;
/** Warnings and errors are frequent only from this many on. */
const MIN_WARNINGS = 20;
const WARNING =
  /(?<![\w-])(?:WARN(?:ING)?|ERR(?:OR)?|FATAL|CRIT(?:ICAL)?|ALERT|EMERG|PANIC|SEVERE|fail(?:ed|ure|s)?|exception|denied|refused|timeout|timed out)(?![\w-])|^[WEF]…/i;

/** Returns the groups of frequent entries. An entry with lines of its own below it (a trace, a dump) is not in any group. */
export function frequentEntries(lines: readonly string[], starts: readonly boolean[]): readonly EntryGroup[] {
  const isWhole = (index: number) => starts[index + 1] !== false || lines[index + 1]?.trim() === '';
  const groups = groupByTemplate(
    lines.length,
    templatesOf(lines),
    (index) => starts[index] === true && isWhole(index),
  );
  const count = starts.filter(Boolean).length;
  const required = Math.min(MAX_REQUIRED, Math.max(MIN_ENTRIES, Math.ceil(count * MIN_SHARE)));
  const requiredOf = (template: string) =>
    WARNING.test(template) ? Math.max(required, MIN_WARNINGS) : required;
  return groups.filter(({ template, entries }) => entries.length >= requiredOf(template));
}

/**
 * Finds entries of one template that stay: the first and last, extremes of numbers, and rare values of short
 * fields.
 */

/** A field with at most this many different values is a status, a level, a method or a state. */
const MAX_VALUES = 12;
/** A value is rare if at most this many entries have it. */
const MAX_RARE = 2;
const MAX_RARE_SHARE = 0.01;

/** Returns the positions in `entries` of those that stay. */
export function standingOut(entries: readonly Entry[]): ReadonlySet<number> {
  const kept = new Set([0, entries.length - 1]);
  const width = entries[0]?.fields.length ?? 0;
  for (let field = 0; field < width; field += 1) {
    keepExtremes(entries, field, kept);
    keepRareValues(entries, field, kept);
  }
  return kept;
}

function keepExtremes(entries: readonly Entry[], field: number, kept: Set<number>): void {
  let least = { position: -1, value: Number.POSITIVE_INFINITY };
  let most = { position: -1, value: Number.NEGATIVE_INFINITY };
  for (const [position, entry] of entries.entries()) {
    const value = numberIn(entry.fields[field] ?? '');
    if (value === undefined) return;
    if (value < least.value) least = { position, value };
    if (value > most.value) most = { position, value };
  }
  if (least.value === most.value) return;
  kept.add(least.position);
  kept.add(most.position);
}

function keepRareValues(entries: readonly Entry[], field: number, kept: Set<number>): void {
  const positions = new Map<string, number[]>();
  for (const [position, entry] of entries.entries()) {
    const value = entry.fields[field] ?? '';
    positions.set(value, positions.get(value) ?? []);
    positions.get(value)?.push(position);
    if (positions.size > MAX_VALUES) return;
  }
  const limit = Math.max(MAX_RARE, Math.floor(entries.length * MAX_RARE_SHARE));
  const rare = [...positions.values()].filter((each) => each.length <= limit);
  for (const position of rare.flat()) kept.add(position);
}
