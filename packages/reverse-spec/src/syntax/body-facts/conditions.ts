import { deniedIn, FUNCTION_ENDS } from '../run-conditions.ts';
import { shortened } from './code-facts.ts';
import type { Conditions } from './fact.ts';
import type { Node } from './node.ts';
import {
  catchKinds,
  commentKinds,
  conditionKinds,
  ifKinds,
  kinds,
  logicalKinds,
  throwKinds,
} from './node-kinds.ts';

/** Condition under which children of a node run, such as the branches of an `if`. */
export interface Branching {
  /** Condition of the main branch. The `else` branch runs under its negation. */
  condition: string;
  /** Whether the condition holds in all children, as for a case of a switch or a catch clause. */
  isWhole?: boolean;
  /** Whether the condition holds only in the last child: the right operand of `a && b`. */
  isRight?: true;
  /** Whether the condition holds only in the statements of a Swift `guard`. */
  isGuard?: boolean;
}

export function mayBranch(type: string): boolean {
  const known = [conditionKinds, logicalKinds, catchKinds, CASES].some((each) => each.has(type));
  return known || type === 'defer_statement';
}

export function branchingOf(node: Node, text: string): Branching | undefined {
  const { type } = node;
  if (conditionKinds.has(type)) {
    const condition = conditionOf(node, text);
    return condition === undefined ? undefined : { condition, isGuard: type === 'guard_statement' };
  }
  if (type === 'defer_statement') return { condition: FUNCTION_ENDS, isWhole: true };
  if (logicalKinds.has(type)) return shortCircuitOf(node, text);
  if (catchKinds.has(type))
    return { condition: catchClause(text.slice(node.startIndex, node.endIndex)), isWhole: true };
  if (!CASES.has(type)) return undefined;
  const condition = caseOf(node, text);
  return condition === undefined ? undefined : { condition, isWhole: true };
}

/** Returns the condition under which the right side of an operator runs: `a || throw b`, `a && b()`, `a ?? throw b`. */
function shortCircuitOf(node: Node, text: string): Branching | undefined {
  const [left, operator] = node.children;
  if (left == null || operator == null) return undefined;
  const words = plainCode(left, text);
  if (operator.type === '&&' || operator.type === 'and') return { condition: words, isRight: true };
  if (operator.type === '||' || operator.type === 'or') return { condition: negated(words), isRight: true };
  return operator.type === '??' || operator.type === '?:'
    ? { condition: `${words} == null`, isRight: true }
    : undefined;
}

/** Returns the conditions under which a child of a branching node runs. */
export function conditionsIn(branching: Branching, before: Conditions, node: Node): Conditions {
  const { condition, isWhole, isRight, isGuard } = branching;
  if (isWhole) return [...before, condition];
  if (isGuard) return node.type === 'statements' ? [...before, condition] : before;
  if (isRight) return node.nextSibling === null ? [...before, condition] : before;
  const { fieldName: field } = node;
  if (field === 'condition' || field === 'initializer') return before;
  if (field !== 'alternative' && !isAfterElse(node)) return [...before, condition];
  return [...before, negated(condition), ...elifsBefore(node)];
}

/** Whether a node follows `else`. In Swift a brace is between the two. */
function isAfterElse({ type, previousSibling: before }: Node): boolean {
  const isBrace = type === 'statements' && before?.type === '{';
  return (isBrace ? before.previousSibling : before)?.type === 'else';
}

/**
 * Returns the condition that holds after `if (x) return`, `if (x) throw` or `if (x) continue`. Empty for an
 * error check in Go, undefined for other statements.
 */
export function exitOf(statement: Node, text: string): string | undefined {
  const node = statement.type === 'expression_statement' ? statement.firstNamedChild : statement;
  if (node === null || !ifKinds.has(node.type)) return undefined;
  const condition = leavesOf(node) ? conditionOf(node, text) : undefined;
  if (condition === undefined) return undefined;
  return isFailureOfGo(condition) ? '' : negated(condition);
}

/** Whether a condition is an error check of Go. It is not reported, because the code after it is the normal case. */
export function isFailureOfGo(condition: string): boolean {
  return /\berr\w* [!=]= nil$/.test(condition);
}

function leavesOf(node: Node): boolean {
  if (node.type === 'guard_statement') return true;
  if (node.type.endsWith('modifier')) return leaves(node.firstNamedChild);
  const hasOther =
    node.childForFieldName('alternative') !== null || node.children.some(({ type }) => type === 'else');
  return !hasOther && leaves(node.childForFieldName('consequence') ?? node.lastNamedChild);
}

/** Whether code always leaves its block: its last statement leaves, or both branches of its last `if` do. */
function leaves(body: Node | null | undefined): boolean {
  if (body == null) return false;
  if (isReturn(body) || throwKinds.has(body.type) || SKIPS.has(body.type)) return true;
  if (body.type !== 'if_statement') return BLOCK.test(body.type) && leaves(body.lastNamedChild);
  const other = body.childForFieldName('alternative');
  return other !== null && leaves(body.childForFieldName('consequence')) && leaves(other);
}

