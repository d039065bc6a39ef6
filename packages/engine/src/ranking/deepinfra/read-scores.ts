import { isFields, parsedJson } from '@secateur/base/text/json-value.ts';

/** Keys under which rerankers put their list. */
const NESTED_UNDER = ['scores', 'results', 'result', 'output', 'data'] as const;

/**
 * One score a document, from any of the shapes rerankers answer in: `{"scores": [..]}`, a bare list,
 * `[{"index", "score"}]`, or one of these one level deeper. Undefined when a document got none.
 */
export function readScores(text: string, documents: number): number[] | undefined {
  const answer = parsedJson(text);
  for (const candidate of [answer, ...nestedIn(answer), ...nestedIn(answer).flatMap(nestedIn)]) {
    const scores = numbersIn(candidate, documents) ?? indexedIn(candidate, documents);
    if (scores !== undefined) return scores;
  }
  return undefined;
}

function nestedIn(value: unknown): unknown[] {
  // One query was asked, so a list of one list holds the answer to it.
  if (Array.isArray(value)) return value.length === 1 ? [value[0]] : [];
  if (!isFields(value)) return [];
  return NESTED_UNDER.map((key) => value[key]).filter((nested) => nested !== undefined);
}

function numbersIn(value: unknown, documents: number): number[] | undefined {
  if (!Array.isArray(value) || value.length !== documents) return undefined;
  return value.every(isScore) ? value : undefined;
}

function indexedIn(value: unknown, documents: number): number[] | undefined {
  if (!Array.isArray(value) || value.length !== documents) return undefined;
  const scores: number[] = new Array(documents);
  const seen = new Set<number>();
  for (const entry of value) {
    if (!isFields(entry) || !isScore(entry.score) || !isIndex(entry.index, documents)) return undefined;
    scores[entry.index] = entry.score;
    seen.add(entry.index);
  }
  return seen.size === documents ? scores : undefined;
}

function isScore(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isIndex(value: unknown, documents: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < documents;
}
