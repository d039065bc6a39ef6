const DEEPEST = 500;

/**
 * Whether JSON can carry a value. The SDK leaves a request unanswered when its result cannot be written, so a bug in a
 * tool has to be found before. Looks at the shape only: long strings cost nothing.
 */
export function isPrintable(value: unknown, depth = 0): boolean {
  if (typeof value === 'bigint' || depth > DEEPEST) return false;
  if (typeof value !== 'object' || value === null) return true;
  for (const inner of Object.values(value)) {
    if (!isPrintable(inner, depth + 1)) return false;
  }
  return true;
}
