import { isFields } from '@secateur/base/text/json.ts';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import type { Focus } from '@secateur/engine/ranking/scorer.ts';
import { callText } from '@secateur/engine/request.ts';
import { pathIn, type ToolCall } from './client.ts';
import type { TranscriptEntry } from './transcript.ts';

const WORDS_KEPT = 4;
/** Maximum characters of a message. A pasted log would otherwise outweigh the rest of the request. */
const MAX_CHARS = 4000;

/**
 * Returns the agent's focus: the user's last request, the agent's last text, and what the call says about
 * itself. Without limits no output counts as shown before.
 */
export function focusOf(
  call: ToolCall,
  entries: readonly TranscriptEntry[],
  limits: ShownLimits | undefined,
): Focus {
  const task = entries.findLast((entry) => entry.kind === 'user')?.text ?? '';
  const words = entries.flatMap((entry) => (entry.kind === 'agent' ? [brief(entry.text)] : []));
  const recentWords = words.slice(-WORDS_KEPT);
  const command = callText(call.source, call.tool);
  const question = [call.purpose ?? '', recentWords.at(-1) ?? ''].filter((part) => part !== '').join('\n');
  return {
    question: question === '' ? brief(task) || command : question,
    ...(task === '' ? {} : { task: brief(task) }),
    ...(recentWords.length < 2 ? {} : { recentWords: recentWords.slice(0, -1) }),
    ...(command === '' ? {} : { command }),
    ...(limits !== undefined && { shown: shownOutputs(call, entries, limits) }),
    isConfidential: true,
  };
}

/** Shortens a text to its beginning and end. One of the two usually states the task, the other the latest request. */
function brief(text: string): string {
  const said = text.trim();
  if (said.length <= MAX_CHARS) return said;
  return `${said.slice(0, MAX_CHARS / 2)}\n${said.slice(-MAX_CHARS / 2)}`;
}

const MAX_CALL_CHARS = 120;

/** Limits within which the agent can still see an output (P52). */
export interface ShownLimits {
  /** Maximum tokens of the conversation after the output. With 0, no output counts as shown. */
  readonly maxTokens: number;
  /** Maximum age of the output in ms. With 0, no output counts as shown. */
  readonly maxAgeMs: number;
  /** Current time in ms since the epoch. */
  readonly now: number;
}

/** Returns the outputs that the client still sends to the model, with their calls, oldest first. */
function shownOutputs({ id }: ToolCall, entries: readonly TranscriptEntry[], limits: ShownLimits) {
  if (limits.maxTokens === 0 || limits.maxAgeMs === 0 || id === undefined) return [];
  const calls = new Map(entries.flatMap((entry) => (entry.kind === 'call' ? [[entry.id, entry]] : [])));
  return recentEntries(entries, limits).flatMap((entry) => {
    // The transcript may already contain the result of the current call.
    if (entry.kind !== 'result' || entry.id === id || entry.at === undefined) return [];
    if (limits.now - entry.at > limits.maxAgeMs) return [];
    const call = calls.get(entry.id);
    const line = call === undefined ? '' : callLine(call);
    return line === '' ? [] : [{ call: line, text: entry.text }];
  });
}

/** Returns the entries after the last compaction, up to the token limit. */
function recentEntries(entries: readonly TranscriptEntry[], { maxTokens }: ShownLimits) {
  let tokens = 0;
  const last = entries.findLastIndex((entry) => {
    tokens += estimateTokens(textOf(entry));
    return entry.kind === 'compaction' || tokens > maxTokens;
  });
  return entries.slice(last + 1);
}

function textOf(entry: TranscriptEntry): string {
  if (entry.kind === 'call') return JSON.stringify(entry.input) ?? '';
  return 'text' in entry ? entry.text : '';
}

function callLine({ tool, input }: Extract<TranscriptEntry, { kind: 'call' }>): string {
  const command = isFields(input) && typeof input.command === 'string' ? input.command : undefined;
  const path = pathIn(input);
  const text = command === undefined ? `${tool} ${path ?? ''}` : callText({ kind: 'command', command });
  return text.replace(/\s+/g, ' ').trim().slice(0, MAX_CALL_CHARS);
}
