import { callText } from '../../engine/text-kind.ts';
import type { ShownOutput } from '../../ranking/focus.ts';
import { isFields } from '../../text/json-value.ts';
import { pathIn, type ToolCall } from './client.ts';
import type { TranscriptEntry } from './transcript.ts';

/** Older results may have been cleared by the client: they do not count as shown (P52). */
const MAX_SHOWN_CHARS = 160_000;
const MAX_CALL_CHARS = 120;

/** Outputs that the conversation shows before this call, oldest first, each with the call that made it. */
export function shownOutputs({ id }: ToolCall, entries: readonly TranscriptEntry[]): ShownOutput[] {
  const calls = new Map<string, string>();
  const outputs: ShownOutput[] = [];
  for (const entry of entries) {
    if (entry.kind === 'call') calls.set(entry.id, callLine(entry));
    // A transcript may hold the result of this very call already.
    if (entry.kind === 'result' && id !== undefined && entry.id !== id)
      outputs.push({ call: calls.get(entry.id) ?? '', text: entry.text });
  }
  return newest(outputs.filter(({ call }) => call !== ''));
}

function newest(outputs: readonly ShownOutput[]): ShownOutput[] {
  let characters = 0;
  const first = outputs.findLastIndex(({ text }) => {
    characters += text.length;
    return characters > MAX_SHOWN_CHARS;
  });
  return outputs.slice(first + 1);
}

/** One line that identifies a call. */
function callLine({ tool, input }: Extract<TranscriptEntry, { kind: 'call' }>): string {
  const command = isFields(input) && typeof input.command === 'string' ? input.command : undefined;
  const path = pathIn(input);
  const text = command === undefined ? `${tool} ${path ?? ''}` : callText({ kind: 'command', command });
  return text.replace(/\s+/g, ' ').trim().slice(0, MAX_CALL_CHARS);
}
