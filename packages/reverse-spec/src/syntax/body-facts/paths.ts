import type { Node } from './node.ts';
import { callKinds, kinds, memberKinds } from './node-kinds.ts';

/**
 * This file writes expressions as paths, in one notation for all languages: `a.b.c`. A call ends with `()`.
 * `<Foo>` is a value of a type that the source names (`new Foo()`, `Foo{}`, a cast). `[]` is an element of a
 * collection, and `?` the content of Rust's `Option` or `Result`. `this` and `super` are written so in every
 * language.
 */

const MAX_PATH = 200;
const MAX_DEPTH = 12;

/** Returns the path of an expression; undefined if it contains more than names, members, calls and values of a named type. */
export function pathOf(node: Node | null | undefined, depth = 0): string | undefined {
  if (node == null || depth > MAX_DEPTH) return undefined;
  const path = writtenPath(node, depth + 1);
  return path === undefined || path.length > MAX_PATH ? undefined : path;
}

function writtenPath(node: Node, depth: number): string | undefined {
  const { type } = node;
  if (OWN.has(type)) return 'this';
  if (NAMES.has(type)) return nameIn(node);
  if (CREATED.has(type)) return createdType(node);
  if (callKinds.has(type)) return calledPath(node, depth);
  if (INDEXED.has(type)) return joined(pathOf(node.firstNamedChild, depth), '[]');
  if (type === 'try_expression' && node.firstChild?.type !== 'try')
    return joined(pathOf(node.firstNamedChild, depth), '?');
  if (TRANSPARENT.has(type)) return transparentPath(node, depth);
  return memberPath(node, depth);
}

const OWN: ReadonlySet<string> = new Set(['this', 'self', 'this_expression', 'self_expression']);

const NAMES = kinds(`
  identifier simple_identifier type_identifier field_identifier property_identifier
  private_property_identifier package_identifier namespace_identifier shorthand_property_identifier
  constant name variable_name relative_scope instance_variable crate super super_expression base
`);

function nameIn({ type, text }: Node): string | undefined {
  if (text.startsWith('@')) return text.startsWith('@@') ? undefined : `this.${text}`;
  // In PHP `$` marks a variable; in JavaScript it is part of the name.
  const name = type === 'variable_name' ? text.replace(/^\$/, '') : text.replace(/^#/, '');
  if (name === 'Self') return 'this';
  if (type === 'relative_scope') return name === 'parent' ? 'super' : 'this';
  return type === 'base' || type === 'super_expression' ? 'super' : name;
}

const CREATED = kinds(`
  new_expression object_creation_expression composite_literal struct_expression cast_expression
  type_cast_expression type_assertion_expression as_expression
`);

function createdType(node: Node): string | undefined {
  const named =
    node.firstField('type', 'constructor', 'right') ??
    (node.type === 'struct_expression' || node.type === 'as_expression'
      ? node.childForFieldName('name')
      : null) ??
    (node.type === 'as_expression' ? node.lastNamedChild : node.firstNamedChild);
  const text = named?.text.replace(/\s+/g, '');
  // `class {}` and `as const` do not name a type.
  return text === undefined || text === 'const' || !/^[\w&*$\\[]/.test(text) || /[{}()"'`=]/.test(text)
    ? undefined
    : `<${text}>`;
}

function calledPath(node: Node, depth: number): string | undefined {
  const callee = calleePath(node, depth);
  if (callee === undefined) return undefined;
  return callee === 'super' || callee.endsWith('>') ? callee : `${callee}()`;
}

/** Returns the path of the function that a call runs. */
export function calleePath(node: Node, depth = 0): string | undefined {
  if (CREATED.has(node.type)) return createdType(node);
  const name = node.firstField('method', 'name');
  const receiver = node.firstField('receiver', 'object', 'scope');
  if (name !== null && receiver !== null) return joined(pathOf(receiver, depth), nameIn(name) ?? '');
  const callee = node.childForFieldName('function') ?? name ?? node.firstNamedChild;
  return callee === null || node.type === 'macro_invocation' ? undefined : pathOf(callee, depth);
}

const INDEXED = kinds(`
  subscript_expression index_expression subscript element_reference array_access element_access_expression
  indexing_expression
`);

const TRANSPARENT = kinds(`
  parenthesized_expression tuple_expression reference_expression pointer_expression unary_expression
  await_expression await non_null_expression postfix_expression satisfies_expression try_expression
  argument value_argument directly_assignable_expression generic_function generic_name generic_type
  template_function slice_expression expression_list
`);

/** Returns the path of the expression inside `(x)`, `&x`, `await x` or `x!!`; undefined for `!x` and `-x`, which are other values. */
function transparentPath(node: Node, depth: number): string | undefined {
  if (node.type === 'unary_expression' && !/^[&*]|!!$/.test(node.text)) return undefined;
  const isOne = node.namedChildCount === 1 || GENERIC.test(node.type);
  return isOne ? pathOf(node.firstNamedChild, depth) : undefined;
}

const GENERIC = /^(?:generic|template|slice|satisfies)_/;

/** Names of the field that contains the object in `object.member`. Grammars use different names. */
const HOLDERS = ['object', 'operand', 'value', 'argument', 'expression', 'path', 'scope', 'target'] as const;

function memberPath(node: Node, depth: number): string | undefined {
  if (!memberKinds.has(node.type)) return undefined;
  const member = memberName(node);
  if (member === undefined) return undefined;
  if (node.namedChildCount === 1 && node.type === 'callable_reference') return member;
  // In C# `this` has no named node.
  if (node.firstChild?.type === 'this') return `this.${member}`;
  const held = node.firstField(...HOLDERS);
  const object = held ?? (node.namedChildCount > 1 ? node.firstNamedChild : null);
  // `\Foo` in PHP and `::foo` in C++ have no object before the name.
  if (object === null) return node.type.startsWith('qualified') ? member : undefined;
  if (node.type === 'qualified_name') return undefined;
  return joined(pathOf(object, depth), member);
}

function memberName(node: Node): string | undefined {
  const last = node.firstField('property', 'attribute', 'field', 'name', 'suffix') ?? node.lastNamedChild;
  const name =
    last?.type === 'navigation_suffix' || last?.type === 'member_binding_expression'
      ? last.lastNamedChild
      : last;
  const text = name?.text.replace(/^[$#]/, '').replace(/(?:::)?<.*$/s, '');
  return text !== undefined && /^[\p{L}_$][\p{L}\p{N}_$]*[?!]?$/u.test(text) ? text : undefined;
}

function joined(path: string | undefined, member: string): string | undefined {
  return path === undefined || member === '' ? undefined : `${path}.${member}`;
}
