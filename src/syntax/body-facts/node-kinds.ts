/** Names of tree-sitter nodes, over all languages: those of one mean the same in the others. */

export const commentKinds: ReadonlySet<string> = new Set([
  'comment',
  'line_comment',
  'block_comment',
  'multiline_comment',
  'doc_comment',
]);

/** What a fact can belong to. */
export const ownerKinds: ReadonlySet<string> = new Set([
  'function_declaration',
  'generator_function_declaration',
  'function_definition',
  'function_item',
  'function_signature_item',
  'method_definition',
  'method_declaration',
  'method',
  'singleton_method',
  'constructor_declaration',
  'init_declaration',
  'local_function_statement',
  'class_declaration',
  'abstract_class_declaration',
  'class_definition',
  'class_specifier',
  'struct_specifier',
  'class',
  'module',
  'interface_declaration',
  'object_declaration',
  'protocol_declaration',
  'struct_declaration',
  'record_declaration',
  'enum_declaration',
  'trait_declaration',
  'trait_item',
  'impl_item',
  'struct_item',
  'enum_item',
  'variable_declarator',
]);

export const callKinds: ReadonlySet<string> = new Set([
  'call_expression',
  'call',
  'method_invocation',
  'invocation_expression',
  'function_call_expression',
  'member_call_expression',
  'nullsafe_member_call_expression',
  'scoped_call_expression',
  'new_expression',
  'object_creation_expression',
  'macro_invocation',
]);

export const throwKinds: ReadonlySet<string> = new Set([
  'throw_statement',
  'throw_expression',
  'raise_statement',
  'jump_expression',
  'control_transfer_statement',
]);

export const catchKinds: ReadonlySet<string> = new Set([
  'except_clause',
  'except_group_clause',
  'catch_clause',
  'catch_block',
  'rescue',
]);

export const conditionKinds: ReadonlySet<string> = new Set([
  'if_statement',
  'if_expression',
  'elif_clause',
  'guard_statement',
  'if',
  'elsif',
  'unless',
  'if_modifier',
  'unless_modifier',
  'conditional_expression',
  'ternary_expression',
]);

export const stringKinds: ReadonlySet<string> = new Set([
  'string',
  'string_literal',
  'interpreted_string_literal',
  'raw_string_literal',
  'template_string',
  'encapsed_string',
  'line_string_literal',
  'multi_line_string_literal',
  'verbatim_string_literal',
]);

export const annotationKinds: ReadonlySet<string> = new Set([
  'annotation',
  'marker_annotation',
  'attribute_item',
  'inner_attribute_item',
  'attribute_list',
  'attribute_declaration',
  'attribute',
  'attribute_specifier',
  'decorator',
  'preproc_call',
  'preproc_pragma',
  'pragma_directive',
]);

/** Where a constant with a number can stand. */
export const constantKinds: ReadonlySet<string> = new Set([
  'variable_declarator',
  'const_spec',
  'const_item',
  'static_item',
  'assignment',
  'preproc_def',
  'property_declaration',
  'const_element',
  'field_declaration',
  'declaration',
  'public_field_definition',
]);
