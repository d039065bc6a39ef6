import { resolve } from 'node:path';
import { isFields } from '@secateur/base/text/json.ts';
import type { LineRange } from '@secateur/base/text/lines.ts';
import { type Origin, shownFileOf } from '@secateur/engine/request.ts';
import { originIn, type ToolCall, type WriteEvent } from './client.ts';
import type { TranscriptEntry } from './transcript.ts';
import { cutIn, holdsMarker } from './written-markers.ts';

type Call = Extract<TranscriptEntry, { kind: 'call' }>;

/** An earlier cut output that the current call requests again. */
export interface RepeatedCut {
  /** Whether the agent repeated the call, or reads the same file with another call. */
  readonly by: 'repeated_call' | 'second_read';
  /** Id of the cut whose lines this call recovers (A19). `undefined` if the output was masked, or was shown since. */
  readonly recovered: string | undefined;
}

/** Returns the cut whose output the current call requests again, by reading the same file or repeating the call. */
export function findRepeatedCut(
  call: ToolCall,
  entries: readonly TranscriptEntry[],
): RepeatedCut | undefined {
  const calls = entries.filter((entry): entry is Call => entry.kind === 'call');
  // Without an id, the newest call is the current one.
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

/** Returns the id of the cut in each call's result: empty for a masked text, `undefined` if the result is not cut. */
function cutIds(calls: readonly Call[], entries: readonly TranscriptEntry[]): (string | undefined)[] {
  const ids = new Set(calls.map(({ id }) => id));
  return entries.flatMap((entry) => {
    if (entry.kind !== 'result' || !ids.has(entry.id)) return [];
    return [holdsMarker(entry.text) ? (cutIn(entry.text)?.id ?? '') : undefined];
  });
}

/** Whether two calls request the same output. Calls without arguments do not, because their output changes. */
function isSameCall(one: Call, other: Call): boolean {
  const asked = inputOf(one);
  return one.tool === other.tool && asked === inputOf(other) && asked !== undefined && asked !== '{}';
}

/** Returns the input in the form that is compared: without description, timeout and `secateur raw --`. */
function inputOf({ input }: Call): string | undefined {
  return JSON.stringify(input, (key, value: unknown) => {
    if (key === 'description' || key === 'timeout') return undefined;
    return key === 'command' && typeof value === 'string' ? value.replace(/^.* raw -- /, '') : value;
  });
}

/** Whether two calls show the same file. Their tools and line ranges may differ. */
function isSameFile({ source, cwd = '/' }: Pick<ToolCall, 'source' | 'cwd'>, { input }: Call): boolean {
  const shown = shownFileOf(source);
  const earlier = shownFileOf(originIn(input));
  if (shown === undefined || earlier === undefined) return false;
  const [one, other] = [resolve(cwd, shown), resolve(cwd, earlier)];
  if (one === other) return true;
  // After `cd`, only the shell knows the folder of relative paths.
  const isMoved = [source, originIn(input)].some(changesFolder);
  return isMoved && (endsWithPath(one, earlier) || endsWithPath(other, shown));
}

function changesFolder(source: Origin): boolean {
  return source.kind === 'command' && /\b(?:cd|pushd)\s/.test(source.command);
}

function endsWithPath(whole: string, end: string): boolean {
  return whole.endsWith(`/${end.startsWith('./') ? end.slice(2) : end}`);
}

/** Lines that a cut removed from the output of a file and that the agent has not seen since. */
export interface UnshownLines {
  readonly id: string;
  readonly lines: readonly LineRange[];
}

/** Sentence in each refusal. If a later call finds it in the transcript, it is not refused for the same cut again. */
export const SAID_ONCE = 'This is said once per cut.';

/**
 * Finds the lines that a call would delete without the agent having seen them: it replaces a file that was
 * cut when the agent read it (A23). `undefined` if all lines were shown since, or if a call was refused for
 * this cut before.
 */
export function unshownLines(
  event: WriteEvent,
  entries: readonly TranscriptEntry[],
): UnshownLines | undefined {
  const { call, path } = event;
  if (path === undefined || !replacesFile(event)) return undefined;
  const file = { source: { kind: 'file', path }, cwd: call.cwd } as const;
  const calls = new Map(entries.flatMap((entry) => (entry.kind === 'call' ? [[entry.id, entry]] : [])));
  let unshown: UnshownLines | undefined;
  for (const entry of entries) {
    const answered = entry.kind === 'result' ? calls.get(entry.id) : undefined;
    if (answered === undefined || entry.kind !== 'result') continue;
    unshown = isSameFile(file, answered)
      ? afterFileCall(unshown, answered, entry.text)
      : unshown && without(unshown, recoveredBy(answered, unshown));
  }
  return unshown;
}

/** Whether a call writes a whole file and names its path. */
export function replacesFile({ call, path }: WriteEvent): boolean {
  return path !== undefined && REPLACING_TOOL.test(call.tool);
}

/** Matches tools that write a whole file: `Write`, `create`, `mcp__files__write_file`. */
const REPLACING_TOOL = /(?:^|[_-])(?:write|create|overwrite|save)(?:[_-]?file)?$/i;

function afterFileCall(
  unshown: UnshownLines | undefined,
  call: Call,
  result: string,
): UnshownLines | undefined {
  const { input } = call;
  if (isFields(input) && WRITTEN_KEYS.some((key) => input[key] !== undefined)) {
    if (!REPLACING_TOOL.test(call.tool)) return unshown;
    return result.includes(SAID_ONCE) || !/\berror\b/i.test(result) ? undefined : unshown;
  }
  const cut = cutIn(result);
  if (cut?.id !== undefined && cut.gaps.length > 0) return { id: cut.id, lines: cut.gaps };
  return unshown && without(unshown, linesRead(call));
}

const WRITTEN_KEYS = ['content', 'file_text', 'new_string', 'newString', 'new_str', 'edits', 'new_source'];

const ALL: LineRange = { start: 1, end: Number.POSITIVE_INFINITY };

/** Returns the lines that an uncut read showed: the requested range, or all lines. */
function linesRead({ input }: Call): readonly LineRange[] {
  const origin = originIn(input);
  if (origin.kind === 'command') {
    const [, start, end] = /\bsed -n ['"]?(\d{1,9}),(\d{1,9})p/.exec(origin.command) ?? [];
    if (start !== undefined) return [{ start: Number(start), end: Number(end) }];
    return shownFileOf(origin) !== undefined && /^\s*(?:cat|nl|bat|less)\b[^|]*$/.test(origin.command)
      ? [ALL]
      : [];
  }
  if (!isFields(input) || (input.offset === undefined && input.limit === undefined)) return [ALL];
  const start = Number(input.offset ?? 1);
  return [{ start, end: start + Number(input.limit ?? Number.POSITIVE_INFINITY) - 1 }];
}

/** Returns the lines of a cut that a call recovered, by the tool or the shell command. */
function recoveredBy({ tool, input }: Call, { id }: UnshownLines): readonly LineRange[] {
  if (!isFields(input)) return [];
  if (/recover_text$/.test(tool) && input.prune_id === id) {
    const ranges = Array.isArray(input.ranges) ? input.ranges.filter(isFields) : [];
    return ranges.length === 0 ? [ALL] : ranges.map((range) => rangeOf(range.start_line, range.end_line));
  }
  const command = typeof input.command === 'string' ? input.command : '';
  const [, given] = /\brecover (prn_\w+(?: [\d,-]+)?)/.exec(command) ?? [];
  const [asked, ranges = ''] = given?.split(' ') ?? [];
  if (asked !== id) return [];
  if (ranges === '') return [ALL];
  return ranges.split(',').map((range) => rangeOf(range.split('-')[0], range.split('-').at(-1)));
}

function rangeOf(start: unknown, end: unknown): LineRange {
  return { start: Number(start ?? 1), end: Number(end ?? start ?? 1) };
}

/** Removes the ranges that were shown. Of a gap that was shown in part, the other lines remain. */
function without({ id, lines }: UnshownLines, shown: readonly LineRange[]): UnshownLines | undefined {
  let left = lines;
  for (const range of shown) left = left.flatMap((gap) => gapWithout(gap, range));
  return left.length === 0 ? undefined : { id, lines: left };
}

function gapWithout(gap: LineRange, { start, end }: LineRange): LineRange[] {
  if (end < gap.start || start > gap.end) return [gap];
  const parts = [
    { start: gap.start, end: start - 1 },
    { start: end + 1, end: gap.end },
  ];
  return parts.filter((part) => part.start <= part.end);
}
