export const KIND_NAMES = [
  'blank',
  'comment',
  'signature',
  'import',
  'assert',
  'exit',
  'control',
  'closer',
  'opener',
  'heading',
  'fence',
  'listItem',
  'tableRow',
  'stackFrame',
  'timestamp',
  'located',
  'added',
  'removed',
  'prompt',
  'assignment',
  'call',
  'decorator',
  'quotedKey',
  'quoted',
  'modifier',
  'binding',
  'escape',
  'pathLike',
  'crossed',
  'ticked',
] as const;

export type Kind = (typeof KIND_NAMES)[number];

/** The bit of each kind. */
export const KIND_BITS = Object.fromEntries(KIND_NAMES.map((name, at) => [name, 1 << at])) as Record<
  Kind,
  number
>;

/** Beyond the kinds: the line begins with `#`, a heading in prose and a comment in code. */
export const HASHED = 1 << 30;
