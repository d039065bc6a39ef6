import { expect, it } from 'vitest';
import { indexLines } from '../../../packages/base/src/text/lines.ts';
import { createCompilerTreeCopier } from '../../../packages/reverse-spec/src/syntax/body-facts/compiler-tree.ts';
import type { Node } from '../../../packages/reverse-spec/src/syntax/body-facts/node.ts';
import { compiler as ts } from '../../../packages/reverse-spec/src/syntax/languages/typescript/source.ts';

const copy = createCompilerTreeCopier(ts);

function treeOf(text: string): Node {
  return copy(ts.createSourceFile('a.tsx', text, ts.ScriptTarget.Latest), indexLines(text));
}

/** Types, fields and texts of leaves, as tree-sitter writes its trees. */
function written({ type, fieldName, children, text, isNamed }: Node): string {
  const field = fieldName === null ? '' : `${fieldName}:`;
  if (!isNamed) return JSON.stringify(text);
  return children.length === 0
    ? `${field}${type} ${JSON.stringify(text)}`
    : `${field}(${[type, ...children.map(written)].join(' ')})`;
}

it.each([
  [
    'a.b?.c(d)',
    '(call_expression function:(member_expression object:(member_expression object:identifier "a" property:property_identifier "b") property:property_identifier "c") arguments:(arguments identifier "d"))',
  ],
  ['new A<B>(1)', '(new_expression constructor:identifier "A" type "B" arguments:(arguments number "1"))'],
  [
    'a = b && c',
    '(assignment_expression left:identifier "a" "=" right:(binary_expression left:identifier "b" "&&" right:identifier "c"))',
  ],
  [
    '[a, b = 1] = c',
    '(assignment_expression left:(array_pattern identifier "a" (assignment_pattern left:identifier "b" "=" right:number "1")) "=" right:identifier "c")',
  ],
  ['`a${b}//c`', '(template_string identifier "b")'],
  ['x => undefined', '(arrow_function parameter:identifier "x" body:undefined "undefined")'],
  [
    '(/* a */ b /* c */, // d\n e)',
    '(parenthesized_expression comment "/* a */" (sequence_expression left:identifier "b" comment "/* c */" "," comment "// d" right:identifier "e"))',
  ],
])('[SY2] the copied compiler tree of the expression %s contains the expected nodes', (code, expected) => {
  const [expression] = treeOf(`${code};`).children[0]?.children ?? [];
  expect(expression && written(expression)).toBe(expected);
});

it.each([
  [
    '@A() export class B { @C() d(private e?: F) {} }',
    '(export_statement decorator:(decorator (call_expression function:identifier "A" arguments:arguments "()")) declaration:(class_declaration name:type_identifier "B" body:(class_body decorator:(decorator (call_expression function:identifier "C" arguments:arguments "()")) (method_definition name:property_identifier "d" parameters:(formal_parameters (optional_parameter accessibility_modifier "private" pattern:identifier "e" type:type_annotation "F")) body:statement_block "{}"))))',
  ],
  [
    'export declare function f(a: string): void;',
    '(export_statement declaration:(ambient_declaration declaration:(function_signature name:identifier "f" parameters:(formal_parameters (required_parameter pattern:identifier "a" type:predefined_type "string")) return_type:predefined_type "void")))',
  ],
  [
    'const { a, b: c, ...d } = e;',
    '(lexical_declaration (variable_declarator name:(object_pattern shorthand_property_identifier_pattern "a" (pair_pattern key:property_identifier "b" value:identifier "c") (rest_pattern identifier "d")) value:identifier "e"))',
  ],
  [
    'for (const a of b) try { c; } catch (e) {}',
    '(for_in_statement left:identifier "a" right:identifier "b" body:(try_statement (statement_block (expression_statement identifier "c")) (catch_clause identifier "e" body:statement_block "{}")))',
  ],
  [
    "import a, { b as c } from 'd';",
    '(import_statement (import_clause identifier "a" (named_imports (import_specifier name:identifier "b" alias:identifier "c"))) source:string "\'d\'")',
  ],
  [
    'export default function (a) {}',
    '(export_statement declaration:(function_expression parameters:(formal_parameters (required_parameter pattern:identifier "a")) body:statement_block "{}"))',
  ],
  [
    'namespace A.B { c; }',
    '(internal_module name:identifier "A.B" body:(statement_block (expression_statement identifier "c")))',
  ],
])('[SY2] the copied compiler tree of the statement %s contains the expected nodes', (code, expected) => {
  const [statement] = treeOf(code).children;
  expect(statement && written(statement)).toBe(expected);
});

it('[SY4] the copied compiler tree of an expression with 10,000 operators ends at the maximum depth', () => {
  const { children } = treeOf(Array.from({ length: 10_000 }, () => 'a').join(' + '));
  expect(children).toHaveLength(1);
});
