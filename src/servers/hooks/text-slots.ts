import { isFields } from '../../text/json-value.ts';

/** A place in a JSON value where a text stands, or a list of lines. */
export interface Slot {
  readonly path: readonly (string | number)[];
  readonly isList?: boolean;
}

/** The text of each slot; empty where there is none. */
export function readSlots(value: unknown, slots: readonly Slot[]): string[] {
  return slots.map(({ path, isList }) => {
    const found = path.reduce(stepInto, value);
    if (isList) return isTextList(found) ? found.join('\n') : '';
    return typeof found === 'string' ? found : '';
  });
}

/** The same value with other texts in its slots; everything else is as it was. */
export function replaceSlots(value: unknown, slots: readonly Slot[], texts: readonly string[]): unknown {
  return slots.reduce((changed: unknown, { path, isList }, index) => {
    const text = texts[index] ?? '';
    return isList ? replaced(changed, path, text.split('\n')) : replaced(changed, path, text);
  }, value);
}

/** Every text inside a value, keys left out. */
export function textParts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textParts);
  return isFields(value) ? Object.values(value).flatMap(textParts) : [];
}

function stepInto(value: unknown, key: string | number): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function replaced(value: unknown, [key, ...rest]: readonly (string | number)[], put: unknown): unknown {
  if (key === undefined) return typeof value === typeof put ? put : value;
  const inner = stepInto(value, key);
  if (inner === undefined) return value;
  const changed = replaced(inner, rest, put);
  if (Array.isArray(value)) return value.map((each: unknown, index) => (index === key ? changed : each));
  return { ...(value as object), [key]: changed };
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
