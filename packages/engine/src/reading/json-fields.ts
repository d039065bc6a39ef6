/** Roles of fields in the records of a list: fields that identify a record, that are opaque, that never change, and others. */

import { evenly } from './columns.ts';
import { duplicatePaths, identifyingPaths, MAX_DIFFERENT, MOSTLY, tellingPaths } from './json-identity.ts';
import { type JsonNode, pathOf } from './json-tree.ts';

/**
 * `identifies`: identifies the record, so it is kept. `opaque`: ids, addresses and hashes without meaning,
 * removed in every record. `constant`: the same in all records, kept in the first. `time`, `person`: one
 * field each for times and persons. `short`: short values of the record itself. `category`: nested values
 * that several records share (labels, versions, branches, limits). `measure`: numbers of the record.
 * `detail`: other short values, numbers and times. `sentence`: strings of a sentence or two. All of these are
 * kept in all records or in none, depending on the length of the list. `exception`: lists and objects that
 * most records leave empty, kept if they are not empty. `content`: long strings, and values that hardly ever
 * differ.
 */
export type FieldRole =
  | 'identifies'
  | 'opaque'
  | 'constant'
  | 'time'
  | 'person'
  | 'short'
  | 'category'
  | 'measure'
  | 'detail'
  | 'sentence'
  | 'exception'
  | 'content';

/** Returns the role of each field by its path. All elements of a list have the same path. */
export function fieldRoles(text: string, records: readonly JsonNode[]): ReadonlyMap<string, FieldRole> {
  const fields = new Map<string, Field>();
  const looked = evenly(records, MAX_LOOKED);
  for (const record of looked) look({ text, fields }, record, '');
  markWrappers(fields);
  const identifying = identifyingPaths(fields, looked);
  const telling = tellingPaths(fields, looked.length);
  const duplicates = duplicatePaths(text, looked, identifying);
  const isDuplicate = (path: string) => ancestorsOf(path).some((each) => duplicates.has(each));
  const roles = new Map<string, FieldRole>();
  // Fields come before the object around them, because the role of the object depends on its fields.
  for (const [path, field] of [...fields].reverse()) {
    if (identifying.has(path)) roles.set(path, 'identifies');
    else if (isDuplicate(path)) roles.set(path, 'opaque');
    else
      roles.set(path, telling.get(path) ?? roleOf(path, field, { fields, records: records.length, roles }));
  }
  return roles;
}

const MIN_WRAPPED = 8;
const MAX_AROUND = 6;

/** Marks objects that contain most fields of a record which has few fields of its own: `{"key": …, "fields": {…}}`. */
function markWrappers(fields: ReadonlyMap<string, Field>): void {
  const outer = [...fields.values()].filter(({ depth }) => depth === 1);
  for (const field of outer) field.isWrapper = field.inner.size >= MIN_WRAPPED && outer.length <= MAX_AROUND;
}

/** Returns a path and the paths that contain it. */
function ancestorsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 2).join('/'));
}

/** Maximum number of records that are read, evenly spread. With more, no field counts as constant. */
const MAX_LOOKED = 400;

const MAX_DEPTH = 8;

export interface Field {
  readonly key: string;
  /** Key of the object or list that contains the field. */
  readonly parentKey: string;
  /** Number of keys on the path of the field. */
  readonly depth: number;
  /** Whether the field is in a list that has several elements in at least one record. */
  isInList: boolean;
  /** Number of records in which the field has a value, and number of records in which it occurs. */
  values: number;
  occurrences: number;
  opaque: number;
  characters: number;
  spaced: number;
  /** Number of values that are numbers, booleans or times. */
  measures: number;
  isContainer: boolean;
  /** Whether the field contains most fields of the record. */
  isWrapper: boolean;
  /** Number of occurrences of each value. */
  readonly different: Map<string, number>;
  readonly inner: Set<string>;
}

interface Known {
  readonly text: string;
  readonly fields: Map<string, Field>;
}

function look(known: Known, node: JsonNode, path: string): void {
  const isSeveral =
    known.fields.get(path)?.isInList === true || (node.kind === 'array' && node.children.length > 1);
  for (const child of node.children) {
    const childPath = pathOf(path, child);
    const field = fieldAt(known.fields, childPath, child);
    known.fields.get(path)?.inner.add(childPath);
    if (isSeveral) field.isInList = true;
    count(known.text, child, field);
    if (field.depth < MAX_DEPTH) look(known, child, childPath);
  }
}

