import type { EventLog } from '@secateur/base/runtime/event-log.ts';
import type { Clock } from '@secateur/base/runtime/time.ts';
import {
  eachItem,
  isInside,
  isJsonObject,
  type Json,
  type JsonObject,
  skipValue,
} from '@secateur/base/text/json.ts';
import { editJson, findSpans, type JsonEdit } from '@secateur/base/text/json-edit.ts';
import type { Recovery } from '@secateur/engine/recovery/recovery.ts';
import { maskText } from '../../masking/mask.ts';
import { type Answer, editAnswer, failure } from './answer.ts';
import { findListCuts, type ListCut } from './list-cuts.ts';
import {
  contentResult,
  findLongValues,
  findRepeatedTexts,
  type LongValue,
  type RepeatedText,
  type ResultLimits,
  type Shortened,
} from './long-values.ts';
import { type Announcement, announce, hasNoticePlace, recoverNote } from './recovery-notice.ts';
import type { Shortening } from './savings.ts';

/** A cut in a response, with the id by which it can be recovered. */
export interface AppliedCut {
  readonly value: Shortened;
  readonly pruneId: string;
  /** Whether the value was pruned instead of masked. If so, markers in the text name the removed lines. */
  readonly isPruned: boolean;
  /** Set if the text repeats `structuredContent`, whose cuts describe what is missing. */
  readonly isRepeat?: true;
  /** Visible part of the value, as JSON. */
  readonly json: string;
  readonly edits: readonly JsonEdit[];
}

export interface ShortenDeps {
  readonly server: string;
  readonly limits: ResultLimits;
  readonly recovery: Pick<Recovery, 'remember'>;
  /** Prunes a text before it is masked; `undefined` if pruning is switched off for the server. */
  readonly prune: PruneLongText | undefined;
  isOff(): boolean;
  readonly clock: Clock;
  readonly log: EventLog;
  /** Called when the response is complete, for the savings ledger. */
  onShortened(shortening: Shortening): void;
}

/** Prunes a text. `undefined` if it was not pruned for any reason; it is then masked. */
export type PruneLongText = (
  text: string,
  request: Pick<AnsweredRequest, 'params' | 'signal'>,
) => Promise<{ readonly pruneId: string; readonly text: string } | undefined>;

export interface AnsweredRequest {
  readonly method: string;
  readonly params: JsonObject;
  readonly client: string | undefined;
  /** Aborts if the client disconnects or the time limit is reached. */
  readonly signal: AbortSignal;
  /** Name under which the agent calls the recovery tool; `undefined` without such a tool. */
  readonly recoverTool: string | undefined;
}

/**
 * Returns the response with long strings masked. If it is still too large as a whole, shortens its longest
 * arrays too. First stores all text that is removed. Returns the same bytes if nothing is too long.
 */
export async function shortenAnswer(
  answer: Answer,
  request: AnsweredRequest,
  parts: ShortenDeps,
): Promise<Buffer> {
  const { bytes, message } = answer;
  if (bytes.length <= parts.limits.maxChars || parts.isOff()) return bytes;
  const plan = planOf(answer, request, parts);
  if (plan.lists.length + plan.values.length === 0) return bytes;
  const startedAt = parts.clock.monotonic();
  const cutting = { ...parts, remember: rememberOnce(parts) };
  const lists = await cutLists(answer, plan.lists, cutting);
  const values = await Promise.all(
    plan.values.map((value) => cutValue(value, answer, { request, ...cutting })),
  );
  const made = [...lists.cuts, ...values.filter((cut) => cut !== undefined)];
  const repeats = await Promise.all(plan.repeated.map((text) => cutRepeated(text, made, cutting)));
  const cuts = [...made, ...repeats.filter((cut) => cut !== undefined)];
  parts.onShortened({
    server: parts.server,
    tool: toolOf(request),
    client: request.client,
    cuts,
    limits: parts.limits,
    passed: [...lists.passed, ...plan.values.filter((_, index) => values[index] === undefined)],
    hasStructured: isJsonObject(message.result) && message.result.structuredContent !== undefined,
    durationMs: Math.round(parts.clock.monotonic() - startedAt),
  });
  if (cuts.length === 0) return bytes;
  return announced(answer, cuts, announce(message, cuts, request));
}

