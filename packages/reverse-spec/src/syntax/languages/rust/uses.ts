import type { Node } from 'web-tree-sitter';
import type { Declaration, ImportStatement } from '../../outline.ts';
import { childOfType, declare, field, fieldText, importOf, type Statement } from '../../tree/source.ts';

export function readUses(node: Node): ImportStatement[] {
  if (node.type === 'extern_crate_declaration') return [importOf(node, fieldText(node, 'name'))];
  const argument = node.type === 'use_declaration' ? field(node, 'argument') : null;
  if (argument === null) return [];
  const { module, names } = usedNames(argument);
  return [importOf(node, module, names)];
}

/** `pub use a::{b, c as d, e::{f}}` gives `b`, `d` and `f` away. */
export function readReExports(statement: Statement): Declaration[] {
  const { node } = statement;
  const argument = field(node, 'argument');
  if (childOfType(node, 'visibility_modifier') === null || argument === null) return [];
  const { module, names } = usedNames(argument);
  return names.map((written) => {
    const name = shownName(written, module);
    const whole = declare(statement, { name, kind: 're-export', exported: true });
    const signature = names.length === 1 ? whole.signature : alone(node, module, written);
    return { ...whole, signature, from: module };
  });
}

/** One name of a list, as if it stood alone: the others are none of its business. */
function alone(node: Node, module: string, written: string): string {
  const seen = childOfType(node, 'visibility_modifier')?.text ?? 'pub';
  return `${seen} use ${module === '' ? written : `${module}::${written}`}`;
}

/** `self` in a list is the module the list hangs on. */
function shownName(written: string, module: string): string {
  const [path = '', alias = path] = written.split(' as ');
  const segments = `${module}::${alias}`.split('::').filter((segment) => segment !== 'self');
  return segments.at(-1) ?? alias;
}

interface Used {
  module: string;
  /** Below the module; a tree of lists is laid flat: `e::f`, `c as d`, `*`, `self`. */
  names: string[];
}

function usedNames(argument: Node): Used {
  if (argument.type === 'scoped_use_list')
    return { module: fieldText(argument, 'path'), names: listed(field(argument, 'list')) };
  if (argument.type === 'use_list') return { module: '', names: listed(argument) };
  if (argument.type === 'use_wildcard') return { module: argument.firstNamedChild?.text ?? '', names: ['*'] };
  if (argument.type === 'use_as_clause') return aliased(argument);
  return { module: fieldText(argument, 'path'), names: [fieldText(argument, 'name') || argument.text] };
}

function aliased(clause: Node): Used {
  const segments = fieldText(clause, 'path').split('::');
  const last = segments.pop() ?? '';
  return { module: segments.join('::'), names: [`${last} as ${fieldText(clause, 'alias')}`] };
}

function listed(list: Node | null): string[] {
  const entries = list?.namedChildren.filter((child) => !child.type.endsWith('comment')) ?? [];
  return entries.flatMap((entry) => {
    const { module, names } = usedNames(entry);
    return names.map((name) => (module === '' ? name : `${module}::${name}`));
  });
}
