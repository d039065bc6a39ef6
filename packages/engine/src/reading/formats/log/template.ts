import { grouped } from '@secateur/base/runtime/grouped.ts';
import { readOnce } from '../../marks.ts';

/**
 * Template of a line: what remains without numbers, ids, times, paths, quoted values and values of keys. The
 * removed parts are the fields of the line. Lines of one template report similar events.
 */

export interface Template {
  /** Text that all lines of the template share. */
  readonly text: string;
  /** Parts that were removed from the line, in order. */
  readonly fields: readonly string[];
}

const MAX_LINE = 400;
/** Placeholder for a removed part. */
const FIELD = '…';

/** Matches the parts to remove. At each position, the first alternative that matches is used. */
const PARTS = new RegExp(
  [
    '"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) [^"]{0,300}"',
    `"[^"]{0,300}"|'[^' ][^']{0,80}'`,
    "[`‘][^`'’]{1,200}[`'’]",
    String.raw`(?<=\w=)[^\s"',;)\]]{1,200}`,
    String.raw`\[\d\d/\w{3}/\d{4}[^\]]{0,30}\]`,
    String.raw`(?<![\w.])(?:[a-z]{2,8}:/)?/[^\s"',;)\]]{1,200}`,
    String.raw`(?<![\w])[\w.:+~@-]{0,60}\d[\w.:+~@,%-]{0,200}`,
    String.raw`(?<!\w)[a-z]{1,8}_(?=[a-z]{0,40}[A-Z])[A-Za-z]{8,40}\b`, // an id without a digit: m_OYIVDCvXdJTU
  ].join('|'),
  'g',
);
const REQUEST = /^"(\w+) /;
const STATUS = /^[1-5]\d\d$/;
/** Matches statuses of requests that were served. All of them are one kind of entry. */
const SERVED = /^"?[23]\d\d\b/;

