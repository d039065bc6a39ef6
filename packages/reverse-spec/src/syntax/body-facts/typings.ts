import type { DocTypes } from '../body-facts.ts';
import type { Typing } from './fact.ts';
import type { Node } from './node.ts';
import { pathOf } from './paths.ts';

export interface Variable {
  /** Name of the variable; `this.x` for a field that a method assigns. */
  name: string;
  typing: Typing;
  /** Set if the variable is declared in part of a statement, as in `if c, ok := a.(B); ok` of Go. */
  isInner?: true;
}

/** Returns the parameters of a function with their declared types. */
export function parametersOf(node: Node): Variable[] {
  const list = parameterList(node);
  const nodes =
    list === undefined
      ? node.namedChildren.filter((child) => child.type === 'parameter')
      : list.namedChildren;
  return nodes.flatMap(parameterOf);
}

function parameterList(node: Node): Node | undefined {
  return (
    node.childForFieldName('parameters') ??
    (node.type === 'lambda_literal' ? node.childForFieldName('type')?.firstNamedChild : undefined) ??
    node.childForFieldName('value')?.childForFieldName('parameters') ??
    node.childForFieldName('right')?.childForFieldName('parameters') ??
    (functionDeclarator(node) ?? node.childForFieldName('declarator'))?.childForFieldName('parameters') ??
    node.namedChildren.find((child) => /(?<!type_)parameters$|parameter_list$/.test(child.type)) ??
    undefined
  );
}

/** Returns the declarator of a function. In C and C++ it is nested if the function returns a pointer. */
export function functionDeclarator(node: Node): Node | undefined {
  let at = node.childForFieldName('declarator');
  for (let depth = 0; depth < 5 && at !== null; depth += 1) {
    if (at.type === 'function_declarator') return at;
    at =
      at.childForFieldName('declarator') ??
      at.namedChildren.find((each) => /declarator$/.test(each.type)) ??
      null;
  }
  return undefined;
}

export function parameterOf(node: Node): Variable[] {
  const type = writtenType(node);
  const typing = type === undefined ? '' : `:${node.type.startsWith('variadic') ? '[]' : ''}${type}`;
  const names = node
    .childrenForFieldName('name')
    .filter((each) => /identifier$|^variable_name$/.test(each.type));
  if (names.length > 0) return names.map((name) => ({ name: bare(name), typing }));
  const pattern = node.firstField('pattern', 'left', 'declarator') ?? node;
  const inner = IDENTIFIER.test(pattern.type)
    ? [pattern]
    : identifiersIn(pattern, pattern === node && type !== undefined);
  const isOne = inner.length === 1;
  return inner.map((name) => ({ name: bare(name), typing: isOne ? typing : '' }));
}

const IDENTIFIER = /^(?:identifier|simple_identifier|variable_name|shorthand_property_identifier_pattern)$/;

/** Returns the identifiers that a pattern declares. With `firstOnly`, the others belong to a declared type. */
function identifiersIn(node: Node, firstOnly: boolean): Node[] {
  const found = patternNames(node, 0);
  return firstOnly ? found.slice(0, 1) : found.slice(0, 20);
}

/** Returns the identifiers in a pattern. `a.b` on the left of an assignment declares no name. */
function patternNames(node: Node, depth: number): Node[] {
  if (IDENTIFIER.test(node.type)) return [node];
  if (depth > 6 || MEMBER.test(node.type)) return [];
  return node.namedChildren.flatMap((child) => patternNames(child, depth + 1));
}

const MEMBER =
  /^(?:attribute|member_expression|selector_expression|field_expression|subscript|index_expression)/;

export function bare(node: Node): string {
  return node.type === 'variable_name' ? node.text.replace(/^\$/, '') : node.text;
}

/** Returns the declared type without colon and line breaks; undefined for `var` and `auto`. */
export function writtenType(node: Node): string | undefined {
  const field =
    node.childForFieldName('type') ??
    node.namedChildren.find((child) => TYPE_CHILD.test(child.type)) ??
    undefined;
  return typeText(field);
}

