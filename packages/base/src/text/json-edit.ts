import { eachItem, eachMember, isInside, nameOf, type Span, skipBlank, skipValue } from './json.ts';

export type JsonPath = readonly (string | number)[];

/**
 * One change to a JSON text. `replace` puts `json` in place of the value at `path`; `append` adds it to the list
 * there; `drop` removes the items `start` up to, not including, `end` of the list there, which must not be its last;
 * `member` sets one member of the object there.
 */
export type JsonEdit =
  | { readonly kind: 'replace'; readonly path: JsonPath; readonly json: string }
  | { readonly kind: 'append'; readonly path: JsonPath; readonly json: string }
  | ({ readonly kind: 'drop'; readonly path: JsonPath } & Readonly<Span>)
  | { readonly kind: 'member'; readonly path: JsonPath; readonly key: string; readonly json: string };

/**
 * Changes single values of a valid JSON text and leaves every other byte as it was. Numbers beyond double precision, key
 * order and white space stay, unlike with `JSON.parse` and `JSON.stringify`. Edits of missing paths are ignored.
 */
export function editJson(text: string, edits: readonly JsonEdit[]): string {
  const splices = findSplices(edits, {
    text,
    valueEnd: (at) => skipValue(text, at),
    nameAt: ({ start, end }) => nameOf(text.slice(start, end)),
  });
  return spliced(splices, text.length, (start, end) => text.slice(start, end)).join('');
}

/** A JSON text as UTF-8. */
export interface JsonBytes {
  readonly bytes: Buffer;
  /** The bytes as a string of one character each: positions in it are positions in the bytes. */
  readonly latin1: string;
}

/** Edits JSON as bytes, without decoding them: large texts with few changes are mostly copied. */
export function editJsonBytes(source: JsonBytes, edits: readonly JsonEdit[]): Buffer {
  const { bytes, latin1 } = source;
  const splices = findSplices(edits, {
    text: latin1,
    valueEnd: (at) => skipValue(latin1, at),
    nameAt: ({ start, end }) => nameOf(bytes.toString('utf8', start, end)),
  });
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

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Source {
  readonly text: string;
  valueEnd(at: number): number;
  nameAt(name: Span): string;
}

function findSplices(edits: readonly JsonEdit[], source: Source): Splice[] {
  const output: Edits = { source, splices: [] };
  place(skipBlank(source.text, 0), plant(edits), output);
  return output.splices;
}

/** Edits by the steps of their paths, so that the text is read once, and in detail only at the edited places. */
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

interface Edits {
  readonly source: Source;
  readonly splices: Splice[];
}

/** Records the edits of the value that starts at `at`, and returns its end. Reads every character once. */
function place(at: number, tree: EditTree | undefined, output: Edits): number {
  if (tree === undefined) return output.source.valueEnd(at);
  if (tree.replace !== undefined) {
    const end = output.source.valueEnd(at);
    output.splices.push({ start: at, end, text: tree.replace });
    return end;
  }
  if (output.source.text[at] === '{') return placeInObject(at, tree, output);
  if (output.source.text[at] === '[') return placeInList(at, tree, output);
  return output.source.valueEnd(at);
}

function placeInObject(at: number, tree: EditTree, output: Edits): number {
  const found = new Map<string, number>();
  const end = eachMember(output.source.text, at, (name, value) => {
    const key = output.source.nameAt(name);
    // The last of duplicate keys counts, as in `JSON.parse`: edits recorded for an earlier one are dropped.
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
  const end = eachItem(output.source.text, at, (value) => {
    const index = length;
    length += 1;
    if (isInside(index, tree.dropped)) {
      droppedFrom ??= value;
      return output.source.valueEnd(value);
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

/** Returns the kept pieces and the inserted ones, in order. */
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