function fieldAt(fields: Map<string, Field>, path: string, child: JsonNode): Field {
  const found = fields.get(path);
  if (found !== undefined) return found;
  const parts = path.split('/').slice(1);
  const field: Field = {
    key: child.key ?? '',
    parentKey: parts.slice(0, -1).findLast((part) => part !== '[]') ?? '',
    depth: parts.filter((part) => part !== '[]').length,
    isInList: false,
    values: 0,
    occurrences: 0,
    opaque: 0,
    characters: 0,
    spaced: 0,
    measures: 0,
    isContainer: false,
    isWrapper: false,
    different: new Map(),
    inner: new Set(),
  };
  fields.set(path, field);
  return field;
}

const MAX_COMPARED_CHARS = 200;

function count(text: string, node: JsonNode, field: Field): void {
  const { valueStart, end, kind, children } = node;
  const value = text.slice(valueStart, Math.min(end, valueStart + MAX_COMPARED_CHARS));
  field.occurrences += 1;
  if (kind !== 'scalar') field.isContainer = true;
  if (kind === 'scalar' || children.length === 0)
    if (field.different.size <= MAX_DIFFERENT)
      field.different.set(value, (field.different.get(value) ?? 0) + 1);
  if (isNothing(value)) return;
  field.values += 1;
  field.characters += end - valueStart;
  if (kind !== 'scalar') return;
  if (value.includes(' ')) field.spaced += 1;
  if (MEASURE.test(value)) field.measures += 1;
  if (isOpaque(field, value)) field.opaque += 1;
}

const MEASURE = /^"?(?:-?\d[\d.,]*|true|false|\d{4}-\d\d-\d\d[^"]*)"?$/;

function isNothing(value: string): boolean {
  return (
    value === '' || value === 'null' || value === '~' || value === '""' || value === '[]' || value === '{}'
  );
}

const OPAQUE_KEY =
  /(?:^|_)(?:node_id|gravatar_id|etag|signature|sig|payload|checksum|digest|integrity|token|cursor|blob|fingerprint|shasum)$/i;