const TYPE_CHILD = /^(?:user_type|nullable_type|optional_type|function_type|type_annotation|array_type)$/;

export function typeText(node: Node | null | undefined): string | undefined {
  if (node == null || /^(?:implicit_type|placeholder_type_specifier|inferred_type)$/.test(node.type))
    return undefined;
  const text = node.text
    .replace(/^\s*(?::|->)\s*/, '')
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' || text === 'var' || text === 'val' || text.length > 200 ? undefined : text;
}

/** Returns the type of the object created in the last statement of a Ruby method: `Box` for `@box ||= Box.new`. */
function rubyResult(node: Node): string | undefined {
  const last = node.childForFieldName('body')?.lastNamedChild;
  const value = /assignment$/.test(last?.type ?? '') ? last?.childForFieldName('right') : last;
  return /^([\w.]+)\.new\(\)$/.exec(pathOf(value) ?? '')?.[1];
}

/** Returns the declared return type of a function; for several results in Go, the first. */
export function returnType(node: Node): string | undefined {
  if (node.type === 'method' || node.type === 'singleton_method') return rubyResult(node);
  const result = node.childForFieldName('result');
  if (result?.type === 'parameter_list')
    return typeText(result.namedChildren[0]?.childForFieldName('type') ?? result.namedChildren[0]);
  const field =
    result ??
    node.firstField('return_type', 'returns') ??
    node.childForFieldName('value')?.childForFieldName('return_type') ??
    (/^(?:method_declaration|function_definition)$/.test(node.type)
      ? node.childForFieldName('type')
      : null) ??
    kotlinOrSwiftReturn(node);
  return typeText(field);
}

/** Returns the type after the parameters, in Kotlin and Swift. */
function kotlinOrSwiftReturn(node: Node): Node | undefined {
  if (node.type !== 'function_declaration') return undefined;
  const children = node.namedChildren;
  const last = children.findLastIndex((child) =>
    /^(?:function_value_parameters|parameter)$/.test(child?.type ?? ''),
  );
  const next = children[last + 1];
  return next != null && last !== -1 && TYPE_CHILD.test(next.type) ? next : undefined;
}

/** Returns the variables and fields that a statement declares or assigns. */
export function declaredBy(node: Node): Variable[] {
  return DECLARING[node.type]?.(node) ?? [];
}

export function mayDeclare(type: string): boolean {
  return Object.hasOwn(DECLARING, type);
}

