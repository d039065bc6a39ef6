import { resolve } from 'node:path';
import { isFields } from '@secateur/base/text/json.ts';
import { type Origin, shownFileOf } from '@secateur/engine/request.ts';
import { pathIn, type ToolCall } from './client.ts';
import type { TranscriptEntry } from './transcript.ts';
import { cutIn, holdsMarker } from './written-markers.ts';

type Call = Extract<TranscriptEntry, { kind: 'call' }>;

/** An earlier output that was cut and that a call asks for again. */
export interface AskedAgain {
  /** The agent made the very same call again, or showed the file of the cut by another one. */
  readonly by: 'repeated_call' | 'second_read';
  /** The id of the cut, if no output in between showed the file whole: then this call recovers its lines (A19). */
  readonly recovered: string | undefined;
}

/** Finds out whether the agent wants an output whole: it reads a file again whose read was cut, or repeats the call that was just cut. */
export function askedAgain(call: ToolCall, entries: readonly TranscriptEntry[]): AskedAgain | undefined {
  const calls = entries.filter((entry): entry is Call => entry.kind === 'call');
  // If a client does not name its calls, the newest one is this one.
  const current = call.id === undefined ? calls.length - 1 : calls.findLastIndex(({ id }) => id === call.id);
  const asked = calls[current];
  const before = calls.slice(0, current < 0 ? calls.length : current);
  const last = before.at(-1);
  const isRepeated = asked !== undefined && last !== undefined && isSameCall(asked, last);
  const candidates = before.filter(
    (earlier) => (isRepeated && earlier === last) || isSameFile(call, earlier),
  );
  if (candidates.length === 0) return undefined;
  const ids = cutIds(candidates, entries);
  if (ids.every((id) => id === undefined)) return undefined;
  return { by: isRepeated ? 'repeated_call' : 'second_read', recovered: ids.at(-1) || undefined };
}

/** The id of the cut in each result of these calls: empty for a masked text, `undefined` for a result that was not cut. */
function cutIds(calls: readonly Call[], entries: readonly TranscriptEntry[]): (string | undefined)[] {
  const ids = new Set(calls.map(({ id }) => id));
  return entries.flatMap((entry) => {
    if (entry.kind !== 'result' || !ids.has(entry.id)) return [];
    return [holdsMarker(entry.text) ? (cutIn(entry.text)?.id ?? '') : undefined];
  });
}

/** Whether two calls ask for the same. A call without arguments asks for the state of something, such as a page: it changes. */
function isSameCall(one: Call, other: Call): boolean {
  const asked = inputOf(one);
  return one.tool === other.tool && asked === inputOf(other) && asked !== undefined && asked !== '{}';
}

/** A new description asks for nothing else, and `secateur raw --` for the same output whole. */
function inputOf({ input }: Call): string | undefined {
  return JSON.stringify(input, (key, value: unknown) => {
    if (key === 'description' || key === 'timeout') return undefined;
    return key === 'command' && typeof value === 'string' ? value.replace(/^.* raw -- /, '') : value;
  });
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

/** Returns the origin of an earlier call's output; a search shows lines of files, not files. */
export function originOf(input: unknown): Origin {
  if (!isFields(input) || input.pattern !== undefined) return { kind: 'other' };
  if (typeof input.command === 'string') return { kind: 'command', command: input.command };
  const path = pathIn(input);
  return path === undefined ? { kind: 'other' } : { kind: 'file', path };
}
