/**
 * Records of JSON: objects with the same keys in a list or an object. Opaque and constant fields can be
 * removed in every record, and others if the task does not need them. Identifying fields are kept, so that
 * the list remains a list. In very long lists, or if records are short, whole records can be removed too.
 */
import { outstandingIn, type Row, rowUnits } from './columns.ts';
import type { RuleName, Unit } from './document.ts';
import type { YamlItems } from './entries.ts';
import { type FieldRole, fieldRoles } from './json-fields.ts';
import { NAMING, NUMBERING } from './json-identity.ts';
import { haveOwnLines, type JsonNode, pathOf } from './json-tree.ts';

const MIN_RECORDS = 3;
const MIN_KEYED_RECORDS = 5;
const MAX_LOOKED = 200;

/** Whether nodes are objects that share most of their keys. */
export function areRecords(nodes: readonly JsonNode[]): boolean {
  const least = nodes[0]?.key === undefined ? MIN_RECORDS : MIN_KEYED_RECORDS;
  const objects = nodes.filter(({ kind }) => kind === 'object');
  if (objects.length < least || objects.length < 0.9 * nodes.length) return false;
  const looked = objects.slice(0, MAX_LOOKED);
  const counts = new Map<string, number>();
  for (const { children } of looked) {
    for (const { key = '' } of children) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const isShared = (key: string) => (counts.get(key) ?? 0) >= looked.length / 2;
  const keys = looked.flatMap(({ children }) => children.map(({ key = '' }) => key));
  return keys.length > 0 && keys.filter(isShared).length >= keys.length / 2;
}

/** Minimum share of the characters that lists inside of records have if the text is about these lists: frames, breadcrumbs. */
const MIN_INNER_SHARE = 0.5;

/** Whether a few nodes consist mostly of longer lists of records. The records of the text are then those. */
export function holdLongerLists(nodes: readonly JsonNode[]): boolean {
  const inner = nodes.flatMap((node) => longerLists(node, nodes.length));
  return inner.length > 0 && charactersOf(inner) >= MIN_INNER_SHARE * charactersOf(nodes);
}

const MAX_DEPTH = 8;

function longerLists({ children }: JsonNode, length: number, depth = 1): JsonNode[] {
  if (depth > MAX_DEPTH) return [];
  return children.flatMap((child) => {
    const isLonger = child.kind === 'array' && child.children.length > length && areRecords(child.children);
    return isLonger ? [child] : longerLists(child, length, depth + 1);
  });
}

/** Returns one unit per record, with its removable fields as children. */
export function recordUnits(text: string, nodes: readonly JsonNode[]): Unit[] {
  const roles = rolesIn(text, nodes);
  return staysAList(text, nodes, roles)
    ? listedRecords(text, nodes, roles)
    : removableRecords(text, nodes, roles);
}

/** Roles of fields that are kept in addition to the identifying ones. The most useful come first. */
const BY_USE: readonly FieldRole[] = ['short', 'category', 'sentence'];
/** Roles of fields that are also kept if the list is then still short. */
const IF_SHORT: readonly FieldRole[] = ['time', 'person', 'measure', 'detail'];
/** Maximum estimated characters of a list. Clients show about this much of a result, including markers. */
const MAX_SHOWN_CHARS = 23_000;
const MAX_SHORT_CHARS = 32_000;
const MAX_SHORT_SHARE = 0.25;
/** Maximum characters of a list that may keep a larger share of its short values. A reader sees such a list at a glance. */
const MAX_SHORT_LIST_CHARS = 32_000;
const MAX_SHORT_LIST_SHARE = 0.35;

/** Returns the role of each field. As many fields with useful roles are kept as fit; the others get the role `content`. */
function rolesIn(text: string, nodes: readonly JsonNode[]): Roles {
  const roles = fieldRoles(text, nodes);
  const fits = (staying: readonly FieldRole[], most: number) =>
    shownChars(text, nodes, pathsOf(roles, new Set<FieldRole>(['identifies', ...staying]))) <= most;
  let count = BY_USE.length;
  while (count > 0 && !fits(BY_USE.slice(0, count), MAX_SHOWN_CHARS)) count -= 1;
  const staying = BY_USE.slice(0, count);
  const characters = charactersOf(nodes);
  const share = characters <= MAX_SHORT_LIST_CHARS ? MAX_SHORT_LIST_SHARE : MAX_SHORT_SHARE;
  const most = Math.min(MAX_SHORT_CHARS, share * characters);
  for (const role of IF_SHORT) if (fits([...staying, role], most)) staying.push(role);
  return onlyStaying(roles, new Set(staying));
}

function pathsOf(roles: Roles, staying: ReadonlySet<FieldRole>): string[] {
  return [...roles].filter(([, role]) => staying.has(role)).map(([path]) => path);
}

function onlyStaying(roles: Roles, staying: ReadonlySet<FieldRole>): Roles {
  const roleOf = (role: FieldRole): FieldRole => {
    if (!BY_USE.includes(role) && !IF_SHORT.includes(role)) return role;
    return staying.has(role) ? 'short' : 'content';
  };
  return new Map(Array.from(roles, ([path, role]) => [path, roleOf(role)]));
}

/** Returns units for the items of a YAML list. `undefined` if the list would be too long even with a few fields per item. */
export function listedItems({ text, nodes }: YamlItems): Unit[] | undefined {
  if (!areRecords(nodes)) return undefined;
  const roles = rolesIn(text, nodes);
  return staysAList(text, nodes, roles) ? listedRecords(text, nodes, roles) : undefined;
}

type Roles = ReadonlyMap<string, FieldRole>;

function listedRecords(text: string, nodes: readonly JsonNode[], roles: Roles): Unit[] {
  const outstanding = outstandingFields(text, nodes, roles);
  return nodes.map((node, index): Unit => {
    const known = { roles, outstanding: outstanding[index] ?? NONE, isFirst: index === 0, isList: true };
    const children = fieldUnits(node, '', known);
    return { kind: 'record', name: nameOf(text, node), ...linesOf(node), children };
  });
}

function removableRecords(text: string, nodes: readonly JsonNode[], roles: Roles): Unit[] {
  const known = { roles, outstanding: NONE, isFirst: true, isList: false };
  const hasOpaque = [...roles.values()].includes('opaque');
  const columns = new Map<string, number>();
  const rows = nodes.map((node): Row => {
    const children = hasOpaque ? fieldUnits(node, '', known) : [];
    const cells = cellsOf(text, node, columns);
    return { start: node.line, end: node.endLine, cells, name: nameOf(text, node), children };
  });
  return rowUnits(rows, 'record');
}

const NONE: ReadonlySet<string> = new Set();

function linesOf({ line: start, endLine: end }: JsonNode) {
  return { start, end, head: start - 1 };
}

const MIN_LISTED_CHARS = 300;
const MAX_LISTED_CHARS = 40_000;
/** Number of characters of the braces and markers of one record. */
const FRAME_CHARS = 80;
const KEY_CHARS = 12;
const CONTAINER_CHARS = 60;

/** Whether the list can keep all of its records: these are long enough to lose fields, and few enough to be shown. */
function staysAList(text: string, nodes: readonly JsonNode[], roles: Roles): boolean {
  if (charactersOf(nodes) < MIN_LISTED_CHARS * nodes.length) return false;
  return shownChars(text, nodes, pathsOf(roles, new Set<FieldRole>(['identifies']))) <= MAX_LISTED_CHARS;
}

function charactersOf(nodes: readonly JsonNode[]): number {
  return nodes.reduce((sum, { valueStart, end }) => sum + end - valueStart, 0);
}

/** Estimates the characters of all records with only these fields. */
function shownChars(text: string, nodes: readonly JsonNode[], paths: readonly string[]): number {
  // Each object around a value adds lines for its brackets, and markers for its other fields.
  const around = new Set(
    paths.map((path) => path.slice(0, path.lastIndexOf('/'))).filter((path) => path !== ''),
  );
  const shown = nodes.slice(0, MAX_LOOKED).map((node) => {
    const values = paths.map((path) => {
      const { length } = valueAt(text, node, path);
      return length === 0 ? 0 : KEY_CHARS * path.split('/').length + length;
    });
    return values.reduce((sum, length) => sum + length, FRAME_CHARS + CONTAINER_CHARS * around.size);
  });
  const mean = shown.reduce((sum, each) => sum + each, 0) / Math.max(1, shown.length);
  return mean * nodes.length;
}

/** Returns the value at a path. At a list, continues with the first element. */
function valueAt(text: string, node: JsonNode, path: string): string {
  let at: JsonNode | undefined = node;
  for (const key of path.split('/').slice(1)) at = at?.children.find((child) => (child.key ?? '[]') === key);
  if (at !== undefined && at.children.length > 0) return '{';
  return at === undefined ? '' : text.slice(at.valueStart, Math.min(at.end, at.valueStart + MAX_VALUE_CHARS));
}

const MAX_VALUE_CHARS = 200;
const MAX_COMPARED_PATHS = 60;

/** Returns for each record the paths of values that are kept because they are extreme or rare, or because few records have or lack them. */
function outstandingFields(text: string, nodes: readonly JsonNode[], roles: Roles): Set<string>[] {
  const found = nodes.map(() => new Set<string>());
  const compared = [...roles].filter(
    ([path, role]) => role === 'content' && !SAYS_NO_ORDER.test(dotted(path)),
  );
  for (const [path] of compared.slice(0, MAX_COMPARED_PATHS)) {
    const values = nodes.map((node) => valueAt(text, node, path));
    if (values.some((value) => value.startsWith('{') || value.startsWith('['))) continue;
    for (const index of outstandingIn(values.map((value) => value.replace(/^"|"$/g, ''))))
      found[index]?.add(path);
  }
  return found;
}

function dotted(path: string): string {
  return path.slice(1).replaceAll('/', '.');
}

interface KnownFields {
  readonly roles: Roles;
  /** Paths of values in this record that are extreme or rare and therefore kept. */
  readonly outstanding: ReadonlySet<string>;
  /** Whether this is the first record. It also shows content and constants. */
  readonly isFirst: boolean;
  /** Whether all records are kept. If not, those that are kept show their content too. */
  readonly isList: boolean;
}

/** Returns the removable fields of a node. Each contains all lines of its value. */
function fieldUnits(node: JsonNode, path: string, known: KnownFields): Unit[] {
  if (!haveOwnLines(node.children)) return [];
  // In YAML, the first key of an item is on the line of the dash. In JSON, a bracket may be on the line of a
  // key.
  const isItem = node.children[0]?.line === node.line;
  if (isItem && (node.key !== undefined || node.endLine <= (node.children[0]?.endLine ?? 0))) return [];
  const children = isItem ? node.children.slice(1) : node.children;
  return children.flatMap((child) => fieldUnit(child, pathOf(path, child), known));
}

function fieldUnit(node: JsonNode, path: string, known: KnownFields): Unit[] {
  if (stays(node, path, known)) return [];
  const children = fieldUnits(node, path, known);
  const unit: Unit = {
    kind: 'field',
    // An element of a list has the name of the list.
    name: node.key ?? path.split('/').findLast((part) => part !== '[]') ?? '',
    ...linesOf(node),
    characters: lengthOf(node),
    ...(children.length > 0 && { children }),
  };
  const rule = holdsKept(node, path, known) ? undefined : RULE_OF[known.roles.get(path) ?? 'identifies'];
  // The first record shows an example of each field.
  const isShown =
    rule === undefined ||
    (known.isFirst && known.roles.get(path) !== 'opaque') ||
    (!known.isList && rule === 'oversized-rows');
  if (!isShown) return [{ ...unit, rule }];
  return children.length === 0 ? [] : [unit];
}

/** Returns the length of a value. For an object or list, it is an estimate without keys and brackets. */
function lengthOf({ start, end, kind }: JsonNode): number {
  return kind === 'scalar' ? end - start : Math.floor((end - start) / 3);
}

const RULE_OF: Partial<Record<FieldRole, RuleName>> = {
  opaque: 'record-fields',
  constant: 'record-fields',
  exception: 'oversized-rows',
  content: 'oversized-rows',
};

const STAYING: ReadonlySet<FieldRole | undefined> = new Set<FieldRole>(['identifies', 'short']);

function stays({ children }: JsonNode, path: string, { roles, outstanding }: KnownFields): boolean {
  const role = roles.get(path);
  return STAYING.has(role) || outstanding.has(path) || (role === 'exception' && children.length > 0);
}

function holdsKept(node: JsonNode, path: string, known: KnownFields): boolean {
  return node.children.some((child) => {
    const childPath = pathOf(path, child);
    return stays(child, childPath, known) || holdsKept(child, childPath, known);
  });
}

const MAX_COLUMNS = 24;
/** Matches keys of fields whose extremes and rare values mean nothing: ids, addresses, names of people. */
const SAYS_NO_ORDER =
  /(?:^|[._])(?:id|iid|number|node_id|sha|hash|url|href|login|email|color|\w{1,20}_(?:id|url|sha))$/i;

/** Returns the plain values of a record, and of the objects directly inside it, with one column per path. */
function cellsOf(text: string, node: JsonNode, columns: Map<string, number>): string[] {
  const cells: string[] = [];
  const add = (path: string, { valueStart, end, kind }: JsonNode) => {
    const column = columns.get(path) ?? columns.size;
    if (kind !== 'scalar' || column >= MAX_COLUMNS || SAYS_NO_ORDER.test(path)) return;
    columns.set(path, column);
    cells[column] = text.slice(valueStart, Math.min(end, valueStart + 80)).replace(/^"|"$/g, '');
  };
  for (const child of node.children) {
    add(child.key ?? '', child);
    if (child.kind === 'object') for (const inner of child.children) add(`${child.key}.${inner.key}`, inner);
  }
  return Array.from(cells, (cell) => cell ?? '');
}

const MAX_NAME = 60;

function nameOf(text: string, { key, children }: JsonNode): string {
  const find = (keys: readonly string[]) => {
    const found = keys.map((each) => children.find((child) => child.key === each && child.kind === 'scalar'));
    const node = found.find((each) => each !== undefined);
    return node === undefined ? '' : text.slice(node.valueStart, node.end).replace(/^"|"$/g, '');
  };
  const number = key ?? find(NUMBERING).slice(0, 12);
  return `${number} ${key === undefined ? find(NAMING) : ''}`.trim().slice(0, MAX_NAME);
}
