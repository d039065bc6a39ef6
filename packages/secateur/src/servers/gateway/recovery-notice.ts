import { isJsonObject, type JsonObject } from '@secateur/base/text/json.ts';
import type { JsonEdit, JsonPath } from '@secateur/base/text/json-edit.ts';
import type { Shortened } from './long-values.ts';
import type { AnsweredRequest, AppliedCut } from './shorten.ts';

const META_KEY = 'secateur/masked';

/** Edits that say what was cut and how to recover it: `meta` for programs, `notice` for agents. */
export interface Announcement {
  readonly meta: readonly JsonEdit[];
  readonly notice: readonly JsonEdit[];
}

export function announce(
  { result, error }: JsonObject,
  cuts: readonly AppliedCut[],
  request: AnsweredRequest,
): Announcement {
  const inResult = cuts.filter(({ value }) => value.path[0] === 'result');
  const inError = cuts.filter(({ value }) => value.path[0] === 'error');
  const meta: JsonEdit[] = [];
  const notices: JsonEdit[] = [];
  if (inResult.length > 0 && isJsonObject(result)) {
    meta.push(metaEdit(result, listing(inResult)));
    if (hasNoticePlace(result, request))
      notices.push(noticeEdit(result, notice(inResult, request.recoverTool)));
  }
  const data = inError.length > 0 && isJsonObject(error) ? error.data : undefined;
  const path = ['error', 'data'];
  if (isJsonObject(data))
    meta.push({ kind: 'member', path, key: META_KEY, json: JSON.stringify(listing(inError)) });
  else if (Array.isArray(data))
    notices.push({ kind: 'append', path, json: JSON.stringify(notice(inError, request.recoverTool)) });
  return { meta, notice: notices };
}

/** Whether a notice can be added to a result. A missing `content` is added only to a tool's result. */
export function hasNoticePlace(
  { content, contents, messages }: JsonObject,
  { method }: AnsweredRequest,
): boolean {
  return method === 'tools/call' || [content, contents, messages].some(Array.isArray);
}

function metaEdit(result: JsonObject, masked: unknown): JsonEdit {
  if (isJsonObject(result._meta))
    return { kind: 'member', path: ['result', '_meta'], key: META_KEY, json: JSON.stringify(masked) };
  return { kind: 'member', path: ['result'], key: '_meta', json: JSON.stringify({ [META_KEY]: masked }) };
}

/** Returns the edit that adds the notice to the content list of a result. */
function noticeEdit(result: JsonObject, text: string): JsonEdit {
  const appended = (list: string, item: object): JsonEdit => {
    return { kind: 'append', path: ['result', list], json: JSON.stringify(item) };
  };
  if (Array.isArray(result.contents))
    return appended('contents', { uri: 'secateur://masked', mimeType: 'text/plain', text });
  if (Array.isArray(result.messages))
    return appended('messages', { role: 'user', content: { type: 'text', text } });
  const item = { type: 'text', text };
  if (Array.isArray(result.content)) return appended('content', item);
  return { kind: 'member', path: ['result'], key: 'content', json: JSON.stringify([item]) };
}

function listing(cuts: readonly AppliedCut[]) {
  return cuts.map(({ value, pruneId }) => ({
    prune_id: pruneId,
    path: jsonPointer(value.path.slice(value.path[0] === 'error' ? 2 : 1)),
    original_chars: value.original.length,
    ...(value.elements && { kept: value.elements.kept, total: value.elements.total }),
  }));
}

function jsonPointer(path: JsonPath): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

const EXAMPLE_LINES = 100;
const EXAMPLE_CHARS = 4000;

