import { FUNCTION_ENDS } from '../run-conditions.ts';
import { shortened } from './code-facts.ts';
import type { Conditions } from './fact.ts';
import type { Node } from './node.ts';
import { catchKinds, commentKinds, conditionKinds, logicalKinds } from './node-kinds.ts';

/** Condition a node with branches sets for its children. */
export interface Branching {
  /** Holds in the branches; in the other one its negation does. */
  condition: string;
  /** Holds in every child (a case of a switch, a clause that catches an error). */
  isWhole?: boolean;
  /** Holds in the last child, the right side of an operator. */
  isRight?: true;
}

export function mayBranch(type: string): boolean {
  return (
    conditionKinds.has(type) ||
    logicalKinds.has(type) ||
    catchKinds.has(type) ||
    CASES.has(type) ||
    type === 'defer_statement'
  );
}

export function branchingOf(node: Node, text: string): Branching | undefined {
  const { type } = node;
  if (conditionKinds.has(type)) {
    const condition = conditionOf(node, text);
    return condition === undefined ? undefined : { condition, isWhole: type === 'guard_statement' };
  }
  if (type === 'defer_statement') return { condition: FUNCTION_ENDS, isWhole: true };
  if (logicalKinds.has(type)) return shortCircuitOf(node);
  if (catchKinds.has(type)) return { condition: catchClause(node.text), isWhole: true };
  if (!CASES.has(type)) return undefined;
  const condition = caseOf(node);
  return condition === undefined ? undefined : { condition, isWhole: true };
}

/** `a || throw b`, `a && b()`, `a ?? throw b`: the right side runs only if the left side says so. */
function shortCircuitOf(node: Node): Branching | undefined {
  const [left, operator] = node.children;
  if (left == null || operator == null) return undefined;
  const words = plainCode(left);
  if (operator.type === '&&' || operator.type === 'and') return { condition: words, isRight: true };
  if (operator.type === '||' || operator.type === 'or') return { condition: negated(words), isRight: true };
  return operator.type === '??' || operator.type === '?:'
    ? { condition: `${words} == null`, isRight: true }
    : undefined;
}

/** Adds what holds in a child. */
export function conditionsIn(branching: Branching, before: Conditions, node: Node): Conditions {
  const { condition, isWhole, isRight } = branching;
  if (isWhole) return [...before, condition];
  if (isRight) return node.nextSibling === null ? [...before, condition] : before;
  const { fieldName: field } = node;
  if (field === 'condition' || field === 'initializer') return before;
  const isOther = field === 'alternative' || node.previousSibling?.type === 'else';
  if (!isOther) return [...before, condition];
  return [...before, negated(condition), ...elifsBefore(node)];
}

/** Returns what does not hold after `if (x) return`. */
export function exitOf(node: Node, text: string): string | undefined {
  if (node.childForFieldName('alternative') !== null) return undefined;
  if (!returns(node.childForFieldName('consequence') ?? node.lastNamedChild)) return undefined;
  const condition = conditionOf(node, text);
  return condition === undefined ? undefined : negated(condition);
}

/** Whether a statement always ends with a return: its last one does, or both branches of its last `if`. */
function returns(body: Node | null | undefined): boolean {
  if (body?.type === 'return_statement') return true;
  if (body?.type !== 'if_statement') return BLOCK.test(body?.type ?? '') && returns(body?.lastNamedChild);
  const other = body.childForFieldName('alternative');
  return other !== null && returns(body.childForFieldName('consequence')) && returns(other);
}

const BLOCK = /^(?:block|statement_block|compound_statement|statement_list|else_clause)$/;

function negated(condition: string): string {
  return /^!\((.*)\)$/s.exec(condition)?.[1] ?? `!(${condition})`;
}

/** Python: `elif` and `else` are side by side. */
function elifsBefore(branch: Node): string[] {
  const siblings = branch.parent?.namedChildren ?? [];
  return siblings.flatMap((node) => {
    const isBefore = node?.type === 'elif_clause' && node.startIndex < branch.startIndex;
    return isBefore ? [`!(${shortened(node.childForFieldName('condition')?.text ?? '')})`] : [];
  });
}

