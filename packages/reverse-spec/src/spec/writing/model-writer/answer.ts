import { parsedFields } from '@secateur/base/text/json-value.ts';
import { idOfTitle } from '../document/document-text.ts';
import { type Prose, proseSections } from '../prose.ts';

/** Schema the model fills in: one Markdown text per section. */
export const answerSchema: Record<string, unknown> = {
  type: 'object',
  properties: Object.fromEntries(proseSections.map((section) => [section, { type: 'string' }])),
  required: [...proseSections],
  additionalProperties: false,
};

/**
 * The sections of an answer. It should be the JSON that was asked for, but a gateway may ignore the schema, a model may
 * write a document, and a long answer may be cut: JSON counts in a fence or broken, headings count in any order, and
 * text of no known shape is kept as the intent. What was paid for is not thrown away.
 */
export function readAnswer(text: string): Prose {
  const start = text.indexOf('{');
  const json = start === -1 ? '' : text.slice(start);
  const fromJson = pick(parsedFields(json.slice(0, json.lastIndexOf('}') + 1)) ?? salvage(json));
  if (Object.keys(fromJson).length > 0) return fromJson;
  const fromMarkdown = readHeadings(text);
  if (Object.keys(fromMarkdown).length > 0) return fromMarkdown;
  const words = text.trim();
  return words.length >= MIN_PROSE && start === -1 ? { intent: words } : {};
}

/** Less is an excuse, not a description. */
const MIN_PROSE = 80;

const HEADING = /^ {0,3}(?:#{1,6}\s{1,20}|\*\*)(.{1,300}?)(?:\*\*)?:?\s{0,20}#{0,20}\s{0,20}$/;

/** Sections under the titles of any of our languages, or under the names of the fields. */
function readHeadings(text: string): Prose {
  const found: Record<string, string[]> = {};
  let current: string[] = [];
  let fence = false;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(?:```|~~~)/.test(line)) fence = !fence;
    const section = fence ? undefined : sectionOf(HEADING.exec(line)?.[1]);
    if (section === undefined) current.push(line);
    else {
      current = found[section] ?? [];
      found[section] = current;
    }
  }
  return pick(
    Object.fromEntries(Object.entries(found).map(([key, lines]) => [key, lines.join('\n').trim()])),
  );
}

/** `3. 业务逻辑（Business logic）` and `businessLogic` are the same section. */
function sectionOf(title: string | undefined): string | undefined {
  if (title === undefined) return undefined;
  const plain = title
    .replace(/[*_`]/g, '')
    .replace(/^[\d一二三四五六七八九]+[.、)）:]?\s*/, '')
    .trim();
  const [first = '', second = ''] = plain.split(/[（(/：:]/).map((part) => part.replace(/[)）]/g, '').trim());
  return sectionNamed(plain) ?? sectionNamed(first) ?? sectionNamed(second);
}

function sectionNamed(title: string): string | undefined {
  const key = title.toLowerCase().replace(/[\s_-]/g, '');
  if (key === '') return undefined;
  const field = proseSections.find((section) => section.toLowerCase() === key);
  return field ?? idOfTitle(title) ?? idOfTitle(title.charAt(0).toUpperCase() + title.slice(1).toLowerCase());
}

const COMPLETE_PAIR = /"(\w+)"\s*:\s*("(?:[^"\\]|\\[\s\S])*")/g;

function salvage(body: string): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [, key = '', value = ''] of body.matchAll(COMPLETE_PAIR)) {
    found[key] ??= parsedFields(`{"value":${value}}`)?.value;
  }
  return found;
}

function pick(values: Record<string, unknown>): Prose {
  const prose: Prose = {};
  for (const section of proseSections) {
    const text = plain(values[section]);
    if (text !== undefined) prose[section] = text;
  }
  return prose;
}

/** Some models answer a list where a text was asked for. */
function plain(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) {
    return value.length === 0 ? undefined : value.map((each) => `- ${each}`).join('\n');
  }
  return undefined;
}