/** Returns the edited response. Without the notice if the response would become longer than the original. */
function announced(answer: Answer, cuts: readonly AppliedCut[], { meta, notice }: Announcement): Buffer {
  const edits = [...cuts.flatMap((cut) => cut.edits), ...meta];
  const edited = editAnswer(answer, [...edits, ...notice]);
  return edited.length <= answer.bytes.length ? edited : editAnswer(answer, edits);
}

/** Returns the values of a response that must be shortened. */
function planOf({ bytes, message }: Answer, { method }: AnsweredRequest, { limits }: ShortenDeps) {
  try {
    const result = contentResult(message, method);
    const isOff = limits.maxChars <= 0 || limits.maxResultChars <= 0;
    // A result that is not an object is not shortened, because it cannot contain `_meta`.
    const repeated = isOff || !isJsonObject(result) ? [] : findRepeatedTexts(result, limits);
    // A text has at most as many characters as bytes.
    const isTooLarge = !isOff && isJsonObject(result) && bytes.length > limits.maxResultChars;
    const lists = isTooLarge ? findListCuts(result, limits, repeated) : [];
    const leftOut = {
      elements: new Map(lists.map(({ list, dropped }) => [list, dropped])),
      blocks: new Set<Json>(repeated.map(({ block }) => block)),
    };
    return { lists, values: findLongValues(message, method, { ...limits, leftOut }), repeated };
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    if (!holdsLongString(message, limits.maxChars)) return { lists: [], values: [], repeated: [] };
    const nested = 'The upstream answered with JSON nested beyond reason';
    throw failure('upstream_invalid_response', nested, { cause });
  }
}

/** Whether a message contains a long string. Does not use recursion, so that any depth is possible. */
function holdsLongString(message: JsonObject, maxChars: number): boolean {
  const waiting: Json[] = [message];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value === 'string' && value.length > maxChars) return true;
    if (typeof value === 'object' && value !== null)
      for (const part of Object.values(value)) waiting.push(part);
  }
  return false;
}

interface CuttingDeps extends ShortenDeps {
  remember(text: string): Promise<string | undefined>;
}

/** Stores each array as a text with one line per element, as written by the upstream. Element 0 is line 1. */
async function cutLists({ text }: Answer, lists: readonly ListCut[], { remember }: CuttingDeps) {
  const paths = lists.map(({ path }) => path);
  const spans = findSpans(text, paths);
  const [cuts, passed]: [AppliedCut[], Shortened[]] = [[], []];
  for (const [index, { path, zone, dropped }] of lists.entries()) {
    const lines = linesOfList(text, spans[index]?.start ?? 0);
    const value: Shortened = { path, zone, ...elementLines(lines, dropped) };
    const pruneId = await remember(value.original);
    const edits = dropped.map((range): JsonEdit => ({ kind: 'drop', path, ...range }));
    const json = lines.filter((_, at) => !isInside(at, dropped)).join();
    if (pruneId === undefined) passed.push(value);
    else cuts.push({ value, pruneId, isPruned: false, json, edits });
  }
  return { cuts, passed };
}

function linesOfList(text: string, at: number): string[] {
  const lines: string[] = [];
  eachItem(text, at, (start) => {
    const end = skipValue(text, start);
    // These line breaks are whitespace between values, because those inside strings are escaped.
    lines.push(text.slice(start, end).replace(/[\r\n]+/g, ' '));
    return end;
  });
  return lines;
}

