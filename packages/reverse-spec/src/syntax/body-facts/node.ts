import type { TreeCursor, Node as TreeNode } from 'web-tree-sitter';
import { indexLines, type LineIndex } from '../tree/line-index.ts';

/** Data the nodes of one tree share. */
export interface Source {
  /** The text the parser saw. */
  text: string;
  lines: LineIndex;
}

export interface Kind {
  type: string;
  isNamed: boolean;
}

/**
 * Languages whose grammars give a visible node one field at most, seen in thousands of files. Elsewhere a
 * hidden node may have a field around a node with another: a cursor returns only the inner one, so the tree
 * itself is asked for the others.
 */
const SIMPLE_LANGUAGES: ReadonlySet<string> = new Set(['python', 'go', 'java', 'ruby', 'php']);
/** Those of them that do it all the same. */
const LAYERED_TYPES: ReadonlySet<string> = new Set(['match_statement']);

interface Span {
  startIndex: number;
  endIndex: number;
  /** The field of its parent that the node is in. */
  fieldName: string | null;
}

/** Is replaced, never filled. */
const NO_NODES: Node[] = [];

/**
 * A node of a tree-sitter tree, copied out of WebAssembly. Names and meaning are those of web-tree-sitter; there each of them calls into
 * WebAssembly, which takes longer than all that is done with the answer.
 */
export class Node {
  readonly type: string;
  readonly isNamed: boolean;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly fieldName: string | null;
  readonly parent: Node | null;
  children: Node[] = NO_NODES;
  /** Set if fields of its children have to be looked up in the tree. */
  origin: TreeNode | undefined;
  readonly #source: Source;
  /** Its place among the children of its parent. */
  readonly #at: number;

  constructor(source: Source, kind: Kind, span: Span & { parent: Node | null; at: number }) {
    this.#source = source;
    this.type = kind.type;
    this.isNamed = kind.isNamed;
    this.startIndex = span.startIndex;
    this.endIndex = span.endIndex;
    this.fieldName = span.fieldName;
    this.parent = span.parent;
    this.#at = span.at;
  }

  get text(): string {
    return this.#source.text.slice(this.startIndex, this.endIndex);
  }

  /** Empty for the root. */
  get parentType(): string {
    return this.parent?.type ?? '';
  }

  /** Lines before the one it begins on. */
  get startRow(): number {
    return this.#source.lines.rowAt(this.startIndex);
  }

  get endRow(): number {
    return this.#source.lines.rowAt(this.endIndex);
  }

  get namedChildren(): Node[] {
    return this.children.filter(isNamed);
  }

  get namedChildCount(): number {
    return this.namedChildren.length;
  }

  get firstChild(): Node | null {
    return this.children[0] ?? null;
  }

  get firstNamedChild(): Node | null {
    return this.children.find(isNamed) ?? null;
  }

  get lastNamedChild(): Node | null {
    return this.children.findLast(isNamed) ?? null;
  }

  get nextSibling(): Node | null {
    return this.parent?.children[this.#at + 1] ?? null;
  }

  get previousSibling(): Node | null {
    return this.parent?.children[this.#at - 1] ?? null;
  }

  get nextNamedSibling(): Node | null {
    return this.parent?.children.slice(this.#at + 1).find(isNamed) ?? null;
  }

  get previousNamedSibling(): Node | null {
    return this.parent?.children.slice(0, this.#at).findLast(isNamed) ?? null;
  }

  childForFieldName(name: string): Node | null {
    // Text that could not be parsed has no fields.
    if (this.type === 'ERROR') return null;
    for (const child of this.children) if (child.fieldName === name) return child;
    return this.origin === undefined ? null : this.#copyOf(this.origin.childForFieldName(name));
  }

  /** Finds the copy of a node below this one. */
  #copyOf(origin: TreeNode | null): Node | null {
    if (origin === null) return null;
    const { startIndex, endIndex, type } = origin;
    const around = this.children.filter((each) => each.startIndex <= startIndex && endIndex <= each.endIndex);
    for (const each of around) {
      const isSame = each.startIndex === startIndex && each.endIndex === endIndex && each.type === type;
      const found = isSame ? each : each.#copyOf(origin);
      if (found !== null) return found;
    }
    return null;
  }

  /** The first node of a type below this one. */
  firstOfType(type: string): Node | undefined {
    for (const child of this.children) {
      const found = child.type === type ? child : child.firstOfType(type);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The nodes of these types below this one, none of them inside another. */
  ofTypes(types: ReadonlySet<string>): Node[] {
    return this.children.flatMap((child) => (types.has(child.type) ? [child] : child.ofTypes(types)));
  }

  childrenForFieldName(name: string): Node[] {
    return this.children.filter((child) => child.fieldName === name);
  }
}

function isNamed(node: Node): boolean {
  return node.isNamed;
}

/** Copies a tree without recursion: code can be nested deeper than a stack. `text` is what the parser saw. */
export function copyTree(root: TreeNode, { text, language }: { text: string; language: string }): Node {
  const cursor = root.walk();
  try {
    const read = nodeReader(cursor, root, { text, lines: indexLines(text) });
    const isSimple = SIMPLE_LANGUAGES.has(language);
    const top = read(null, 0);
    let at = top;
    while (true) {
      if (!isSimple || LAYERED_TYPES.has(at.type)) at.origin = cursor.currentNode;
      if (cursor.gotoFirstChild()) {
        const first = read(at, 0);
        at.children = [first];
        at = first;
        continue;
      }
      while (at.parent !== null && !cursor.gotoNextSibling()) {
        cursor.gotoParent();
        at = at.parent;
      }
      const { parent } = at;
      if (parent === null) return top;
      at = read(parent, parent.children.length);
      parent.children.push(at);
    }
  } finally {
    cursor.delete();
  }
}

/** Reads the node at the cursor. */
function nodeReader(cursor: TreeCursor, { tree: { language } }: TreeNode, source: Source) {
  const kinds = new Map<number, Kind>();
  return (parent: Node | null, at: number): Node => {
    const id = cursor.nodeTypeId;
    let kind = kinds.get(id);
    if (kind === undefined) {
      kind = { type: cursor.nodeType, isNamed: cursor.nodeIsNamed };
      kinds.set(id, kind);
    }
    const { startIndex, endIndex, currentFieldId } = cursor;
    const fieldName = language.fields[currentFieldId] ?? null;
    return new Node(source, kind, { startIndex, endIndex, fieldName, parent, at });
  };
}
