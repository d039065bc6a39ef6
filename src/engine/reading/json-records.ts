/**
 * Records of JSON: objects of the same form in a list or below keys. A record is removable; within the records that
 * stay, the same long or opaque fields are removable in every record, and the fields that identify a record are not.
 */
import { type Row, rowUnits } from './columns.ts';
import type { Unit } from './document.ts';
import { haveOwnLines, type JsonNode } from './json-tree.ts';

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

/** One unit per record, with its removable fields as children. */
export function recordUnits(text: string, nodes: readonly JsonNode[]): Unit[] {
  const fields = new Fields(text);
  for (const node of nodes) fields.look(node, '');
  fields.decide();
  const columns = new Map<string, number>();
  const rows = nodes.map((node): Row => {
    const children = fields.unitsOf(node, '');
    const cells = cellsOf(text, node, columns);
    return { start: node.line, end: node.endLine, cells, name: nameOf(text, node), children };
  });
  return rowUnits(rows, 'record').map((unit, index) => {
    const node = nodes[index];
    return node === undefined ? unit : { ...unit, head: headOf(node) };
  });
}

const MAX_HEAD_LINES = 8;
const MIN_BODY_LINES = 5;
const HEADING_KEY = /^(?:id|iid|node_id|sha|key|number|name|full_?name|title|subject|state|status|path|version|login)$/i;

/** The last of the lines at the beginning of a record that say which one it is: they stay if the rest is removed. */
function headOf({ line, endLine, children }: JsonNode): number {
  let head = line - 1;
  let isNamed = false;
  for (const child of children) {
    const isHeading = child.kind === 'scalar' && HEADING_KEY.test(child.key ?? '');
    if (!isHeading || child.endLine - line > MAX_HEAD_LINES) break;
    head = child.endLine;
    isNamed ||= NAMING.includes(child.key ?? '');
  }
  return isNamed && endLine - head >= MIN_BODY_LINES ? head : line - 1;
}

const MAX_COLUMNS = 24;
/** Ids, addresses and names of people have extremes and rare values that mean nothing. */
const SAYS_NO_ORDER = /(?:^|[._])(?:id|iid|number|node_id|sha|hash|url|href|login|email|color|\w{1,20}_(?:id|url|sha))$/i;

/** The plain values of a record and of the objects directly in it, in columns by their path. */
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

const NUMBERING = ['number', 'id', 'sha', 'key', 'iid', 'uuid', 'slug'];
const NAMING = ['title', 'name', 'subject', 'summary', 'path', 'message', 'login', 'email'];
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

/** Keys of values that say which record it is, or what state it is in. */
const IDENTIFYING =
  /^(?:id|iid|sha|hash|key|name|full_?name|title|state|status|number|version|path|file_?name|login|email|type|kind|level|severity|priority|branch|tag|ref|message|subject|summary|.*(?:date|time|_at|At|_on)|html_?url|web_?url|permalink)$/i;
const OPAQUE_KEY =
  /(?:^|_)(?:node_id|gravatar_id|etag|signature|payload|checksum|digest|integrity|token|cursor|blob)$/i;
const URL_VALUE = /^"(?:https?|git|ssh):\/\/|^"git@/;
const ENCODED_VALUE =
  /^"(?:[0-9a-fA-F]{32,}|(?=[^"]{0,200}\d)(?=[^"]{0,200}[a-z])(?=[^"]{0,200}[A-Z])[\w+/=-]{24,})"$/;
const MAX_TEXT = 300;
const MAX_REST = 600;
const MIN_OPAQUE = 24;

interface Field {
  readonly key: string;
  readonly depth: number;
  values: number;
  opaque: number;
  chars: number;
  isContainer: boolean;
  readonly inner: Set<string>;
}

