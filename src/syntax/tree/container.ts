import type { Node } from 'web-tree-sitter';
import type { Declaration, DeclarationKind } from '../outline.ts';
import { type Documented, declare, field, fieldText, type TreeSource } from './source.ts';

export interface ContainerParts {
  kind: DeclarationKind;
  exported: boolean;
  /** Whether the signature shows the body too, as for an enum of nothing but constants. */
  showsBody?(body: Node): boolean;
  members(body: Node): Declaration[];
}

/** What holds other declarations in its body: a type, a namespace. */
export function declareContainer(
  source: TreeSource,
  { node, first, doc }: Documented,
  { kind, exported, showsBody, members }: ContainerParts,
): Declaration {
  const body = field(node, 'body');
  const named = { name: fieldText(node, 'name'), kind, first, whole: node, body, doc, exported };
  if (body === null) return declare(source, named);
  const end = showsBody?.(body) ? node.endIndex : undefined;
  return declare(source, { ...named, end, members: members(body) });
}