const DECLARING: Readonly<Record<string, (node: Node) => Variable[]>> = {
  variable_declarator: (node) => {
    const name = node.childForFieldName('name') ?? node.firstNamedChild;
    const value = node.childForFieldName('value') ?? (node.namedChildCount > 1 ? node.lastNamedChild : null);
    const own =
      writtenType(node) ??
      (node.parent === null ? undefined : typeText(node.parent.childForFieldName('type')));
    if (name !== null && !IDENTIFIER.test(name.type))
      return identifiersIn(name, false).map((each) => ({ name: bare(each), typing: '' }));
    return one(name, own, value);
  },
  assignment: (node) =>
    one(node.firstField('left', 'target'), writtenType(node), node.firstField('right', 'result')),
  assignment_expression: (node) =>
    one(node.childForFieldName('left'), undefined, node.childForFieldName('right')),
  named_expression: (node) => one(node.childForFieldName('name'), undefined, node.childForFieldName('value')),
  short_var_declaration: (node) => {
    const found = pairs(node.childForFieldName('left'), node.childForFieldName('right'));
    return node.parentType === 'if_statement' ? found.map((each) => ({ ...each, isInner: true })) : found;
  },
  var_spec: (node) => {
    const type = writtenType(node);
    const value = node.childForFieldName('value');
    const names = node.childrenForFieldName('name');
    if (type === undefined && names.length === 1) return one(names[0], undefined, value);
    return names.map((name) => ({ name: bare(name), typing: type === undefined ? '' : `:${type}` }));
  },
  range_clause: (node) => {
    const names = node.childForFieldName('left')?.namedChildren ?? [];
    const over = pathOf(node.childForFieldName('right'));
    return names.map((name, at) => ({
      name: bare(name),
      typing: at === 1 && over !== undefined ? `=${over}.[]` : '',
    }));
  },
  let_declaration: (node) => patternOrOne(node, 'pattern', 'value'),
  for_expression: (node) => element(node.childForFieldName('pattern'), node.childForFieldName('value')),
  for_statement: (node) =>
    node.childForFieldName('item') === null
      ? element(node.childForFieldName('left'), node.childForFieldName('right'))
      : element(node.childForFieldName('item'), node.childForFieldName('collection')),
  for_in_statement: (node) => element(node.childForFieldName('left'), node.childForFieldName('right')),
  for_in_clause: (node) => element(node.childForFieldName('left'), node.childForFieldName('right')),
  enhanced_for_statement: (node) => one(node.childForFieldName('name'), writtenType(node), null),
  foreach_statement: (node) => one(node.childForFieldName('left'), writtenType(node), null),
  for_range_loop: (node) => declaredNames(node, typeText(node.childForFieldName('type')), null),
  init_declarator: (node) =>
    declaredNames(node, typeText(node.parent?.childForFieldName('type')), node.childForFieldName('value')),
  declaration: (node) => {
    const declarator = node.childForFieldName('declarator');
    if (declarator === null || /init_declarator|function_declarator/.test(declarator.type)) return [];
    // `import std;` in C++ is not a declaration of a variable.
    if (/^(?:import|module|export)$/.test(node.childForFieldName('type')?.text ?? '')) return [];
    return declaredNames(node, typeText(node.childForFieldName('type')), null);
  },
  property_declaration: (node) => {
    const variable = node.namedChildren.find((child) => child?.type === 'variable_declaration');
    if (variable != null) return one(variable.firstNamedChild, writtenType(variable), node.lastNamedChild);
    return patternOrOne(node, 'name', 'value');
  },
  if_statement: boundBy,
  guard_statement: boundBy,
  while_statement: boundBy,
  pattern: (node) =>
    node.firstChild?.type === 'value_binding_pattern'
      ? node.ofTypes(BOUND).map((name) => ({ name: name.text, typing: '' }))
      : [],
  parameter_declaration: () => [],
  call: rspecNames,
};

/** Returns the names that RSpec defines: `let(:box) { Box.new }`, `subject(:box) { … }`, and `described_class`. */
function rspecNames(node: Node): Variable[] {
  const word = node.childForFieldName('method')?.text ?? '';
  const [first] = node.childForFieldName('arguments')?.namedChildren ?? [];
  if (word === 'describe' && /^(?:constant|scope_resolution)$/.test(first?.type ?? ''))
    return [{ name: 'described_class', typing: `=${pathOf(first)}` }];
  const block = /^(?:let|subject)!?$/.test(word) ? node.childForFieldName('block') : null;
  const path = pathOf(block?.childForFieldName('body')?.lastNamedChild);
  const typing = path === undefined ? '' : `=${path}`;
  const names = [
    first?.type === 'simple_symbol' ? first.text.slice(1) : '',
    word.startsWith('subject') ? 'subject' : '',
  ];
  return block === null ? [] : names.filter((name) => name !== '').map((name) => ({ name, typing }));
}

const BOUND: ReadonlySet<string> = new Set(['simple_identifier']);

/** Returns the variables of a condition in Swift: `let a = b()`. */
function boundBy({ children }: Node): Variable[] {
  return children.flatMap((name, at) => {
    if (name.fieldName !== 'bound_identifier') return [];
    const value = children[at + 1]?.type === '=' ? children[at + 2] : undefined;
    return value === undefined ? [{ name: name.text, typing: '' }] : one(name, undefined, value);
  });
}

