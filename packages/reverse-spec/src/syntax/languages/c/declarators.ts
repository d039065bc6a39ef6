import type { Node } from 'web-tree-sitter';
import { field, fieldText } from '../../tree/source.ts';

const NAMES: ReadonlySet<string> = new Set([
  'identifier',
  'field_identifier',
  'type_identifier',
  'primitive_type',
  'qualified_identifier',
  'operator_name',
  'destructor_name',
  'operator_cast',
  'template_function',
  'template_method',
]);

export interface Declarator {
  name: string;
  /** Declares a function, not a pointer to one. */
  isFunction: boolean;
}

/** C writes types inside out: the name sits at the bottom of pointers, arrays and parameter lists. */
export function readDeclarator(node: Node): Declarator {
  let current: Node | null = node;
  let isFunction = false;
  while (current !== null && !NAMES.has(current.type)) {
    const inner = innerDeclarator(current);
    if (current.type === 'function_declarator') isFunction = inner?.type !== 'parenthesized_declarator';
    current = inner;
  }
  if (current?.type === 'operator_cast')
    return { name: `operator ${fieldText(current, 'type')}`.trim(), isFunction: true };
  return { name: current?.text ?? '', isFunction };
}

/** Returns a function definition's name. */
export function declaredName(definition: Node): string {
  const declarator = field(definition, 'declarator');
  return declarator === null ? '' : readDeclarator(declarator).name;
}

/** References and parentheses keep what they wrap without a field name. */
function innerDeclarator(node: Node): Node | null {
  const inner = field(node, 'declarator');
  if (inner !== null) return inner;
  return (
    node.namedChildren.find((child) => child.type.endsWith('declarator') || NAMES.has(child.type)) ?? null
  );
}
