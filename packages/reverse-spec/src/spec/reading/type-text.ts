/** Functions that reduce a type in a source to the name of the type that has the members. */

const PREFIX =
  /^(?:&(?:'\w+\s+)?(?:mut\s+)?|\*|const\s+|final\s+|mut\s+|dyn\s+|impl\s+|readonly\s+|struct\s+|class\s+|'static\s+|@\w+\s+|\?)/;
/** Wrappers that give access to the members of the type inside. This holds for Python's `Optional`, but not for Java's. */
const WRAPPER =
  /^(?:(?:\w+(?:\.|::))*(?:Box|Rc|Arc|Pin|Task|ValueTask|Readonly|unique_ptr|shared_ptr|NonNullable)<(.*)>|(?:typing\.)?(?:Optional|ClassVar|Final|Awaitable|Annotated)\[(.*)\])$/s;
const NO_VALUE = /^(?:null|None|undefined|void|nil)$/;
const MAX_STEPS = 8;
const SCRIPT = /script$|^tsx$/;

/** Returns the dotted name of a type; undefined for a union, a collection or a function. */
export function baseName(text: string, language: string): string | undefined {
  // In scripts a promise is used through `await`. In other languages `Promise` may be an ordinary class.
  let type = SCRIPT.test(language) ? text.trim().replace(/^Promise<(.*)>$/s, '$1') : text.trim();
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const next = simpler(type);
    if (next === undefined) return undefined;
    if (next === type) break;
    type = next;
  }
  if (/^\[|\]$|^(?:func|fn|map)\b|=>|^\(/.test(type) && !/^[\w.]+\[[^\]]/.test(type)) return undefined;
  const name = /^\\?([\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|\\)[\p{L}_$][\p{L}\p{N}_$]*)*)/u.exec(type)?.[1];
  return name?.replace(/::|\\/g, '.');
}

function simpler(type: string): string | undefined {
  const bare = type
    .replace(/^(["'])(.*)\1$/s, '$2')
    .replace(PREFIX, '')
    .replace(/[?!&*\s]{1,9}$/, '')
    .trim();
  const choices = topLevelParts(bare, '|').filter((part) => !NO_VALUE.test(part));
  if (choices.length > 1) return undefined;
  const only = choices[0] ?? bare;
  const inner = WRAPPER.exec(only);
  const held = inner?.[1] ?? inner?.[2];
  return held === undefined ? only : (topLevelParts(held)[0] ?? only);
}

const LISTS =
  /^(?:\w+(?:\.|::))*(?:Vec|VecDeque|List|ArrayList|LinkedList|Array|ReadonlyArray|Iterable|Iterator|Collection|IEnumerable|IList|ICollection|IReadOnlyList|Set|HashSet|BTreeSet|MutableList|Sequence|list|List|set|tuple|vector|Deque|Queue)[<[](.*)[>\]]$/s;

export function elementType(text: string): string | undefined {
  const type = text.trim().replace(PREFIX, '').replace(PREFIX, '');
  const slice = /^\[\d*\](.+)$/s.exec(type)?.[1] ?? /^map\[[^\]]*\](.+)$/s.exec(type)?.[1];
  if (slice !== undefined) return slice;
  const rust = /^\[(\w[^;]*)(?:;[^\]]*)?\]$/.exec(type)?.[1];
  const array = /^(.+)\[\]$/s.exec(type)?.[1];
  return rust ?? array ?? topLevelParts(LISTS.exec(type)?.[1] ?? '')[0];
}

/** Returns the type inside Rust's `Option` or `Result`. */
export function heldType(text: string): string | undefined {
  const held = /^(?:\w+::)*(?:Option|Result)<(.*)>$/s.exec(text.trim().replace(PREFIX, ''))?.[1];
  return held === undefined ? undefined : topLevelParts(held)[0];
}

/** Splits a list at the separators outside of brackets. Parts are trimmed; empty parts are omitted. */
export function topLevelParts(list: string, separator = ','): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of list) {
    if ('([{<'.includes(character)) depth += 1;
    if (')]}>'.includes(character)) depth -= 1;
    if (character === separator && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** Splits a path into steps: `a.b().c` into `a`, `b`, `()`, `c`. A type in angle brackets is one step. */
export function stepsOf(path: string): string[] {
  const head = path.startsWith('<') ? path.slice(0, closing(path) + 1) : '';
  const rest = path.slice(head.length).replace(/^\./, '');
  const steps =
    rest === ''
      ? []
      : rest.split('.').flatMap((part) => (part.endsWith('()') ? [part.slice(0, -2), '()'] : [part]));
  return head === '' ? steps : [head, ...steps];
}

function closing(path: string): number {
  let depth = 0;
  for (const [at, char] of [...path].entries()) {
    if (char === '<') depth += 1;
    if (char === '>') depth -= 1;
    if (depth === 0) return at;
  }
  return path.length - 1;
}

/** Returns start and end of each pair of brackets that is not inside another pair. */
export function bracketGroups(text: string): [start: number, end: number][] {
  const groups: [start: number, end: number][] = [];
  let depth = 0;
  let start = 0;
  for (const [at, char] of [...text].entries()) {
    if (char === '(' && depth++ === 0) start = at;
    if (char === ')' && --depth === 0) groups.push([start, at]);
  }
  return groups;
}
