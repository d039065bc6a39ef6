import { setFlagsFromString } from 'node:v8';

/** Bytecodes a function runs before V8 thinks of optimising it; usually 67,584. */
const BUDGET = 700_000;

/**
 * For a process that ends after one cut: V8 optimises what has run for long, not what has run for a moment. Otherwise it compiles half of the
 * scorer while the one text is being read, and most of that is thrown away unused.
 */
export function optimiseLater(): void {
  setFlagsFromString(`--interrupt-budget=${BUDGET}`);
}
