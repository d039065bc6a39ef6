import type { Binding, Typing } from './fact.ts';
import type { Node } from './node.ts';
import { kinds } from './node-kinds.ts';
import type { Place, Recorder, Spot } from './recorder.ts';
import {
  bare,
  declaredBy,
  one,
  parameterOf,
  typeText,
  UNSET,
  type Variable,
  writtenType,
} from './typings.ts';

/** This file reads the base types and fields of types, and imports. */

/** Returns the base types of a class, interface or implementation. */
export function basesOf(node: Node): string[] {
  const trait = node.type === 'impl_item' ? node.childForFieldName('trait') : null;
  const holders = [
    ...(trait === null ? [] : [trait]),
    node.childForFieldName('superclass'),
    node.childForFieldName('superclasses'),
    node.childForFieldName('interfaces'),
    ...node.namedChildren.filter((child) => BASES.test(child.type)),
  ].filter((each) => each !== null);
  return [...new Set(holders.flatMap(baseNames))];
}

const BASES =
  /^(?:class_heritage|extends_clause|extends_type_clause|extends_interfaces|base_list|base_clause|class_interface_clause|delegation_specifiers|inheritance_specifier|base_class_clause)$/;

/** Returns the names of base types, without arguments of generics and constructors. */
function baseNames(node: Node): string[] {
  const text = node.text
    .replace(/\b(?:extends|implements|public|private|protected|virtual)\b/g, ' ')
    .replace(/^[\s<:(]+|\)$/g, '');
  // In Kotlin the value after `by` is a delegate, not a type.
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

/** Returns the fields that a member declares. An embedded struct in Go is a base type instead. */
function fieldsOf(node: Node): Variable[] {
  if (embeddedType(node) !== undefined) return [];
  const type = writtenType(node);
  const named = fieldNames(node);
  const value = node.childForFieldName('value');
  if (named.length > 0 && type === undefined && value !== null)
    return one(named[0], undefined, value).map((each) => ({ ...each, name: each.name.replace(/^#/, '') }));
  const written = type ?? typeInComment(node);
  const typing = written === undefined ? UNSET : `:${written}`;
  if (named.length > 0) return named.map((each) => ({ name: bare(each).replace(/^#/, ''), typing }));
  return node.type === 'class_parameter' ? parameterOf(node) : declaredFields(node, typing);
}

/** Returns the type of a PHP property from its comment: `Pool` for `@var Pool`. */
function typeInComment({ type, previousNamedSibling: before }: Node): string | undefined {
  if (type !== 'property_declaration' || before?.type !== 'comment') return undefined;
  return /@var\s+\??([\w\\]+)\s/.exec(before.text)?.[1];
}

function fieldNames(node: Node): Node[] {
  const names = node.childrenForFieldName('name').filter((each) => each.type !== 'pattern');
  if (names.length > 0) return names;
  const elements = node.namedChildren.filter((child) => child.type === 'property_element');
  return elements.flatMap((each) => each.childForFieldName('name') ?? []);
}

/** Returns fields whose name is in a declarator (`Pool* pool` in C and C++) or a pattern (TypeScript parameters). */
function declaredFields(node: Node, typing: Typing): Variable[] {
  const declarator = node.firstField('declarator', 'pattern');
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
const FIELD_KINDS = kinds(`
  public_field_definition property_signature field_declaration property_declaration class_parameter
  property_promotion_parameter required_parameter
`);

/** Returns the embedded type of a Go struct or interface; undefined for other members. */
function embeddedType(node: Node): string | undefined {
  if (node.type === 'type_elem') return typeText(node);
  if (node.type !== 'field_declaration' || node.childForFieldName('name') !== null) return undefined;
  if (node.childForFieldName('declarator') !== null) return undefined;
  const text = typeText(node.childForFieldName('type'));
  return text === undefined ? undefined : /^\*?([\w.]+)(?:\[.*\])?$/.exec(text)?.[1];
}

/** Returns the mixins of a type: traits in PHP, modules in Ruby. */
function mixedIn(node: Node): string[] {
  if (node.type === 'use_declaration')
    return node.namedChildren.flatMap((each) => (each.type.endsWith('name') ? [each.text] : []));
  const method = node.childForFieldName('method')?.text ?? '';
  if (node.type !== 'call' || !/^(?:include|extend|prepend)$/.test(method)) return [];
  return (node.childForFieldName('arguments')?.namedChildren ?? []).map((each) => each.text);
}

export function noteVariables(spot: Spot): void {
  const { to, node, place } = spot;
  if (noteMember(spot)) return;
  for (const variable of declaredBy(node)) {
    if (place.function === undefined && place.type !== undefined) to.symbols.addField(place.type, variable);
    else to.symbols.addVariable(place.function, variable);
  }
}

/** Whether a node type may be a member of a class, interface or struct. */
export function mayBeMember(type: string): boolean {
  return FIELD_KINDS.has(type) || type === 'type_elem' || MIXINS.has(type);
}

const MIXINS: ReadonlySet<string> = new Set(['use_declaration', 'call']);

/** Notes fields, embedded types and mixins of the enclosing type. Returns whether the node was a field. */
function noteMember({ to, node, place }: Spot): boolean {
  const { type } = node;
  const owner = place.type;
  if (owner === undefined) return false;
  if (place.function === undefined && MIXINS.has(type)) {
    to.symbols.addMixins(owner, mixedIn(node));
    return false;
  }
  return isMember(node, place) && noteField(to, owner, node);
}

function isMember(node: Node, place: Place): boolean {
  const { type } = node;
  if (!FIELD_KINDS.has(type) && type !== 'type_elem') return false;
  // In TypeScript a constructor parameter with an access modifier is a field.
  if (type === 'required_parameter') return node.firstNamedChild?.type === 'accessibility_modifier';
  return place.function === undefined || type.endsWith('parameter');
}

function noteField(to: Recorder, owner: string, node: Node): boolean {
  const embedded = embeddedType(node);
  if (embedded !== undefined) to.symbols.addType(owner, [embedded]);
  // In Go, `a.Base.Run()` accesses an embedded type like a field.
  if (embedded !== undefined && node.type === 'field_declaration')
    to.symbols.addField(owner, { name: embedded.replace(/^.*\./, ''), typing: `:${embedded}` });
  const fields = fieldsOf(node);
  for (const field of fields) to.symbols.addField(owner, field);
  return fields.length > 0;
}

/** Returns the names that an import statement or a CommonJS `require` adds to a file. */
export function bindingsOf(node: Node): Binding[] {
  return READERS[node.type]?.(node) ?? [];
}

export function mayBind(type: string): boolean {
  return Object.hasOwn(READERS, type);
}

const READERS: Readonly<Record<string, (node: Node) => Binding[]>> = {
  import_statement: (node) =>
    node.childForFieldName('source') === null ? pythonImport(node) : scriptImport(node),
  export_statement: scriptReExport,
  import_from_statement: pythonFrom,
  import_spec: goImport,
  import_declaration: jvmImport,
  import: jvmImport,
  use_declaration: rustUse,
  namespace_use_clause: phpUse,
  variable_declarator: requireCall,
};

function scriptImport(node: Node): Binding[] {
  const module = unquoted(node.childForFieldName('source'));
  const clause = node.namedChildren.find((child) => child.type === 'import_clause');
  return (clause?.namedChildren ?? []).flatMap((part): Binding[] => {
    if (part.type === 'identifier') return [{ local: part.text, module, name: 'default' }];
    if (part.type === 'namespace_import')
      return [{ local: part.lastNamedChild?.text ?? '', module, name: '*' }];
    return part.namedChildren.flatMap((each) => specifier(each, module));
  });
}

/** Returns the names of a re-export: `export { a as b } from 'm'`, `export * from 'm'`. */
function scriptReExport(node: Node): Binding[] {
  const source = node.childForFieldName('source');
  if (source === null) return [];
  const module = unquoted(source);
  const clause = node.namedChildren.find((child) => child.type === 'export_clause');
  if (clause === undefined) return [{ local: '*', module, name: '*' }];
  return clause.namedChildren.flatMap((each) => specifier(each, module));
}

function specifier(node: Node, module: string): Binding[] {
  const name = node.childForFieldName('name')?.text;
  return name === undefined ? [] : [{ local: node.childForFieldName('alias')?.text ?? name, module, name }];
}

/** Returns the names of `const a = require('m')`, `const { a, b: c } = require('m')` and `const a = require('m').b`. */
function requireCall(node: Node): Binding[] {
  const value = node.childForFieldName('value')?.text ?? '';
  const [, module, member] =
    /^(?:await\s+)?(?:require|import)\(\s*['"]([^'"]+)['"]\s*\)(?:\.([\w$]+))?$/.exec(value) ?? [];
  const name = node.childForFieldName('name');
  if (module === undefined || name === null) return [];
  if (name.type === 'identifier') return [{ local: name.text, module, name: member ?? '*' }];
  return name.namedChildren.flatMap((each) => {
    if (each.type === 'shorthand_property_identifier_pattern')
      return [{ local: each.text, module, name: each.text }];
    const [key, local] = [each.childForFieldName('key')?.text, each.childForFieldName('value')?.text];
    return key === undefined || local === undefined ? [] : [{ local, module, name: key }];
  });
}

function pythonImport(node: Node): Binding[] {
  return node.childrenForFieldName('name').map((each) => {
    const { name: module, alias } = aliased(each);
    return { local: alias ?? module, module, name: '*' };
  });
}

function pythonFrom(node: Node): Binding[] {
  const module = node.childForFieldName('module_name')?.text ?? '';
  return node.childrenForFieldName('name').map((each) => {
    const { name, alias } = aliased(each);
    return { local: alias ?? name, module, name };
  });
}

function aliased(node: Node): { name: string; alias: string | undefined } {
  const alias = node.childForFieldName('alias')?.text;
  return { name: (alias === undefined ? node : node.childForFieldName('name'))?.text ?? '', alias };
}

function goImport(node: Node): Binding[] {
  const module = unquoted(node.childForFieldName('path'));
  // The package of `…/chi/v5` is `chi`, that of `gopkg.in/yaml.v3` is `yaml`.
  const parts = module.split('/').filter((part) => !/^v\d+$/.test(part));
  const usual = (parts.at(-1) ?? '').replace(/\.v\d+$/, '').replace(/^go-|-go$/g, '');
  return [{ local: node.childForFieldName('name')?.text ?? usual, module, name: '*' }];
}

/** Returns the name of `import a.b.C;`, `import static a.B.m;` or `import a.b.C as D`; empty for an import with a star. */
function jvmImport(node: Node): Binding[] {
  const [, path, alias] =
    /^import\s+(?:static\s+)?([\w.]+)(?:\s+as\s+(\w+))?\s*;?$/.exec(node.text.trim()) ?? [];
  const at = path?.lastIndexOf('.') ?? -1;
  if (path === undefined || at === -1) return [];
  const name = path.slice(at + 1);
  return [{ local: alias ?? name, module: path.slice(0, at), name }];
}

const MAX_USES = 500;

function rustUse(node: Node): Binding[] {
  const text = node.childForFieldName('argument')?.text.replace(/\s+/g, ' ');
  return text === undefined ? [] : expandUse(text, '').slice(0, MAX_USES);
}

/** Returns the names of a `use`: `b` and `E` for `a::{b, c::D as E}`, `a` for `a::{self}`. */
function expandUse(text: string, prefix: string): Binding[] {
  const open = text.indexOf('{');
  if (open !== -1) {
    const head = prefix + text.slice(0, open).trim();
    return topLevel(text.slice(open + 1, text.lastIndexOf('}'))).flatMap((part) =>
      expandUse(part.trim(), head),
    );
  }
  const [, path = '', alias] =
    /^(.+?)(?: as (\w+))?$/.exec((prefix + text).trim().replace(/::self$/, '')) ?? [];
  const parts = path.split('::');
  const name = parts.pop() ?? '';
  if (name === '' || name === '*' || alias === '_') return [];
  return [{ local: alias ?? name, module: parts.join('::'), name }];
}

function topLevel(list: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const char of list) {
    if (char === '{') depth += 1;
    if (char === '}') depth -= 1;
    if (char === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts.filter((part) => part.trim() !== '');
}

function phpUse(node: Node): Binding[] {
  const own = node.firstNamedChild?.text.replace(/^\\/, '') ?? '';
  // In `use A\B\{C, D}` the common prefix is before the brackets.
  const group = node.parentType === 'namespace_use_group' ? node.parent?.parent : undefined;
  const shared = group?.namedChildren.find(({ type }) => type === 'namespace_name')?.text;
  const path = shared === undefined || own === '' ? own : `${shared.replace(/^\\/, '')}\\${own}`;
  const at = path.lastIndexOf('\\');
  const name = path.slice(at + 1);
  const local = node.childForFieldName('alias')?.text ?? name;
  return name === '' ? [] : [{ local, module: path.slice(0, Math.max(at, 0)), name }];
}

function unquoted(node: Node | null): string {
  return node?.text.replace(/^['"`]|['"`]$/g, '') ?? '';
}
