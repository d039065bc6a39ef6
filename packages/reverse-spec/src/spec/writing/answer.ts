import { parsedFields } from '@secateur/base/text/json.ts';
import type { Messages } from '../locales/messages/zh.ts';
import type { LocaleStrings } from '../locales.ts';
import { type Prose, proseSections } from '../parts.ts';
import type { SpecFacts } from '../reading/facts.ts';
import { type Evidence, hashOfLines, type ModelClaim } from './claims.ts';
import { idOfTitle } from './document/document-text.ts';
import { linkTo, type SourcePlace } from './document/markdown.ts';

/** JSON schema of the model's answer: one Markdown text per section. */
export const answerSchema: Record<string, unknown> = {
  type: 'object',
  properties: Object.fromEntries(proseSections.map((section) => [section, { type: 'string' }])),
  required: [...proseSections],
  additionalProperties: false,
};

/**
 * Reads the sections of an answer. Accepts JSON (also in a fence or cut off), a document with headings in any
 * order, and plain text, which becomes the intent. The answer has been paid for, so as much as possible is
 * used.
 */
export function readModelAnswer(text: string): Prose {
  const start = text.indexOf('{');
  const json = start === -1 ? '' : text.slice(start);
  const fromJson = pick(parsedFields(json.slice(0, json.lastIndexOf('}') + 1)) ?? salvage(json));
  if (Object.keys(fromJson).length > 0) return fromJson;
  const fromMarkdown = readHeadings(text);
  if (Object.keys(fromMarkdown).length > 0) return fromMarkdown;
  const words = text.trim();
  return words.length >= MIN_PROSE && start === -1 ? { intent: words } : {};
}

/** Minimum number of characters of a plain text that is used as a description. */
const MIN_PROSE = 80;

const HEADING = /^ {0,3}(?:#{1,6}\s{1,20}|\*\*)(.{1,300}?)(?:\*\*)?:?\s{0,20}#{0,20}\s{0,20}$/;

/** Reads sections whose titles are in any of the document languages or are field names. */
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

/** Returns the section that a title names: `3. 业务逻辑（Business logic）` and `businessLogic` are the same. */
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

/** Returns the text of a section. Some models send a list of strings instead of one string. */
function plain(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) {
    return value.length === 0 ? undefined : value.map((each) => `- ${each}`).join('\n');
  }
  return undefined;
}

export interface CheckedAnswer {
  prose: Prose;
  claims: ModelClaim[];
  warnings: string[];
  /** Number of removed sentences. `sentences` is the number of all sentences. */
  removed: number;
  sentences: number;
}

export interface CheckContext {
  facts: SpecFacts;
  evidence: Evidence;
  strings: LocaleStrings;
  texts: Messages['warnings'];
}

/** Sections whose claims are linked to source lines. */
const LINKED: ReadonlySet<string> = new Set(['businessLogic', 'constraints']);
const MAX_WARNINGS = 20;

/** Removes sentences that name something which no source file contains, and links claims to source lines. */
export function checkAnswer(prose: Prose, context: CheckContext): CheckedAnswer {
  const checked: CheckedAnswer = { prose: {}, claims: [], warnings: [], removed: 0, sentences: 0 };
  for (const section of proseSections) {
    const said = prose[section];
    if (said === undefined) continue;
    const known = unitsOf(said).flatMap((unit) => knownPart(unit, context, checked));
    const linked = LINKED.has(section)
      ? known.map((unit) => withLinks(unit, section, { context, checked }))
      : known;
    const text = textOf(linked);
    if (text.trim() !== '') checked.prose[section] = text;
  }
  const left = checked.warnings.length - MAX_WARNINGS;
  const { more } = context.strings.facts;
  const warnings = left > 0 ? [...checked.warnings.slice(0, MAX_WARNINGS), more(left)] : checked.warnings;
  return { ...checked, warnings };
}

/** Returns a unit without sentences that contain unknown names; empty if no sentence is left. */
function knownPart(unit: ProseUnit, { evidence, texts }: CheckContext, checked: CheckedAnswer): ProseUnit[] {
  if (unit.kind === 'frame') return codeIn(unit.text).every((code) => evidence.knows(code)) ? [unit] : [];
  const pieces = unit.kind === 'text' ? sentencesOf(unit.text) : [unit.text];
  const kept = pieces.filter((piece) => {
    const codes = unit.kind === 'code' ? [unit.text.split('\n').slice(1, -1).join('\n')] : codeIn(piece);
    const unknown = codes.filter((code) => !evidence.knows(code));
    if (unknown.length > 0) checked.warnings.push(texts.unknownNames(unknown.map(short), short(piece)));
    return unknown.length === 0;
  });
  checked.sentences += pieces.length;
  checked.removed += pieces.length - kept.length;
  return kept.length === 0 ? [] : [{ ...unit, text: kept.join('') }];
}

const MAX_SHOWN = 120;

function short(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length > MAX_SHOWN ? `${flat.slice(0, MAX_SHOWN - 1)}…` : flat;
}

interface Linking {
  context: CheckContext;
  checked: CheckedAnswer;
}

const REFERENCE =
  /\s?[(（[]?`?([\w@./+-]{1,300}\.\w{1,10})(?:#L|:L?)(\d{1,7})(?:\s?[-–]\s?L?(\d{1,7}))?`?(?:\]\([^)]{0,400}\))?[)）\]]?/g;

