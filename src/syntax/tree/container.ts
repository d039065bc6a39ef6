import type { Node } from 'web-tree-sitter';
import type { Declaration, DeclarationKind } from '../outline.ts';
import { type Documented, declare, field, type TreeSource } from './source.ts';

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
  statement: Documented,
  { kind, exported, showsBody, members }: ContainerParts,
): Declaration {
  const body = field(statement.node, 'body');
  if (body === null) return declare(source, statement, { kind, exported });
  const end = showsBody?.(body) ? statement.node.endIndex : undefined;
  return declare(source, statement, { kind, body, end, exported, members: members(body) });
}
