import type { ToolCall } from './client.ts';
import type { TranscriptEntry } from './transcript.ts';
import { holdsMarker } from './written-markers.ts';

type Call = Extract<TranscriptEntry, { kind: 'call' }>;

/** Whether the agent makes the call again that was just cut: it wants the output whole. */
export function isAskedAgain(call: ToolCall, entries: readonly TranscriptEntry[]): boolean {
  const calls = entries.filter((entry): entry is Call => entry.kind === 'call');
  // Where a client does not name its calls, the newest one is this one.
  const current = call.id === undefined ? calls.length - 1 : calls.findLastIndex(({ id }) => id === call.id);
  const asked = calls[current];
  const before = calls[current - 1];
  if (asked === undefined || before === undefined) return false;
  if (!isSameCall(asked, before)) return false;
  return entries.some(
    (entry) => entry.kind === 'result' && entry.id === before.id && holdsMarker(entry.text),
  );
}

/** Whether two calls ask for the same. */
function isSameCall(one: Call, other: Call): boolean {
  return one.tool === other.tool && inputOf(one) === inputOf(other);
}

/** A new description of the same call asks for nothing else. */
function inputOf({ input }: Call): string {
  return JSON.stringify(input, (key, value: unknown) =>
    key === 'description' || key === 'timeout' ? undefined : value,
  );
}
