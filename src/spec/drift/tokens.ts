const CLOSERS: ReadonlySet<string> = new Set([')', ']', '}']);
const OPENERS: ReadonlySet<string> = new Set(['(', '[', '{']);

/** Where the bracket that opens at `start` closes; the end when it does not. */
export function closingOf(tokens: readonly string[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    if (OPENERS.has(token)) depth += 1;
    if (CLOSERS.has(token)) depth -= 1;
    if (depth === 0) return at;
  }
  return tokens.length - 1;
}
