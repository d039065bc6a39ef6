import type { Node } from 'web-tree-sitter';
import type { ImportStatement } from '../../outline.ts';
import { childOfType, childrenOfType, field, importOf } from '../../tree/source.ts';

export function readImport(node: Node): ImportStatement[] {
  if (node.type === 'expression_statement') return readRequire(node);
  if (node.type !== 'namespace_use_declaration') return [];
  const group = field(node, 'body');
  if (group === null)
    return childrenOfType(node, 'namespace_use_clause').map((clause) => readClause(node, clause));
  const names = childrenOfType(group, 'namespace_use_clause').map((clause) => clause.text);
  return [importOf(node, childOfType(node, 'namespace_name')?.text ?? '', names)];
}

/** `use A\B\C as D`: from `A\B`, the name `C as D`. */
function readClause(node: Node, clause: Node): ImportStatement {
  const written = clause.text.replace(/^(function|const)\s+/, '');
  const path = (written.split(/\sas\s/)[0] ?? '').trimEnd();
  const cut = path.lastIndexOf('\\');
  return importOf(node, path.slice(0, Math.max(cut, 0)), [written.slice(cut + 1)]);
}

function readRequire(node: Node): ImportStatement[] {
  const load = node.firstNamedChild;
  if (load === null || !/^(require|include)/.test(load.type)) return [];
  return [importOf(node, load.firstNamedChild?.text ?? '')];
}
