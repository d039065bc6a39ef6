import { indexLines, type LineIndex } from '@secateur/base/text/lines.ts';
import type { TreeCursor, Node as TreeNode } from 'web-tree-sitter';

/** Data shared by the nodes of one tree. */
export interface Source {
  /** Text that the parser saw. */
  text: string;
  lines: LineIndex;
}

export interface Kind {
  type: string;
  isNamed: boolean;
}

/**
 * Languages in which each node is in at most one field of its parent, as measured over thousands of files. In
 * the other languages a node may be in two fields, of which the inner one belongs to a hidden node. The
 * cursor returns only the inner field, so the outer one is looked up in the tree.
 */
const SIMPLE_LANGUAGES: ReadonlySet<string> = new Set(['python', 'go', 'java', 'ruby', 'php']);
/** Node types that can have two fields even in `SIMPLE_LANGUAGES`. */
const LAYERED_TYPES: ReadonlySet<string> = new Set(['match_statement']);

interface Span {
  startIndex: number;
  endIndex: number;
  /** Field of the parent that contains the node; null if it is in none. */
  fieldName: string | null;
}

/** Shared empty default of `children`. Nodes replace it and never modify it. */
const NO_NODES: Node[] = [];

/**
 * A node of a tree-sitter tree, copied out of WebAssembly. Members have the names and meaning of those in
 * web-tree-sitter. There, each access calls into WebAssembly, which takes longer than using the result.
 */
export class Node {
  readonly type: string;
  readonly isNamed: boolean;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly fieldName: string | null;
  readonly parent: Node | null;
  children: Node[] = NO_NODES;
  /** Node in the original tree. Set only if the fields of the children must be looked up there. */
  origin: TreeNode | undefined;
  readonly #source: Source;
  /** Index among the children of the parent. */
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

  /** Type of the parent; empty for the root. */
  get parentType(): string {
    return this.parent?.type ?? '';
  }

  /** Zero-based row of the first character. */
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
    let next = this.nextSibling;
    while (next !== null && !next.isNamed) next = next.nextSibling;
    return next;
  }

  get previousNamedSibling(): Node | null {
    let before = this.previousSibling;
    while (before !== null && !before.isNamed) before = before.previousSibling;
    return before;
  }

  childForFieldName(name: string): Node | null {
    // An `ERROR` node, which is text that could not be parsed, has no fields.
    if (this.type === 'ERROR') return null;
    for (const child of this.children) if (child.fieldName === name) return child;
    return this.origin === undefined ? null : this.#copyOf(this.origin.childForFieldName(name));
  }

  /** Returns the child in the first of the named fields that is set. */
  firstField(...names: readonly string[]): Node | null {
    for (const name of names) {
      const child = this.childForFieldName(name);
      if (child !== null) return child;
    }
    return null;
  }

  /** Finds the copy of an original node among the descendants. */
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

  firstOfType(type: string): Node | undefined {
    for (const child of this.children) {
      const found = child.type === type ? child : child.firstOfType(type);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Returns the descendants of these types, except those inside another returned node. */
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

/** Copies a tree without recursion, because deeply nested code could overflow the stack. `text` is the text that the parser saw. */
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

/** Returns a function that copies the node at the cursor. */
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