/** What is known of each path of fields over all records; elements of lists share one path. */
class Fields {
  readonly #text: string;
  readonly #fields = new Map<string, Field>();
  readonly #removable = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  look(node: JsonNode, path: string): void {
    for (const child of node.children) {
      const childPath = pathOf(path, child);
      const field = this.#fieldAt(childPath, child);
      this.#fields.get(path)?.inner.add(childPath);
      if (child.end - child.valueStart === 4 && this.#text.startsWith('null', child.valueStart)) continue;
      field.values += 1;
      field.chars += child.end - child.valueStart;
      if (child.kind !== 'scalar') field.isContainer = true;
      else if (isOpaque(this.#text, child, field.depth)) field.opaque += 1;
      if (field.depth < MAX_FIELD_DEPTH) this.look(child, childPath);
    }
  }

  #fieldAt(path: string, { key = '' }: JsonNode): Field {
    const known = this.#fields.get(path);
    if (known !== undefined) return known;
    const depth = path.split('/').filter((part) => part !== '' && part !== '[]').length;
    const field = {
      key,
      depth,
      values: 0,
      opaque: 0,
      chars: 0,
      isContainer: false,
      inner: new Set<string>(),
    };
    this.#fields.set(path, field);
    return field;
  }

  /** Decides for each path, the deepest first: a container depends on the fields in it. */
  decide(): void {
    const rest = new Map<string, number>();
    for (const [path, field] of [...this.#fields].reverse()) {
      const kept = field.isContainer
        ? [...field.inner].reduce((sum, each) => sum + (rest.get(each) ?? 0), 0)
        : field.chars;
      const isRemovable = field.isContainer ? this.#isBulky(field, kept) : this.#isUseless(path, field);
      if (isRemovable) this.#removable.add(path);
      rest.set(path, isRemovable ? 0 : kept);
    }
  }

  /** A container is removed if all its fields are, or if the others are long all the same. */
  #isBulky({ inner, values }: Field, kept: number): boolean {
    return (
      (inner.size > 0 && [...inner].every((each) => this.#removable.has(each))) || kept / values > MAX_REST
    );
  }

  #isUseless(path: string, field: Field): boolean {
    return isLongOrOpaque(field) && !(path === '/url' && this.#hasNoPage());
  }

  /** `url` is the address of the record's page if no other field is. */
  #hasNoPage(): boolean {
    return !['/html_url', '/web_url', '/htmlUrl', '/webUrl', '/permalink'].some((path) =>
      this.#fields.has(path),
    );
  }

  /** The removable fields of a node, each with all lines of its value. */
  unitsOf(node: JsonNode, path: string): Unit[] {
    const { children } = node;
    if (children.length === 0 || children[0]?.line === node.line || !haveOwnLines(children)) return [];
    return children.flatMap((child): Unit[] => {
      const childPath = pathOf(path, child);
      if (!this.#removable.has(childPath))
        return child.kind === 'scalar' ? [] : this.unitsOf(child, childPath);
      if (child.end - child.valueStart < MIN_OPAQUE) return [];
      const { line: start, endLine: end } = child;
      return [{ kind: 'field', name: child.key ?? '', start, end, head: start - 1, rule: 'record-fields' }];
    });
  }
}

const MAX_FIELD_DEPTH = 8;

function pathOf(path: string, { key }: JsonNode): string {
  return `${path}/${key ?? '[]'}`;
}

function isOpaque(text: string, { key = '', valueStart, end }: JsonNode, depth: number): boolean {
  const length = end - valueStart;
  if (length < MIN_OPAQUE || (depth <= 1 && IDENTIFYING.test(key))) return OPAQUE_KEY.test(key);
  const value = text.slice(valueStart, Math.min(end, valueStart + 400));
  return OPAQUE_KEY.test(key) || URL_VALUE.test(value) || ENCODED_VALUE.test(value);
}

function isLongOrOpaque({ key, depth, values, opaque, chars }: Field): boolean {
  if (values === 0) return false;
  if (opaque >= 0.8 * values) return true;
  return chars / values > MAX_TEXT && !(depth <= 1 && /^(?:title|name|path|subject)$/i.test(key));
}
