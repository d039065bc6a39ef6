/** Finds out when an unnamed function runs, judged by its place in the code. */
import { ON_EVENT, PASSED_TO, RETURNED_RUNS } from '../run-conditions.ts';
import { calleeName } from './code-facts.ts';
import type { Node } from './node.ts';
import { callKinds } from './node-kinds.ts';

interface Source {
  language: string;
  textOf(node: Node): string;
}

/** Returns the condition under which the function runs; undefined if it may run immediately. */
export function runsWhen(node: Node, source: Source): string | undefined {
  const holder = node.parent?.type === 'expression_list' ? node.parent.parent : node.parent;
  if (holder?.type === 'return_statement') return RETURNED_RUNS;
  const call = WITH_CALLBACKS.has(source.language) ? callAround(holder) : undefined;
  const callee =
    call && CALLEE_FIELDS.map((name) => call.childForFieldName(name)).find((each) => each !== null);
  if (call === undefined || callee == null) return undefined;
  const name = calleeName(source.textOf(callee));
  if (REGISTERS.test(name)) return eventOf(call, callee, source);
  return name === '' || RUNS_AT_ONCE.test(name) ? undefined : `${PASSED_TO}${name}`;
}

const WITH_CALLBACKS: ReadonlySet<string> = new Set(['javascript', 'typescript', 'tsx', 'php']);
const CALLEE_FIELDS = ['function', 'constructor', 'name'] as const;

function callAround(holder: Node | null | undefined): Node | undefined {
  const list = holder?.type === 'argument' ? holder.parent : holder;
  if (list?.type !== 'arguments') return undefined;
  return list.parent !== null && callKinds.has(list.parent.type) ? list.parent : undefined;
}

const REGISTERS = /^(?:on|once|addListener|addEventListener|prependListener)$/;
/** Calls that run the passed function before they return, or pass it to a promise. */
const RUNS_AT_ONCE =
  /^(?:forEach|map|flatMap|filter|reduce|reduceRight|some|every|find\w*|sort|toSorted|each\w*|array_\w+|u[ak]?sort|preg_replace_callback\w*|call_user_func\w*|tap|replace|replaceAll|from|then|Promise|it|test|describe|before\w*|after\w*|iterate\w*|walk\w*|with\w*)$/;

const MAX_RECEIVER = 40;

/**
 * …)`: `'close' of req`. => Returns the condition for an event handler: `'close' of req` for `req.on('close',
 * () => …)`.
 */
function eventOf(call: Node, callee: Node, source: Source): string | undefined {
  const event = call.childForFieldName('arguments')?.firstNamedChild;
  const receiver = callee.childForFieldName('object');
  if (event?.type !== 'string' || receiver === null) return undefined;
  const words = source.textOf(receiver).replace(/\s+/g, ' ');
  return words.length > MAX_RECEIVER ? undefined : `${ON_EVENT}${source.textOf(event)} of ${words}`;
}
