import type { JsonEdit, JsonPath } from '../../text/json-edit.ts';
import { isJsonObject, type JsonObject } from '../../text/json-value.ts';
import type { LongValue } from './long-values.ts';
import type { AnsweredRequest, Cut } from './shorten.ts';

const META_KEY = 'secateur/masked';

/** The edits that tell programs (`_meta`) and agents (a text at the end) what was shortened and how to get it back. */
export function announce(message: JsonObject, cuts: readonly Cut[], request: AnsweredRequest): JsonEdit[] {
  const inResult = cuts.filter(({ value }) => value.path[0] === 'result');
  const inError = cuts.filter(({ value }) => value.path[0] === 'error');
  return [
    ...(inResult.length > 0 ? announceResult(message.result, inResult, request) : []),
    ...(inError.length > 0 ? announceError(message.error, inError, request) : []),
  ];
}

function announceResult(
  result: JsonObject[string] | undefined,
  cuts: readonly Cut[],
  request: AnsweredRequest,
): JsonEdit[] {
  if (!isJsonObject(result)) return [];
  return [metaEdit(result, listing(cuts)), noticeEdit(result, notice(cuts, request.recoverTool))];
}

function metaEdit(result: JsonObject, masked: unknown): JsonEdit {
  if (isJsonObject(result._meta)) {
    return { kind: 'member', path: ['result', '_meta'], key: META_KEY, json: JSON.stringify(masked) };
  }
  return { kind: 'member', path: ['result'], key: '_meta', json: JSON.stringify({ [META_KEY]: masked }) };
}

/** Every kind of result has its own list of things an agent reads; the notice becomes its last item. */
function noticeEdit(result: JsonObject, text: string): JsonEdit {
  if (Array.isArray(result.contents)) {
    const item = { uri: 'secateur://masked', mimeType: 'text/plain', text };
    return { kind: 'append', path: ['result', 'contents'], json: JSON.stringify(item) };
  }
  if (Array.isArray(result.messages)) {
    const item = { role: 'user', content: { type: 'text', text } };
    return { kind: 'append', path: ['result', 'messages'], json: JSON.stringify(item) };
  }
  const item = { type: 'text', text };
  if (Array.isArray(result.content)) {
    return { kind: 'append', path: ['result', 'content'], json: JSON.stringify(item) };
  }
  return { kind: 'member', path: ['result'], key: 'content', json: JSON.stringify([item]) };
}

function announceError(
  error: JsonObject[string] | undefined,
  cuts: readonly Cut[],
  request: AnsweredRequest,
): JsonEdit[] {
  const data = isJsonObject(error) ? error.data : undefined;
  const path = ['error', 'data'];
  if (isJsonObject(data))
    return [{ kind: 'member', path, key: META_KEY, json: JSON.stringify(listing(cuts)) }];
  if (!Array.isArray(data)) return [];
  return [{ kind: 'append', path, json: JSON.stringify(notice(cuts, request.recoverTool)) }];
}

function listing(cuts: readonly Cut[]) {
  return cuts.map(({ value, pruneId }) => ({
    prune_id: pruneId,
    path: jsonPointer(value.path.slice(value.path[0] === 'error' ? 2 : 1)),
    original_chars: value.original.length,
  }));
}

function jsonPointer(path: JsonPath): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

const EXAMPLE_LINES = 100;
const EXAMPLE_CHARS = 4000;

function notice(cuts: readonly Cut[], recoverTool: string | undefined): string {
  const first = cuts[0] as Cut;
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

/** The first of what is hidden, as much of it as is good to read at once. */
function exampleCall({ value, pruneId }: Cut, { first, last }: HiddenLines) {
  const inLine = hiddenInLongLine(value);
  const lines = { start_line: first, end_line: Math.min(last, first + EXAMPLE_LINES - 1) };
  if (inLine === undefined) return { prune_id: pruneId, ranges: [lines], include_line_numbers: true };
  const end = Math.min(inLine.last, inLine.first + EXAMPLE_CHARS - 1);
  const characters = { start_line: first, end_line: first, start_char: inLine.first, end_char: end };
  return { prune_id: pruneId, ranges: [characters], include_line_numbers: false };
}

function describe({ value, pruneId, isPruned }: Cut, { first, last, total }: HiddenLines): string {
  const size = `${value.original.length} characters, ${total} ${total === 1 ? 'line' : 'lines'}`;
  return `- ${jsonPointer(value.path.slice(1))}: prune_id ${pruneId}, ${size}, hidden: ${isPruned ? 'see its markers' : `${first}-${last}${charactersOf(value)}`}`;
}

/** Stands beside the marker where no notice can follow. */
export function recoverNote(value: LongValue, pruneId: string, recoverTool: string | undefined): string {
  const { first, last } = hiddenLines(value);
  return `[${recoverTool ?? 'secateur recover'} prune_id=${pruneId} hidden lines ${first}-${last}${charactersOf(value)}]\n`;
}

interface HiddenLines {
  first: number;
  last: number;
  total: number;
}

function hiddenLines({ original, hidden }: LongValue): HiddenLines {
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

/** What is hidden of the line the cut starts in, in characters of that line from 1, where the line is too long to come back whole. */
function hiddenInLongLine({ original, hidden }: LongValue): { first: number; last: number } | undefined {
  const lineStart = hidden.start === 0 ? 0 : original.lastIndexOf('\n', hidden.start - 1) + 1;
  const nextBreak = original.indexOf('\n', hidden.start);
  const lineEnd = nextBreak === -1 ? original.length : nextBreak;
  const isWhole = hidden.start === lineEnd;
  if (isWhole || lineEnd - lineStart <= EXAMPLE_CHARS) return undefined;
  return { first: hidden.start - lineStart + 1, last: Math.min(hidden.end, lineEnd) - lineStart };
}

function charactersOf(value: LongValue): string {
  const inLine = hiddenInLongLine(value);
  return inLine === undefined ? '' : ` (characters ${inLine.first}-${inLine.last} of the first of them)`;
}
