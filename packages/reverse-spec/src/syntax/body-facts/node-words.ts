import type { Node } from './node.ts';
import { kinds, ownerKinds } from './node-kinds.ts';
import { pathOf } from './paths.ts';
import { FUNCTION_VALUE, functionDeclarator } from './typings.ts';

export function mentions(parameters: ReadonlySet<string>, text: string): boolean {
  return (text.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []).some((word) => parameters.has(word));
}

/** Returns the name that a node declares; undefined for a statement or an import. */
export function declaredName(node: Node): string | undefined {
  const inner =
    node.firstField('declaration', 'definition') ?? (node.type === 'modifiers' ? node.parent : node);
  if (inner === null) return undefined;
  const owner = ownerKinds.has(inner.type) ? ownerOf(inner)?.name : undefined;
  if (owner !== undefined) return owner;
  if (!DECLARING.test(inner.type)) return undefined;
  const name = inner.firstField('name', 'declarator', 'left');
  if (name !== null) return /[\w$]+/.exec(name.text.replace(/^\$/, ''))?.[0];
  if (inner.type === 'variable_declaration' && inner.firstNamedChild?.type === 'identifier')
    return inner.firstNamedChild.text;
  const child = inner.namedChildren.find((each) =>
    /declarator$|_spec$|_element$|variable_declaration/.test(each?.type ?? ''),
  );
  return child == null ? undefined : declaredName(child);
}

/** Types of nodes that declare a name. */
const DECLARING =
  /declaration|definition|_item$|_spec$|signature|declarator|element|enum_|property|field|const|type_alias|assignment/;

/** Whether a node is a field name in a composite literal of Go. */
export function isKey(node: Node): boolean {
  const element = node.parent;
  return element?.parent?.type === 'keyed_element' && element.previousNamedSibling === null;
}

const MAX_CLIMB = 6;

/** Returns the field that a function is assigned to, directly or inside a call: `handler` for `mx.handler = chain(mx.routeHTTP)`. */
export function fieldAssigned(node: Node): string | undefined {
  let at: Node | null = node;
  for (let climbed = 0; climbed < MAX_CLIMB && at !== null; climbed += 1) {
    if (/^assignment/.test(at.type))
      return /^(?:\w+|\$this)(?:\.|->)(\w+)$/.exec(at.childForFieldName('left')?.text.trim() ?? '')?.[1];
    if (/block|statement$|body/.test(at.type) && at.type !== 'expression_statement') return undefined;
    at = at.parent;
  }
  return undefined;
}

/** Returns the line of a deprecation mark inside a comment. */
export function markLine(
  comment: string,
  { startLine }: { startLine: number },
): { startLine: number; endLine: number } {
  const line = startLine + comment.slice(0, comment.search(/deprecated/i)).split('\n').length - 1;
  return { startLine: line, endLine: line };
}

export interface Owner {
  name: string;
  isFunction: boolean;
}

const NAME_KINDS = kinds('identifier simple_identifier type_identifier field_identifier constant name');
const TYPES =
  /class|interface|(?<!con)struct|enum|trait|impl|module|object|protocol|record|type_spec|type_alias/;
const VALUE_TYPES = /^(?:class|object)$/;

/** Returns the name of a declaration; undefined if it has none or is a plain variable. */
export function ownerOf(node: Node): Owner | undefined {
  const { type } = node;
  if (type in VALUE_FIELDS) return valueOwner(node);
  if (type === 'type_spec' && !/^(?:struct|interface)_type$/.test(node.childForFieldName('type')?.type ?? ''))
    return undefined;
  // A type alias has members only if it is an object type.
  if (type === 'type_alias_declaration' && !node.childForFieldName('value')?.text.startsWith('{'))
    return undefined;
  const name = ACCESSORS.has(type) ? propertyOf(node) : nameOf(node);
  if (name === '') return undefined;
  return { name, isFunction: !TYPES.test(type) };
}

const ACCESSORS = kinds('getter setter computed_property accessor_declaration');

/** Returns the property of an accessor. In Kotlin, `get() = …` is below the property it belongs to. */
function propertyOf({ parent, previousNamedSibling }: Node): string {
  if (parent?.type === 'accessor_list') return parent.parent?.childForFieldName('name')?.text ?? '';
  const property = parent?.type === 'property_declaration' ? parent : previousNamedSibling;
  const variable = property?.namedChildren.find(({ type }) =>
    /^(?:variable_declaration|pattern)$/.test(type),
  );
  return variable?.firstNamedChild?.text ?? '';
}

const VALUE_FIELDS: Readonly<Record<string, string>> = {
  variable_declarator: 'value',
  assignment_expression: 'right',
  pair: 'value',
};

