import { isJsonObject, type Json, type JsonObject } from '../../masking/json.ts';
import type { SourceType } from '../../pruning/scorer.ts';

/** Arguments that say what the caller is after, the clearest first. */
const TELLING = [
  'goal',
  'question',
  'context_focus_question',
  'query',
  'q',
  'search',
  'pattern',
  'regex',
  'prompt',
  'task',
  'topic',
  'symbol',
  'keyword',
];

const MAX_GOAL_CHARS = 500;

/** What a call seems to be after, in its own words; empty when its arguments say nothing. */
export function goalOf({ arguments: args, uri }: JsonObject): string {
  const given: JsonObject = isJsonObject(args) ? args : {};
  const telling = TELLING.map((name) => given[name]).filter(isWords);
  const words = telling.length > 0 ? telling : [...Object.values(given), uri ?? ''].filter(isWords);
  return words.join(' ').slice(0, MAX_GOAL_CHARS);
}

function isWords(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_GOAL_CHARS;
}

const DOCS = /\.(?:md|mdx|rst|txt|adoc|html?)\b/i;
const LOGS = /\.(?:log|out|err)\b/i;
const RUNS = /run|exec|bash|shell|terminal|command|log|test/i;

/** A guess the pruner corrects where the text itself speaks clearly. */
export function sourceTypeOf({ name, arguments: args, uri }: JsonObject): SourceType {
  const place = `${uri ?? ''} ${isJsonObject(args) ? Object.values(args).filter(isWords).join(' ') : ''}`;
  if (DOCS.test(place)) return 'docs';
  if (LOGS.test(place) || (typeof name === 'string' && RUNS.test(name))) return 'logs';
  return 'code';
}
