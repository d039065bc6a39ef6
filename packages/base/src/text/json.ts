/** An object from untrusted input whose fields have not been checked. */
export type Fields = Readonly<Record<string, unknown>>;

/** Result of `JSON.parse`. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonObject(value: unknown): value is JsonObject {
  return isFields(value);
}

export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export function parsedFields(text: string): Fields | undefined {
  const value = parsedJson(text);
  return isFields(value) ? value : undefined;
}

/** A range of a text: from `start` to before `end`. */
export interface Span {
  start: number;
  end: number;
}

/** Whether a position or an index is inside a span. */
export function isInside(at: number, spans: readonly Readonly<Span>[]): boolean {
  return spans.some(({ start, end }) => start <= at && at < end);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;

/** Returns the spans of an object's values by key. Of duplicate keys the last is valid, as in `JSON.parse`. */
export function memberSpans(text: string, at: number): Map<string, Span> {
  const spans = new Map<string, Span>();
  eachMember(text, at, (name, start) => {
    const end = skipValue(text, start);
    spans.set(nameOf(text.slice(name.start, name.end)), { start, end });
    return end;
  });
  return spans;
}

/** Returns the first duplicate key, ignoring case. Parsers differ in which of the values they use. */
export function repeatedName(text: string, at: number): string | undefined {
  const seen = new Set<string>();
  let repeated: string | undefined;
  eachMember(text, at, (name, start) => {
    const written = nameOf(text.slice(name.start, name.end));
    // First upper case, then lower case: case-insensitive parsers treat `ſ` (long s) as `s`, and the kelvin
    // sign as `k`.
    const folded = written.toUpperCase().toLowerCase();
    if (seen.has(folded)) repeated ??= written;
    seen.add(folded);
    return skipValue(text, start);
  });
  return repeated;
}

/** Calls `visit` with the name and start of each member; `visit` returns the end of the value. Returns the end of the object. */
export function eachMember(text: string, at: number, visit: (name: Span, start: number) => number): number {
  let next = skipBlank(text, at + 1);
  while (text.charCodeAt(next) === QUOTE) {
    const end = skipString(text, next);
    const start = skipBlank(text, skipBlank(text, end) + 1);
    next = afterComma(text, visit({ start: next, end }, start));
  }
  return next + 1;
}

/** Calls `visit` with the start of each item of the list at `at`; `visit` returns the end of the item. Returns the end of the list. */
export function eachItem(text: string, at: number, visit: (start: number) => number): number {
  let next = skipBlank(text, at + 1);
  while (next < text.length && text.charCodeAt(next) !== CLOSE_BRACKET) next = afterComma(text, visit(next));
  return next + 1;
}

export function skipBlank(text: string, at: number): number {
  let next = at;
  while (next < text.length && text.charCodeAt(next) <= 32) next += 1;
  return next;
}

/** Returns the end of the value that starts at `at` in valid JSON, or the end of the text if the JSON is invalid. */
export function skipValue(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === QUOTE) return skipString(text, at);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return skipContainer(text, at);
  let next = at;
  while (next < text.length && !endsScalar(text.charCodeAt(next))) next += 1;
  return next;
}

function endsScalar(code: number): boolean {
  return code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET || code <= 32;
}

function skipContainer(text: string, at: number): number {
  let depth = 0;
  let next = at;
  while (next < text.length) {
    const code = text.charCodeAt(next);
    if (code === QUOTE) {
      next = skipString(text, next);
      continue;
    }
    next += 1;
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
    if (depth === 0) return next;
  }
  return text.length;
}

function skipString(text: string, at: number): number {
  let quote = text.indexOf('"', at + 1);
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote === -1 ? text.length : quote + 1;
}

function isEscaped(text: string, quote: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1;
  return slashes % 2 === 1;
}

/** Returns the name of a member from its quoted form. */
export function nameOf(written: string): string {
  return written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1);
}

function afterComma(text: string, valueEnd: number): number {
  const next = skipBlank(text, valueEnd);
  return text.charCodeAt(next) === COMMA ? skipBlank(text, next + 1) : next;
}
