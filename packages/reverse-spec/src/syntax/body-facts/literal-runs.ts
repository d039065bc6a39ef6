/** Determines when an unnamed function runs from where it is in the code. */
import { FUNCTION_ENDS, KEPT_IN, ON_EVENT, PASSED_TO, RETURNED_RUNS } from '../run-conditions.ts';
import { calleeName } from './code-facts.ts';
import type { Node } from './node.ts';
import { callKinds, ownerKinds, scriptLanguages } from './node-kinds.ts';
import { ownerOf } from './node-words.ts';

interface Source {
  language: string;
  textOf(node: Node): string;
}

/** Returns the condition under which an unnamed function runs; undefined if it may run immediately. */
export function runsWhen(node: Node, source: Source): string | undefined {
  const holder = node.parent?.type === 'expression_list' ? node.parent.parent : node.parent;
  if (holder?.type === 'return_statement') return RETURNED_RUNS;
  if (KEEPS.has(source.language) && holder !== null && holder !== undefined && ASSIGNMENT.test(holder.type))
    return keptIn(node, holder, source);
  // Swift's grammar parses `defer { … }` as a call.
  if (source.language === 'swift' && holder?.parent?.firstChild?.text === 'defer') return FUNCTION_ENDS;
  if (source.language === 'swift') return passedTo(node, source);
  return calledBack(holder, source);
}

function calledBack(holder: Node | null | undefined, source: Source): string | undefined {
  const call = WITH_CALLBACKS.has(source.language) ? callAround(holder) : undefined;
  const callee = call?.firstField('function', 'constructor', 'name');
  if (call === undefined || callee == null) return undefined;
  const name = calleeName(source.textOf(callee));
  if (REGISTERS.test(name)) return eventOf(call, callee, source);
  return name === '' || RUNS_AT_ONCE.test(name) ? undefined : `${PASSED_TO}${name}`;
}

/**
 * Languages in which a function that is assigned to a variable or field usually runs later. In other
 * languages it often runs right after the assignment.
 */
const KEEPS: ReadonlySet<string> = new Set([...scriptLanguages, 'php', 'python', 'swift']);
const ASSIGNMENT = /^(?:assignment(?:_expression)?|variable_declarator|property_declaration)$/;

/**
 * Returns the condition for a function that is assigned to a variable or field: `this.read` for `this.read =
 * () => …`. Functions with a name of their own have no such condition.
 */
function keptIn(value: Node, assignment: Node, source: Source): string | undefined {
  if (ownerKinds.has(assignment.type) && ownerOf(assignment) !== undefined) return undefined;
  const target = assignment.firstField('left', 'target', 'name');
  if (target === null || target.startIndex >= value.startIndex) return undefined;
  const words = source.textOf(target).replace(/\s+/g, ' ');
  return words.length > MAX_RECEIVER ? undefined : `${KEPT_IN}${words}`;
}

/** Languages in which unnamed functions usually run immediately, but may raise errors later. */
const WITH_LAMBDAS: ReadonlySet<string> = new Set(['kotlin', 'java', 'csharp']);
const ARGUMENT = /argument|call_suffix|lambda/;

/** Returns the condition under which an unnamed function raises errors; empty if it may run immediately. */
export function raisesWhen(node: Node, source: Source): string[] {
  return WITH_LAMBDAS.has(source.language) ? [passedTo(node, source) ?? []].flat() : [];
}

/** Returns the call to which an unnamed function is passed, as a condition. Undefined if the call may run it immediately. */
function passedTo(node: Node, source: Source): string | undefined {
  let call = node.parent;
  while (call !== null && ARGUMENT.test(call.type)) call = call.parent;
  if (call === null || !callKinds.has(call.type)) return undefined;
  let callee = call.childForFieldName('name') ?? call.childForFieldName('function') ?? call.firstNamedChild;
  // In Kotlin, the callee in `option("-h") { … }` is itself a call.
  while (callee !== null && callKinds.has(callee.type)) callee = callee.firstNamedChild;
  const name = callee === null ? '' : calleeName(source.textOf(callee));
  return name === '' || RUNS_AT_ONCE.test(name) ? undefined : `${PASSED_TO}${name}`;
}

const WITH_CALLBACKS: ReadonlySet<string> = new Set([...scriptLanguages, 'php']);

function callAround(holder: Node | null | undefined): Node | undefined {
  const list = holder?.type === 'argument' ? holder.parent : holder;
  if (list?.type !== 'arguments') return undefined;
  return list.parent !== null && callKinds.has(list.parent.type) ? list.parent : undefined;
}

const REGISTERS = /^(?:on|once|addListener|addEventListener|prependListener)$/;
/** Names of functions that call the function they are given before they return, or in a promise. */
const RUNS_AT_ONCE =
  /^(?:forEach|map|flatMap|filter|reduce|reduceRight|some|every|find\w*|sort|toSorted|each\w*|array_\w+|u[ak]?sort|preg_replace_callback\w*|call_user_func\w*|tap|replace|replaceAll|from|then|Promise|it|test|describe|before\w*|after\w*|iterate\w*|walk\w*|with\w*|let|apply|run|also|take\w*|use|synchronized|sync|repeat|build\w*|runCatching|require\w*|check\w*|getOr\w+|orElse\w*|if\w+|compute\w*|compactMap|any|all|none|count|first\w*|last\w*|sum\w*|fold\w*|sorted\w*|group\w*|associate\w*|contains\w*|Select\w*|Where|Any|All|First\w*|Single\w*|ForEach)$/;

const MAX_RECEIVER = 40;

/** Returns the condition under which an event handler runs: `'close' of req` for `req.on('close', () => …)`. */
function eventOf(call: Node, callee: Node, source: Source): string | undefined {
  const event = call.childForFieldName('arguments')?.firstNamedChild;
  let receiver = callee.childForFieldName('object');
  // In `req.on('error', f).on('close', g)` both handlers belong to `req`.
  for (let chained = receiver?.childForFieldName('function'); chained?.type === 'member_expression'; ) {
    if (!REGISTERS.test(calleeName(source.textOf(chained)))) break;
    receiver = chained.childForFieldName('object');
    chained = receiver?.childForFieldName('function');
  }
  if (event?.type !== 'string' || receiver === null) return undefined;
  const words = source.textOf(receiver).replace(/\s+/g, ' ');
  return words.length > MAX_RECEIVER ? `${PASSED_TO}on` : `${ON_EVENT}${source.textOf(event)} of ${words}`;
}

const MODIFIERS: ReadonlySet<string> = new Set(['if_modifier', 'unless_modifier']);

/** Returns the children of a node in the order in which they run. In Ruby the condition of `a if b` runs first. */
export function childrenInRunOrder({ type, children }: Node): readonly Node[] {
  return MODIFIERS.has(type) ? [...children].reverse() : children;
}
