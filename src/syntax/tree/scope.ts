import type { Declaration, DeclarationKind } from '../outline.ts';
import { type DocStyle, type Documented, declare, documented, type TreeSource } from './source.ts';

/** Where a declaration stands: at the top of its file, or inside a type. */
export interface MemberScope {
  source: TreeSource;
  isMember: boolean;
}

/** The declarations of a file, read one statement at a time. */
export function readTop(
  source: TreeSource,
  style: DocStyle,
  read: (scope: MemberScope, statement: Documented) => Declaration[],
): Declaration[] {
  const scope: MemberScope = { source, isMember: false };
  return documented(source.root, style).flatMap((statement) => read(scope, statement));
}

export interface WholeParts {
  kind: DeclarationKind;
  name: string;
  exported: boolean;
}

/** A declaration whose signature is all of its text. */
export function declareWhole(
  { source }: MemberScope,
  { node, doc }: Documented,
  parts: WholeParts,
): Declaration {
  return declare(source, { ...parts, first: node, doc });
}
