/**
 * Accessibility trees of web pages as browser servers print them: `- button "Add" [ref=e12]` (Playwright) or
 * `uid=1_4 button "Add"` (Chrome DevTools). Items of lists and rows of tables are removed as a whole. Other
 * elements keep their first line.
 */
import type { Unit } from './document.ts';

const NODE = /^(\s*)(?:- ['"]?|uid=\S+ )([A-Za-z]+)(?: "((?:[^"\\]|\\.)*)")?/;
/** Matches the text of a node, after its attributes: `- listitem [ref=e4]: Oslo`. */
const TEXT = /^(?: \[[^\]]{1,60}\]){0,8}: (\S.{0,80})/;
const ROLE =
  /^\s*(?:uid=\d|- \/[a-z]+:|- ['"]?(?:generic|link|button|heading|text|img|list|listitem|paragraph|textbox|combobox|checkbox|radio|table|row|rowgroup|cell|columnheader|rowheader|grid|gridcell|navigation|main|banner|contentinfo|region|article|group|document|dialog|tab|tablist|tabpanel|option|figure|strong|emphasis|separator|searchbox|search|complementary|form|menu|menubar|menuitem|status|alert|tree|treeitem|term|definition|blockquote|code|time|iframe|switch|slider|progressbar|spinbutton|radiogroup|listbox|toolbar|tooltip|note|caption|feed|meter|menuitemcheckbox|menuitemradio|alertdialog|treegrid)\b)/;

/** Whether most lines are nodes of an accessibility tree. */
export function isSnapshot(lines: readonly string[]): boolean {
  const items = lines.filter((line) => /^\s*(?:- |uid=\d)/.test(line));
  const nodes = items.filter((line) => ROLE.test(line)).length;
  const marked = items.filter((line) => /\[ref=\w+\]|^\s*uid=|"/.test(line)).length;
  return items.length >= 0.5 * lines.length && nodes >= 0.8 * items.length && marked >= 0.2 * items.length;
}

interface Node {
  readonly role: string;
  readonly name: string;
  /** First line, 1-based. `end` is inclusive. */
  readonly start: number;
  end: number;
  readonly indent: number;
  readonly children: Node[];
}

const MAX_NODE_CHARS = 400;

/** Nests nodes by their indentation. Other lines, such as addresses, belong to the node before them. */
export function snapshotUnits(lines: readonly string[]): Unit[] {
  const root: Node = { role: '', name: '', start: 1, end: lines.length, indent: -1, children: [] };
  const open = [root];
  let last = 0;
  for (const [index, line] of lines.entries()) {
    const { blanks, role, name } = nodeIn(line.slice(0, MAX_NODE_CHARS));
    if (role === '') {
      if (/^\s*- \/|^\s+\S/.test(line)) last = index + 1;
      continue;
    }
    while (open.length > 1 && (open.at(-1)?.indent ?? -1) >= blanks.length) close(open.pop(), last);
    const node = { role, name, start: index + 1, end: index + 1, indent: blanks.length, children: [] };
    open.at(-1)?.children.push(node);
    open.push(node);
    last = index + 1;
  }
  for (const node of open.slice(1)) close(node, last);
  return unitsOf(root.children, charactersOf(lines));
}

/** Returns the number of characters between two lines, 1-based and inclusive. */
type CharacterCount = (start: number, end: number) => number;

function charactersOf(lines: readonly string[]): CharacterCount {
  const before = new Uint32Array(lines.length + 1);
  for (const [index, { length }] of lines.entries()) before[index + 1] = (before[index] ?? 0) + length + 1;
  return (start, end) => (before[end] ?? 0) - (before[start - 1] ?? 0);
}

function nodeIn(line: string): { blanks: string; role: string; name: string } {
  const [matched = '', blanks = '', role = '', quoted] = NODE.exec(line) ?? [];
  return { blanks, role, name: quoted ?? TEXT.exec(line.slice(matched.length))?.[1] ?? '' };
}

function close(node: Node | undefined, end: number): void {
  if (node !== undefined) node.end = Math.max(node.start, end);
}

const MIN_ITEMS = 4;
const MIN_ITEM_SHARE = 0.6;
/** Maximum lines of items and elements that are removed as a whole. Longer ones are removed in parts. */
const MAX_UNIT_LINES = 80;
const MIN_BODY_LINES = 3;
/** Minimum characters of a body that is removed. Removing a shorter one saves too little. */
const MIN_BODY_CHARS = 600;
/** Controls that an agent fills in or chooses from. An element that contains one is never removed as a whole. */
const CONTROLS = new Set(['radio', 'combobox', 'textbox', 'searchbox', 'spinbutton', 'slider', 'switch']);
const NEVER_ITEMS = new Set([...CONTROLS, 'region']);
/** Roles of elements that are on every page of a site. They can be removed at any length. */
const FRAME = new Set(['banner', 'navigation', 'contentinfo', 'complementary', 'menu', 'menubar']);

function unitsOf(nodes: readonly Node[], characters: CharacterCount): Unit[] {
  if (isSmallTable(nodes)) return [];
  const item = itemRole(nodes);
  const items = nodes.filter(({ role }) => role === item);
  const shown = new Set(
    items.length < MIN_LONG_LIST ? [] : [...items.slice(0, FIRST_ITEMS), ...items.slice(-1)],
  );
  const isInSections = nodes.filter(isNamedSection).length >= MIN_SECTIONS;
  return nodes.flatMap((node) =>
    node.role === item
      ? [itemUnit(node, { standsOut: shown.has(node), characters })]
      : elementUnit(node, { characters, isSection: isInSections && isNamedSection(node) }),
  );
}

/** A page with this number of named sections is a form or a report in parts: settings, a profile. */
const MIN_SECTIONS = 4;
const SECTIONS = new Set(['region', 'group', 'form', 'tabpanel']);

function isNamedSection({ role, name }: Node): boolean {
  return SECTIONS.has(role) && name !== '';
}

const MAX_VALUES = 60;
const MAX_SMALL_TABLE_ROWS = 10;

/** Whether nodes belong together in a table: cells of a row, or rows of a short table or of names and values. */
function isSmallTable(nodes: readonly Node[]): boolean {
  if (nodes.some(({ role }) => CELLS.has(role))) return true;
  const isNamedValue = ({ children }: Node) => children.length === 2 && children[0]?.role === 'rowheader';
  const most = nodes.every(isNamedValue) ? MAX_VALUES : MAX_SMALL_TABLE_ROWS;
  return nodes.length <= most && nodes.every(({ role }) => role === 'row');
}

/** Roles of tables. Tables state facts in few words, such as fees and sizes, which scores do not recognise. */
const TABLES = new Set(['table', 'grid', 'rowgroup']);
const CELLS = new Set(['cell', 'gridcell', 'columnheader', 'rowheader']);

const MIN_LONG_LIST = 8;
/** Number of items that are kept at the beginning: the heading of a table, and a row as an example. */
const FIRST_ITEMS = 2;

/** Returns the role of list items: the role of most nodes, if there are enough of them. Controls and regions never count. */
function itemRole(nodes: readonly Node[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { role } of nodes) counts.set(role, (counts.get(role) ?? 0) + 1);
  const least = Math.max(MIN_ITEMS, MIN_ITEM_SHARE * nodes.length);
  return [...counts].find(([role, count]) => count >= least && !NEVER_ITEMS.has(role))?.[0];
}

function itemUnit(
  node: Node,
  { standsOut, characters }: { readonly standsOut: boolean; readonly characters: CharacterCount },
): Unit {
  const { start, end } = node;
  const isShort = end - start < MAX_UNIT_LINES;
  const isField = hasControl(node) && !leadsOn(node);
  // An item that the task needs is kept as a whole.
  const children = isShort ? [] : unitsOf(node.children, characters);
  return {
    kind: 'element',
    name: firstName(node),
    holds: WORDS.get(node.role) ?? node.role,
    start,
    end,
    head: start - 1,
    ...(isShort && !isField && { rule: 'unrelated-units' as const }),
    ...(standsOut && { standsOut }),
    ...(children.length > 0 && { children }),
  };
}

/** Whether an item has a link or heading. Without them, its controls are a row of a form, such as an extra with its price. */
function leadsOn({ role, children }: Node): boolean {
  return role === 'link' || role === 'heading' || children.some(leadsOn);
}

/** Returns the name of a node, else that of the first named node inside it. */
function firstName({ name, children }: Node): string {
  if (name !== '') return name;
  for (const child of children) {
    const found = firstName(child);
    if (found !== '') return found;
  }
  return '';
}

function elementUnit(
  node: Node,
  { characters, isSection }: { readonly characters: CharacterCount; readonly isSection: boolean },
): Unit[] {
  const { start, end, role, name, children: inner } = node;
  const children = unitsOf(inner, characters);
  const isFrame = FRAME.has(role);
  if (end - start < MIN_BODY_LINES || (!isFrame && characters(start + 1, end) < MIN_BODY_CHARS))
    return children;
  const holdsControls = !isFrame && hasControl(node);
  const isWhole = holdsControls ? !isSection : TABLES.has(role) && end - start < MAX_UNIT_LINES;
  const isSmall = end - start < MAX_UNIT_LINES || isFrame || isSection || children.length === 0;
  const isRemovable = isSmall && (isFrame || !isWhole);
  return [
    {
      kind: 'element',
      name: `${role} ${name}`.trim(),
      holds: contentOf(inner),
      start,
      end,
      head: start,
      ...(isRemovable && { rule: 'unrelated-units' as const }),
      ...(holdsControls && { holdsControls }),
      ...(children.length > 0 && { children }),
    },
  ];
}

function hasControl({ role, children }: Node): boolean {
  return CONTROLS.has(role) || children.some(hasControl);
}

const MIN_HEADINGS = 3;
const MAX_KINDS = 3;
const MAX_NAMES_CHARS = 44;
const MAX_NAME_CHARS = 16;

/**
 * Describes the content of an element: `8 headings: Delivery, Size guide, …`. If it has few headings, counts
 * the nodes by role and lists the first names: `35 links, 2 buttons: Home, Shop, …`.
 */
function contentOf(nodes: readonly Node[]): string {
  const counts = new Map<string, number>();
  const names: string[] = [];
  const count = ({ role, name, children }: Node) => {
    if (name !== '' || children.length === 0) counts.set(role, (counts.get(role) ?? 0) + 1);
    if (name !== '') names.push(name);
    for (const child of children) count(child);
  };
  for (const node of nodes) count(node);
  const headings = headingsIn(nodes);
  if (headings.length >= MIN_HEADINGS)
    return `${counted(headings.length, 'heading')}: ${firstNames(headings)}`;
  const most = [...counts].sort(([, a], [, b]) => b - a);
  const others = most.slice(MAX_KINDS).reduce((sum, [, each]) => sum + each, 0);
  const said = most.slice(0, MAX_KINDS).map(([role, each]) => counted(each, role));
  const kinds = [...said, ...(others > 0 ? [`${others} more`] : [])].join(', ');
  const first = firstNames(names);
  return first === '' ? kinds : `${kinds}: ${first}`;
}

function headingsIn(nodes: readonly Node[]): string[] {
  return nodes.flatMap(({ role, name, children }) =>
    role === 'heading' && name !== '' ? [name] : headingsIn(children),
  );
}

/** Returns as many different names as fit. */
function firstNames(names: readonly string[]): string {
  const shown: string[] = [];
  const different = new Set(names);
  let characters = 0;
  for (const name of different) {
    const short = name.length > MAX_NAME_CHARS ? `${name.slice(0, MAX_NAME_CHARS).trimEnd()}…` : name;
    characters += short.length + 2;
    if (characters > MAX_NAMES_CHARS) break;
    shown.push(short);
  }
  return shown.length < different.size && shown.length > 0 ? `${shown.join(', ')}, …` : shown.join(', ');
}

const WORDS = new Map([
  ['img', 'image'],
  ['listitem', 'list item'],
  ['combobox', 'choice'],
  ['radio', 'option'],
  ['checkbox', 'option'],
  ['textbox', 'input'],
  ['searchbox', 'input'],
  ['columnheader', 'column heading'],
]);

function counted(count: number, role: string): string {
  const word = WORDS.get(role) ?? role;
  if (count === 1) return `1 ${word}`;
  return `${count} ${word}${/(?:ch|x|s)$/.test(word) ? 'es' : 's'}`;
}

/** Returns a function that decides whether a line of a page (0-based) is content: in the tree, but in no menu or footer. */
export function contentOfPage(units: readonly Unit[]): (index: number) => boolean {
  const frames = units.flatMap(framesIn);
  const first = (units[0]?.start ?? 1) - 1;
  return (index) =>
    index >= first && !frames.some(({ start, end }) => start <= index + 1 && index + 1 <= end);
}

function framesIn(unit: Unit): Unit[] {
  return isFrame(unit) ? [unit] : (unit.children ?? []).flatMap(framesIn);
}

/** Whether a unit is a menu, a footer or a side bar of a page. */
export function isFrame({ kind, name }: Unit): boolean {
  return kind === 'element' && FRAME.has(name.split(' ', 1)[0] ?? '');
}
