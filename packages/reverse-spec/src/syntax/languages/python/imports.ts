import type { Node } from 'web-tree-sitter';
import type { ImportStatement } from '../../outline.ts';
import { childOfType, field, importOf } from '../../tree/source.ts';

export function readImport(node: Node): ImportStatement[] {
  if (node.type === 'import_statement') {
    return node.childrenForFieldName('name').map((name) => importOf(node, moduleName(name), aliasOf(name)));
  }
  if (node.type === 'future_import_statement') return [importOf(node, '__future__', importedNames(node))];
  if (node.type !== 'import_from_statement') return [];
  return [importOf(node, field(node, 'module_name')?.text ?? '', importedNames(node))];
}

function moduleName(name: Node): string {
  return (field(name, 'name') ?? name).text;
}

function aliasOf(name: Node): string[] {
  return name.type === 'aliased_import' ? [name.text] : [];
}

function importedNames(node: Node): string[] {
  if (childOfType(node, 'wildcard_import') !== null) return ['*'];
  return node.childrenForFieldName('name').map((name) => name.text);
}
