import type { Node } from 'web-tree-sitter';
import type { ParseProblem } from '../outline.ts';
import { indexLines } from './line-index.ts';

const MAX_PROBLEMS = 50;

/** Lists what the parser skipped or imagined, outermost first. */
export function readProblems(root: Node, text: string): ParseProblem[] {
  if (!root.hasError) return [];
  const problems: ParseProblem[] = [];
  visit(root, problems);
  // Errors behind the end of the text are put on its last line.
  const last = indexLines(text).count;
  return problems.map(({ line, message }) => ({ line: Math.min(line, last), message }));
}

function visit(node: Node, problems: ParseProblem[]): void {
  if (problems.length >= MAX_PROBLEMS) return;
  if (node.isMissing) return void problems.push({ line: lineOf(node), message: `missing ${node.type}` });
  if (node.isError) return void problems.push({ line: lineOf(node), message: `unexpected ${excerpt(node)}` });
  for (const child of node.children) if (child.hasError || child.isMissing) visit(child, problems);
}

function lineOf(node: Node): number {
  return node.startPosition.row + 1;
}

function excerpt(node: Node): string {
  const [line = ''] = node.text.trimStart().split('\n', 1);
  return `\`${line.slice(0, 40).trim()}\``;
}
