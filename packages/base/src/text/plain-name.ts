const MAX_NAME = 64;

/**
 * Makes a label for figures of a name from outside: letters, digits and `_ . : -`, of bounded length. A
 * foreign name of a tool or a client can then hold neither a path nor a line of text.
 */
export function plainName(name: string): string {
  const plain = name.slice(0, MAX_NAME).replace(/[^\w.:-]+/g, '-');
  return plain === '' ? 'unnamed' : plain;
}
