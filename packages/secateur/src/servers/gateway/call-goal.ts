import { isJsonObject, type Json, type JsonObject } from '@secateur/base/text/json-value.ts';
import type { Origin as TextOrigin } from '@secateur/engine/origin.ts';

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

/** The command or the file a call is about, if it names one: that tells what kind of text comes back. */
export function originOf({ arguments: args, uri }: JsonObject): TextOrigin {
  const given: JsonObject = isJsonObject(args) ? args : {};
  const command = [given.command, given.cmd].find(isWords);
  if (command !== undefined) return { kind: 'command', command };
  const path = [given.path, given.file_path, given.file, given.filename, given.uri, uri].find(isWords);
  return path === undefined ? { kind: 'other' } : { kind: 'file', path };
}
