import type { Typing } from './fact.ts';
import type { Node } from './node.ts';
import { bare, one, parameterOf, typeText, UNSET, type Variable, writtenType } from './typings.ts';

/** Parts of types: their bases and fields. */

/** Returns the types a class, interface or implementation is based on. */
export function basesOf(node: Node): string[] {
  const trait = node.type === 'impl_item' ? node.childForFieldName('trait') : null;
  const holders = [
    ...(trait === null ? [] : [trait]),
    node.childForFieldName('superclass'),
    node.childForFieldName('superclasses'),
    node.childForFieldName('interfaces'),
    ...node.namedChildren.filter((child) => BASES.test(child?.type ?? '')),
  ].filter((each) => each != null);
  return [...new Set([...new Set(holders)].flatMap(baseNames))];
}

const BASES =
  /^(?:class_heritage|extends_clause|extends_type_clause|extends_interfaces|base_list|base_clause|class_interface_clause|delegation_specifiers|inheritance_specifier|base_class_clause)$/;

/** Finds top-level names: arguments of generics and of constructors are not bases. */
function baseNames(node: Node): string[] {
  const text = node.text
    .replace(/\b(?:extends|implements|public|private|protected|virtual)\b/g, ' ')
    .replace(/^[\s<:(]+|\)$/g, '');
  // A Kotlin class delegates to a value.
  return splitTop(text.split(/\sby\s/, 1)[0] ?? '').flatMap(
    (part) => /^[\w.:\\$]+/.exec(part.trim())?.[0] ?? [],
  );
}

function splitTop(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const char of text) {
    if ('<([{'.includes(char)) depth += 1;
    if (depth === 0 && /[,\s]/.test(char)) parts.push('');
    else if (depth === 0) parts[parts.length - 1] += char;
    if ('>)]}'.includes(char)) depth -= 1;
  }
  return parts;
}

/** Returns the fields that a member of a type declares; a struct of Go that embeds another has a base instead. */
export function fieldsOf(node: Node): Variable[] {
  if (embeddedType(node) !== undefined) return [];
  const type = writtenType(node);
  const named = fieldNames(node);
  const value = node.childForFieldName('value');
  if (named.length > 0 && type === undefined && value !== null)
    return one(named[0], undefined, value).map((each) => ({ ...each, name: each.name.replace(/^#/, '') }));
  const typing = type === undefined ? UNSET : `:${type}`;
  if (named.length > 0) return named.map((each) => ({ name: bare(each).replace(/^#/, ''), typing }));
  return node.type === 'class_parameter' ? parameterOf(node) : declaredFields(node, typing);
}

function fieldNames(node: Node): Node[] {
  const names = node.childrenForFieldName('name').filter((each) => each !== null && each.type !== 'pattern');
  const elements = node.namedChildren.filter((child) => child?.type === 'property_element');
  const found = names.length > 0 ? names : elements.map((each) => each?.childForFieldName('name'));
  return found.filter((each) => each != null);
}

/** C and C++ write `Pool* pool` with a declarator; TypeScript gives a parameter a pattern. */
function declaredFields(node: Node, typing: Typing): Variable[] {
  const declarator = node.childForFieldName('declarator') ?? node.childForFieldName('pattern');
  if (declarator === null || /^(?:variable|function)_declarator$/.test(declarator.type)) return [];
  if (declarator.type === 'identifier') return [{ name: bare(declarator), typing }];
  return fieldIdentifier(declarator, typing);
}

function fieldIdentifier(declarator: Node, typing: Typing): Variable[] {
  const name =
    declarator.type === 'field_identifier' ? declarator : declarator.firstOfType('field_identifier');
  return name === undefined ? [] : [{ name: name.text, typing }];
}

/** Nodes that declare a field of the type around them. */
export const FIELD_KINDS: ReadonlySet<string> = new Set([
  'public_field_definition',
  'property_signature',
  'field_declaration',
  'property_declaration',
  'class_parameter',
  'property_promotion_parameter',
  'required_parameter',
]);

/** An embedded type of a Go struct or interface. */
export function embeddedType(node: Node): string | undefined {
  if (node.type === 'type_elem') return typeText(node);
  if (node.type !== 'field_declaration' || node.childForFieldName('name') !== null) return undefined;
  if (node.childForFieldName('declarator') !== null) return undefined;
  const text = typeText(node.childForFieldName('type'));
  return text !== undefined && /^\*?[\w.]+$/.test(text) ? text.replace(/^\*/, '') : undefined;
}

/** Returns what a type mixes in: a trait of PHP, a module of Ruby. */
export function mixedIn(node: Node): string[] {
  if (node.type === 'use_declaration')
    return node.namedChildren.flatMap((each) => (each?.type.endsWith('name') ? [each.text] : []));
  const method = node.childForFieldName('method')?.text ?? '';
  if (node.type !== 'call' || !/^(?:include|extend|prepend)$/.test(method)) return [];
  return (node.childForFieldName('arguments')?.namedChildren ?? []).flatMap((each) => each?.text ?? []);
}
