/** Fields that repeat what another field of the same record says: a text in rich form, a person twice. */
import { type JsonNode, pathOf } from './json-tree.ts';

const MAX_LOOKED = 100;
const MAX_DEPTH = 8;
const MIN_EQUAL_CHARS = 6;
const MIN_CONTAINED_CHARS = 16;
const MAX_VALUE_CHARS = 2000;
/** Texts of one record that others may be parts of, the longest. */
const MAX_TEXTS = 4;
const MIN_SHARE = 0.9;
const MIN_TIMES = 3;

interface Value {
  readonly path: string;
  readonly text: string;
  readonly depth: number;
}

/** Returns paths of plain values that nearly always repeat a value nearer to the record, and containers whose text does. */
export function duplicatePaths(
  text: string,
  records: readonly JsonNode[],
  identifying: ReadonlySet<string>,
): ReadonlySet<string> {
  const times = new Map<string, { values: number; repeated: number }>();
  const containers = new Map<string, { characters: number; repeated: number }>();
  for (const record of records.slice(0, MAX_LOOKED)) {
    const values: Value[] = [];
    addValues(values, { text, node: record, path: '', depth: 0 });
    const isRepeated = repeatedIn(values, identifying);
    for (const value of values) {
      const isDuplicate = isRepeated(value);
      const seen = times.get(value.path) ?? { values: 0, repeated: 0 };
      times.set(value.path, { values: seen.values + 1, repeated: seen.repeated + Number(isDuplicate) });
      if (value.text.length >= MIN_CONTAINED_CHARS) addToContainers(containers, value, isDuplicate);
    }
  }
  const found = [...times].filter(
    ([, { values, repeated }]) => repeated >= Math.max(MIN_TIMES, MIN_SHARE * values),
  );
  const whole = [...containers].filter(
    ([path, { characters, repeated }]) => repeated >= MIN_SHARE * characters && !holdsAny(path, identifying),
  );
  return new Set([...found, ...whole].map(([path]) => path));
}

interface Place {
  readonly text: string;
  readonly node: JsonNode;
  readonly path: string;
  readonly depth: number;
}

function addValues(values: Value[], { text, node, path, depth }: Place): void {
  for (const child of node.children) {
    const childPath = pathOf(path, child);
    if (child.kind !== 'scalar') {
      if (depth < MAX_DEPTH) addValues(values, { text, node: child, path: childPath, depth: depth + 1 });
      continue;
    }
    if (text[child.valueStart] !== '"') continue;
    const value = text.slice(
      child.valueStart + 1,
      Math.min(child.end - 1, child.valueStart + MAX_VALUE_CHARS),
    );
    if (value.length >= MIN_EQUAL_CHARS) values.push({ path: childPath, text: value.trim(), depth });
  }
}

/** Whether a value is said by another one of the record that is nearer to it, or comes first, or identifies it. */
function repeatedIn(values: readonly Value[], identifying: ReadonlySet<string>): (value: Value) => boolean {
  const rank = ({ path, depth }: Value) => (identifying.has(path) ? -1 : depth);
  const first = new Map<string, Value>();
  for (const value of [...values].sort((a, b) => rank(a) - rank(b)))
    if (!first.has(value.text)) first.set(value.text, value);
  const texts = values.toSorted((a, b) => b.text.length - a.text.length).slice(0, MAX_TEXTS);
  return (value) => {
    if (first.get(value.text)?.path !== value.path) return true;
    if (value.text.length < MIN_CONTAINED_CHARS) return false;
    return texts.some(
      (other) =>
        rank(other) < rank(value) && other.text.length > value.text.length && other.text.includes(value.text),
    );
  };
}

/** Counts the characters of longer texts in each member of a record. */
function addToContainers(
  containers: Map<string, { characters: number; repeated: number }>,
  { path, text }: Value,
  isDuplicate: boolean,
): void {
  const end = path.indexOf('/', 1);
  if (end < 0) return;
  const member = path.slice(0, end);
  const seen = containers.get(member) ?? { characters: 0, repeated: 0 };
  seen.characters += text.length;
  if (isDuplicate) seen.repeated += text.length;
  containers.set(member, seen);
}

function holdsAny(path: string, inner: ReadonlySet<string>): boolean {
  return [...inner].some((each) => each.startsWith(`${path}/`));
}
