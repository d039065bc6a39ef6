/** Lines grouped by template, and the entries of a log that are frequent enough to fold. */
import { FIELD, type Templates, templatesOf } from './template.ts';

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
/** Warnings and errors fold only if there are more of them than a reader would count. */
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
