import { eachItem, eachMember, skipBlank, skipValue } from './json-spans.ts';

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
  const sheet: Sheet = { text, splices: [] };
  place(skipBlank(text, 0), plant(edits), sheet);
  return applySplices(text, sheet.splices);
}

interface Splice {
  readonly start: number;
  readonly end: number;
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

/** Notes the edits of the value that starts at `at`; returns where it ends. Every character is passed over once. */
function place(at: number, tree: EditTree | undefined, sheet: Sheet): number {
  if (tree === undefined) return skipValue(sheet.text, at);
  if (tree.replace !== undefined) {
    const end = skipValue(sheet.text, at);
    sheet.splices.push({ start: at, end, text: tree.replace });
    return end;
  }
  if (sheet.text[at] === '{') return placeInObject(at, tree, sheet);
  if (sheet.text[at] === '[') return placeInList(at, tree, sheet);
  return skipValue(sheet.text, at);
}

function placeInObject(at: number, tree: EditTree, sheet: Sheet): number {
  const found = new Map<string, number>();
  const end = eachMember(sheet.text, at, (key, value) => {
    // `JSON.parse` takes the last of repeated keys, and so do we: what was noted for an earlier one goes.
    const earlier = found.get(key);
    if (earlier !== undefined) sheet.splices.length = earlier;
    found.set(key, sheet.splices.length);
    return place(value, childOf(tree, key), sheet);
  });
  const added = [...tree.members].filter(([key]) => !found.has(key));
  const members = added.map(([key, json]) => `${JSON.stringify(key)}:${json}`);
  addBefore(end - 1, { added: members, empty: found.size === 0 }, sheet);
  return end;
}

function childOf(tree: EditTree, key: string): EditTree | undefined {
  const json = tree.members.get(key);
  return json === undefined ? tree.children.get(key) : { ...emptyTree(), replace: json };
}

function placeInList(at: number, tree: EditTree, sheet: Sheet): number {
  let length = 0;
  const end = eachItem(sheet.text, at, (value) => {
    length += 1;
    return place(value, tree.children.get(length - 1), sheet);
  });
  addBefore(end - 1, { added: tree.appended, empty: length === 0 }, sheet);
  return end;
}

function addBefore(
  closing: number,
  { added, empty }: { added: readonly string[]; empty: boolean },
  sheet: Sheet,
): void {
  if (added.length === 0) return;
  sheet.splices.push({ start: closing, end: closing, text: (empty ? '' : ',') + added.join(',') });
}

function applySplices(text: string, splices: readonly Splice[]): string {
  let result = '';
  let at = 0;
  for (const splice of splices) {
    result += text.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return result + text.slice(at);
}
