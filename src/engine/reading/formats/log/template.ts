/**
 * Templates of lines: what is left if numbers, ids, times, paths, quoted values and values of keys are taken out. Lines of
 * one template say the same of different things. The parts that were taken out are the fields of the line.
 */

export interface Template {
  /** The same for all lines of one template. */
  readonly text: string;
  /** The parts taken out, in order. */
  readonly fields: readonly string[];
}

const MAX_LINE = 400;
const FIELD = '…';

/** The parts to take out, in order of preference at each place. */
const PARTS = new RegExp(
  [
    '"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) [^"]{0,300}"',
    `"[^"]{0,300}"|'[^' ][^']{0,80}'`,
    String.raw`(?<=\w=)[^\s"',;)\]]{1,200}`,
    String.raw`\[\d\d/\w{3}/\d{4}[^\]]{0,30}\]`,
    String.raw`(?<![\w.])(?:[a-z]{2,8}:/)?/[^\s"',;)\]]{1,200}`,
    String.raw`(?<![\w])[\w.:+~@-]{0,60}\d[\w.:+~@,%-]{0,200}`,
  ].join('|'),
  'g',
);
const REQUEST = /^"(\w+) /;

/** Returns the template of a line. Lines above 400 characters are compared by their beginning. */
function templateOf(whole: string): Template {
  const line = whole.length > MAX_LINE ? whole.slice(0, MAX_LINE) : whole;
  if (line.startsWith('{"')) return jsonTemplate(line);
  const fields: string[] = [];
  const text = line.replace(PARTS, (part) => {
    fields.push(part);
    const method = part.startsWith('"') ? REQUEST.exec(part)?.[1] : undefined;
    if (method !== undefined) return `"${method} ${FIELD}"`;
    return part.includes('/') && part.startsWith('/') ? `/${FIELD}` : FIELD;
  });
  return { text: text.trim(), fields };
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
const WORDS = new Set([
  'level',
  'severity',
  'lvl',
  'msg',
  'message',
  'event',
  'method',
  'logger',
  'name',
  'component',
  'type',
]);

/** JSON lines: the keys, with the words of the message and the level. */
function jsonTemplate(line: string): Template {
  const fields: string[] = [];
  const words: string[] = [];
  for (const [, key = '', value = ''] of line.matchAll(PAIR)) {
    if (WORDS.has(key)) {
      const inner = templateOf(value.replace(/^"|"$/g, ''));
      words.push(inner.text);
      fields.push(...inner.fields);
    } else {
      words.push(`${key}=${FIELD}`);
      fields.push(value.replace(/^"|"$/g, ''));
    }
  }
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