/**
 * Returns the owner for a function or class that is assigned to a name: `const f = () => …`, `A.prototype.f =
 * function () …`, `{ f: function () … }`.
 */
function valueOwner(node: Node): Owner | undefined {
  const value = node.childForFieldName(VALUE_FIELDS[node.type] ?? '');
  const isFunction = FUNCTION_VALUE.test(value?.type ?? '');
  const isType = VALUE_TYPES.test(value?.type ?? '') && node.type === 'variable_declarator';
  if (!isFunction && !isType) return undefined;
  const target = pathOf(node.firstField('name', 'left', 'key'));
  // For `module.exports = …`, which has no name of its own, `exports` is used.
  const name = target
    ?.replace(/^module\.exports$/, 'exports')
    .replace(/^(?:module\.)?exports\.(?=\w)/, '')
    .replace(/\.prototype\./, '.');
  return name === undefined || !/^[\w$][\w$.]*$/.test(name) || name.startsWith('this.')
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
  return node.namedChildren.find((child) => NAME_KINDS.has(child.type))?.text ?? '';
}

/** Returns the receiver type of a Go method, with a dot: `Command.` for `func (c *Command) Execute()`. */
function receiverOf(node: Node): string {
  const receiver = node.type === 'method_declaration' ? node.childForFieldName('receiver')?.text : undefined;
  const type = /(?<!\w)(\w+)(?:\[[^\]]{0,200}\])?\s{0,20}\)$/.exec(receiver ?? '')?.[1];
  return type === undefined ? '' : `${type}.`;
}

/** Returns the constructor parameters of the class around an `init` block of Kotlin. */
export function constructorOf(node: Node): string[] {
  const head = node.parent?.parent?.children.find(({ type }) => type === 'primary_constructor');
  const list = head?.children.find(({ type }) => type === 'class_parameters');
  return (list?.namedChildren ?? []).flatMap(
    (each) => each.children.find(({ type }) => /^(?:simple_)?identifier$/.test(type))?.text ?? [],
  );
}

/** Whether a method is used like a field: `@property` in Python, `get a()` in JavaScript. */
export function isProperty({ type, parent, text }: Node): boolean {
  if (type === 'method_definition') return text.split('(', 1)[0]?.trim().split(/\s+/).at(-2) === 'get';
  const marks = parent?.type === 'decorated_definition' ? parent.children : [];
  return marks.some(
    (each) => each.type === 'decorator' && /^@(?:\w+\.)?(?:cached_)?property\b/.test(each.text),
  );
}

/**
 * Whether a node is a class method of Ruby: `def self.a`, a method inside `class << self`, or one that
 * `module_function` or `extend self` also makes a method of its module.
 */
export function isOfClass(node: Node): boolean {
  const { type, parent } = node;
  if (type === 'singleton_method') return true;
  if (type !== 'method' || parent === null) return false;
  if (parent.parent?.type === 'singleton_class') return true;
  if (parent.parent?.type !== 'module') return false;
  const name = node.childForFieldName('name')?.text ?? '';
  return parent.namedChildren.some(
    ({ type: kind, text, startIndex }) =>
      (kind === 'identifier' && text === 'module_function' && startIndex < node.startIndex) ||
      (kind === 'call' && (text === 'extend self' || namesMethod(text, name))),
  );
}

/** Whether a statement is `module_function :open, :close` with the name of a method. */
function namesMethod(statement: string, name: string): boolean {
  const names = /^module_function[ (]+(.*)$/s.exec(statement)?.[1]?.match(/:[\w?!=]+/g);
  return names?.includes(`:${name}`) === true;
}

/** Whether a node is an extension in Swift, such as `extension Data`. */
export function isExtension({ type, children }: Node): boolean {
  return type === 'class_declaration' && children.some((child) => child.type === 'extension');
}

/** Whether a call is to a method of the enclosing type. In Kotlin, `error(…)` is one if the type declares a method `error`. */
export function isOwnMethod(node: Node, name: string): boolean {
  for (let at = node.parent; at !== null; at = at.parent)
    if (at.type === 'class_body' && at.children.some((each) => isNamed(each, name))) return true;
  return false;
}

function isNamed({ type, children }: Node, name: string): boolean {
  return (
    type === 'function_declaration' &&
    children.some((each) => /identifier$/.test(each.type) && each.text === name)
  );
}

/** Whether a node is inside `nameof(…)`, which uses only its name. */
export function isNamedOnly({ parent }: Node): boolean {
  const call = parent?.parent?.parent;
  return call?.type === 'invocation_expression' && call.firstNamedChild?.text === 'nameof';
}
