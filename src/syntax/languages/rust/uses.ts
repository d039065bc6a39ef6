import type { Node } from 'web-tree-sitter';
import type { Declaration, ImportStatement } from '../../outline.ts';
import {
  childOfType,
  type Documented,
  declare,
  field,
  fieldText,
  importOf,
  type TreeSource,
} from '../../tree/source.ts';

export function readUses(node: Node): ImportStatement[] {
  if (node.type === 'extern_crate_declaration') return [importOf(node, fieldText(node, 'name'))];
  const argument = node.type === 'use_declaration' ? field(node, 'argument') : null;
  if (argument === null) return [];
  const { module, names } = usedNames(argument);
  return [importOf(node, module, names)];
}

/** `pub use a::{b, c as d}` gives `b` and `d` away. */
export function readReExports(source: TreeSource, { node, first, doc }: Documented): Declaration[] {
  const argument = field(node, 'argument');
  if (childOfType(node, 'visibility_modifier') === undefined || argument === null) return [];
  const { module, names } = usedNames(argument);
  return names.map((written) => ({
    ...declare(source, {
      name: shownName(written),
      kind: 're-export',
      first,
      whole: node,
      doc,
      exported: true,
    }),
    from: module,
  }));
}

function shownName(written: string): string {
  const [path = '', alias = path] = written.split(/\sas\s/);
  return (alias.split('::').at(-1) ?? alias).trim();
}

function usedNames(argument: Node): { module: string; names: string[] } {
  const path = field(argument, 'path')?.text ?? '';
  if (argument.type === 'scoped_use_list') return { module: path, names: listed(field(argument, 'list')) };
  if (argument.type === 'use_list') return { module: '', names: listed(argument) };
  if (argument.type === 'use_wildcard') return { module: argument.firstNamedChild?.text ?? '', names: ['*'] };
  if (argument.type !== 'use_as_clause')
    return { module: path, names: [fieldText(argument, 'name') || argument.text] };
  const segments = path.split('::');
  const last = segments.pop() ?? '';
  return { module: segments.join('::'), names: [`${last} as ${fieldText(argument, 'alias')}`] };
}

function listed(list: Node | null): string[] {
  return list === null ? [] : list.namedChildren.map((child) => child.text);
}
