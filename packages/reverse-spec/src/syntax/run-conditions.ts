/** Conditions of facts that are not written in the source. */

/** The code is in a function that is returned and runs later. */
export const RETURNED_RUNS = 'returned function';
/** The code is in a function that is passed to the named function, which decides when it runs. */
export const PASSED_TO = 'function passed to ';
/** The code is in a function that is registered for an event: `'close' of req`. */
export const ON_EVENT = 'event ';
/** The statement is deferred to the end of its function. */
export const FUNCTION_ENDS = 'deferred';
/** No earlier `return` has run. One is in a loop, a case or a nested branch before the statement. */
export const NOTHING_RETURNED = 'nothing returned before';

/** Returns `a || b` for `!(a || b)`, and undefined for `!(a) || !(b)`. */
export function deniedIn(condition: string): string | undefined {
  const inner = /^!\((.*)\)$/s.exec(condition)?.[1];
  return inner !== undefined && isClosed(inner) ? inner : undefined;
}

/** Whether no bracket in the text closes one that was opened before the text. */
function isClosed(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
