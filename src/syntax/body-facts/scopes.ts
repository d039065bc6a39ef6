import type { Node } from 'web-tree-sitter';
import { shortened } from './code-facts.ts';

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
const TYPES = /class|interface|struct|enum|trait|impl|module|object|protocol|record/;

/** What a declaration is called; nothing when it has no name, or is a plain variable. */
export function ownerOf(node: Node): Owner | undefined {
  const { type } = node;
  const isVariable = type === 'variable_declarator';
  if (isVariable && !FUNCTION_VALUES.test(node.childForFieldName('value')?.type ?? '')) return undefined;
  const name = nameOf(node);
  if (name === '') return undefined;
  return { name, isFunction: isVariable || !TYPES.test(type) };
}

const FUNCTION_VALUES = /^(?:arrow_function|function_expression|generator_function|lambda_expression|class)$/;

function nameOf(node: Node): string {
  const field =
    node.childForFieldName('name') ?? (node.type === 'impl_item' ? node.childForFieldName('type') : null);
  if (field !== null) return receiverOf(node) + field.text.replace(/<.*$/s, '');
  const declarator = node.childForFieldName('declarator');
  if (declarator !== null) return /(?<![~\w])([~\w]+)\s*\(/.exec(declarator.text)?.[1] ?? declarator.text;
  return node.namedChildren.find((child) => NAME_KINDS.has(child.type))?.text ?? '';
}

/** `func (c *Command) Execute()` belongs to `Command`. */
function receiverOf(node: Node): string {
  const receiver = node.type === 'method_declaration' ? node.childForFieldName('receiver')?.text : undefined;
  const type = /(?<!\w)(\w+)(?:\[[^\]]{0,200}\])?\s{0,20}\)$/.exec(receiver ?? '')?.[1];
  return type === undefined ? '' : `${type}.`;
}

export function parametersOf(node: Node): string[] {
  const list =
    node.childForFieldName('parameters') ??
    node.childForFieldName('value')?.childForFieldName('parameters') ??
    node.childForFieldName('declarator')?.childForFieldName('parameters') ??
    node.namedChildren.find((child) => /parameters$|parameter_list$/.test(child.type));
  const text = list?.text ?? '';
  return (text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []).filter((word) => !NO_PARAMETER.has(word));
}

const NO_PARAMETER: ReadonlySet<string> = new Set([
  'self',
  'this',
  'const',
  'final',
  'string',
  'int',
  'None',
  'null',
]);

/** The condition in the source's own words. */
export function conditionOf(node: Node, text: string): string | undefined {
  const condition =
    node.childForFieldName('condition') ?? node.namedChildren[node.type.endsWith('modifier') ? 1 : 0];
  if (condition == null) return undefined;
  const initial = node.childForFieldName('initializer');
  const words = shortened(text.slice(initial?.startIndex ?? condition.startIndex, condition.endIndex));
  const bare = /^(?:parenthesized|condition_clause)/.test(condition.type)
    ? /^\((.*)\)$/.exec(words)?.[1]
    : undefined;
  const shown = bare ?? words;
  return node.type.startsWith('unless') || node.type === 'guard_statement' ? `!(${shown})` : shown;
}
