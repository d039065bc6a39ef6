/** Go's own rule: a capital exports. */
export function isExported(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}

/** The module's and the class's convention: a leading underscore hides a name, dunder names are protocol. */
export function isPublic(name: string): boolean {
  return !name.startsWith('_') || /^__\w+__$/.test(name);
}
