/** This file lists node types of tree-sitter grammars. Each set combines all languages, since a type means the same in each. */

export function kinds(table: string): ReadonlySet<string> {
  return new Set(table.trim().split(/\s+/));
}

/** Languages that the TypeScript compiler parses. */
export const scriptLanguages = ['javascript', 'typescript', 'tsx'];

export const commentKinds = kinds('comment line_comment block_comment multiline_comment doc_comment');

/** Nodes that can own facts: functions and types. */
export const ownerKinds = kinds(`
  function_declaration generator_function_declaration function_definition function_item
  function_signature_item method_definition method_declaration method singleton_method
  constructor_declaration init_declaration local_function_statement class_declaration
  abstract_class_declaration class_definition class_specifier struct_specifier class module
  interface_declaration type_alias_declaration object_declaration protocol_declaration struct_declaration
  record_declaration enum_declaration trait_declaration trait_item impl_item struct_item enum_item
  variable_declarator assignment_expression pair type_spec method_elem method_signature
  abstract_method_signature secondary_constructor getter setter computed_property accessor_declaration
`);

/** Go's grammar parses `run[int](a)` as a type conversion. */
export const callKinds = kinds(`
  call_expression call method_invocation invocation_expression function_call_expression member_call_expression
  nullsafe_member_call_expression scoped_call_expression new_expression object_creation_expression macro_invocation type_conversion_expression yield
`);

export const throwKinds = kinds(`
  throw_statement throw_expression raise_statement jump_expression control_transfer_statement
`);

export const catchKinds = kinds('except_clause except_group_clause catch_clause catch_block rescue');

/** Conditional statements, without the clauses of a switch or `try`. */
export const ifKinds = kinds(
  'if_statement if_expression guard_statement if unless if_modifier unless_modifier',
);

export const conditionKinds: ReadonlySet<string> = new Set([
  ...ifKinds,
  ...kinds('elif_clause elsif conditional_expression ternary_expression'),
]);

/** Operators that may skip their right operand. */
export const logicalKinds = kinds(`
  binary_expression binary boolean_operator elvis_expression conjunction_expression disjunction_expression
  nil_coalescing_expression
`);

export const stringKinds = kinds(`
  string string_literal interpreted_string_literal raw_string_literal template_string encapsed_string
  line_string_literal multi_line_string_literal verbatim_string_literal
`);

const JVM_ANNOTATIONS = kinds('annotation marker_annotation');
const C_ANNOTATIONS = kinds('attribute_declaration attribute_specifier preproc_call preproc_pragma');
const DECORATORS = kinds('decorator');

/**
 * Node types of annotations per language, because a type differs in meaning: `attribute` is an annotation in
 * Swift, and `self.x` in Python.
 */
export const annotationKinds: Readonly<Record<string, ReadonlySet<string>>> = {
  java: JVM_ANNOTATIONS,
  kotlin: JVM_ANNOTATIONS,
  rust: new Set(['attribute_item', 'inner_attribute_item']),
  csharp: new Set(['attribute_list', 'preproc_pragma', 'pragma_directive']),
  php: new Set(['attribute_list', 'attribute_group']),
  swift: new Set(['attribute']),
  c: C_ANNOTATIONS,
  cpp: C_ANNOTATIONS,
  python: DECORATORS,
  javascript: DECORATORS,
  typescript: DECORATORS,
  tsx: DECORATORS,
};

const NAMED_MEMBERS = kinds(`
  member_expression attribute selector_expression field_expression field_access
  member_access_expression scoped_identifier navigation_expression method_reference callable_reference
`);

/** Members of an object, a type or a module. */
export const memberKinds: ReadonlySet<string> = new Set([
  ...NAMED_MEMBERS,
  ...kinds(`
  nullsafe_member_access_expression scoped_type_identifier scope_resolution qualified_identifier
  qualified_name scoped_property_access_expression class_constant_access_expression
  conditional_access_expression
`),
]);

/** Expressions that may name a function. */
export const valueKinds: ReadonlySet<string> = new Set([
  ...NAMED_MEMBERS,
  ...kinds('identifier simple_identifier shorthand_property_identifier'),
]);

/** Nodes whose children are passed or stored as values. */
export const valueParents = kinds(`
  arguments argument_list argument value_argument keyword_argument array list tuple pair object dictionary
  keyed_element literal_element expression_list assignment assignment_expression variable_declarator
  return_statement conditional_expression ternary_expression decorator field_initializer
  element_value_array_initializer
`);

/** Nodes that can hold a numeric constant. */
export const constantKinds = kinds(`
  variable_declarator const_spec const_item static_item assignment preproc_def property_declaration
  const_element field_declaration declaration public_field_definition pair
`);