function elementLines(lines: readonly string[], dropped: ListCut['dropped']) {
  const count = dropped.reduce((sum, { start, end }) => sum + end - start, 0);
  const charsBefore = (line: number) => lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0);
  return {
    original: lines.join('\n'),
    hidden: { start: charsBefore(dropped[0]?.start ?? 0), end: charsBefore(dropped.at(-1)?.end ?? 0) - 1 },
    elements: { kept: lines.length - count, total: lines.length, dropped },
  };
}

async function cutValue(
  value: LongValue,
  { message }: Answer,
  { request, limits, prune, remember }: CuttingDeps & { readonly request: AnsweredRequest },
): Promise<AppliedCut | undefined> {
  const made = (shown: Json, cut: Pick<AppliedCut, 'pruneId' | 'isPruned'>): AppliedCut => {
    const json = JSON.stringify(shown);
    return { value, ...cut, json, edits: [{ kind: 'replace', path: value.path, json }] };
  };
  const pruned = value.isText ? await prune?.(value.original, request) : undefined;
  if (pruned !== undefined) {
    return made(maskText(pruned.text, limits), { pruneId: pruned.pruneId, isPruned: true });
  }
  const pruneId = await remember(value.original);
  if (pruneId === undefined) return undefined;
  const note = needsOwnNote(value, message, request) ? recoverNote(value, pruneId, request.recoverTool) : '';
  const noted = value.masked(note);
  const isLonger = typeof noted === 'string' && noted.length > value.original.length;
  return made(isLonger ? value.masked('') : noted, { pruneId, isPruned: false });
}

/**
 * Whether a value needs a recovery hint beside its marker. Some clients show only `structuredContent`, and
 * error data that is a string, or a result without content list, cannot contain a notice.
 */
function needsOwnNote({ zone, path }: LongValue, { result }: JsonObject, request: AnsweredRequest): boolean {
  if (zone === 'content') return isJsonObject(result) && !hasNoticePlace(result, request);
  return zone === 'structured' || path.length === 2;
}

/** Edits a text that repeats `structuredContent` in the same way, so that both have the same elements. */
async function cutRepeated(
  { text, path, of }: RepeatedText,
  made: readonly AppliedCut[],
  { remember }: CuttingDeps,
): Promise<AppliedCut | undefined> {
  const inside = made
    .flatMap((cut) => cut.edits)
    .filter((edit) => of.every((step, at) => edit.path[at] === step))
    .map((edit): JsonEdit => ({ ...edit, path: edit.path.slice(of.length) }));
  if (inside.length === 0) return undefined;
  const pruneId = await remember(text);
  if (pruneId === undefined) return undefined;
  const json = JSON.stringify(editJson(text, inside));
  const value = { path, zone: 'content', original: text, hidden: { start: 0, end: text.length } } as const;
  return { value, pruneId, isPruned: false, isRepeat: true, json, edits: [{ kind: 'replace', path, json }] };
}

/** Returns a function that stores each text only once, even if content and structured content both contain it. */
function rememberOnce({ recovery, server, log }: ShortenDeps): CuttingDeps['remember'] {
  // Texts are grouped by length. A map by text would hash each text completely.
  const asked = new Map<number, Array<{ text: string; id: Promise<string | undefined> }>>();
  const store = async (text: string) => {
    const remembered = await recovery.remember(text, ['gateway', server]);
    if (remembered.kind === 'stored') return remembered.id;
    log.emit({ level: 'warn', event: 'recovery_unavailable', data: { server, chars: text.length } });
    return undefined;
  };
  return (text) => {
    const alike = asked.get(text.length) ?? [];
    const known = alike.find((each) => each.text === text);
    if (known !== undefined) return known.id;
    const id = store(text);
    asked.set(text.length, [...alike, { text, id }]);
    return id;
  };
}

function toolOf({ method, params }: AnsweredRequest): string {
  return method === 'tools/call' && typeof params.name === 'string' ? params.name : method;
}
