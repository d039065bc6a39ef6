/** Conditions of facts that no code writes. */

/** A function is returned and runs later. */
export const RETURNED_RUNS = 'returned function';
/** A function is passed to this one and runs when that decides so. */
export const PASSED_TO = 'function passed to ';
/** A function is registered for an event: `'close' of req`. */
export const ON_EVENT = 'event ';
/** A statement is deferred to the end of its function. */
export const FUNCTION_ENDS = 'deferred';
/** No `return` before a statement has run: one is in a loop, a case or a nested branch before it. */
export const NOTHING_RETURNED = 'nothing returned before';

/** Returns `a || b` for `!(a || b)`, and undefined for `!(a) || !(b)`. */
export function deniedIn(condition: string): string | undefined {
  const inner = /^!\((.*)\)$/s.exec(condition)?.[1];
  return inner !== undefined && isClosed(inner) ? inner : undefined;
}

/** Whether no bracket closes one that was opened before the text. */
function isClosed(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
