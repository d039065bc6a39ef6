/** What the fields of records of one list have in common: which identify a record, which are opaque, which never change. */

import type { JsonNode } from './json-tree.ts';

/**
 * `identifies`: says which record it is; stays. `opaque`: ids, addresses and hashes that say nothing; goes in every record.
 * `constant`: the same in all records; stays in the first. `short`, `category`, `sentence`: short values of the record
 * itself, values inside of it that several records share (labels, versions, branches), and texts of a sentence or two.
 * They stay in every record as far as the list does not get too long, so that a field is shown of all records or of none.
 * `content`: numbers, times and long texts.
 */
export type FieldRole = 'identifies' | 'opaque' | 'constant' | 'short' | 'category' | 'sentence' | 'content';

/** Returns the role of each path of fields; elements of lists share one path. */
export function fieldRoles(text: string, records: readonly JsonNode[]): ReadonlyMap<string, FieldRole> {
  const fields = new Map<string, Field>();
  const looked = evenly(records, MAX_LOOKED);
  for (const record of looked) look({ text, fields }, record, '');
  const identifying = identifyingPaths(fields, looked);
  const roles = new Map<string, FieldRole>();
  // Fields inside of others come later: a container depends on them.
  for (const [path, field] of [...fields].reverse()) {
    const role = identifying.has(path)
      ? 'identifies'
      : roleOf(path, field, { fields, records: records.length, roles });
    roles.set(path, role);
  }
  return roles;
}

/** Of more records only some are looked at, evenly spread; then no field counts as constant. */
const MAX_LOOKED = 400;

function evenly<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items;
  const step = items.length / most;
  return Array.from({ length: most }, (_, at) => items[Math.floor(at * step)] as Item);
}

const MAX_DEPTH = 8;
const MAX_DIFFERENT = 400;

interface Field {
  readonly key: string;
  readonly parentKey: string;
  readonly depth: number;
  readonly isInList: boolean;
  /** How often it has a value, and how often it is there. */
  values: number;
  occurrences: number;
  opaque: number;
  characters: number;
  spaced: number;
  /** How often its value is a number, a truth value or a time. */
  measures: number;
  isContainer: boolean;
  /** How often it has each of its values. */
  readonly different: Map<string, number>;
  readonly inner: Set<string>;
}

interface Known {
  readonly text: string;
  readonly fields: Map<string, Field>;
}

export function pathOf(path: string, { key }: JsonNode): string {
  return `${path}/${key ?? '[]'}`;
}

function look(known: Known, node: JsonNode, path: string): void {
  for (const child of node.children) {
    const childPath = pathOf(path, child);
    const field = fieldAt(known.fields, childPath, { node, child });
    known.fields.get(path)?.inner.add(childPath);
    count(known.text, child, field);
    if (field.depth < MAX_DEPTH) look(known, child, childPath);
  }
}

