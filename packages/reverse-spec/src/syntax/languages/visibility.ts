/** Whether a name is exported in Go: it begins with a capital letter. */
export function isExported(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}

/**
 * Whether a name is public in Python: it has no leading underscore, or it is a dunder name such as
 * `__init__`.
 */
export function isPublic(name: string): boolean {
  return !name.startsWith('_') || /^__\w+__$/.test(name);
}
