import type { Node } from 'web-tree-sitter';
import type { Hiding } from '../../tree/hiding.ts';
import { childOfType } from '../../tree/source.ts';

export function kotlinInTheWay(root: Node, text: string): Hiding[] {
  const annotated = root.namedChildren.filter((node) => node.type === 'annotated_expression');
  return [...delegatesInTheWay(root), ...annotated.flatMap((node) => annotationsInTheWay(node, text))];
}

/** Annotations over declarations of one line each: the grammar reads them all as one expression. */
function annotationsInTheWay(node: Node, text: string): Hiding[] {
  const annotations = annotationsOf(node);
  const [first] = annotations;
  if (first === undefined) return [];
  const groups = [[first]];
  for (const annotation of annotations.slice(1)) {
    const last = groups.at(-1)?.at(-1);
    if (last?.nextSibling?.startIndex === annotation.parent?.startIndex) groups.at(-1)?.push(annotation);
    else groups.push([annotation]);
  }
  const blanks = groups.map(
    (group) =>
      [group[0]?.startIndex ?? 0, afterArguments(text, group.at(-1)?.endIndex ?? 0), 'comment'] as const,
  );
  return [{ from: node.startIndex, to: node.endIndex, blanks }];
}

/** Arguments may have been taken for an expression in brackets; those of one that has its own end where it does. */
function afterArguments(text: string, end: number): number {
  if (text[end] !== '(') return end;
  let depth = 0;
  for (let at = end; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return end;
}

/** Those of the expressions themselves, not of what stands in their arguments. */
function annotationsOf(node: Node): Node[] {
  return node.namedChildren.flatMap((child) => {
    if (child.type === 'annotation') return [child];
    return /^(annotated|infix)_expression$/.test(child.type) ? annotationsOf(child) : [];
  });
}

/** `class A : B by b { … }`: the grammar reads `b { … }` as a call with a lambda, and the class has no body. */
function delegatesInTheWay(root: Node): Hiding[] {
  return root.descendantsOfType('explicit_delegation').flatMap((delegation) => {
    const by = childOfType(delegation, 'by');
    const lambda = delegation.lastNamedChild?.lastNamedChild;
    if (by === null || lambda?.type !== 'annotated_lambda') return [];
    const owner = delegation.parent?.parent?.parent ?? delegation;
    return [
      { from: owner.startIndex, to: owner.endIndex, blanks: [[by.startIndex, lambda.startIndex] as const] },
    ];
  });
}
