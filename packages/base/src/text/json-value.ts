/** An object of which nothing is known yet: fields from outside. */
export type Fields = Readonly<Record<string, unknown>>;

/** What `JSON.parse` gives. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same question about a parsed value. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isFields(value);
}

/** Nothing where the text is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The object a text holds; nothing where it holds none. */
export function parsedFields(text: string): Fields | undefined {
  const value = parsedJson(text);
  return isFields(value) ? value : undefined;
}
