/** This file lists conditions that apply to code without being written in it. */

/** The code is in a function that its enclosing function returns. It runs when that function is called. */
export const RETURNED_RUNS = 'returned function';
/** The code is in a function that is passed to the named function, which decides when to call it. */
export const PASSED_TO = 'function passed to ';
/** The code is in a function that is assigned to the named variable or field, and runs later. */
export const KEPT_IN = 'function kept in ';
/** The code is in an event handler: `'close' of req`. */
export const ON_EVENT = 'event ';
/** The statement runs at the end of its function, as with `defer`. */
export const FUNCTION_ENDS = 'deferred';
/** The statement runs only if no earlier `return` in a loop, a case or a nested branch did. */
export const NOTHING_RETURNED = 'nothing returned before';

/** Whether a condition is written in the source. Other conditions describe when an unnamed function runs. */
export function isWritten(condition: string): boolean {
  return (
    condition !== RETURNED_RUNS && ![PASSED_TO, KEPT_IN, ON_EVENT].some((head) => condition.startsWith(head))
  );
}

/** Returns the condition that a negation contains: `a || b` for `!(a || b)`. Undefined for `!(a) || !(b)`. */
export function deniedIn(condition: string): string | undefined {
  const inner = /^!\((.*)\)$/s.exec(condition)?.[1];
  return inner !== undefined && isClosed(inner) ? inner : undefined;
}

/** Whether each closing bracket in the text closes one in the text. */
function isClosed(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
