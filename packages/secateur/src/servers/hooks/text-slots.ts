import { isFields } from '@secateur/base/text/json.ts';

/** A place of a text, or of a list of lines, in a JSON value. */
export interface Slot {
  readonly path: readonly (string | number)[];
  readonly isList?: boolean;
}

/** Returns the text of each slot; empty if it has none. */
export function readSlots(value: unknown, slots: readonly Slot[]): string[] {
  return slots.map(({ path, isList }) => {
    const found = path.reduce(stepInto, value);
    if (isList) return isTextList(found) ? found.join('\n') : '';
    return typeof found === 'string' ? found : '';
  });
}

/** Returns the value with other texts in its slots. Each list or object on the way is copied once, however many slots it has. */
export function replaceSlots(value: unknown, slots: readonly Slot[], texts: readonly string[]): unknown {
  const root: Container = { value };
  const copies = new Set<unknown>();
  for (const [index, { path, isList }] of slots.entries()) {
    const text = texts[index] ?? '';
    const put = isList ? text.split('\n') : text;
    if (typeof [...path].reduce(stepInto, value) === typeof put)
      replace(root, ['value', ...path], { put, copies });
  }
  return root.value;
}

/** Returns every text inside a value, keys left out. */
export function textParts(value: unknown, found: string[] = []): string[] {
  if (typeof value === 'string') found.push(value);
  else if (Array.isArray(value)) for (const inner of value) textParts(inner, found);
  else if (isFields(value)) for (const inner of Object.values(value)) textParts(inner, found);
  return found;
}

function stepInto(value: unknown, key: string | number): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

type Container = Record<string | number, unknown>;

function replace(
  root: Container,
  path: readonly (string | number)[],
  { put, copies }: { put: unknown; copies: Set<unknown> },
): void {
  let container = root;
  for (const key of path.slice(0, -1)) {
    const inner = container[key];
    if (!copies.has(inner)) {
      container[key] = Array.isArray(inner) ? [...inner] : { ...(inner as object) };
      copies.add(container[key]);
    }
    container = container[key] as Container;
  }
  container[path.at(-1) ?? ''] = put;
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
