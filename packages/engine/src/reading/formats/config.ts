/**
 * Files with keys and values: YAML, TOML, INI, properties, blocks of `Key: value` lines (`dpkg` status,
 * `sqlite -line`), lock files, requirements, Dockerfiles, nginx and sshd configuration. Each entry is a unit.
 */
import type { LineRange } from '@secateur/base/text/lines.ts';
import { entryUnit, MAX_ENTRY_LINES, type Row, rowUnits } from '../columns.ts';
import type { Format, Unit } from '../document.ts';
import { commentUnits, type Entry, entriesIn, indentOf, yamlItems } from '../entries.ts';
import { listedItems } from '../json-records.ts';

const SECTION = /^\[\[?[^[\]]{1,200}\]\]?\s*(?:#.*)?$/;
const PAIR = /^\s*(?:- )?["']?[\w.@/$-][\w.@/$-]*(?: [\w.@/$-]+){0,2}["']?\s*(?:=|:(?:\s|$))/;
const INSTRUCTION =
  /^(?:FROM|RUN|COPY|ADD|ARG|ENV|WORKDIR|USER|CMD|ENTRYPOINT|EXPOSE|LABEL|VOLUME|SHELL|HEALTHCHECK|ONBUILD|STOPSIGNAL)\s/;
/** Matches lines of nginx: `listen 80;`, `server {`. */
const DIRECTIVE = /^\s*[a-z_]+(?:\s[^{};]*)?[;{]$/;
const NGINX = /^\s*(?:http|server|events|stream|upstream \S+|location [^{}]+?) ?\{$/;
/** Matches options of ssh and sshd. They have no sign between name and value. */
const SSH_OPTION =
  /^(?:Host|HostName|User|Port|Include|Match|Subsystem|Use[A-Z]\w+|Print\w+|Permit\w+|Accept\w+|Allow\w+|X11\w+|\w+(?:Authentication|Forwarding|File|Sessions|Level|Timeout|Interval))\s+\S/;
/** Matches lines of requirements and checksums: a package with its version. */
const REQUIREMENT = /^(?:[A-Za-z][\w.[\]-]*\s?[=~<>!]=\s?\S+|-[er] \S+|[\w.~-]+\.[a-z]+\/\S+ v\S+ h1:\S+)/;
/** Matches the headings between records of psql (`\\x`) and mysql (`\\G`). */
const RECORD = /^(?:-\[ RECORD \d+ \]|\*{5,} +\d+\. row \*{5,})/;
const COMMENT_OR_BLANK = /^\s*(?:[#;!]|\/\/|$)/;
/** Matches list items, plain values in a list, and closing brackets. */
const DETAIL = /^\s*(?:- \S|[\]})]|["'][^"']*["'],?$|[\w.@/:=+-]+[,;]?$)|\\$|^\s+[-&|{]/;

export const configFormat: Format = {
  name: 'config',
  recognise(sample) {
    if (RECORD.test(sample[0] ?? '')) return true;
    const code = withoutTexts(sample).filter((line) => !COMMENT_OR_BLANK.test(line));
    if (code.length < 3 || isProgram(code)) return false;
    const isNginx = code.some((line) => NGINX.test(line));
    const isKeyed = (line: string) =>
      KEYED.some((pattern) => pattern.test(line)) || (isNginx && DIRECTIVE.test(line));
    const keyed = code.filter(isKeyed).length;
    const fitting = code.filter((line) => isKeyed(line) || DETAIL.test(line)).length;
    return keyed >= 0.3 * code.length && fitting >= 0.85 * code.length;
  },
  units(lines) {
    const all = { start: 1, end: lines.length };
    const records = sectionsOf(lines, RECORD);
    const stanzas = records.length > 0 ? records : stanzasOf(lines);
    if (stanzas !== undefined) return rowUnits(recordRows(lines, stanzas), 'record');
    const opens = lines.some((line) => SECTION.test(line)) ? SECTION : /^FROM\s/;
    const sections = sectionsOf(lines, opens);
    return sections.length === 0
      ? levelUnits(lines, all, 0)
      : [
          ...levelUnits(lines, { start: 1, end: (sections[0]?.start ?? 1) - 1 }, 0),
          ...sectionUnits(lines, sections),
        ];
  },
  examples: {
    is: [
      'services:\n  web:\n    image: shop:1.2\n    ports:\n      - "80:80"\n  db:\n    image: postgres:15',
      '[project]\nname = "shop"\nversion = "1.2.0"\n\n[tool.lint]\nselect = [\n  "E",\n]',
      '# cache\nport=6379\ntimeout=0\nmaxmemory=256mb',
    ],
    isNot: [
      'The cart holds items.\nIt is closed after payment.\nThen the order is made.',
      'function add(a, b) {\n  return a + b;\n}\nadd(1, 2);',
    ],
  },
};

/** Returns lines without the multi-line strings of YAML keys, such as scripts, certificates and descriptions. */
function withoutTexts(lines: readonly string[]): string[] {
  let indent = Number.MAX_SAFE_INTEGER;
  return lines.filter((line) => {
    if (indentOf(line) > indent) return false;
    indent = /:\s[|>][+-]?\d?$/.test(line) ? indentOf(line) : Number.MAX_SAFE_INTEGER;
    return true;
  });
}

const KEYED = [PAIR, SECTION, INSTRUCTION, REQUIREMENT, SSH_OPTION];
const PROGRAM =
  /^\s*(?:(?:export |pub |public |private |static |async |default )*(?:const|let|var|function|class|def|import|func|fn|impl|struct|enum|interface|package)\s[^:=]|from \S+ import |(?:if|for|while|switch)\s?\(|at .{1,200}:\d+:\d+\)?$|\w*Error:|Traceback|(?:DEBUG|INFO|WARN|ERROR|TRACE)\b|\d{4}-\d\d-\d\d[T ]\d\d:\d\d)|\);$/;

/** Whether lines that look like keys and values belong to a program, a log, a run or a document. */
function isProgram(code: readonly string[]): boolean {
  const foreign = code.filter((line) => PROGRAM.test(line)).length;
  const commas = code.filter((line) => line.endsWith(',') && PAIR.test(line)).length;
  if (code.filter((line) => SENTENCE.test(line)).length > MAX_SENTENCES * code.length) return true;
  return PROGRAM.test(code[0] ?? '') || foreign > 0.02 * code.length || commas > 0.2 * code.length;
}

/** Matches `Word: a sentence.`, which also occurs in documents. */
const SENTENCE = /^[^#]{60,}[.!?]$/;
const MAX_SENTENCES = 0.3;

const MIN_STANZAS = 3;

/** Returns the blocks between blank lines if all begin with the same key; `undefined` otherwise. */
function stanzasOf(lines: readonly string[]): LineRange[] | undefined {
  const blocks: LineRange[] = [];
  let start: number | undefined;
  for (let number = 1; number <= lines.length + 1; number += 1) {
    const isBlank = (lines[number - 1] ?? '').trim() === '';
    if (!isBlank) start ??= number;
    if (isBlank && start !== undefined) {
      blocks.push({ start, end: number - 1 });
      start = undefined;
    }
  }
  const keyOf = ({ start: at }: LineRange) => pairOf(lines[at - 1] ?? '')?.key;
  const first = blocks[1] === undefined ? undefined : keyOf(blocks[1]);
  const alike = first === undefined ? 0 : blocks.filter((block) => keyOf(block) === first).length;
  return blocks.length >= MIN_STANZAS && alike >= 0.8 * blocks.length ? blocks : undefined;
}

function recordRows(lines: readonly string[], ranges: readonly LineRange[]): Row[] {
  const columns = new Map<string, number>();
  return ranges.map((range) => recordRow(lines, range, columns));
}

/** Returns a record as a row with its keys as columns. Its name is the value of the key `name`, else the first value. */
function recordRow(lines: readonly string[], range: LineRange, columns: Map<string, number>): Row {
  const cells: string[] = [];
  let name = '';
  for (const line of lines.slice(range.start - 1, range.end)) {
    const pair = pairOf(line);
    if (pair === undefined) continue;
    const column = columns.get(pair.key) ?? columns.size;
    if (column >= MAX_COLUMNS) continue;
    columns.set(pair.key, column);
    cells[column] ??= pair.value;
    if (name === '' || /^name$/i.test(pair.key)) name = pair.value;
  }
  return { ...range, cells: Array.from(cells, (cell) => cell ?? ''), name };
}

const KEY = /^["']?[\w.@/$][\w .@/$-]{0,80}["']?$/;

/** Returns the key and value of a line. A colon separates them if a space or the end of the line follows. */
function pairOf(line: string): { key: string; value: string } | undefined {
  const text = line.slice(0, 300).trim();
  const bare = text.startsWith('- ') ? text.slice(2) : text;
  const at = bare.search(/=|:(?:\s|$)| \| /);
  const key = bare.slice(0, Math.max(0, at)).trimEnd();
  if (!KEY.test(key)) return undefined;
  const value = bare
    .slice(at + 1)
    .replace(/^\| /, '')
    .trim();
  return {
    key,
    value: value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value.slice(0, 80),
  };
}

const MAX_COLUMNS = 24;

/** Returns sections, each with the comment before it. A section ends at its last line that is not blank. */
function sectionsOf(lines: readonly string[], opens: RegExp): Entry[] {
  const keys = lines.flatMap((line, index) => (opens.test(line) ? [index + 1] : []));
  const starts = keys.map((key) => {
    let start = key;
    while (start > 1 && /^\s*#/.test(lines[start - 2] ?? '')) start -= 1;
    return start;
  });
  return keys.map((key, index) => {
    let end = (starts[index + 1] ?? lines.length + 1) - 1;
    while (end > key && (lines[end - 1] ?? '').trim() === '') end -= 1;
    return { start: starts[index] ?? key, key, end };
  });
}

const MIN_REPEATED = 4;

/** Returns the units of sections. Sections with the same name (`[[package]]`) are records; other sections keep their heading. */
function sectionUnits(lines: readonly string[], sections: readonly Entry[]): Unit[] {
  const names = sections.map(({ key }) => (lines[key - 1] ?? '').trim());
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isRepeated = (name: string) => (counts.get(name) ?? 0) >= MIN_REPEATED && name.startsWith('[[');
  const repeated = sections.filter((_, index) => isRepeated(names[index] ?? ''));
  const records = rowUnits(recordRows(lines, repeated), 'record');
  const others = sections
    .filter((_, index) => !isRepeated(names[index] ?? ''))
    .map((section) => unitOf(lines, section, 1));
  return [...records, ...others].sort((a, b) => a.start - b.start);
}

const MIN_ROWS = 30;
const MIN_ENTRY_LINES = 3;
const MAX_DEPTH = 8;

/** Returns the units of entries at one level, and of long comments between them. */
function levelUnits(lines: readonly string[], range: LineRange, depth: number): Unit[] {
  const entries = entriesIn(lines, range);
  const between = [...entries, { start: range.end + 1 }].flatMap(({ start }, index) =>
    commentUnits(lines, { start: (entries[index - 1]?.end ?? range.start - 1) + 1, end: start - 1 }),
  );
  return [...between, ...entryUnits(lines, entries, depth)].sort((a, b) => a.start - b.start);
}

/** Returns records if the entries have the same keys, rows if they are many and short, else one unit per long entry. */
function entryUnits(lines: readonly string[], entries: readonly Entry[], depth: number): Unit[] {
  const isItem = ({ key }: Entry) => /^\s*- [\w"'.-]+:/.test(lines[key - 1] ?? '');
  if (entries.length >= MIN_REPEATED && entries.every(isItem)) return itemUnits(lines, entries, depth);
  const isRequirement = ({ key }: Entry) => REQUIREMENT.test(lines[key - 1] ?? '');
  const short = entries.filter((entry) => isSingle(entry) || isRequirement(entry));
  if (short.length >= MIN_ROWS && short.length >= 0.8 * entries.length) return manyUnits(lines, entries);
  return entries.flatMap((entry) =>
    isSingle(entry) ? commentsOf(lines, entry) : [unitOf(lines, entry, depth)],
  );
}

function isSingle({ key, end }: Entry): boolean {
  return end - key + 1 < MIN_ENTRY_LINES;
}

function commentsOf(lines: readonly string[], { start, key }: Entry): Unit[] {
  return commentUnits(lines, { start, end: key - 1 });
}

/** Returns many short entries as rows, with key and value as columns. */
function manyUnits(lines: readonly string[], entries: readonly Entry[]): Unit[] {
  const rows = entries.map(({ start, key, end }): Row => {
    const line = lines[key - 1] ?? '';
    const { key: name, value } = pairOf(line) ?? wordsOf(line);
    return { start, end, cells: [name, value], name };
  });
  return rowUnits(rows, 'entry');
}

/** Returns the first word as key and the second as value, for lines such as `Port 22`. */
function wordsOf(line: string): { key: string; value: string } {
  const [key = '', value = ''] = line
    .slice(0, 300)
    .trim()
    .split(/[ \t]+/, 2);
  return { key, value };
}

function itemUnits(lines: readonly string[], entries: readonly Entry[], depth: number): Unit[] {
  const listed = listedItems(yamlItems(lines, entries));
  if (listed !== undefined) return listed;
  const childrenOf = (entry: Entry) =>
    entry.end - entry.key > MAX_ENTRY_LINES ? childUnits(lines, entry, depth) : [];
  const rows = recordRows(lines, entries);
  const nested = rows.map((row, index) => ({ ...row, children: childrenOf(entries[index] as Entry) }));
  return rowUnits(nested, 'record');
}

function unitOf(lines: readonly string[], entry: Entry, depth: number): Unit {
  const { start, key, end } = entry;
  const children = [...commentsOf(lines, entry), ...childUnits(lines, entry, depth)];
  return entryUnit({ name: keyName(lines[key - 1] ?? ''), start, key, end, children }, MIN_ENTRY_LINES);
}

function keyName(line: string): string {
  let name = line.trim();
  while (/[\s:={[(\\]$/.test(name)) name = name.slice(0, -1);
  return name.slice(0, 60);
}

/** Returns the units of the entries inside an entry, without its closing bracket. */
function childUnits(lines: readonly string[], { key, end }: Entry, depth: number): Unit[] {
  if (depth >= MAX_DEPTH || end - key < MIN_ENTRY_LINES) return [];
  const closes =
    /^\s*[\]})]/.test(lines[end - 1] ?? '') &&
    indentOf(lines[end - 1] ?? '') <= indentOf(lines[key - 1] ?? '');
  const opened = /[[{(]\s*$/.test(lines[key - 1] ?? '');
  const isText = /(?:[|>][+-]?|\\|"""|''')\s*$/.test(lines[key - 1] ?? '');
  return isText
    ? []
    : levelUnits(lines, { start: key + 1, end: closes && opened ? end - 1 : end }, depth + 1);
}
