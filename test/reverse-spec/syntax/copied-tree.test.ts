import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import type { Node as TreeNode } from 'web-tree-sitter';
import { detectLanguage } from '../../../packages/base/src/languages/languages.ts';
import { copyTree, type Node } from '../../../packages/reverse-spec/src/syntax/body-facts/node.ts';
import { readers } from '../../../packages/reverse-spec/src/syntax/languages/readers.ts';
import { parseTree, TreeParsers } from '../../../packages/reverse-spec/src/syntax/tree/parsers.ts';
import { createFactReader } from '../../support/fact-reader.ts';

const parsers = new TreeParsers();
const reader = createFactReader();
afterAll(() => Promise.all([parsers.close(), reader.close()]));

const folder = new URL('../../fixtures/syntax/', import.meta.url);
const fixtures = readdirSync(folder).filter(
  (file) => !file.endsWith('.outline') && !/\.[cm]?[jt]sx?$/.test(file),
);
const layered: Readonly<Record<string, string>> = {
  'match.py': 'match a:\n  case 1:\n    b()\n  case _:\n    c()\n',
  'broken.go': 'package a\nfunc (a int string { if\ntype b struct { c( }\n',
};

/** Describes each node of a tree or of its copy. */
function described(node: Node | TreeNode, fields: readonly string[]): unknown[] {
  const place = ({ type, startIndex, endIndex }: Node | TreeNode) => `${type} ${startIndex} ${endIndex}`;
  const rows =
    'startRow' in node ? [node.startRow, node.endRow] : [node.startPosition.row, node.endPosition.row];
  const { previousSibling, nextSibling, previousNamedSibling, nextNamedSibling, parent } = node;
  const siblings = [previousSibling, nextSibling, previousNamedSibling, nextNamedSibling];
  // The tree skips a sibling without text, that is a missing token, from one side and not from the other.
  const isComplete = parent?.children.every(({ startIndex, endIndex }) => startIndex < endIndex) ?? true;
  const near = isComplete ? [...siblings, parent] : [parent];
  const held = fields.flatMap((name) => {
    const child = node.childForFieldName(name);
    const all = node.childrenForFieldName(name).map(place);
    return child === null && all.length === 0 ? [] : [[name, child && place(child), all]];
  });
  return [
    [place(node), node.isNamed, node.text, rows, near.map((each) => each && place(each)), held],
    ...node.children.flatMap((child) => described(child, fields)),
  ];
}

it.each([...fixtures, ...Object.keys(layered)])(
  '[SY2] the copied tree of %s has the same values in each node as the original tree',
  async (file) => {
    const text = layered[file] ?? readFileSync(new URL(file, folder), 'utf8');
    const id = detectLanguage({ path: file, source: text });
    if (id === undefined) throw new Error('no language');
    const known = readers[id];
    if (!('grammar' in known)) throw new Error('no grammar');
    const parser = await parsers.parserFor(known.grammar);
    const tree = parseTree(parser, text);
    if (tree === undefined) throw new Error('too many steps');
    const fields = tree.language.fields.filter((each) => each !== null);
    expect(described(copyTree(tree.rootNode, { text, language: id }), fields)).toEqual(
      described(tree.rootNode, fields),
    );
    tree.delete();
  },
);

it('[R53] the parser reads facts from a Kotlin class with a secondary constructor', async () => {
  const source = 'class A(val a: Int) {\n  constructor(b: String) : this(1) {\n    go(b)\n  }\n}\n';
  const facts = (await reader.read(source, { path: 'A.kt' }))?.facts;
  expect(facts?.map(({ kind, name }) => [kind, name])).toContainEqual(['call', 'go']);
});
