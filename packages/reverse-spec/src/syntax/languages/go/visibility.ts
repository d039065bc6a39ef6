/** Go's own rule: a capital exports. */
export function isExported(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}