/** Adds links to the lines that the model named, else to the declarations of names in backticks, else to files. */
function withLinks(unit: ProseUnit, section: string, { context, checked }: Linking): ProseUnit {
  if (unit.kind === 'frame' || unit.kind === 'code' || /[:：]\s*$/.test(unit.text)) return unit;
  const { facts, evidence, strings } = context;
  const named = [...unit.text.matchAll(REFERENCE)].flatMap(
    ([, path = '', start, end = start]) =>
      placeNamed(evidence, { path, start: Number(start), end: Number(end) }) ?? [],
  );
  const bare = unit.text.replace(REFERENCE, '');
  const declared = named.length > 0 ? named : codeIn(bare).flatMap((code) => evidence.placeOf(code) ?? []);
  const isInferred = declared.length === 0;
  const places = distinct(isInferred ? evidence.files() : declared).slice(0, MAX_PLACES);
  for (const place of places) {
    const { lines = [] } = evidence.fileNamed(place.path) ?? {};
    const hash = hashOfLines(lines, place.startLine, place.endLine);
    checked.claims.push({ section, text: short(bare), ...place, hash });
  }
  const links = places.map((place) => linkTo(facts, place)).join(strings.listComma);
  const shown = isInferred ? strings.inferredFrom(links) : links;
  return { ...unit, text: withEnd(bare.trimEnd(), ` (${shown})`, unit.kind) };
}

const MAX_PLACES = 3;

function placeNamed(
  evidence: Evidence,
  { path, start, end }: { path: string; start: number; end: number },
): SourcePlace | undefined {
  const file = evidence.fileNamed(path);
  if (file === undefined || start < 1 || end < start || end > file.lines.length) return undefined;
  return { path: file.path, startLine: start, endLine: end };
}

function distinct(places: readonly SourcePlace[]): SourcePlace[] {
  const plain = places.map(({ path, startLine, endLine }) => ({ path, startLine, endLine }));
  return [...new Map(plain.map((place) => [Object.values(place).join('\0'), place])).values()];
}

/** Appends text to the last cell of a table row, or to the end of any other unit. */
function withEnd(text: string, end: string, kind: ProseUnit['kind']): string {
  if (kind !== 'row' || !text.endsWith('|')) return `${text}${end}`;
  return `${text.slice(0, -1).trimEnd()}${end} |`;
}

/** Joins units. The blank lines around a removed unit become one. */
function textOf(units: readonly ProseUnit[]): string {
  return units
    .map(({ mark, text }) => `${mark}${text}`.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** A piece of Markdown. Units of kind `text` are checked by sentence, the others as a whole. */
interface ProseUnit {
  kind: 'text' | 'row' | 'code' | 'frame';
  /** Indentation and list mark of the unit, if its kind is `text`. */
  mark: string;
  text: string;
}

const ITEM = /^(\s{0,40}(?:[-*+]|\d{1,9}[.)])\s{1,9})(.*)$/;
const FRAME = /^(?:#{1,6}\s|\*\*[^*]{1,300}\*\*:?$|[-*_]{3,}$|[\s:|-]{3,}$)/;

/** Splits prose into list items, paragraphs, table rows and code. Headings, rulers and blank lines have the kind `frame`. */
function unitsOf(prose: string): ProseUnit[] {
  const units: ProseUnit[] = [];
  let fence: string | undefined;
  for (const line of prose.split(/\r?\n/)) {
    const last = units.at(-1);
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined && last !== undefined) {
      last.text += `\n${line}`;
      if (mark?.startsWith(fence)) fence = undefined;
    } else if (mark !== undefined) {
      fence = mark;
      units.push({ kind: 'code', mark: '', text: line });
    } else addLine(units, line);
  }
  return units;
}

function addLine(units: ProseUnit[], line: string): void {
  const last = units.at(-1);
  const item = ITEM.exec(line);
  if (line.trim() === '' || (item === null && FRAME.test(line.trim())))
    units.push({ kind: 'frame', mark: '', text: line });
  else if (item !== null) units.push({ kind: 'text', mark: item[1] ?? '', text: item[2] ?? '' });
  else if (line.trimStart().startsWith('|')) units.push({ kind: 'row', mark: '', text: line });
  else if (last?.kind === 'text') last.text += ` ${line.trim()}`;
  else units.push({ kind: 'text', mark: '', text: line });
}

/** Splits a text into sentences. A full stop inside backticks or brackets does not end a sentence. */
export function sentencesOf(text: string): string[] {
  const masked = text.replace(/`[^`]{0,500}`|[(（][^()（）]{0,500}[)）]/g, (part) => '_'.repeat(part.length));
  const ends = [...masked.matchAll(/[。！？]|[.!?](?= )/g)].map(({ index }) => index + 1);
  const sentences = [0, ...ends].map((start, at) => text.slice(start, ends[at] ?? text.length));
  return withEvidence(sentences.filter((sentence) => sentence.trim() !== ''));
}

/** Appends source places in brackets, such as `(src/a.ts:3)`, to the sentence before them. */
function withEvidence(sentences: readonly string[]): string[] {
  const joined: string[] = [];
  for (const sentence of sentences) {
    const isEvidence = /^\s*[(（[][^)）\]]{0,300}[)）\]][.。]?\s*$/.test(sentence);
    if (isEvidence && joined.length > 0) joined[joined.length - 1] += sentence;
    else joined.push(sentence);
  }
  return joined;
}

function codeIn(text: string): string[] {
  return [...text.matchAll(/(`{1,5})(?!`)([^`]{1,500})\1/g)].map(([, , code = '']) => code);
}
