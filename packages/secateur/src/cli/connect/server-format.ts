import { type Fields, isFields } from '@secateur/base/text/json.ts';
import { endOfLine } from '@secateur/base/text/lines.ts';
import { parseToml } from '@secateur/serving/config/config-file.ts';
import { type AST, parseTOML } from 'toml-eslint-parser';
import { parsedObject, removeValue, setValue, undoValue } from './pending-edits.ts';

/** Format of a client's list of MCP servers. A change affects only the named entry. */
export interface ServerFormat {
  /** Returns the entries by name. Throws `DomainError` if the file cannot be read safely. */
  read(text: string, place: ServerPlace): ReadonlyMap<string, Fields>;
  /** Adds an entry to the file, which may be empty. */
  add(text: string, place: ServerPlace, named: { name: string; entry: Fields }): string;
  /** Removes the fields in `drop` from an entry and adds those in `put`. */
  change(
    text: string,
    place: ServerPlace,
    change: { name: string; drop: readonly string[]; put: Fields },
  ): string;
  /** Restores an entry as it is in `before`, or removes it if it is not there. */
  restore(text: string, place: ServerPlace, original: { name: string; before: string }): string;
}

export interface ServerPlace {
  readonly path: string;
  /** Keys that lead to the list of servers. Default: the keys of the format. */
  readonly at?: readonly string[];
}

/** JSON in which servers are members of one object. The object is at `key`, or at the path `at` of the place. */
export function jsonMembers(key: string): ServerFormat {
  return {
    read: (text, { path, at = [key] }) => {
      const listed = at.reduce<unknown>(
        (value, step) => (isFields(value) ? value[step] : undefined),
        parsedObject(text, path),
      );
      return entriesIn(listed, () => true);
    },
    add: (text, { at = [key] }, { name, entry }) =>
      setValue(text.trim() === '' ? '{}\n' : text, [...at, name], entry),
    change: (text, { at = [key] }, { name, drop, put }) => {
      const dropped = drop.filter((field) => !(field in put));
      const left = dropped.reduce((each, field) => removeValue(each, [...at, name, field], each), text);
      return Object.entries(put).reduce(
        (each, [field, value]) => setValue(each, [...at, name, field], value),
        left,
      );
    },
    restore: (text, { at = [key] }, { name, before }) => undoValue(text, [...at, name], before),
  };
}

function entriesIn(listed: unknown, isMeant: (name: string) => boolean): ReadonlyMap<string, Fields> {
  const entries = Object.entries(isFields(listed) ? listed : {});
  return new Map(
    entries.filter((entry): entry is [string, Fields] => isFields(entry[1]) && isMeant(entry[0])),
  );
}

/** Codex's TOML: one table `[mcp_servers.NAME]` per server, with further tables such as `[mcp_servers.NAME.env]`. */
export const codexTables: ServerFormat = {
  read: (text, { path }) => {
    const { mcp_servers: servers } = parseToml(text, path);
    // A server in another notation (an inline table, dotted keys) cannot be changed and is omitted.
    return entriesIn(servers, (name) => tablesOf(text, name).own !== undefined);
  },
  add: (text, _, { name, entry }) => {
    const gap = text === '' || text.endsWith('\n\n') ? '' : '\n';
    const start = text === '' || text.endsWith('\n') ? text : `${text}\n`;
    return `${start}${gap}${tomlTable(['mcp_servers', name], entry)}`;
  },
  change: (text, _, { name, drop, put }) => {
    const { own, below } = tablesOf(text, name);
    if (own === undefined) return text;
    const isDropped = (key: unknown) => drop.includes(String(key)) || String(key) in put;
    const gone = below.filter(({ resolvedKey }) => isDropped(resolvedKey[2]));
    const pairs = own.body.filter(({ key }) => {
      const [first] = key.keys;
      return isDropped(first?.type === 'TOMLBare' ? first.name : first?.value);
    });
    return replaceLines(text, [...pairs, ...gone], { after: own, lines: tomlPairs(put) });
  },
  restore: (text, _, { name, before }) => {
    const { own, below } = tablesOf(text, name);
    if (own === undefined) return text;
    const then = tablesOf(before, name);
    if (then.own === undefined) return replaceLines(text, [own, ...below]);
    const source = ({ range }: AST.TOMLNode) => before.slice(...range);
    const tables = then.below.flatMap((table) => ['', headerIn(before, table), ...table.body.map(source)]);
    const lines = [...then.own.body.map(source), ...tables];
    return replaceLines(text, [...own.body, ...below], { after: own, lines });
  },
};

/** Returns a table as TOML, with nested tables inline. Strings and lists of JSON are valid TOML. */
export function tomlTable(path: readonly string[], values: Fields): string {
  return [`[${path.map(tomlKey).join('.')}]`, ...tomlPairs(values), ''].join('\n');
}

function tomlPairs(values: Fields): string[] {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${tomlKey(key)} = ${tomlValue(value)}`);
}

function tomlKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

function tomlValue(value: unknown): string {
  return isFields(value) ? `{ ${tomlPairs(value).join(', ')} }` : JSON.stringify(value);
}

/** Returns the table `[mcp_servers.NAME]` itself and the tables below it. */
function tablesOf(text: string, name: string) {
  const tables = parseTOML(text).body[0].body.filter((node) => node.type === 'TOMLTable');
  const ours = tables.filter(
    ({ resolvedKey: [first, second] }) => first === 'mcp_servers' && second === name,
  );
  const own = ours.find(({ resolvedKey, kind }) => resolvedKey.length === 2 && kind === 'standard');
  return { own, below: ours.filter((table) => table !== own) };
}

function headerIn(text: string, { range, body }: AST.TOMLTable): string {
  const end = body[0]?.range[0] ?? range[1];
  return text.slice(range[0], end).split('\n')[0] ?? '';
}

/** Removes pairs and tables, but keeps comments beside them. Adds lines directly after a table's header. */
function replaceLines(
  text: string,
  gone: readonly (AST.TOMLKeyValue | AST.TOMLTable)[],
  put?: { after: AST.TOMLTable; lines: readonly string[] },
): string {
  const nodes = gone.flatMap((node) =>
    node.type === 'TOMLTable'
      ? [headerRange(text, node), ...node.body.map(({ range }) => range)]
      : [node.range],
  );
  const cuts = nodes.map((range) => ({ ...lineOf(text, range), lines: '' }));
  if (put !== undefined) {
    const at = endOfLine(text, headerRange(text, put.after)[1]);
    cuts.push({ start: at, end: at, lines: put.lines.map((line) => `\n${line}`).join('') });
  }
  return cuts
    .toSorted((left, right) => right.start - left.start)
    .reduce((each, { start, end, lines }) => each.slice(0, start) + lines + each.slice(end), text);
}

/** Returns the range from the opening to the closing bracket. */
function headerRange(text: string, { range, key }: AST.TOMLTable): AST.Range {
  return [range[0], text.indexOf(']', key.range[1]) + 1];
}

/** Returns the range, extended to whole lines if they contain nothing else. */
function lineOf(text: string, [start, end]: AST.Range): { start: number; end: number } {
  const before = text.lastIndexOf('\n', start - 1);
  const after = endOfLine(text, end);
  const isAlone = text.slice(before + 1, start).trim() === '' && text.slice(end, after).trim() === '';
  return isAlone && before !== -1 ? { start: before, end: after } : { start, end };
}
