const LONGEST_NAME = 64;

/**
 * A name from outside as a label for figures: letters, digits and `_ . : -`, of bounded length. What somebody else calls
 * a tool or a client can then hold neither a path nor a line of text.
 */
export function plainName(name: string): string {
  const plain = name.slice(0, LONGEST_NAME).replace(/[^\w.:-]+/g, '-');
  return plain === '' ? 'unnamed' : plain;
}