function fieldAt(
  fields: Map<string, Field>,
  path: string,
  { node, child }: { node: JsonNode; child: JsonNode },
): Field {
  const found = fields.get(path);
  if (found !== undefined) return found;
  const parts = path.split('/').slice(1);
  const field: Field = {
    key: child.key ?? '',
    parentKey: node.key ?? '',
    depth: parts.filter((part) => part !== '[]').length,
    isInList: parts.includes('[]'),
    values: 0,
    occurrences: 0,
    opaque: 0,
    characters: 0,
    spaced: 0,
    measures: 0,
    isContainer: false,
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

function isOpaque({ key }: Field, value: string): boolean {
  if (OPAQUE_KEY.test(key)) return true;
  if (value.length < MIN_OPAQUE_CHARS) return false;
  return URL_VALUE.test(value) || ENCODED_VALUE.test(value);
}

const MOSTLY = 0.8;

function roleOf(
  path: string,
  field: Field,
  {
    fields,
    records,
    roles,
  }: { fields: ReadonlyMap<string, Field>; records: number; roles: ReadonlyMap<string, FieldRole> },
): FieldRole {
  if (field.isContainer && field.inner.size > 0)
    return roleOfContainer([...field.inner].map((each) => roles.get(each)));
  if (field.occurrences >= records && (field.different.size === 1 || field.values === 0)) return 'constant';
  const isPage = PAGES.includes(path) || (path === '/url' && !PAGES.some((page) => fields.has(page)));
  if (field.opaque >= MOSTLY * field.values) return isPage ? 'content' : 'opaque';
  return roleOfText(field, fields.get(path.slice(0, path.lastIndexOf('/'))));
}

const MAX_SHORT_CHARS = 80;
const MAX_SENTENCE_CHARS = 200;
const MAX_SHARED_VALUES = 0.5;
const NEARLY_ALL = 0.95;
/** Who it was, and of which kind, says little of a record. */
const PERSON_KEY = /^(?:login|displayName|email|username|accountId|type)$/i;

function roleOfText(
  { key, depth, isInList, values, characters, measures, different }: Field,
  parent: Field | undefined,
): FieldRole {
  const isSame = Math.max(0, ...different.values()) >= NEARLY_ALL * values;
  if (values === 0 || isSame || measures >= values / 2) return 'content';
  if (characters > MAX_SHORT_CHARS * values)
    return characters <= MAX_SENTENCE_CHARS * values && !isInList ? 'sentence' : 'content';
  // Records that are wrapped in one member: `{"key": …, "fields": {…}}`.
  const isOwn = depth === 1 || (depth === 2 && parent !== undefined && parent.inner.size >= MIN_WRAPPED);
  if (isOwn && !isInList) return 'short';
  return different.size <= MAX_SHARED_VALUES * values && !PERSON_KEY.test(key) ? 'category' : 'content';
}

const MIN_WRAPPED = 8;

/** Addresses of a record's page; `url` is one if there is no other. */
const PAGES = ['/html_url', '/web_url', '/htmlUrl', '/webUrl', '/permalink'];

function roleOfContainer(inner: readonly (FieldRole | undefined)[]): FieldRole {
  if (inner.every((role) => role === 'constant')) return 'constant';
  return inner.every((role) => role === 'opaque' || role === 'constant') ? 'opaque' : 'content';
}

/** Keys that number or name a record, the most telling first. */
export const NUMBERING = ['number', 'key', 'iid', 'id', 'sha', 'uuid', 'slug', 'ts', 'code', 'position'];
export const NAMING =
  'title,name,full_name,subject,summary,message,path,login,displayName,email,description,text,label'.split(
    ',',
  );
const STATE = /^(?:state|status|phase|level|severity|priority|reason|result|outcome|conclusion)$/i;
const MAX_NUMBER_CHARS = 60;
const MAX_NAME_CHARS = 160;
const MAX_STATES = 12;
const MAX_STATE_CHARS = 30;
const MAX_IDENTIFYING_DEPTH = 3;

/** Chooses a number or id, a name and a state: the shallowest of each. */
function identifyingPaths(
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
    const rank = ([, { key }]: (typeof found)[number]) => keys.indexOf(key);
    return found.filter(([, field]) => field.depth === depth).sort((a, b) => rank(a) - rank(b))[0]?.[0];
  };
  const isKeyed = records[0]?.key !== undefined;
  const chosen = [
    isKeyed
      ? undefined
      : (byKeys(NUMBERING, isNumber) ?? first((field) => isNumber(field) && field.spaced === 0)),
    byKeys(NAMING, isName) ??
      (isKeyed ? undefined : first((field) => isName(field) && field.spaced >= field.values / 2)),
    first(isState),
  ];
  return new Set(chosen.filter((path) => path !== undefined));
}

function isNumber({ different, values, characters }: Field): boolean {
  return isVaried(different.size, values, 0.9) && characters <= MAX_NUMBER_CHARS * values;
}

function isName({ different, values, characters }: Field): boolean {
  return isVaried(different.size, values, 0.1) && characters <= MAX_NAME_CHARS * values;
}

function isVaried(different: number, values: number, share: number): boolean {
  return different > MAX_DIFFERENT || (different > 1 && different >= share * values);
}

/** In a long list a state that all but two records share says nothing of one of them; the others stand out. */
const MAX_UNUSUAL_STATES = 2;
const MIN_LONG_LIST = 20;

function isState({ key, parentKey, different, values, characters }: Field): boolean {
  const isKey = STATE.test(key) || (key === 'name' && STATE.test(parentKey));
  if (!isKey || different.size > MAX_STATES || characters > MAX_STATE_CHARS * values) return false;
  const unusual = values - Math.max(...different.values());
  return unusual > (values < MIN_LONG_LIST ? 0 : MAX_UNUSUAL_STATES);
}
