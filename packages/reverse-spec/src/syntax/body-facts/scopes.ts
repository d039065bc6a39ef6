import type { Node } from './node.ts';
import { pathOf } from './paths.ts';
import { FUNCTION_VALUE, functionDeclarator } from './typings.ts';

export interface Owner {
  name: string;
  isFunction: boolean;
}

const NAME_KINDS: ReadonlySet<string> = new Set([
  'identifier',
  'simple_identifier',
  'type_identifier',
  'field_identifier',
  'constant',
  'name',
]);
const TYPES = /class|interface|(?<!con)struct|enum|trait|impl|module|object|protocol|record|type_spec/;
const VALUE_TYPES = /^(?:class|object)$/;

/** Returns what a declaration is called; nothing if it has no name, or is a plain variable. */
export function ownerOf(node: Node): Owner | undefined {
  const { type } = node;
  if (type in VALUE_FIELDS) return valueOwner(node);
  if (type === 'type_spec' && !/^(?:struct|interface)_type$/.test(node.childForFieldName('type')?.type ?? ''))
    return undefined;
  const name = nameOf(node);
  if (name === '') return undefined;
  return { name, isFunction: !TYPES.test(type) };
}

const VALUE_FIELDS: Readonly<Record<string, string>> = {
  variable_declarator: 'value',
  assignment_expression: 'right',
  pair: 'value',
};

/** `const f = () => …`, `A.prototype.f = function () …`, `{ f: function () … }`; an object literal owns its methods. */
function valueOwner(node: Node): Owner | undefined {
  const value = node.childForFieldName(VALUE_FIELDS[node.type] ?? '');
  const isFunction = FUNCTION_VALUE.test(value?.type ?? '');
  const isType = VALUE_TYPES.test(value?.type ?? '') && node.type === 'variable_declarator';
  if (!isFunction && !isType) return undefined;
  const target = pathOf(
    node.childForFieldName('name') ?? node.childForFieldName('left') ?? node.childForFieldName('key'),
  );
  const name = target?.replace(/^(?:module\.)?exports\.(?=\w)/, '').replace(/\.prototype\./, '.');
  return name === undefined ||
    !/^\w[\w$.]*$/.test(name) ||
    name.startsWith('this.') ||
    /^(?:module\.)?exports$/.test(name)
    ? undefined
    : { name, isFunction };
}

function nameOf(node: Node): string {
  const field =
    node.childForFieldName('name') ?? (node.type === 'impl_item' ? node.childForFieldName('type') : null);
  if (field !== null) return receiverOf(node) + field.text.replace(/<.*$/s, '').replaceAll('::', '.');
  const declarator = functionDeclarator(node)?.childForFieldName('declarator');
  if (declarator != null) return (pathOf(declarator) ?? declarator.text).replace(/<.*$/s, '');
  if (node.childForFieldName('declarator') !== null) return '';
  return node.namedChildren.find((child) => NAME_KINDS.has(child?.type ?? ''))?.text ?? '';
}

/** `func (c *Command) Execute()` belongs to `Command`. */
function receiverOf(node: Node): string {
  const receiver = node.type === 'method_declaration' ? node.childForFieldName('receiver')?.text : undefined;
  const type = /(?<!\w)(\w+)(?:\[[^\]]{0,200}\])?\s{0,20}\)$/.exec(receiver ?? '')?.[1];
  return type === undefined ? '' : `${type}.`;
}
