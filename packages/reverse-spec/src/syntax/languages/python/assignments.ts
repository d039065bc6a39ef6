import type { DeclarationKind } from '@secateur/base/languages/structure.ts';
import type { Node } from 'web-tree-sitter';
import type { Declaration } from '../../outline.ts';
import { declare, field, type Statement, valueEnd } from '../../tree/source.ts';
import { isPublic } from './visibility.ts';

/** `X: int = 1`, `a, b = 1, 2`, `A = B = 0`: one declaration a name. */
export function readAssignment(statement: Statement): Declaration[] {
  const assignment = statement.node.firstNamedChild;
  if (assignment?.type !== 'assignment') return [];
  const before = field(assignment, 'type') ?? field(assignment, 'left');
  const end = valueEnd(field(assignment, 'right'), before, assignment);
  return targets(assignment).map((name) =>
    declare(
      { ...statement, first: assignment },
      { name, kind: kindOf(name, statement), end, exported: isPublic(name) },
    ),
  );
}

function kindOf(name: string, { holder }: Statement): DeclarationKind {
  if (holder !== undefined) return 'property';
  return /^[A-Z][A-Z0-9_]*$/.test(name) ? 'constant' : 'variable';
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
