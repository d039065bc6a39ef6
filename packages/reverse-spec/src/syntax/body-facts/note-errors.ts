import { checkRowOf } from './argument-checks.ts';
import { messageIn, raisedBy, returnedError, rustError, shortened, thrownError } from './code-facts.ts';
import type { BodyFact } from './fact.ts';
import { mentions } from './node-words.ts';
import type { Spot } from './recorder.ts';

const MAX_EXITS = 3;

export function noteErrorCall(
  { to, node, place }: Spot,
  call: { written: string; name: string; whole: string },
): void {
  const { written, name, whole } = call;
  const callee = node.type === 'macro_invocation' ? `${written}!` : written;
  const row = checkRowOf(to.language, callee.replace(/\s+/g, ''));
  const returned = to.language === 'rust' && written === 'Err' ? rustError(whole) : undefined;
  if (row?.kind === 'check') noteCheck({ to, node, place }, name);
  else if (row?.kind === 'raise')
    noteError({ to, node, place }, { name: raisedBy(whole, name), text: messageIn(whole) });
  else if (returned !== undefined) noteError({ to, node, place }, returned);
}

/** A check of an argument; one of the function's own values is not a rule for its callers. */
export function noteCheck({ to, node, place }: Spot, name: string): void {
  const text = shortened(to.textOf(node));
  if (mentions(place.parameters, text)) to.add(node, place, { kind: 'assert', name, text });
}

export function noteThrow({ to, node, place }: Spot): void {
  const text = to.textOf(node);
  // An error that is passed on is reported where it was made.
  if (!/^(?:throw|raise)\b/.test(text) || /^(?:throw|raise)(?:\s+[a-z_$][\w.$]*)?\s*;?$/.test(text)) return;
  noteError({ to, node, place }, thrownError(text));
}

export function noteReturn({ to, node, place }: Spot): void {
  if (to.language !== 'go') return;
  const text = to.textOf(node);
  // A function that is returned fails when it is called: its own returns say so.
  const found = /^return\s+func\b/.test(text) ? undefined : returnedError(text);
  if (found !== undefined) noteError({ to, node, place }, found);
}

/** An error that depends on an argument is a check of it. */
function noteError({ to, node, place }: Spot, said: Pick<BodyFact, 'name' | 'text'>): void {
  // An error without a condition of its own depends on the returns before it.
  const conditions = place.conditions.length > 0 ? place.conditions : place.exits.slice(-MAX_EXITS);
  const isChecked = conditions.some((condition) => mentions(place.parameters, condition));
  to.add(node, { ...place, conditions }, { kind: isChecked ? 'check' : 'raise', ...said });
}
