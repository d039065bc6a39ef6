/** Conditions of facts that no code writes. */

/** A function is returned and runs later. */
export const RETURNED_RUNS = 'returned function';
/** A statement is deferred to the end of its function. */
export const FUNCTION_ENDS = 'deferred';
