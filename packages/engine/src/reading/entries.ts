import type { LineRange } from '@secateur/base/text/lines.ts';
import type { Unit } from './document.ts';
import type { JsonNode } from './json-tree.ts';

/**
 * An entry in a file of keys and values: the line with the key, the comment before it and the lines that
 * belong to it (deeper lines, an open bracket up to its end, lines joined by a backslash). It is never split.
 */

export interface Entry {
  /** First line of the entry, 1-based. It may be that of the comment before the key. */
  readonly start: number;
  /** Line with the key. */
  readonly key: number;
  readonly end: number;
}

const COMMENT = /^\s*(?:#|;|\/\/|!(?![\w{]))/;
const OPENS_BRACKET = /[[{(]\s*$/;
const CLOSES_BRACKET = /^\s*[\]})]/;
const BLOCK_TEXT = /("""|''')/g;

/** Returns the entries in a range, in order. A comment belongs to an entry only if it is directly before it. */
export function entriesIn(lines: readonly string[], { start, end }: LineRange): Entry[] {
  const entries: Entry[] = [];
  let comment: number | undefined;
  for (let number = start; number <= end; ) {
    const line = lines[number - 1] ?? '';
    if (line.trim() === '') comment = undefined;
    else if (COMMENT.test(line)) comment ??= number;
    else {
      const last = entryEnd(lines, number, end);
      entries.push({ start: comment ?? number, key: number, end: last });
      comment = undefined;
      number = last;
    }
    number += 1;
  }
  return entries;
}

/** Returns the last line of the entry whose key is on line `key`. */
function entryEnd(lines: readonly string[], key: number, limit: number): number {
  const indent = indentOf(lines[key - 1] ?? '');
  const follows = followerOf(lines[key - 1] ?? '', indent);
  let last = key;
  for (let number = key + 1; number <= limit; number += 1) {
    const line = lines[number - 1] ?? '';
    if (line.trim() === '') continue;
    const state = follows(line);
    if (state === 'outside') return last;
    last = number;
    if (state === 'last') return last;
  }
  return last;
}

type Opening = 'bracket' | 'sequence' | 'nothing';

/** Returns a function that decides whether a line belongs to the key. It must be called for each line after the key, in order. */
function followerOf(first: string, indent: number): (line: string) => 'inside' | 'last' | 'outside' {
  let isJoined = first.endsWith('\\');
  let isText = hasOddTextMarks(first);
  const opening = openingOf(first);
  return (line) => {
    const goesOn = isJoined || isText || indentOf(line) > indent;
    isJoined = line.endsWith('\\') || (isJoined && COMMENT.test(line));
    isText = isText !== hasOddTextMarks(line);
    return goesOn ? 'inside' : besideKey(line, opening, indent);
  };
}

/** Returns whether a line that is indented like the key belongs to the key. */
function besideKey(line: string, opening: Opening, indent: number): 'inside' | 'last' | 'outside' {
  if (CLOSES_BRACKET.test(line)) return OPENS_BRACKET.test(line) ? 'inside' : 'last';
  if (opening === 'bracket') return 'inside';
  return opening === 'sequence' && indentOf(line) === indent && /^\s*- /.test(line) ? 'inside' : 'outside';
}

/** Whether a triple-quoted string begins or ends on a line. */
function hasOddTextMarks(line: string): boolean {
  return (line.match(BLOCK_TEXT)?.length ?? 0) % 2 === 1;
}

/** Returns what remains open after the line of a key: a bracket, or a YAML value that may be a list with the same indentation. */
function openingOf(first: string): Opening {
  if (OPENS_BRACKET.test(first)) return 'bracket';
  return /:\s*$/.test(first) && !/^\s*-/.test(first) ? 'sequence' : 'nothing';
}

export function indentOf(line: string): number {
  return Math.max(0, line.search(/\S/));
}

const MIN_COMMENT_LINES = 4;
const LICENCE = /\blicen[cs]ed?\b|\bcopyright\b|\bSPDX-/i;

/** Returns units for comments of at least four lines, which can be removed separately. Licences are a kind of their own. */
export function commentUnits(lines: readonly string[], { start, end }: LineRange): Unit[] {
  const units: Unit[] = [];
  for (let number = start; number <= end; number += 1) {
    const from = number;
    while (number <= end && COMMENT.test(lines[number - 1] ?? '')) number += 1;
    if (number - from >= MIN_COMMENT_LINES) units.push(commentUnit(lines, { start: from, end: number - 1 }));
  }
  return units;
}

function commentUnit(lines: readonly string[], { start, end }: LineRange): Unit {
  const range = { start, end, head: start - 1 };
  const texts = lines.slice(start - 1, end).map((line) => line.replace(/^[\s#;/!]+/, '').trim());
  if (texts.some((text) => LICENCE.test(text)) && start < 30) {
    return { kind: 'licence', name: 'licence', ...range, rule: 'licence-header' };
  }
  const name = texts.find((text) => text !== '')?.slice(0, 60) ?? '';
  return { kind: 'paragraph', name, ...range, rule: 'oversized-rows' };
}

/** Items of a YAML list are read as nodes like those of JSON, so that records of both formats are treated alike. */

/** Nodes of the items. Their offsets are in `text`, their lines in the file. */
export interface YamlItems {
  readonly text: string;
  readonly nodes: readonly JsonNode[];
}

const MAX_DEPTH = 12;

export function yamlItems(lines: readonly string[], entries: readonly Entry[]): YamlItems {
  const first = entries[0]?.start ?? 1;
  const shown = lines.slice(first - 1, entries.at(-1)?.end ?? 0);
  const offsets: number[] = [0];
  for (const { length } of shown) offsets.push((offsets.at(-1) ?? 0) + length + 1);
  const yaml = { lines, offsetOf: (line: number) => offsets[line - first] ?? 0 };
  return { text: shown.join('\n'), nodes: entries.map((entry) => itemNode(yaml, entry, 0)) };
}

interface Yaml {
  readonly lines: readonly string[];
  offsetOf(line: number): number;
}

/** Returns the node of an item. It is an object if a key follows the dash, else a plain value. */
function itemNode(yaml: Yaml, entry: Entry, depth: number): JsonNode {
  const line = yaml.lines[entry.key - 1] ?? '';
  const indent = indentOf(line);
  const column = indent + Math.max(1, line.slice(indent).search(/[^-\s]/));
  if (!PAIR.test(line.slice(column)) || depth > MAX_DEPTH) return nodeOf(yaml, entry, { column });
  const first = { start: entry.start, key: entry.key, end: firstEnd(yaml.lines, entry, column) };
  const rest = entriesIn(yaml.lines, { start: first.end + 1, end: entry.end });
  const children = [
    memberNode(yaml, first, { column, depth }),
    ...rest.map((each) =>
      memberNode(yaml, each, { column: indentOf(yaml.lines[each.key - 1] ?? ''), depth }),
    ),
  ];
  return nodeOf(yaml, entry, { column, kind: 'object', children });
}

/** Returns the last line of the first key's value in an item. */
function firstEnd(lines: readonly string[], { key, end }: Entry, column: number): number {
  let last = key;
  for (let number = key + 1; number <= end; number += 1) {
    const line = lines[number - 1] ?? '';
    const indent = indentOf(line);
    if (line.trim() !== '' && indent <= column && !(indent === column && line.startsWith('- ', indent)))
      break;
    last = number;
  }
  return last;
}

const PAIR = /^["']?([\w.@/$-][\w.@/$ -]{0,100})["']?:(?:\s|$)/;

interface Place {
  readonly column: number;
  readonly depth: number;
}

function memberNode(yaml: Yaml, entry: Entry, { column, depth }: Place): JsonNode {
  const said = (yaml.lines[entry.key - 1] ?? '').slice(column);
  const [match = '', key] = PAIR.exec(said) ?? [];
  const value = said.slice(match.length).trim();
  const isContainer = value === '' && entry.end > entry.key && depth < MAX_DEPTH;
  const at = { column, key: key ?? said.slice(0, 40) };
  if (!isContainer) return nodeOf(yaml, entry, { ...at, valueAt: column + match.length });
  const inner = entriesIn(yaml.lines, { start: entry.key + 1, end: entry.end });
  const isList = inner.every((each) => /^\s*-(?:\s|$)/.test(yaml.lines[each.key - 1] ?? ''));
  const children = inner.map((each) =>
    isList
      ? itemNode(yaml, each, depth + 1)
      : memberNode(yaml, each, { column: indentOf(yaml.lines[each.key - 1] ?? ''), depth: depth + 1 }),
  );
  return nodeOf(yaml, entry, { ...at, kind: isList ? 'array' : 'object', children });
}

interface Known {
  readonly column: number;
  readonly key?: string;
  readonly kind?: JsonNode['kind'];
  readonly valueAt?: number;
  readonly children?: JsonNode[];
}

function nodeOf(
  yaml: Yaml,
  entry: Entry,
  { column, key, kind = 'scalar', valueAt = column, children = [] }: Known,
): JsonNode {
  const start = yaml.offsetOf(entry.key);
  return {
    kind,
    key,
    start: start + column,
    valueStart: start + valueAt,
    end: yaml.offsetOf(entry.end) + (yaml.lines[entry.end - 1] ?? '').length,
    line: entry.start,
    endLine: entry.end,
    children,
  };
}
