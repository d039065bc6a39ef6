import type { Node } from 'web-tree-sitter';
import type { Hiding } from '../../tree/hiding.ts';
import { childOfType, field } from '../../tree/source.ts';

/** `cfg_net! { pub struct … }`: a call around items; the items are what other code sees. */
export function macroCallsInTheWay(root: Node): Hiding[] {
  return itemsOf(root).flatMap((node) => {
    const call = node.type === 'macro_invocation' ? childOfType(node, 'token_tree') : null;
    if (call === null || !holdsItems(call)) return [];
    const { startIndex: from, endIndex: to } = node;
    return [{ from, to, blanks: [[from, call.startIndex + 1] as const, [to - 1, to] as const] }];
  });
}

/** What stands where items stand: in the file, and in its modules and implementations. */
function itemsOf(parent: Node): Node[] {
  return parent.namedChildren.flatMap((node) => {
    const body = /^(mod_item|impl_item|trait_item)$/.test(node.type) ? field(node, 'body') : null;
    return body === null ? [node] : itemsOf(body);
  });
}

const ITEM_WORDS: ReadonlySet<string> = new Set([
  'pub',
  'fn',
  'struct',
  'enum',
  'union',
  'trait',
  'impl',
  'mod',
  'use',
  'type',
  'const',
  'static',
  'unsafe',
  'async',
  'extern',
]);

function holdsItems(call: Node): boolean {
  if (call.firstChild?.type !== '{') return false;
  const first = call.children.find((child) => child.type !== '{' && !child.type.endsWith('comment'));
  if (first === undefined) return false;
  return first.type === '#' || ITEM_WORDS.has(first.text) || first.nextSibling?.type === '!';
}
