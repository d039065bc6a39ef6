import type { Field } from './json-fields.ts';
import { type JsonNode, pathOf } from './json-tree.ts';

/** This file finds the fields that identify a record: its number and name, its state, its people and times. */

/** Maximum number of different values that are counted per field. */
export const MAX_DIFFERENT = 400;
export const MOSTLY = 0.8;

/** Keys for the number of a record. The most useful come first. */
export const NUMBERING = 'number key iid identifier id sha uuid slug ts code position'.split(' ');
export const NAMING =
  'title,name,full_name,subject,summary,message,path,login,displayName,email,description,text,plain_text,label'.split(
    ',',
  );
const MAIN_STATE = /^(?:state|status|phase|conclusion)$/i;
const STATE = /^(?:state|status|phase|level|severity|priority|reason|result|outcome|conclusion)$/i;
const MAX_NUMBER_CHARS = 60;
const MAX_NAME_CHARS = 160;
const MAX_STATES = 12;
const MAX_STATE_CHARS = 30;
const MAX_IDENTIFYING_DEPTH = 4;

/** Chooses the fields that identify a record: a number or id, a name, and a state. Of several, the least nested is chosen. */
export function identifyingPaths(
  fields: ReadonlyMap<string, Field>,
  records: readonly JsonNode[],
): ReadonlySet<string> {
  const usual = [...fields].filter(
    ([, { isContainer, isInList, depth, values }]) =>
      !isContainer && !isInList && depth <= MAX_IDENTIFYING_DEPTH && values >= MOSTLY * records.length,
  );
  usual.sort(([, a], [, b]) => a.depth - b.depth);
  const first = (isWanted: (field: Field) => boolean) => usual.find(([, field]) => isWanted(field))?.[0];
  const byKeys = (keys: readonly string[], isWanted: (field: Field) => boolean) => {
    const found = usual.filter(([, field]) => keys.includes(field.key) && isWanted(field));
    const depth = found[0]?.[1].depth;
    // A value that many records share is the name of a person or a state, so other fields come first.
    const rank = ([, { key, different, values }]: (typeof found)[number]) =>
      keys.indexOf(key) + (isVaried(different.size, values, 0.5) ? 0 : keys.length);
    return found.filter(([, field]) => field.depth === depth).sort((a, b) => rank(a) - rank(b))[0]?.[0];
  };
  const isKeyed = records[0]?.key !== undefined;
  const chosen = [
    isKeyed
      ? undefined
      : (byKeys(NUMBERING, isNumbering) ?? first((field) => isNumber(field) && field.spaced === 0)),
    byKeys(NAMING, isName) ??
      (isKeyed ? undefined : first((field) => isName(field) && field.spaced >= field.values / 2)),
    first((field) => isState(field, MAIN_STATE)) ?? first((field) => isState(field, STATE)),
  ];
  return new Set([...chosen, first(isOwnId)].filter((path) => path !== undefined));
}

/** Whether a field is an id that is named after its list: `InstanceId` in `Instances`. */
function isOwnId(field: Field): boolean {
  const stem = /^([A-Z]\w{2,40}?)(?:Id|Name|Identifier)$/.exec(field.key)?.[1];
  return stem !== undefined && isNumber(field) && field.parentKey.startsWith(stem);
}

const CREATED = /^(?:created|creation|date|time|timestamp|start|started|launch|opened|published|first)/i;
const UPDATED = /^(?:updated|modified|last_?(?:edited|modified|updated|seen|activity)|edited)/i;
const TIME_VALUE = /^"?\d{4}-\d\d-\d\d/;
/** Keys for the person in charge, then keys for the author. */
const PEOPLE = [
  /^(?:assignees?|owners?|assigned_?to|people|responsible)$/i,
  /^(?:user|author|creator|reporter|sender|from|created_?by|actor|member)$/i,
];
const PERSON = ['login', 'displayName', 'name', 'username', 'email', 'emailAddress'];
const MAX_TELLING_DEPTH = 4;

/** Finds one field each for the time of creation, the time of change, the person in charge and the author. */
export function tellingPaths(
  fields: ReadonlyMap<string, Field>,
  records: number,
): ReadonlyMap<string, 'time' | 'person' | 'category'> {
  const known = [...fields].filter(
    ([, { isContainer, depth, values }]) => !isContainer && depth <= MAX_TELLING_DEPTH && values > 0,
  );
  known.sort(([, a], [, b]) => a.depth - b.depth);
  const times = [UPDATED, CREATED].map((pattern) =>
    known.find(
      ([, { key, values, different }]) =>
        pattern.test(key) &&
        values >= MOSTLY * records &&
        [...different.keys()].every((value) => TIME_VALUE.test(value)),
    ),
  );
  const people = PEOPLE.map((pattern) => personIn(known, pattern)).filter((each) => each !== undefined);
  const pathsOf = (found: readonly (KnownField | undefined)[]) =>
    found.flatMap((each) => (each === undefined ? [] : [each[0]]));
  return new Map([
    ...pathsOf(times).map((path) => [path, 'time'] as const),
    ...pathsOf(people).map((path, at) => [path, at === 0 ? 'person' : 'category'] as const),
  ]);
}

