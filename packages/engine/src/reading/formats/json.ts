/**
 * JSON with one field per line. Objects with the same keys are records, whose long or opaque fields are
 * units. Long lists of plain values are rows. Other objects are entries with a key.
 */
import { entryUnit, type Row, rowUnits } from '../columns.ts';
import type { Format, Unit } from '../document.ts';
import { areRecords, holdLongerLists, recordUnits } from '../json-records.ts';
import { haveOwnLines, type JsonNode, readJson } from '../json-tree.ts';

const JSON_LINE =
  /^\s*(?:[{}[\]]+,?$|"(?:[^"\\]|\\.)*"\s*:|"(?:[^"\\]|\\.)*"?,?$|-?\d[\d.eE+-]*,?$|(?:true|false|null),?$|[{[].*[}\]],?$|\/\/)/;
const MIN_ROWS = 20;
const MIN_ENTRY_LINES = 8;
const MAX_DEPTH = 12;

export const jsonFormat: Format = {
  name: 'json',
  recognise(sample) {
    const fitting = sample.filter((line) => JSON_LINE.test(line)).length;
    return /^\s*[{[]/.test(sample[0] ?? '') && sample.length >= 3 && fitting > 0.8 * sample.length;
  },
  units(lines) {
    const text = lines.join('\n');
    const roots = readJson(text);
    const [only] = roots;
    return unitsIn(text, roots.length === 1 && only !== undefined ? only.children : roots, 0);
  },
  examples: {
    is: [
      '{\n  "name": "shop",\n  "version": "1.2.0",\n  "private": true\n}',
      '[\n  {\n    "id": 1,\n    "tags": ["a", "b"]\n  },\n  { "id": 2 }\n]',
    ],
    isNot: ['{\n  run();\n  stop();\n}'],
  },
};

function unitsIn(text: string, nodes: readonly JsonNode[], depth: number): Unit[] {
  if (depth > MAX_DEPTH || !haveOwnLines(nodes)) return [];
  if (areRecords(nodes) && !holdLongerLists(nodes)) return recordUnits(text, nodes);
  const isList = nodes.length >= MIN_ROWS && nodes.every(({ kind }) => kind === 'scalar');
  const rows = isList ? nodes.map((node) => rowOf(text, node)) : [];
  if (isList) return rowUnits(rows, 'entry');
  return nodes.flatMap((node) => unitsOf(text, node, depth));
}

function rowOf(text: string, { key, line, endLine, valueStart, end }: JsonNode): Row {
  const value = text.slice(valueStart, end).replace(/^"|"$/g, '');
  return { start: line, end: endLine, name: key ?? '', cells: key === undefined ? [value] : [key, value] };
}

/** Returns the units of a node. The first line of an object, with its key, is kept. A long object is removed in parts. */
function unitsOf(text: string, node: JsonNode, depth: number): Unit[] {
  const { line, endLine, key } = node;
  if (node.kind === 'scalar' || endLine === line) return [];
  const first = node.children[0];
  const children = first === undefined || first.line === line ? [] : unitsIn(text, node.children, depth + 1);
  return [entryUnit({ name: key ?? '', start: line, key: line, end: endLine, children }, MIN_ENTRY_LINES)];
}
