import type { Node } from 'web-tree-sitter';
import type { Declaration } from '../../outline.ts';
import { type Documented, declare, field, type TreeSource, valueEnd } from '../../tree/source.ts';
import { isPublic } from './visibility.ts';

/** `X: int = 1`, `a, b = 1, 2`, `A = B = 0`: one declaration a name. */
export function readAssignment(source: TreeSource, { node, doc }: Documented): Declaration[] {
  const assignment = node.firstNamedChild;
  if (assignment?.type !== 'assignment') return [];
  const before = field(assignment, 'type') ?? field(assignment, 'left');
  const end = valueEnd(field(assignment, 'right'), before, assignment);
  return targets(assignment).map((name) =>
    declare(
      source,
      { node, first: assignment, doc },
      { name, kind: /^[A-Z][A-Z0-9_]*$/.test(name) ? 'constant' : 'variable', end, exported: isPublic(name) },
    ),
  );
}

function targets(assignment: Node): string[] {
  const left = field(assignment, 'left');
  const right = field(assignment, 'right');
  const names = left === null ? [] : boundNames(left);
  return right?.type === 'assignment' ? [...names, ...targets(right)] : names;
}

function boundNames(target: Node): string[] {
  if (target.type === 'identifier') return [target.text];
  const isGroup = /^(pattern_list|tuple_pattern|list_pattern|list_splat_pattern)$/.test(target.type);
  return isGroup ? target.namedChildren.flatMap(boundNames) : [];
}