type KnownField = readonly [path: string, field: Field];

function personIn(known: readonly KnownField[], parent: RegExp): KnownField | undefined {
  const found = known.filter(([, { key, parentKey }]) => parent.test(parentKey) && PERSON.includes(key));
  return found.toSorted(([, a], [, b]) => PERSON.indexOf(a.key) - PERSON.indexOf(b.key))[0];
}

function isNumber({ different, values, characters }: Field): boolean {
  return isVaried(different.size, values, 0.9) && characters <= MAX_NUMBER_CHARS * values;
}

/** Whether a field with a key for numbers really numbers the records. A record may occur twice in a list. */
function isNumbering({ different, values, characters }: Field): boolean {
  return isVaried(different.size, values, 0.5) && characters <= MAX_NUMBER_CHARS * values;
}

function isName({ different, values, characters }: Field): boolean {
  return isVaried(different.size, values, 0.1) && characters <= MAX_NAME_CHARS * values;
}

function isVaried(different: number, values: number, share: number): boolean {
  return different > MAX_DIFFERENT || (different > 1 && different >= share * values);
}

/** Maximum number of records with another state for a state not to identify records. These few stand out anyway. */
const MAX_UNUSUAL_STATES = 2;
const MIN_LONG_LIST = 20;

function isState({ key, parentKey, different, values, characters }: Field, state: RegExp): boolean {
  const isKey = state.test(key) || (/^name$/i.test(key) && state.test(parentKey));
  if (!isKey || different.size > MAX_STATES || characters > MAX_STATE_CHARS * values) return false;
  const unusual = values - Math.max(...different.values());
  return unusual > (values < MIN_LONG_LIST ? 0 : MAX_UNUSUAL_STATES);
}

/** The rest of this file finds fields that repeat another field of their record: a formatted copy of a text, or a person twice. */

const MAX_LOOKED = 100;
const MAX_DEPTH = 8;
const MIN_EQUAL_CHARS = 6;
const MIN_CONTAINED_CHARS = 16;
const MAX_VALUE_CHARS = 2000;
/** Maximum number of strings per record, the longest, in which other values are searched. */
const MAX_TEXTS = 4;
const MIN_SHARE = 0.9;
const MIN_TIMES = 3;

interface Value {
  readonly path: string;
  readonly text: string;
  readonly depth: number;
}

/** Returns paths of values, objects and arrays that nearly always repeat a less nested value of the record. */
export function duplicatePaths(
  text: string,
  records: readonly JsonNode[],
  identifying: ReadonlySet<string>,
): ReadonlySet<string> {
  const times = new Map<string, Repeats>();
  // In records with longer strings, members are compared by their number of characters.
  const containers = new Map<string, Repeats>();
  for (const record of records.slice(0, MAX_LOOKED)) {
    const values: Value[] = [];
    addValues(values, { text, node: record, path: '', depth: 0 });
    const isRepeated = repeatedIn(values, identifying);
    for (const value of values) {
      const { path, text: said } = value;
      const isDuplicate = isRepeated(value);
      addRepeats(times, path, { all: 1, isDuplicate });
      const end = path.indexOf('/', 1);
      if (said.length >= MIN_CONTAINED_CHARS && end >= 0)
        addRepeats(containers, path.slice(0, end), { all: said.length, isDuplicate });
    }
  }
  const found = [...times].filter(
    ([, { all, repeated }]) => repeated >= Math.max(MIN_TIMES, MIN_SHARE * all),
  );
  const whole = [...containers].filter(
    ([path, { all, repeated }]) => repeated >= MIN_SHARE * all && !holdsAny(path, identifying),
  );
  return new Set([...found, ...whole].map(([path]) => path));
}

interface Place extends Value {
  readonly node: JsonNode;
}

function addValues(values: Value[], { text, node, path, depth }: Place): void {
  for (const child of node.children) {
    const childPath = pathOf(path, child);
    if (child.kind !== 'scalar') {
      if (depth < MAX_DEPTH) addValues(values, { text, node: child, path: childPath, depth: depth + 1 });
      continue;
    }
    if (text[child.valueStart] !== '"') continue;
    const end = Math.min(child.end - 1, child.valueStart + MAX_VALUE_CHARS);
    const value = text.slice(child.valueStart + 1, end);
    if (value.length >= MIN_EQUAL_CHARS) values.push({ path: childPath, text: value.trim(), depth });
  }
}

/** Returns a function that decides whether another value of the record repeats a value: a less nested, earlier or identifying one. */
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

interface Repeats {
  readonly all: number;
  readonly repeated: number;
}

function addRepeats(
  counts: Map<string, Repeats>,
  path: string,
  { all, isDuplicate }: { all: number; isDuplicate: boolean },
): void {
  const seen = counts.get(path) ?? { all: 0, repeated: 0 };
  counts.set(path, { all: seen.all + all, repeated: seen.repeated + (isDuplicate ? all : 0) });
}

function holdsAny(path: string, inner: ReadonlySet<string>): boolean {
  return [...inner].some((each) => each.startsWith(`${path}/`));
}