/**
 * Whether a node is a `return`. Kotlin and Swift use one type of node for `return`, `throw`, `break` and
 * `continue`.
 */
export function isReturn({ type, firstChild }: Node): boolean {
  return JUMPS.has(type) ? /^return\b/.test(firstChild?.text ?? '') : RETURNS.has(type);
}

export function mayReturn(type: string): boolean {
  return JUMPS.has(type) || RETURNS.has(type);
}

const JUMPS: ReadonlySet<string> = new Set(['jump_expression', 'control_transfer_statement']);

/** Statements other than `return` and `throw` that leave the block. */
const SKIPS = kinds('break_statement continue_statement break_expression continue_expression break next');

const RETURNS: ReadonlySet<string> = new Set(['return_statement', 'return', 'return_expression']);

const BLOCK =
  /^(?:block|statement_block|compound_statement|statement_list|else_clause|statements|control_structure_body|then|expression_statement|throw_expression)$/;

function negated(condition: string): string {
  return deniedIn(condition) ?? `!(${condition})`;
}

/** Returns the negated conditions of the `elif` clauses before a branch. In Python, `elif` and `else` are siblings in the tree. */
function elifsBefore(branch: Node): string[] {
  const siblings = branch.parent?.namedChildren ?? [];
  return siblings.flatMap((node) => {
    const isBefore = node.type === 'elif_clause' && node.startIndex < branch.startIndex;
    return isBefore ? [`!(${shortened(node.childForFieldName('condition')?.text ?? '')})`] : [];
  });
}

function conditionOf(node: Node, text: string): string | undefined {
  const tested = bindingsTested(node, text) ?? conditionTested(node, text);
  const isDenied = node.type.startsWith('unless') || node.type === 'guard_statement';
  return tested !== undefined && isDenied ? `!(${tested})` : tested;
}

function conditionTested(node: Node, text: string): string | undefined {
  const isModifier = node.type.endsWith('modifier');
  const condition = node.childForFieldName('condition') ?? node.namedChildren[isModifier ? 1 : 0];
  // In Python the value is before the condition: `a if b else c`.
  if (condition == null || (node.type === 'conditional_expression' && condition.nextSibling?.type === 'if'))
    return undefined;
  const initial = node.childForFieldName('initializer');
  const words = shortened(
    `${text.slice(initial?.startIndex ?? condition.startIndex, condition.startIndex)}${plainCode(condition, text)}`,
  );
  const bare = /^(?:parenthesized|condition_clause)/.test(condition.type)
    ? /^\((.*)\)$/.exec(words)?.[1]
    : undefined;
  return bare ?? words;
}

/** Returns the condition of `if` and `guard` in Swift, where `let a = b(), a.isOpen` is several nodes. */
function bindingsTested(node: Node, text: string): string | undefined {
  const [keyword, first] = node.children;
  const end = node.children.find(({ type }) => type === 'else' || type === '{' || type === 'statements');
  const isList = node.children.some(
    ({ type, startIndex }) => type === ',' && startIndex < (end?.startIndex ?? 0),
  );
  const isBinding = first?.type === 'value_binding_pattern' || first?.type === 'case';
  if (keyword === undefined || end === undefined || !(isBinding || isList)) return undefined;
  return shortened(text.slice(keyword.endIndex, end.startIndex));
}

