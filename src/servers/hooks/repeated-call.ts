import { resolve } from 'node:path';
import type { Origin } from '../../engine/origin.ts';
import { shownFileOf } from '../../engine/text-kind.ts';
import { isFields } from '../../text/json-value.ts';
import { pathIn, type ToolCall } from './client.ts';
import type { TranscriptEntry } from './transcript.ts';
import { holdsMarker } from './written-markers.ts';

type Call = Extract<TranscriptEntry, { kind: 'call' }>;

/** Whether the agent wants an output whole: it reads a file again whose read was cut, or makes the call again that was just cut. */
export function isAskedAgain(call: ToolCall, entries: readonly TranscriptEntry[]): boolean {
  const calls = entries.filter((entry): entry is Call => entry.kind === 'call');
  // Where a client does not name its calls, the newest one is this one.
  const current = call.id === undefined ? calls.length - 1 : calls.findLastIndex(({ id }) => id === call.id);
  const asked = calls[current];
  const before = calls.slice(0, current < 0 ? calls.length : current);
  const candidates = before.filter(
    (earlier) => isSameFile(call, earlier) || (asked !== undefined && isRepeated(asked, earlier, before)),
  );
  return candidates.length > 0 && hasCutResult(candidates, entries);
}

function isRepeated(asked: Call, earlier: Call, before: readonly Call[]): boolean {
  return earlier === before.at(-1) && isSameCall(asked, earlier);
}

function hasCutResult(calls: readonly Call[], entries: readonly TranscriptEntry[]): boolean {
  const ids = new Set(calls.map(({ id }) => id));
  return entries.some((entry) => entry.kind === 'result' && ids.has(entry.id) && holdsMarker(entry.text));
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

/** Whether both calls show the same file, whatever tools and ranges they use. */
export function isSameFile(
  { source, cwd = '/' }: Pick<ToolCall, 'source' | 'cwd'>,
  { input }: Call,
): boolean {
  const shown = shownFileOf(source);
  const earlier = shownFileOf(originOf(input));
  if (shown === undefined || earlier === undefined) return false;
  const [one, other] = [resolve(cwd, shown), resolve(cwd, earlier)];
  if (one === other) return true;
  // After `cd`, a path begins in a folder that only the shell knows.
  const isMoved = [source, originOf(input)].some(changesFolder);
  return isMoved && (endsWithPath(one, earlier) || endsWithPath(other, shown));
}

function changesFolder(source: Origin): boolean {
  return source.kind === 'command' && /\b(?:cd|pushd)\s/.test(source.command);
}

function endsWithPath(whole: string, end: string): boolean {
  return whole.endsWith(`/${end.startsWith('./') ? end.slice(2) : end}`);
}

/** Where the output of an earlier call came from; a search shows lines of files, not files. */
export function originOf(input: unknown): Origin {
  if (!isFields(input) || input.pattern !== undefined) return { kind: 'other' };
  if (typeof input.command === 'string') return { kind: 'command', command: input.command };
  const path = pathIn(input);
  return path === undefined ? { kind: 'other' } : { kind: 'file', path };
}
