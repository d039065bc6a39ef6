import type { Node } from 'web-tree-sitter';
import type { Declaration } from '../../outline.ts';
import { type Documented, declare, field, type TreeSource } from '../../tree/source.ts';
import { isPublic } from './visibility.ts';

const SHORT_VALUE = 160;

/** `X: int = 1`, `a, b = 1, 2`, `A = B = 0`: one declaration a name. */
export function readAssignment(source: TreeSource, { node, doc }: Documented): Declaration[] {
  const assignment = node.firstNamedChild;
  if (assignment?.type !== 'assignment') return [];
  const end = signatureEnd(assignment);
  return targets(assignment).map((name) =>
    declare(source, {
      name,
      kind: /^[A-Z][A-Z0-9_]*$/.test(name) ? 'constant' : 'variable',
      first: assignment,
      whole: node,
      end,
      doc,
      exported: isPublic(name),
    }),
  );
}

/** A short value is kept; a long one ends before its `=`. */
function signatureEnd(assignment: Node): number {
  const value = field(assignment, 'right');
  if (value === null || value.endIndex - value.startIndex <= SHORT_VALUE) return assignment.endIndex;
  return (field(assignment, 'type') ?? field(assignment, 'left') ?? assignment).endIndex;
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
