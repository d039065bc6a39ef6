const CLOSERS: ReadonlySet<string> = new Set([')', ']', '}']);
const OPENERS: ReadonlySet<string> = new Set(['(', '[', '{']);

/** Finds where the bracket that opens at `start` closes; the end if it does not. */
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

/** The parts of a list, cut at the commas that are inside no bracket. */
export function splitAtCommas(tokens: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (/^[([{<]$/.test(token)) depth += 1;
    if (/^[)\]}>]$/.test(token)) depth -= 1;
    if (token === ',' && depth === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}