const URL_VALUE = /^"?(?:https?|git|ssh|data|s3|git\+https):|^"?git@/;
const ENCODED_VALUE =
  /^"?(?:[\w.+-]{1,20}[:@-])?(?:[0-9a-fA-F]{20,}|(?=[^"]{0,200}\d)(?=[^"]{0,200}[a-zA-Z])[\w+/=-]{24,})"?$/;
const MIN_OPAQUE_CHARS = 24;
/** Matches the id of another record: `pm_f2e28c7bb3c4E46B11`. */
const OTHER_ID = /^"[a-z]{1,12}_(?=(?:[A-Za-z]{0,40}\d){3})[A-Za-z0-9]{12,80}"$/;

function isOpaque({ key }: Field, value: string): boolean {
  if (OPAQUE_KEY.test(key) || OTHER_ID.test(value)) return true;
  if (value.length < MIN_OPAQUE_CHARS) return false;
  return URL_VALUE.test(value) || ENCODED_VALUE.test(value);
}

function roleOf(
  path: string,
  field: Field,
  {
    fields,
    records,
    roles,
  }: { fields: ReadonlyMap<string, Field>; records: number; roles: ReadonlyMap<string, FieldRole> },
): FieldRole {
  if (field.isContainer && field.inner.size > 0) return roleOfContainer(field, roles);
  if (field.occurrences >= records && (field.different.size === 1 || field.values === 0)) return 'constant';
  const parent = fields.get(path.slice(0, path.lastIndexOf('/')));
  const isOpaqueOne = field.opaque >= MOSTLY * field.values || isIdBesideName(field, parent, fields);
  if (isOpaqueOne) return isAddressOfPage(path, fields) ? 'content' : 'opaque';
  if (isTag(field) && field.values <= MAX_TAGS * records) return 'category';
  return isInLongList(field, records) ? 'content' : roleOfText(field, parent);
}

const MIN_OCCURRENCES = 5;
const MAX_FILLED_SHARE = 0.2;

/** Whether a list or an object is empty nearly everywhere: the few others are unusual, as rare values are. */
function isMostlyEmpty({ values, occurrences }: Field): boolean {
  return occurrences >= MIN_OCCURRENCES && values <= MAX_FILLED_SHARE * occurrences;
}

function isAddressOfPage(path: string, fields: ReadonlyMap<string, Field>): boolean {
  return PAGES.includes(path) || (path === '/url' && !PAGES.some((page) => fields.has(page)));
}

const NAME_KEY = /^(?:name|login|title|username|displayName|slug|key)$/;

/** Whether a field is the id of an object that also has a name: of a label, a user, a project. */
function isIdBesideName(
  { key, depth }: Field,
  parent: Field | undefined,
  fields: ReadonlyMap<string, Field>,
) {
  if (key !== 'id' || depth < 2 || parent === undefined) return false;
  return [...parent.inner].some((path) => NAME_KEY.test(fields.get(path)?.key ?? ''));
}

const MAX_SHORT_CHARS = 80;
const MAX_SENTENCE_CHARS = 200;
const MAX_SHARED_VALUES = 0.5;
const NEARLY_ALL = 0.95;
/** Matches keys for a person's name, address or kind. They say little about a record. */
const PERSON_KEY = /^(?:login|displayName|email|username|accountId|type)$/i;

function roleOfText(field: Field, parent: Field | undefined): FieldRole {
  const { isInList, values, characters, measures } = field;
  if (isNearlyConstant(field)) return 'content';
  const isRecordsOwn = isOwn(field, parent);
  if (measures >= values / 2) return roleOfMeasure(field, isRecordsOwn);
  if (characters > MAX_SHORT_CHARS * values)
    return characters <= MAX_SENTENCE_CHARS * values && !isInList ? 'sentence' : 'content';
  if (isRecordsOwn) return 'short';
  if (isListed(field) || isListedName(field) || REFERENCE_KEY.test(field.key)) return 'category';
  return PERSON_KEY.test(field.key) ? 'detail' : sharedOr('detail', field);
}

/** Matches keys by which a record refers to another record. */
const REFERENCE_KEY = /^(?:key|number|iid|slug)$/i;
const MAX_LISTED_CHARS = 40;

/** Whether a field is an element of a short list of words: labels, versions, components. */
function isListed({ key, values, characters, measures }: Field): boolean {
  return key === '' && measures === 0 && characters <= MAX_LISTED_CHARS * values;
}

/** Whether a field is the name of an object in a short list, such as a label with its color and address. */
function isListedName({ key, isInList, values, characters }: Field): boolean {
  return isInList && key === 'name' && characters <= MAX_LISTED_CHARS * values;
}

function roleOfMeasure(field: Field, isRecordsOwn: boolean): FieldRole {
  // A series of numbers or times is long, and is read as a whole.
  if (field.key === '' && field.isInList) return 'content';
  if (!areNumbers(field)) return 'detail';
  if (isRecordsOwn) return 'measure';
  return areCounts(field) ? 'detail' : sharedOr('detail', field);
}

function sharedOr(other: FieldRole, { different, values }: Field): FieldRole {
  return different.size <= MAX_SHARED_VALUES * values ? 'category' : other;
}

function isNearlyConstant({ different, values }: Field): boolean {
  return Math.max(0, ...different.values()) >= NEARLY_ALL * values;
}

/** Whether a field belongs to the record itself, or to the member that wraps its fields: `{"key": …, "fields": {…}}`. */
function isOwn({ depth, isInList }: Field, parent: Field | undefined): boolean {
  return (depth === 1 || (depth === 2 && parent?.isWrapper === true)) && !isInList;
}

function areNumbers({ different }: Field): boolean {
  return [...different.keys()].every((value) => NUMBER.test(value));
}

/** Whether most of the numbers have one digit. They are then counts, such as of reactions, and not limits or sizes. */
function areCounts({ different, values }: Field): boolean {
  const small = [...different].reduce((sum, [value, count]) => (value.length < 2 ? sum + count : sum), 0);
  return small > values / 2;
}

const NUMBER = /^(?:-?\d[\d.]{0,30}|null)$/;
const TAG_LIST = /^tags$/i;
const TAG = /^(?:key|value)$/i;
const MAX_TAGS = 4;
/** Maximum length of a list of objects that are labels of a record. A longer list is its content. */
const MAX_LISTED = 4;

/** Whether a field belongs to objects of a longer list inside each record: steps of a job, lines of an invoice. */
function isInLongList({ isInList, key, values }: Field, records: number): boolean {
  return isInList && key !== '' && values > MAX_LISTED * records;
}

/** Whether a field belongs to a tag that a person gave to a record: `{"Key": "Name", "Value": "web-3"}`. */
function isTag({ key, parentKey, isInList }: Field): boolean {
  return isInList && TAG_LIST.test(parentKey) && TAG.test(key);
}

/** Paths of the address of a record's web page. If a record has none of these, `url` is that address. */
const PAGES = ['/html_url', '/web_url', '/htmlUrl', '/webUrl', '/permalink'];

function roleOfContainer(field: Field, roles: ReadonlyMap<string, FieldRole>): FieldRole {
  if (isMostlyEmpty(field)) return 'exception';
  const inner = [...field.inner].map((each) => roles.get(each));
  if (inner.every((role) => role === 'constant')) return 'constant';
  return inner.every((role) => role === 'opaque' || role === 'constant') ? 'opaque' : 'content';
}