/** Returns the template of a line. Only the first 400 characters of a longer line are used. */
export function templateOf(whole: string): Template {
  const line = whole.length > MAX_LINE ? whole.slice(0, MAX_LINE) : whole;
  if (line.startsWith('{"')) return jsonTemplate(line);
  const fields: string[] = [];
  let before = { part: '', end: -1 };
  const text = line.replace(PARTS, (part, offset: number) => {
    const isStatus = STATUS.test(part) && offset === before.end + 1 && /^["/]/.test(before.part);
    before = { part, end: offset + part.length };
    const key = keyBefore(line, offset);
    if ((isStatus && !SERVED.test(part)) || STATUS_KEYS.has(key)) return part;
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

/** Returns the key of `key=value` if the value begins at `offset`, else an empty string. */
function keyBefore(line: string, offset: number): string {
  if (line[offset - 1] !== '=') return '';
  return /[a-z_]{1,12}$/i.exec(line.slice(Math.max(0, offset - 1 - MAX_KEY), offset - 1))?.[0] ?? '';
}

const MAX_LEAD = 40;
/** Characters that may begin a part to remove, or that make the word around them such a part. */
const BEGINS_PART = new Set(Array.from('0123456789"\'`‘/=', (character) => character.charCodeAt(0)));

/**
 * Returns the first word of a line if the template contains it unchanged, else an empty string. Lines of one
 * template have the same first word, so most lines can be distinguished without building a template.
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

/** Returns the template of a line by its index. */
export type Templates = (index: number) => Template;

const PAIR = /"([\w.@-]{1,60})" ?: ?("(?:[^"\\]|\\.){0,300}"|[^,{}[\]"\s]{1,60})/g;
/** Keys whose values are words that distinguish kinds of entries. */
const WORD_KEYS = new Set(
  'level severity lvl msg message event method logger name component type state'.split(' '),
);
/** Keys whose values distinguish kinds of entries, if the entry also contains a message. */
const KIND_KEYS = new Set('level severity lvl msg message logger'.split(' '));
const MESSAGE_KEY = /"(?:msg|message)" ?:/;
const STATUS_KEYS = new Set(['status', 'code', 'status_code', 'statusCode']);

/** Returns the template of a JSON line: the words of its message and level, then its other keys, then its status. */
function jsonTemplate(line: string): Template {
  const hasMessage = MESSAGE_KEY.test(line);
  const said: Template[] = [];
  const others: Template[] = [];
  for (const [, key = '', value = ''] of line.matchAll(PAIR)) {
    const saysKind = hasMessage ? KIND_KEYS.has(key) : WORD_KEYS.has(key);
    const plain = value.replace(/^"|"$/g, '');
    if (saysKind) said.push(templateOf(plain));
    else if (STATUS_KEYS.has(key) && !SERVED.test(value))
      others.push({ text: `${key}=${value}`, fields: [] });
    else others.push({ text: `${key}=${FIELD}`, fields: [plain] });
  }
  const parts = [...said, ...others];
  return { text: parts.map(({ text }) => text).join(' '), fields: parts.flatMap(({ fields }) => fields) };
}

const MAX_NAME = 50;

/** Matches level and process of Spring, a thread in brackets, the package of a logging class, and the common keys of logfmt. */
const LOGGER =
  /(?<![\w./])(?:(?:time|ts|timestamp|t|caller)=…|(?:level|lvl|severity|msg)=) ?|(?<![\w./])(?:(?:TRACE|DEBUG|INFO) +)?(?:…|\d{1,7}) --- |\[(?: ?…|[\w.-]{1,40}[\d…])\] |(?<![\w./])(?:[a-z][\w$]{0,30}\.){1,8}(?=\p{Lu}\w{0,60}[ :])/gu;

/** Returns a readable excerpt of a template, of at most 50 characters. It omits time, thread and common keys. */
export function excerptOf(template: string): string {
  const plain = template
    .replace(LOGGER, '')
    .replace(/^[[\](){}\s…:,.-]{1,80}/, '')
    .replace(/…(?:[\s:,.|-]{0,3}…){1,20}/g, '…')
    .replace(/\s+/g, ' ');
  if (plain.length <= MAX_NAME) return plain.trim();
  const cut = plain.slice(0, MAX_NAME - 2);
  const space = cut.lastIndexOf(' ');
  return `${space > MAX_NAME / 2 ? cut.slice(0, space) : cut} …`;
}

/** Matches a duration, size, count or status: a number, possibly after a sign, with a unit of at most four letters. */
const NUMBER = /^[-+<>~(]?(\d{1,15}(?:\.\d{1,9})?)(?:[a-zA-Zµ%]{1,4})?[,)]?$/;

/** Returns the number in a field; `undefined` if the field is not a single number. */
function numberIn(field: string): number | undefined {
  const found = NUMBER.exec(field)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Groups lines by template, and finds log entries that are frequent enough to be removed. */

export interface Entry {
  /** Line of the entry, 0-based. */
  readonly index: number;
  readonly fields: readonly string[];
}

export interface EntryGroup {
  readonly template: string;
  readonly entries: readonly Entry[];
}

/** Groups those of `count` lines that `isEntry` accepts by their templates. */
export function groupByTemplate(
  count: number,
  templates: Templates,
  isEntry: (index: number) => boolean,
): readonly EntryGroup[] {
  const entries: [template: string, entry: Entry][] = [];
  for (let index = 0; index < count; index += 1) {
    if (!isEntry(index)) continue;
    const { text, fields } = templates(index);
    entries.push([text, { index, fields }]);
  }
  return Array.from(grouped(entries), ([template, each]) => ({ template, entries: each }));
}

const MAX_VALUE = 8;

/** Returns the template of a group, with the short values that all `entries` share (a status, a size) filled in. */
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

/** Minimum number of entries of a frequent kind. */
const MIN_ENTRIES = 6;
/** Minimum number of warnings or errors of a frequent kind. */
const MIN_WARNINGS = 16;
const WARNING =
  /(?<![\w-])(?:WARN(?:ING)?|ERR(?:OR)?|FATAL|CRIT(?:ICAL)?|ALERT|EMERG|PANIC|SEVERE|fail(?:ed|ure|s)?|exception|denied|refused|timeout|timed out)(?![\w-])|^[WEF]…/i;

/** Matches a failed request: a status of 400 or more. 401 and 404 are excluded, because they are common. */
export const FAILED_REQUEST =
  /(?:[…"] |\b(?:status|code|status_code|statusCode)=)(?:5\d\d|4(?!01|04)\d\d)(?!\S)/;

/** Returns the groups of frequent entries. An entry with further lines of its own (a trace, a dump) is in no group. */
export function frequentEntries(lines: readonly string[], starts: readonly boolean[]): readonly EntryGroup[] {
  const isWhole = (index: number) => starts[index + 1] !== false || lines[index + 1]?.trim() === '';
  const isEntry = (index: number) => starts[index] === true && isWhole(index);
  const groups = groupByTemplate(lines.length, readOnce(lines, templateOf), isEntry);
  const merged = mergeVariants(groups);
  const requiredOf = (template: string) =>
    WARNING.test(template) || FAILED_REQUEST.test(template) ? MIN_WARNINGS : MIN_ENTRIES;
  return merged.filter(({ template, entries }) => entries.length >= requiredOf(template));
}

/**
 * Minimum number of templates that differ in one word for them to be variants of one template. Also the
 * minimum number of entries of each.
 */
const MIN_VARIANTS = 3;
const MIN_VARIANT_ENTRIES = 3;
const MAX_COMPARED = 500;
const MAX_COMPARED_WORDS = 40;

/**
 * Merges groups whose templates differ in one word, such as a currency or name; the word becomes a field.
 * Rare templates are not merged, nor are those that differ in a word about the outcome.
 */
function mergeVariants(groups: readonly EntryGroup[]): readonly EntryGroup[] {
  const left = new Set(groups);
  for (const [template, family] of familiesOf(groups)) {
    const variants = family.filter(({ group }) => left.has(group));
    if (variants.length < MIN_VARIANTS) continue;
    for (const { group } of variants) left.delete(group);
    const entries = variants.flatMap(withWordAsField).sort((a, b) => a.index - b.index);
    left.add({ template, entries });
  }
  return [...left];
}

/** Returns families of groups that differ in one word, by their common template, the largest first. */
function familiesOf(groups: readonly EntryGroup[]): [template: string, family: Variant[]][] {
  const frequent = groups.filter(({ entries }) => entries.length >= MIN_VARIANT_ENTRIES);
  if (frequent.length > MAX_COMPARED) return [];
  const variants = frequent.flatMap(variantsOf).map((variant) => [variant.template, variant] as const);
  return [...grouped(variants)].sort(([, a], [, b]) => b.length - a.length);
}

/** A group of entries, with a template in which one word became a field. */
interface Variant {
  /** The template with a field in place of the word. */
  readonly template: string;
  readonly word: string;
  /** Number of fields in the template before the word that became a field. */
  readonly field: number;
  readonly group: EntryGroup;
}

const VARIABLE_WORD = /^[\p{L}][\p{L}_-]{1,30}$/u;
const LEVEL = /^(?:trace|debug|info|notice|warn(?:ing)?|err(?:or)?|fatal|critical|severe)$/i;

function variantsOf(group: EntryGroup): Variant[] {
  const words = group.template.split(' ');
  if (words.length > MAX_COMPARED_WORDS) return [];
  let fieldsBefore = 0;
  return words.flatMap((word, at) => {
    const field = fieldsBefore;
    fieldsBefore += word.split(FIELD).length - 1;
    const isVariable = VARIABLE_WORD.test(word) && !LEVEL.test(word) && !WARNING.test(word);
    return isVariable ? [{ template: words.with(at, FIELD).join(' '), word, field, group }] : [];
  });
}

function withWordAsField({ word, field, group }: Variant): Entry[] {
  return group.entries.map(({ index, fields }) => ({ index, fields: fields.toSpliced(field, 0, word) }));
}

/** The rest of this file finds the entries of a template that are kept: first and last, extreme numbers, rare short values. */

/** Maximum number of different values of a field that is a status, a level, a method or a state. */
const MAX_VALUES = 12;
/** A value is rare if at most two entries have it, up to six of 100 entries, or 1 % of a long log. */
const MAX_RARE = 2;
const MAX_RARE_SHARE = 0.06;
const MAX_RARE_BY_SHARE = 6;
const MAX_RARE_SHARE_IN_LONG = 0.01;
/** Maximum share of entries with rare values. With more, the values are names of threads or customers, and none is unusual. */
const MAX_RARE_ENTRIES_SHARE = 0.25;

/** Returns the positions in `entries` of those to keep. */
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
  const bySize = Math.min(MAX_RARE_BY_SHARE, Math.floor(entries.length * MAX_RARE_SHARE));
  const limit = Math.max(MAX_RARE, bySize, Math.floor(entries.length * MAX_RARE_SHARE_IN_LONG));
  const rare = [...positions.values()].filter((each) => each.length <= limit).flat();
  if (rare.length > MAX_RARE_ENTRIES_SHARE * entries.length) return;
  for (const position of rare) kept.add(position);
}