function notice(all: readonly AppliedCut[], recoverTool: string | undefined): string {
  const cuts = all.filter(({ isRepeat }) => !isRepeat);
  const first = cuts[0] as AppliedCut;
  const lines = hiddenLines(first.value);
  const example = exampleCall(first, lines);
  const wayBack =
    recoverTool === undefined
      ? `secateur recover ${first.pruneId} gives it back.`
      : `To read hidden lines call ${recoverTool} with ${JSON.stringify(example)}.`;
  const shortened = new Map([[first.pruneId, describe(first, lines)]]);
  for (const cut of cuts.slice(1)) {
    if (!shortened.has(cut.pruneId)) shortened.set(cut.pruneId, describe(cut, hiddenLines(cut.value)));
  }
  return `Shortened by the gateway, nothing is lost. ${wayBack}\n${[...shortened.values()].join('\n')}`;
}

/** Returns an example call that recovers the first hidden lines or characters, up to a limit. */
function exampleCall({ value, pruneId }: AppliedCut, { first, last }: HiddenLines) {
  const inLine = hiddenInLongLine(value);
  const lines = { start_line: first, end_line: Math.min(last, first + EXAMPLE_LINES - 1) };
  if (inLine === undefined) return { prune_id: pruneId, ranges: [lines], include_line_numbers: true };
  const end = Math.min(inLine.last, inLine.first + EXAMPLE_CHARS - 1);
  const characters = { start_line: first, end_line: first, start_char: inLine.first, end_char: end };
  return { prune_id: pruneId, ranges: [characters], include_line_numbers: false };
}

function describe({ value, pruneId, isPruned }: AppliedCut, { first, last, total }: HiddenLines): string {
  if (value.elements !== undefined) return describeElements(value.path, value.elements, pruneId);
  const size = `${value.original.length} characters, ${total} ${total === 1 ? 'line' : 'lines'}`;
  return `- ${jsonPointer(value.path.slice(1))}: prune_id ${pruneId}, ${size}, hidden: ${isPruned ? 'see its markers' : `${first}-${last}${charactersOf(value)}`}`;
}

function describeElements(
  path: JsonPath,
  { kept, total, dropped }: NonNullable<Shortened['elements']>,
  pruneId: string,
): string {
  const ranges = dropped.map(({ start, end }) => `${start}-${end - 1}`).join(', ');
  return `- ${jsonPointer(path.slice(1))}: prune_id ${pruneId}, kept ${kept} of ${total} elements, hidden: ${ranges} (element N is line N+1)`;
}

/** Returns the recovery hint beside a marker, for values that the notice does not describe. */
export function recoverNote(value: Shortened, pruneId: string, recoverTool: string | undefined): string {
  const { first, last } = hiddenLines(value);
  return `[${recoverTool ?? 'secateur recover'} prune_id=${pruneId} hidden lines ${first}-${last}${charactersOf(value)}]\n`;
}

type HiddenLines = ReturnType<typeof hiddenLines>;

function hiddenLines({ original, hidden }: Shortened) {
  const before = countBreaks(original, 0, hidden.start);
  const within = countBreaks(original, hidden.start, hidden.end - 1);
  const after = countBreaks(original, hidden.end - 1, original.length - 1);
  return { first: before + 1, last: before + within + 1, total: before + within + after + 1 };
}

function countBreaks(text: string, start: number, end: number): number {
  let breaks = 0;
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1))
    breaks += 1;
  return breaks;
}

/** Returns the hidden characters, counted from 1, of a cut in one line that is too long for one call. */
function hiddenInLongLine({ original, hidden }: Shortened): { first: number; last: number } | undefined {
  const lineStart = hidden.start === 0 ? 0 : original.lastIndexOf('\n', hidden.start - 1) + 1;
  const nextBreak = original.indexOf('\n', hidden.start);
  const lineEnd = nextBreak === -1 ? original.length : nextBreak;
  const isWhole = hidden.start === lineEnd;
  if (isWhole || lineEnd - lineStart <= EXAMPLE_CHARS) return undefined;
  return { first: hidden.start - lineStart + 1, last: Math.min(hidden.end, lineEnd) - lineStart };
}

function charactersOf(value: Shortened): string {
  const inLine = hiddenInLongLine(value);
  return inLine === undefined ? '' : ` (characters ${inLine.first}-${inLine.last} of the first of them)`;
}
