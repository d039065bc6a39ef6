import { maskText } from '../../masking/mask-text.ts';
import type { Recovery } from '../../recovery/recovery.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { EventLog } from '../../runtime/event-log.ts';
import type { JsonEdit } from '../../text/json-edit.ts';
import type { JsonObject } from '../../text/json-value.ts';
import { announce, recoverNote } from './announce.ts';
import { type Answer, editAnswer } from './answer.ts';
import { failure } from './failure.ts';
import { findLongValues, type LongValue } from './long-values.ts';
import type { ResultLimits } from './maskers/masker.ts';
import type { Shortening } from './savings.ts';

/** What was cut out of one answer, and how to get it back. */
export interface Cut {
  readonly value: LongValue;
  readonly pruneId: string;
  /** Pruned rather than masked: markers inside the text name the lines that went. */
  readonly isPruned: boolean;
  /** The value as it now stands in the answer, as JSON. */
  readonly json: string;
}

export interface ShortenParts {
  readonly server: string;
  readonly limits: ResultLimits;
  readonly recovery: Pick<Recovery, 'remember'>;
  /** Pruning before masking, where the server has it switched on. */
  readonly prune: PruneLongText | undefined;
  readonly clock: Clock;
  readonly log: EventLog;
  /** Told after the answer is made, for the savings ledger. */
  onShortened(shortening: Shortening): void;
}

/** `undefined`: not pruned, for whatever reason; the text is then masked. */
export type PruneLongText = (
  text: string,
  request: Pick<AnsweredRequest, 'params' | 'signal'>,
) => Promise<{ readonly pruneId: string; readonly text: string } | undefined>;

export interface AnsweredRequest {
  readonly method: string;
  readonly params: JsonObject;
  readonly client: string | undefined;
  /** Aborts when the client left, or its time is up. */
  readonly signal: AbortSignal;
  /** How the agent calls the tool that gives lines back. */
  readonly recoverTool: string | undefined;
}

/**
 * The answer with every over-long string shortened, each of them remembered first. The very same bytes come back when
 * there is nothing to shorten.
 */
export async function shortenAnswer(
  answer: Answer,
  request: AnsweredRequest,
  parts: ShortenParts,
): Promise<Buffer> {
  const { bytes, message } = answer;
  const found = longValues(message, request, parts);
  if (found.length === 0) return bytes;
  const startedAt = parts.clock.monotonic();
  const remember = rememberOnce(parts);
  const cuts = await Promise.all(found.map((value) => cutValue(value, request, { ...parts, remember })));
  const made = cuts.filter((cut) => cut !== undefined);
  parts.onShortened({
    server: parts.server,
    tool: toolOf(request),
    client: request.client,
    cuts: made,
    limits: parts.limits,
    passed: found.filter((_, index) => cuts[index] === undefined),
    durationMs: Math.round(parts.clock.monotonic() - startedAt),
  });
  if (made.length === 0) return bytes;
  const replaced = made.map(({ value, json }): JsonEdit => ({ kind: 'replace', path: value.path, json }));
  return editAnswer(answer, [...replaced, ...announce(message, made, request)]);
}

function longValues(message: JsonObject, { method }: AnsweredRequest, { limits }: ShortenParts): LongValue[] {
  try {
    return findLongValues(message, method, limits);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw failure('upstream_invalid_response', 'The upstream answered with JSON nested beyond reason', {
      cause,
    });
  }
}

interface CutParts extends ShortenParts {
  remember(text: string): Promise<string | undefined>;
}

async function cutValue(
  value: LongValue,
  request: AnsweredRequest,
  parts: CutParts,
): Promise<Cut | undefined> {
  const pruned = value.isText ? await parts.prune?.(value.original, request) : undefined;
  if (pruned !== undefined) {
    const json = JSON.stringify(maskText(pruned.text, parts.limits));
    return { value, pruneId: pruned.pruneId, isPruned: true, json };
  }
  const pruneId = await parts.remember(value.original);
  if (pruneId === undefined) return undefined;
  const note = needsOwnNote(value) ? recoverNote(value, pruneId, request.recoverTool) : '';
  return { value, pruneId, isPruned: false, json: JSON.stringify(value.masked(note)) };
}

/**
 * Some clients show the model `structuredContent` alone, and a bare string as error data has no room beside it: there
 * the way back has to stand in the text itself.
 */
function needsOwnNote({ zone, path }: LongValue): boolean {
  return zone === 'structured' || (zone === 'error' && path.length === 2);
}

/** The same text often comes twice, as content and as structured content; it is stored once. */
function rememberOnce({ recovery, server, log }: ShortenParts): CutParts['remember'] {
  // By length first: a map of the texts themselves would read every one of them whole to hash it.
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
