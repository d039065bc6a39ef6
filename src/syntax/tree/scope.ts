import type { Declaration } from '../outline.ts';
import { type DocStyle, type Documented, documented, type TreeSource } from './source.ts';

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
