import { isDeepStrictEqual } from 'node:util';
import type { JsonPath } from '@secateur/base/text/json-edit.ts';
import { isJsonObject, type Json, type JsonObject, parsedJson } from '@secateur/base/text/json-value.ts';
import type { ResultLimits } from './maskers/masker.ts';

/** A text block that holds the JSON of `structuredContent` once more, for clients that show text only. */
export interface RepeatedText {
  readonly block: JsonObject;
  readonly text: string;
  readonly path: JsonPath;
  /** Path of the value it repeats: `structuredContent`, or its only member (FastMCP wraps lists as `{"result": […]}`). */
  readonly of: JsonPath;
  /** Length of the text as a multiple of its JSON without whitespace. */
  readonly widening: number;
}

/** Finds the long text blocks that repeat `structuredContent`. */
export function findRepeatedTexts(result: JsonObject, { maxChars }: ResultLimits): RepeatedText[] {
  const { structuredContent, content } = result;
  if (structuredContent === undefined || !Array.isArray(content)) return [];
  return content.flatMap((block, index) => {
    const text = isJsonObject(block) && block.type === 'text' ? block.text : undefined;
    if (typeof text !== 'string' || text.length <= maxChars || !OPENS_JSON.test(text)) return [];
    const value = parsedJson(text) as Json | undefined;
    const of = value === undefined ? undefined : repeatedPath(value, structuredContent);
    if (of === undefined) return [];
    const widening = text.length / JSON.stringify(value).length;
    return [{ block: block as JsonObject, text, path: ['result', 'content', index, 'text'], of, widening }];
  });
}

const OPENS_JSON = /^\s{0,100}[[{]/;

function repeatedPath(value: Json, structured: Json): JsonPath | undefined {
  const path = ['result', 'structuredContent'];
  if (isDeepStrictEqual(value, structured)) return path;
  const [[key, only] = ['', undefined], ...others] = isJsonObject(structured)
    ? Object.entries(structured)
    : [];
  return others.length === 0 && isDeepStrictEqual(value, only) ? [...path, key] : undefined;
}