function conditionOf(node: Node, text: string): string | undefined {
  const isModifier = node.type.endsWith('modifier');
  const condition = node.childForFieldName('condition') ?? node.namedChildren[isModifier ? 1 : 0];
  // Python writes the value first: `a if b else c`.
  if (condition == null || (node.type === 'conditional_expression' && condition.nextSibling?.type === 'if'))
    return undefined;
  const initial = node.childForFieldName('initializer');
  const words = shortened(
    `${text.slice(initial?.startIndex ?? condition.startIndex, condition.startIndex)}${plainCode(condition)}`,
  );
  const bare = /^(?:parenthesized|condition_clause)/.test(condition.type)
    ? /^\((.*)\)$/.exec(words)?.[1]
    : undefined;
  const shown = bare ?? words;
  return node.type.startsWith('unless') || node.type === 'guard_statement' ? `!(${shown})` : shown;
}

/** The code of a node without the comments in it. */
function plainCode(node: Node): string {
  let { text } = node;
  if (!/\/[/*]|#/.test(text)) return shortened(text);
  for (const comment of node.ofTypes(commentKinds).reverse())
    text = `${text.slice(0, comment.startIndex - node.startIndex)} ${text.slice(comment.endIndex - node.startIndex)}`;
  return shortened(text);
}

/** `except (ValueError, OSError)` of what may go on for lines. */
function catchClause(clause: string): string {
  const [head = ''] = clause.split(/[{\n]/, 1);
  const words = shortened(head);
  return words.endsWith(':') ? words.slice(0, -1) : words;
}

const CASES: ReadonlySet<string> = new Set([
  'switch_case',
  'switch_default',
  'expression_case',
  'type_case',
  'default_case',
  'case_statement',
  'default_statement',
  'switch_section',
  'switch_block_statement_group',
  'switch_rule',
  'switch_entry',
  'match_arm',
  'match_conditional_expression',
  'match_default_expression',
  'when_entry',
  'case_clause',
  'when',
]);

const MAX_LABEL = 80;

/** `switch (mode) case 'a'`, in every language; the label alone if nothing is compared. */
function caseOf(node: Node): string | undefined {
  const statement = switchOf(node);
  if (statement === undefined) return undefined;
  const label = labelOf(node);
  const subject = SUBJECTS.map((name) => statement.childForFieldName(name)).find((found) => found !== null);
  const held = subject ?? statement.namedChildren.find((child) => child?.type === 'when_subject');
  const words = shortened(held?.text ?? '').replace(/^\((.*)\)$/, '$1');
  const bare = label.replace(/^(?:case|when)\s+/, '');
  // `match (true)` compares nothing: its labels are the conditions.
  if (words === '' || (words === 'true' && label !== 'default')) return bare;
  return `switch (${words}) ${label === 'default' ? label : `case ${bare}`}`;
}

const SUBJECTS = ['value', 'condition', 'subject', 'expr'] as const;
const SWITCH =
  /^(?:(?:expression_|type_)?switch_(?:statement|expression)|match_(?:expression|statement)|when_expression|case)$/;

function switchOf(node: Node): Node | undefined {
  let at = node.parent;
  for (let depth = 0; depth < 3 && at !== null; depth += 1) {
    if (SWITCH.test(at.type)) return at;
    at = at.parent;
  }
  return undefined;
}

/** Up to the mark that ends the label. */
function labelOf(node: Node): string {
  const body = node.children.find((child) => LABEL_END.test(child?.type ?? ''));
  const end = (body?.startIndex ?? node.endIndex) - node.startIndex;
  const label = shortened(node.text.slice(0, Math.max(end, 0))).replace(/[:,\s]{1,9}$/, '');
  const shown = label === 'else' || label === '_' ? 'default' : label;
  return shown.length > MAX_LABEL ? `${shown.slice(0, MAX_LABEL - 1)}…` : shown;
}

const LABEL_END = /^(?::|->|=>|then|block|statements)$/;
