const MAX_NAME = 64;

/**
 * Makes a label for figures of a name from outside: letters, digits and `_ . : -`, of bounded length. A
 * foreign name of a tool or a client can then hold neither a path nor a line of text.
 */
export function plainName(name: string): string {
  const plain = name.slice(0, MAX_NAME).replace(/[^\w.:-]+/g, '-');
  return plain === '' ? 'unnamed' : plain;
}

/** Returns how many letters must be changed, added or removed to make one word of another. */
export function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...left].entries()) {
    const next = [i + 1];
    for (let j = 0; j < right.length; j += 1) {
      const substitution = (row[j] ?? 0) + (right[j] === letter ? 0 : 1);
      next.push(Math.min(substitution, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
