/** Cuts a tool's output for the model, based on the messages before it. All adapters use this. */

import { isFields } from '@secateur/base/text/json.ts';
import type { CutOptions, Secateur } from '@secateur/engine/secateur.ts';
import { originIn, pathIn, type ToolCall, textAt, textParts } from '../servers/hooks/client.ts';
import { findRepeatedCut } from '../servers/hooks/earlier-cuts.ts';
import { focusOf } from '../servers/hooks/focus.ts';
import type { TranscriptEntry } from '../servers/hooks/transcript.ts';
import { holdsMarker } from '../servers/hooks/written-markers.ts';

export interface CalledTool {
  readonly tool: string;
  readonly id?: string | undefined;
  readonly input: unknown;
}

/** A tool call, and the messages of the conversation before the call. */
interface CallContext {
  readonly call: CalledTool;
  /** Returns the messages. May throw if the adapter does not know the format of the messages. */
  entries(): readonly TranscriptEntry[];
}

/** Returns a tool's output in which long texts are cut. Never rejects. */
export async function cutToolOutput<Output>(
  secateur: Secateur,
  output: Output,
  { call, entries }: CallContext,
): Promise<Output> {
  try {
    if (call.tool === secateur.recoverTool.name) return output;
    const { id = '', tool, input } = call;
    const known: readonly TranscriptEntry[] = withCall(entries(), { kind: 'call', id, tool, input });
    const asked = {
      tool,
      id,
      source: originIn(input),
      purpose: isFields(input) ? textAt(input, 'description') : undefined,
    };
    if (findRepeatedCut(asked, known) !== undefined) return output;
    const options = { ...cutOptions(asked, known), ...lineOptions(input) };
    const cut = async (text: string) => (holdsMarker(text) ? text : (await secateur.cut(text, options)).text);
    return (typeof output === 'string' ? await cut(output) : await mapTexts(output, cut)) as Output;
  } catch {
    return output;
  }
}

/** Adds the call to the messages, unless the framework has done so. */
function withCall(entries: readonly TranscriptEntry[], call: Extract<TranscriptEntry, { kind: 'call' }>) {
  const isListed = entries.some((entry) => entry.kind === 'call' && entry.id === call.id);
  return isListed ? entries : [...entries, call];
}

/** Limits after which the agent no longer sees an output: tokens after it, and its age in ms. */
const SHOWN_LIMITS = { maxTokens: 40_000, maxAgeMs: 3_600_000 };

/** Returns the focus for an output, taken from the messages before the call. */
export function cutOptions(call: ToolCall, entries: readonly TranscriptEntry[]): CutOptions {
  const focus = focusOf(call, entries, { ...SHOWN_LIMITS, now: Date.now() });
  const { question, task, recentWords = [], shown } = focus;
  const { source } = call;
  return {
    task,
    said: [...recentWords, question],
    shown,
    ...(source.kind === 'command' && { command: source.command }),
    ...(source.kind === 'file' && { path: source.path }),
    ...(source.kind === 'search' && { pattern: source.pattern }),
  };
}

const FIRST_LINE_NAMES = ['start_line', 'startLine', 'offset'];

/** Returns the first line number that a call requested. Markers then use the line numbers of the file. */
function lineOptions(input: unknown): CutOptions {
  if (!isFields(input) || pathIn(input) === undefined) return {};
  const firstLine = FIRST_LINE_NAMES.map((name) => input[name]).find(Number.isInteger) as number | undefined;
  return firstLine === undefined || firstLine < 2 ? {} : { firstLine };
}

const MAX_DEPTH = 8;
/** Keys whose strings are data and are never cut. */
const DATA_KEYS = new Set(['data', 'blob', 'image', 'url', 'uri', 'base64']);

/** Replaces each text of several lines inside plain lists and objects. */
async function mapTexts(
  value: unknown,
  change: (text: string) => Promise<string>,
  depth = 0,
): Promise<unknown> {
  if (typeof value === 'string') return value.includes('\n') ? change(value) : value;
  if (depth >= MAX_DEPTH || typeof value !== 'object' || value === null) return value;
  const inner = (each: unknown) => mapTexts(each, change, depth + 1);
  if (Array.isArray(value)) return Promise.all(value.map(inner));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const changed = Object.entries(value).map(async ([key, each]) => [
    key,
    DATA_KEYS.has(key) ? each : await inner(each),
  ]);
  return Object.fromEntries(await Promise.all(changed));
}

const MAX_HISTORY_ENTRIES = 200;

/** Records the calls and outputs of an adapter, for frameworks that do not provide messages. */
export class History {
  #entries: TranscriptEntry[] = [];

  async cut<Output>(
    secateur: Secateur,
    output: Output,
    call: CalledTool & { readonly id: string },
  ): Promise<Output> {
    const cut = await cutToolOutput(secateur, output, { call, entries: () => this.#entries });
    const { id, tool, input } = call;
    const text = textParts(cut).join('\n');
    this.#entries = [
      ...this.#entries,
      { kind: 'call' as const, id, tool, input },
      { kind: 'result' as const, id, text, at: Date.now() },
    ].slice(-MAX_HISTORY_ENTRIES);
    return cut;
  }
}
