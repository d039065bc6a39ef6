import { isJsonObject, type Json, type JsonObject, type Span } from '@secateur/base/text/json.ts';
import type { JsonPath } from '@secateur/base/text/json-edit.ts';
import { binaryBlock, FOR_PROGRAMS, type RepeatedText, type ResultLimits, walk } from './long-values.ts';
/**
 * This file chooses the elements to keep of a result that is too large as a whole: thousands of short rows,
 * or hundreds of small blocks. All arrays get the same maximum number of elements, so the longest are
 * shortened first and short ones stay whole. First and last elements are kept.
 */

/** An array from which elements are removed. */
export interface ListCut {
  readonly path: JsonPath;
  readonly zone: 'content' | 'structured';
  readonly list: readonly Json[];
  /** Index ranges of the removed elements. They never include the first and the last element. */
  readonly dropped: readonly Readonly<Span>[];
}

const MIN_KEPT_ELEMENTS = 2;
/** Minimum number of characters that a cut removes. A smaller cut saves nothing, because it has to be announced. */
const MIN_DROPPED_CHARS = 200;

export function findListCuts(
  result: JsonObject,
  limits: ResultLimits,
  repeated: readonly RepeatedText[],
): ListCut[] {
  const views = viewsOf(result, repeated);
  const fits = (maxElements: number) =>
    views.every((view) => {
      const maxChars = limits.maxResultChars / view.widening;
      return remaining(view.value, maxChars, { ...view, limits, maxElements }) >= 0;
    });
  if (fits(Number.POSITIVE_INFINITY)) return [];
  const maxElements = largest(fits, { min: MIN_KEPT_ELEMENTS, max: limits.maxResultChars });
  const cuts: ListCut[] = [];
  for (const { value: whole, path: top, ...view } of views) {
    const measure = { ...view, limits, maxElements };
    walk(whole, [...top], (value, path) => {
      if (typeof value !== 'object' || value === null || isLeftWhole(value, measure)) return undefined;
      const dropped = Array.isArray(value) ? droppedRanges(value, measure) : [];
      if (dropped.length > 0)
        cuts.push({ path: [...path], zone: view.zone, list: value as readonly Json[], dropped });
      return dropped;
    });
  }
  return cuts;
}

/** `content` or `structuredContent`. Clients show their model only one of the two, so each has its own limit. */
interface View {
  readonly value: Json;
  readonly path: JsonPath;
  readonly zone: ListCut['zone'];
  /** Blocks that do not count in this view, because they repeat the other view. */
  readonly ignored: ReadonlySet<Json>;
  /** Length of the view as shown by the client, divided by the length of its JSON without whitespace. */
  readonly widening: number;
}

function viewsOf(result: JsonObject, repeated: readonly RepeatedText[]): View[] {
  const { structuredContent, ...content } = result;
  const ignored = new Set<Json>(repeated.map(({ block }) => block));
  const shown: View = { value: content, path: ['result'], zone: 'content', ignored, widening: 1 };
  if (structuredContent === undefined) return [shown];
  const path = ['result', 'structuredContent'];
  const widening = Math.max(1, ...repeated.map((each) => each.widening));
  return [shown, { value: structuredContent, path, zone: 'structured', ignored, widening }];
}

interface Measure extends Pick<View, 'zone' | 'ignored'> {
  readonly limits: ResultLimits;
  readonly maxElements: number;
}

/** Returns how many of `left` characters remain after `value` as JSON. Stops when the number is negative. */
function remaining(value: Json, left: number, measure: Measure): number {
  if (typeof value === 'string') return left - 2 - shownChars(value, measure.limits);
  if (typeof value !== 'object' || value === null) return left - String(value).length;
  if (isLeftWhole(value, measure)) return left;
  if (!isJsonObject(value)) return remainingAfterList(value, left, measure);
  // Each member has 4 characters besides its key and value: two quotes, a colon, a comma. The two brackets,
  // minus the last comma, are one more.
  let rest = left - 1;
  for (const key in value) {
    if (key === '_meta') continue;
    const within = FOR_PROGRAMS.has(key) ? { ...measure, maxElements: Number.POSITIVE_INFINITY } : measure;
    rest = remaining(value[key] as Json, rest - key.length - 4, within);
    if (rest < 0) return rest;
  }
  return rest;
}

function remainingAfterList(list: readonly Json[], left: number, measure: Measure): number {
  const [head, tail] = keptEnds(list, measure.maxElements);
  let rest = left - 1;
  for (let at = 0; at < head && rest >= 0; at += 1) rest = remaining(list[at] as Json, rest - 1, measure);
  for (let at = tail; at < list.length && rest >= 0; at += 1)
    rest = remaining(list[at] as Json, rest - 1, measure);
  return rest;
}

/** Returns the length of a string after masking. The marker has about 100 characters. */
function shownChars({ length }: string, { maxChars, headChars, tailChars }: ResultLimits): number {
  return length <= maxChars ? length : Math.min(length, headChars + tailChars + 100);
}

/** Whether a value is an image or audio block. These are never removed and do not count as text. */
function isLeftWhole(value: Json, { zone, ignored, limits }: Measure): boolean {
  return ignored.has(value) || (zone === 'content' && binaryBlock(value, limits) === 'untouched');
}

/** Returns the number of elements kept at the start, and the index from which elements are kept at the end. */
function keptEnds({ length }: readonly Json[], maxElements: number): [head: number, tail: number] {
  if (length <= maxElements) return [length, length];
  return [Math.ceil(maxElements / 2), length - Math.floor(maxElements / 2)];
}

/** Returns the largest number from `min` to `max` that `fits` accepts; `min` if it accepts none. */
function largest(fits: (count: number) => boolean, { min, max }: { min: number; max: number }): number {
  let [low, high] = [min, max];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function droppedRanges(list: readonly Json[], measure: Measure): Span[] {
  const [head, tail] = keptEnds(list, measure.maxElements);
  const whole = { ...measure, maxElements: Number.POSITIVE_INFINITY };
  const ranges: Span[] = [];
  let left = MIN_DROPPED_CHARS;
  for (let at = head; at < tail; at += 1) {
    const element = list[at] as Json;
    if (isJsonObject(element) && isLeftWhole(element, measure)) continue;
    if (left >= 0) left = remaining(element, left - 1, whole);
    const last = ranges.at(-1);
    if (last?.end === at) last.end += 1;
    else ranges.push({ start: at, end: at + 1 });
  }
  return left < 0 ? ranges : [];
}
