/** Items of a block list in YAML as the nodes that JSON has, so that both have records of one kind. */
import { type Entry, entriesIn, indentOf } from './entries.ts';
import type { JsonNode } from './json-tree.ts';

/** A text with nodes whose offsets are in it and whose lines are those of the file. */
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

/** An item whose first key is behind its dash. */
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

/** The last line of the value of an item's first key. */
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