/** Returns the original source text of a node, without comments. In the parsed text, words may be hidden. */
function plainCode(node: Node, source: string): string {
  let text = source.slice(node.startIndex, node.endIndex);
  if (!/\/[/*]|#/.test(text)) return shortened(text);
  for (const comment of node.ofTypes(commentKinds).reverse())
    text = `${text.slice(0, comment.startIndex - node.startIndex)} ${text.slice(comment.endIndex - node.startIndex)}`;
  return shortened(text.replace(PREPROCESSOR, ' '));
}

const PREPROCESSOR = /^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|else|endif)\b.*$/gm;

/** Returns the head of a catch clause, such as `except (ValueError, OSError)`. */
function catchClause(clause: string): string {
  const [head = ''] = clause.split(/[{\n]/, 1);
  const words = shortened(head);
  return words.endsWith(':') ? words.slice(0, -1) : words;
}

/** Node types of cases. The last branch of `case` in Ruby is an `else` node; the `else` of an `if` is not a case. */
const CASES = kinds(`
  switch_case switch_default expression_case type_case default_case case_statement default_statement
  switch_section switch_block_statement_group switch_rule switch_expression_arm else switch_entry match_arm
  match_conditional_expression match_default_expression when_entry case_clause when communication_case
`);

const MAX_LABEL = 80;

/**
 * Returns the condition of a case in one notation for all languages: `switch (mode) case 'a'`. For a switch
 * without a value it is the label alone.
 */
function caseOf(node: Node, text: string): string | undefined {
  const statement = node.type === 'else' && node.parentType !== 'case' ? undefined : switchOf(node);
  if (statement === undefined) return undefined;
  const label = node.type === 'else' ? 'default' : labelsOf(node, text);
  const words = subjectOf(statement);
  const bare = label.replace(/^(?:case|when)\s+/, '');
  // In `when { … }` and `match (true)` each label is a condition.
  if (words === '' || words === 'true')
    return label === 'default' ? noCaseOf(node, text) : (eitherOf(node, text) ?? bare);
  return `switch (${words}) ${label === 'default' ? label : `case ${bare}`}`;
}

/** Returns the value that a switch compares; empty for a switch without a value. */
function subjectOf(statement: Node): string {
  const held =
    statement.firstField('value', 'condition', 'subject', 'expr') ??
    (statement.type === 'switch_expression'
      ? statement.firstNamedChild
      : statement.namedChildren.find((child) => child.type === 'when_subject'));
  return shortened(held?.text ?? '').replace(/^\((.*)\)$/, '$1');
}

/**
 * Returns the condition of a case in a switch without a value, if it has several alternatives: `a || b` for
 * `case a, b:`. Undefined if it has one.
 */
function eitherOf(node: Node, text: string): string | undefined {
  const list = node.namedChildren.find(({ type }) => /^(?:match_condition_list|expression_list)$/.test(type));
  if (list === undefined || list.namedChildCount < 2) return undefined;
  return list.namedChildren.map((each) => plainCode(each, text)).join(' || ');
}

/** Returns the condition of the default case of a switch without a value. With one other case it is the negation of that case. */
function noCaseOf(node: Node, text: string): string {
  const others = (node.parent?.namedChildren ?? []).filter(
    ({ type, startIndex }) => CASES.has(type) && startIndex < node.startIndex,
  );
  const [only] = others.map(
    (each) => eitherOf(each, text) ?? labelOf(each, text).replace(/^(?:case|when)\s+/, ''),
  );
  return others.length === 1 && only !== undefined ? negated(only) : 'switch (true) default';
}

const SWITCH =
  /^(?:(?:expression_|type_)?switch_(?:statement|expression)|select_statement|match_(?:expression|statement)|when_expression|case)$/;

function switchOf(node: Node): Node | undefined {
  let at = node.parent;
  for (let depth = 0; depth < 3 && at !== null; depth += 1) {
    if (SWITCH.test(at.type)) return at;
    at = at.parent;
  }
  return undefined;
}

/** Returns the labels of a case and of the empty cases directly before it, which continue in it. */
function labelsOf(node: Node, text: string): string {
  const labels = [labelOf(node, text)];
  for (let at = node.previousNamedSibling; at !== null && CASES.has(at.type); at = at.previousNamedSibling) {
    if (!text.slice(at.startIndex, at.endIndex).trimEnd().endsWith(':')) break;
    labels.unshift(labelOf(at, text));
  }
  if (labels.includes('default')) return 'default';
  const [first = '', ...others] = labels;
  return [first, ...others.map((label) => label.replace(/^case\s+/, ''))].join(', ');
}

/** Returns the text of a case up to its body, `:`, `->` or `=>`. */
function labelOf(node: Node, text: string): string {
  const body = node.children.find((child) => LABEL_END.test(child.type));
  const end = (body?.startIndex ?? node.endIndex) - node.startIndex;
  const own = text.slice(node.startIndex, node.endIndex);
  const label = shortened(own.slice(0, Math.max(end, 0))).replace(/[:,\s]{1,9}$/, '');
  const shown = label === 'else' || label === '_' ? 'default' : label;
  return shown.length > MAX_LABEL ? `${shown.slice(0, MAX_LABEL - 1)}…` : shown;
}

const LABEL_END = /^(?::|->|=>|then|block|statements)$/;

const STATEMENTS =
  /^(?:(?:statement_|switch_)?block|compound_statement|statement_list|statements|then|switch_case|case_statement|body_statement)$/;
/** Node types that may wrap a call without adding code: `await f();`, `(f())`. */
const ONLY_CALL =
  /^(?:expression_statement|expression_list|await_expression|await|try_expression|parenthesized_expression)$/;

/** Whether the function returns right after a call: `return f()`, or `f()` before a `return`. */
export function isLastCall(node: Node): boolean {
  let at = node;
  while (at.parent !== null && ONLY_CALL.test(at.parent.type)) at = at.parent;
  const { parent, nextNamedSibling: next } = at;
  if (parent === null) return false;
  if (isReturn(parent)) return true;
  return STATEMENTS.test(parent.type) && next !== null && isReturn(next);
}
