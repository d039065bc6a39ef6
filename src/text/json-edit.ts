import { itemSpans, memberSpans, type Span, skipBlank, skipValue } from './json-spans.ts';

export type JsonPath = readonly (string | number)[];

/**
 * One change to a JSON text. `replace` puts `json` in place of the value at `path`; `append` adds it to the list
 * there; `member` sets one member of the object there.
 */
export type JsonEdit =
  | { readonly kind: 'replace'; readonly path: JsonPath; readonly json: string }
  | { readonly kind: 'append'; readonly path: JsonPath; readonly json: string }
  | { readonly kind: 'member'; readonly path: JsonPath; readonly key: string; readonly json: string };

/**
 * Changes single values of a valid JSON text and leaves every other byte as it was: numbers beyond double precision,
 * key order and blanks survive, which parsing and printing would not promise. Edits of places that are not there are
 * passed over.
 */
export function editJson(text: string, edits: readonly JsonEdit[]): string {
  const start = skipBlank(text, 0);
  const splices: Splice[] = [];
  place({ start, end: skipValue(text, start) }, plant(edits), { text, splices });
  return applySplices(text, splices);
}

interface Splice extends Span {
  readonly text: string;
}

/** Edits by the first step of their paths, so that the text is walked once and only where something changes. */
interface EditTree {
  replace?: string;
  readonly appended: string[];
  readonly members: Map<string, string>;
  readonly children: Map<string | number, EditTree>;
}

function plant(edits: readonly JsonEdit[]): EditTree {
  const root = emptyTree();
  for (const edit of edits) {
    const tree = descend(root, edit.path);
    if (edit.kind === 'replace') tree.replace = edit.json;
    else if (edit.kind === 'append') tree.appended.push(edit.json);
    else tree.members.set(edit.key, edit.json);
  }
  return root;
}

function descend(root: EditTree, path: JsonPath): EditTree {
  let tree = root;
  for (const step of path) {
    const child = tree.children.get(step) ?? emptyTree();
    tree.children.set(step, child);
    tree = child;
  }
  return tree;
}

function emptyTree(): EditTree {
  return { appended: [], members: new Map(), children: new Map() };
}

interface Sheet {
  readonly text: string;
  readonly splices: Splice[];
}

function place(value: Span, tree: EditTree, sheet: Sheet): void {
  if (tree.replace !== undefined) {
    sheet.splices.push({ ...value, text: tree.replace });
    return;
  }
  const opening = sheet.text[value.start];
  if (opening === '{') placeInObject(value, tree, sheet);
  if (opening === '[') placeInList(value, tree, sheet);
}

function placeInObject(object: Span, tree: EditTree, sheet: Sheet): void {
  const members = memberSpans(sheet.text, object.start);
  for (const [step, child] of tree.children) {
    const member = members.get(String(step));
    if (member !== undefined) place(member, child, sheet);
  }
  const added: string[] = [];
  for (const [key, json] of tree.members) {
    const member = members.get(key);
    if (member === undefined) added.push(`${JSON.stringify(key)}:${json}`);
    else sheet.splices.push({ ...member, text: json });
  }
  addBeforeClosing(object, { added, empty: members.size === 0 }, sheet);
}

function placeInList(list: Span, tree: EditTree, sheet: Sheet): void {
  const items = itemSpans(sheet.text, list.start);
  for (const [step, child] of tree.children) {
    const item = items[Number(step)];
    if (item !== undefined) place(item, child, sheet);
  }
  addBeforeClosing(list, { added: tree.appended, empty: items.length === 0 }, sheet);
}

function addBeforeClosing(
  container: Span,
  { added, empty }: { added: readonly string[]; empty: boolean },
  sheet: Sheet,
): void {
  if (added.length === 0) return;
  const at = container.end - 1;
  sheet.splices.push({ start: at, end: at, text: (empty ? '' : ',') + added.join(',') });
}

function applySplices(text: string, splices: Splice[]): string {
  splices.sort((a, b) => a.start - b.start);
  let result = '';
  let at = 0;
  for (const splice of splices) {
    result += text.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return result + text.slice(at);
}
