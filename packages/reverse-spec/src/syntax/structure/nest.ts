import type { Declaration } from '../outline.ts';

const TYPES: ReadonlySet<string> = new Set(['class', 'interface', 'struct', 'trait', 'impl', 'enum']);

/**
 * Where a parser lost a block's end, indentation still tells what stood inside what:
 * a declaration deeper than the one before it belongs to that one.
 */
export function nestByIndent(declarations: readonly Declaration[], lines: readonly string[]): Declaration[] {
  const top: Declaration[] = [];
  const open: { declaration: Declaration; indent: number }[] = [];
  for (const declaration of declarations) {
    const indent = indentOf(lines[declaration.startLine - 1] ?? '');
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const owner = open.at(-1)?.declaration;
    if (owner === undefined) top.push(declaration);
    else adopt(owner, declaration);
    open.push({ declaration, indent });
  }
  return top;
}

function adopt(owner: Declaration, declaration: Declaration): void {
  const isMember = TYPES.has(owner.kind);
  if (isMember && declaration.kind === 'function') declaration.kind = 'method';
  // What stands inside a function is seen by nobody else.
  if (!isMember && owner.kind !== 'namespace') declaration.exported = false;
  owner.endLine = Math.max(owner.endLine, declaration.endLine);
  owner.members.push(declaration);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
