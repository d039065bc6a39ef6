/** An object of which nothing is known yet: fields from outside. */
export type Fields = Readonly<Record<string, unknown>>;

/** Result of `JSON.parse`. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a parsed value is an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isFields(value);
}

/** Returns `undefined` if the text is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns the object that a text holds; `undefined` if it holds none. */
export function parsedFields(text: string): Fields | undefined {
  const value = parsedJson(text);
  return isFields(value) ? value : undefined;
}
