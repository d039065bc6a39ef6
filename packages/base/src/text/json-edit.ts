import { eachItem, eachMember, isInside, nameOf, type Span, skipBlank, skipValue } from './json.ts';

export type JsonPath = readonly (string | number)[];

/**
 * One change of a JSON text. `replace`: replaces the value at `path` by `json`. `append`: adds `json` to the
 * list at `path`. `drop`: removes items from `start` to before `end` from that list, but never the last one.
 * `member`: sets one member of the object at `path`.
 */
export type JsonEdit =
  | { readonly kind: 'replace'; readonly path: JsonPath; readonly json: string }
  | { readonly kind: 'append'; readonly path: JsonPath; readonly json: string }
  | ({ readonly kind: 'drop'; readonly path: JsonPath } & Readonly<Span>)
  | { readonly kind: 'member'; readonly path: JsonPath; readonly key: string; readonly json: string };

/**
 * Changes single values of a valid JSON text and keeps all other bytes: numbers beyond double precision, key
 * order, whitespace. `JSON.parse` and `JSON.stringify` would not. Edits of missing paths are ignored.
 */
export function editJson(text: string, edits: readonly JsonEdit[]): string {
  const splices = findSplices(edits, { text, decoded: (name) => name });
  return spliced(splices, text.length, (start, end) => text.slice(start, end)).join('');
}

/**
 * Edits JSON as bytes, without decoding it, because most of a large text is only copied. In `latin1` each
 * byte is one character, so positions are equal.
 */
export function editJsonBytes(
  { bytes, latin1 }: { readonly bytes: Buffer; readonly latin1: string },
  edits: readonly JsonEdit[],
): Buffer {
  const decoded = (name: string) => Buffer.from(name, 'latin1').toString('utf8');
  const splices = findSplices(edits, { text: latin1, decoded });
  const pieces = spliced(splices, bytes.length, (start, end) => bytes.subarray(start, end));
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
}

/** Returns the span of the value at each path in a valid JSON text; `undefined` for a missing path. */
export function findSpans(text: string, paths: readonly JsonPath[]): (Span | undefined)[] {
  const root = emptyTree();
  const trees = paths.map((path) => descend(root, path));
  const spans = new Map<EditTree, Span>();
  const visit = (start: number, tree: EditTree | undefined): number => {
    const end = tree === undefined ? skipValue(text, start) : visitInside(start, tree);
    if (tree !== undefined) spans.set(tree, { start, end });
    return end;
  };
  const visitInside = (start: number, { children }: EditTree): number => {
    if (children.size > 0 && text[start] === '{') {
      return eachMember(text, start, (name, value) =>
        visit(value, children.get(nameOf(text.slice(name.start, name.end)))),
      );
    }
    if (children.size === 0 || text[start] !== '[') return skipValue(text, start);
    let index = 0;
    return eachItem(text, start, (value) => visit(value, children.get(index++)));
  };
  visit(skipBlank(text, 0), root);
  return trees.map((tree) => spans.get(tree));
}

interface Splice extends Readonly<Span> {
  readonly text: string;
}

interface Source {
  readonly text: string;
  /** Returns a member name decoded from UTF-8. */
  decoded(name: string): string;
}

function findSplices(edits: readonly JsonEdit[], source: Source): Splice[] {
  const output: Edits = { ...source, splices: [] };
  place(skipBlank(source.text, 0), plant(edits), output);
  return output.splices;
}

/** Edits arranged by the steps of their paths. The text is then read only once, and in detail only where it is edited. */
interface EditTree {
  replace?: string;
  readonly appended: string[];
  readonly dropped: Readonly<Span>[];
  readonly members: Map<string, string>;
  readonly children: Map<string | number, EditTree>;
}

function plant(edits: readonly JsonEdit[]): EditTree {
  const root = emptyTree();
  for (const edit of edits) {
    const tree = descend(root, edit.path);
    if (edit.kind === 'replace') tree.replace = edit.json;
    else if (edit.kind === 'append') tree.appended.push(edit.json);
    else if (edit.kind === 'drop') tree.dropped.push(edit);
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
  return { appended: [], dropped: [], members: new Map(), children: new Map() };
}

interface Edits extends Source {
  readonly splices: Splice[];
}

/** Records the edits of the value at `at`, and returns the end of the value. Each character is read once. */
function place(at: number, tree: EditTree | undefined, output: Edits): number {
  const { text } = output;
  if (tree !== undefined && tree.replace === undefined) {
    if (text[at] === '{') return placeInObject(at, tree, output);
    if (text[at] === '[') return placeInList(at, tree, output);
  }
  const end = skipValue(text, at);
  if (tree?.replace !== undefined) output.splices.push({ start: at, end, text: tree.replace });
  return end;
}

function placeInObject(at: number, tree: EditTree, output: Edits): number {
  const found = new Map<string, number>();
  const end = eachMember(output.text, at, (name, value) => {
    const key = nameOf(output.decoded(output.text.slice(name.start, name.end)));
    // As in `JSON.parse`, the last of duplicate keys is valid. Edits recorded for an earlier one are dropped.
    const earlier = found.get(key);
    if (earlier !== undefined) output.splices.length = earlier;
    found.set(key, output.splices.length);
    return place(value, childOf(tree, key), output);
  });
  const added = [...tree.members].filter(([key]) => !found.has(key));
  const members = added.map(([key, json]) => `${JSON.stringify(key)}:${json}`);
  addBefore(end - 1, { added: members, empty: found.size === 0 }, output);
  return end;
}

function childOf(tree: EditTree, key: string): EditTree | undefined {
  const json = tree.members.get(key);
  return json === undefined ? tree.children.get(key) : { ...emptyTree(), replace: json };
}

function placeInList(at: number, tree: EditTree, output: Edits): number {
  let length = 0;
  let droppedFrom: number | undefined;
  const end = eachItem(output.text, at, (value) => {
    const index = length;
    length += 1;
    if (isInside(index, tree.dropped)) {
      droppedFrom ??= value;
      return skipValue(output.text, value);
    }
    if (droppedFrom !== undefined) output.splices.push({ start: droppedFrom, end: value, text: '' });
    droppedFrom = undefined;
    return place(value, tree.children.get(index), output);
  });
  addBefore(end - 1, { added: tree.appended, empty: length === 0 }, output);
  return end;
}

function addBefore(
  closing: number,
  { added, empty }: { added: readonly string[]; empty: boolean },
  output: Edits,
): void {
  if (added.length === 0) return;
  output.splices.push({ start: closing, end: closing, text: (empty ? '' : ',') + added.join(',') });
}

/** Returns the kept and inserted pieces in order. */
function spliced<Piece>(
  splices: readonly Splice[],
  length: number,
  kept: (start: number, end: number) => Piece,
): Array<Piece | string> {
  const pieces: Array<Piece | string> = [];
  let at = 0;
  for (const splice of splices) {
    pieces.push(kept(at, splice.start), splice.text);
    at = splice.end;
  }
  pieces.push(kept(at, length));
  return pieces;
}