function patternOrOne(node: Node, nameField: string, valueField: string): Variable[] {
  const name = node.childForFieldName(nameField);
  const inner = name?.type === 'pattern' ? name.firstNamedChild : name;
  if (inner !== null && inner !== undefined && !IDENTIFIER.test(inner.type))
    return inner.type === 'mut_pattern' || inner.type === 'ref_pattern'
      ? one(inner.lastNamedChild, writtenType(node), node.childForFieldName(valueField))
      : identifiersIn(inner, false).map((each) => ({ name: bare(each), typing: '' }));
  return one(inner, writtenType(node), node.childForFieldName(valueField));
}

function declaredNames(node: Node, type: string | undefined, value: Node | null): Variable[] {
  const declarator = node.childForFieldName('declarator');
  const [name] = declarator === null ? [] : identifiersIn(declarator, true);
  return one(name, type, value);
}

export function one(
  target: Node | null | undefined,
  type: string | undefined,
  value: Node | null,
): Variable[] {
  const name = pathOf(target)?.replace(/^(?:(?:self|cls)\.|this\.@)/, 'this.');
  if (name === '_') return [];
  if (name === undefined || !/^(?:this\.)?[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name))
    return target == null || target.type.endsWith('expression') || target.type === 'attribute'
      ? []
      : identifiersIn(target, false).map((each) => ({ name: bare(each), typing: '' }));
  if (type !== undefined) return [{ name, typing: `:${type}` }];
  if (value === null || NOTHING.test(value.type)) return [{ name, typing: UNSET }];
  if (FUNCTION_VALUE.test(value.type)) return [];
  const path = pathOf(value);
  return [{ name, typing: path === undefined ? '' : `=${path}` }];
}

const NOTHING = /^(?:none|null|nil|undefined|null_literal|nil_literal)$/;

/** Typing of a variable that was declared without a value. The first assignment replaces it. */
export const UNSET: Typing = '~';

/** Adds a variable. A variable that is assigned different values gets the empty typing, unless its type is declared. */
export function addVariable(variables: Map<string, Typing>, { name, typing, isInner }: Variable): void {
  const known = variables.get(name);
  // In Go, `if a, ok := a.(B); ok` does not hide the receiver `a` in the rest of the method.
  if (isInner === true && known === '=this') return;
  if (known === undefined || known === UNSET) variables.set(name, typing);
  else if (typing === UNSET || typing === known || known.startsWith(':')) return;
  else variables.set(name, typing.startsWith(':') && known === '' ? typing : '');
}

export const FUNCTION_VALUE =
  /^(?:arrow_function|function_expression|function|generator_function|lambda_expression|lambda|func_literal|closure_expression|anonymous_function|lambda_literal)$/;

function pairs(left: Node | null, right: Node | null): Variable[] {
  const names = left?.namedChildren ?? [];
  const values = right?.namedChildren ?? [];
  return names.flatMap((name, at) => {
    // One call may return values for several names, as in `a, err := f()`. Only the first name gets the type of the call.
    const value = values.length === names.length || at === 0 ? values[at] : undefined;
    return one(name, undefined, value ?? null);
  });
}

function element(name: Node | null, over: Node | null): Variable[] {
  const path = pathOf(over);
  const inner = name?.type === 'pattern' ? name.firstNamedChild : name;
  if (inner == null) return [];
  if (!IDENTIFIER.test(inner.type))
    return identifiersIn(inner, false).map((each) => ({ name: bare(each), typing: '' }));
  return [{ name: bare(inner), typing: path === undefined ? '' : `=${path}.[]` }];
}

/** Returns parameters that have a type in the comment but none in the code. */
export function typedIn({ parameters }: DocTypes, declared: readonly Variable[]): Variable[] {
  return parameters.flatMap(([name, type]) =>
    declared.some((each) => each.name === name && each.typing === '') ? [{ name, typing: `:${type}` }] : [],
  );
}
