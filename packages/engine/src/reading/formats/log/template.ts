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
/** In the place of a part that was taken out. */
export const FIELD = '…';

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

/** The template of a value in words: a message, a level. */
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

/**
 * Returns the plain word that a line begins with, or an empty string. Lines of one template have the same:
 * most lines can be distinguished without a template.
 */
export function leadOf(line: string): string {
  let start = 0;
  while (line.charCodeAt(start) === 32) start += 1;
  let end = start;
  while (end - start < MAX_LEAD && isLetter(line.charCodeAt(end))) end += 1;
  return line.charCodeAt(end) === 32 ? line.slice(start, end) : '';
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
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
/** Keys whose values are words that tell kinds of entries apart. */
const WORD_KEYS = new Set(
  'level severity lvl msg message event method logger name component type state'.split(' '),
);
const STATUS_KEYS = new Set(['status', 'code', 'status_code', 'statusCode']);

/** JSON lines: the keys, with the words of the message, the level and the status. */
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
export function numberIn(field: string): number | undefined {
  const found = NUMBER.exec(field)?.[1];
  return found === undefined ? undefined : Number(found);
}
