import type { LineNumbers, LineRange } from '@secateur/base/text/lines.ts';
import type { Label } from './cutting/labels.ts';
import type { LineInPart } from './cutting/long-lines.ts';
import type { MarkerStyle, PrunedBlock } from './request.ts';

/** The contract limits canonical markers. Labels of compact markers may be longer. */
const MAX_REASON_CHARS: Readonly<Record<MarkerStyle, number>> = { canonical: 60, compact: 220 };

/** Style and line numbers of the markers in one text. */
export interface Marking {
  id: string;
  style: MarkerStyle;
  /** Line numbers for compact markers, as seen by the reader. Canonical markers count the lines of the text. */
  numbers?: LineNumbers | undefined;
}

/** Builds a marker. All markers are built here, so that a text and its metadata agree. */
export function describeBlock(marking: Marking, range: LineRange, reason: Label): PrunedBlock {
  const { id, style } = marking;
  const count = range.end - range.start + 1;
  const said = speakable(style === 'compact' ? reason.english : reason.french, MAX_REASON_CHARS[style]);
  const seen = seenRange(marking, range);
  const canonical = `⟦PRUNÉ: prune_id=${id} lignes ${range.start}-${range.end} (${count}) raison=${said}⟧`;
  const compact = said === '' ? `✂ ${seen}` : `✂ ${seen} (${said})`;
  return { ...range, count, reason: said, marker: style === 'compact' ? compact : canonical };
}

/** Returns a range in the reader's line numbers: `36-47`. */
export function seenRange({ numbers }: Marking, { start, end }: LineRange): string {
  return numbers === undefined ? `${start}-${end}` : `${numbers.numberOf(start)}-${numbers.numberOf(end)}`;
}

/** Builds the marker of a long line shown in part, with character ranges that `recover_text` accepts. */
export function describeLineInPart(marking: Marking, { number, characters, shown }: LineInPart): PrunedBlock {
  const parts = shown.map(({ from, to, text }) => `[${from}-${to}] ${singleLine(text)}`);
  const said = `${characters} characters, in part: ${parts.join(' ')}`;
  const range = { start: number, end: number, count: 1 };
  return {
    ...range,
    isInPart: true,
    reason: 'line shown in part',
    marker: `✂ ${seenRange(marking, range)} (${said})`,
  };
}

/** Contents of the headline, which is the first line of a text with compact markers. */
export interface HeadedText {
  originalLines: number;
  /** Command or tool that recovers lines. */
  recoverBy?: string | undefined;
  /** Number of the text's first line in its file, if the text shows a file. */
  firstLine?: number | undefined;
  /** Id that recovers the original of pretty-printed JSON. Absent if the text was not pretty-printed. */
  originalId?: string | undefined;
  /** Literals of the request that no gap contains. Default: none. */
  shownOnly?: readonly string[] | undefined;
  /** Sentence that is true of all gaps. */
  promise?: string | undefined;
}

const DEFAULT_RECOVER_BY = 'recover_text gives lines back';

/** Returns the first line of a text with compact markers. It says what was cut and how to recover lines. */
export function headline(
  { id, numbers }: Marking,
  blocks: readonly PrunedBlock[],
  {
    originalLines,
    recoverBy = DEFAULT_RECOVER_BY,
    firstLine,
    originalId,
    shownOnly = [],
    promise,
  }: HeadedText,
): string {
  const cut = blocks.reduce((sum, { count }) => sum + count, 0);
  const gaps = blocks.length === 1 ? '1 gap' : `${blocks.length} gaps`;
  const without = shownOnly.length === 0 ? '' : `; no gap holds ${shownOnly.join(' or ')}`;
  const promised = promise === undefined ? '' : `; ${promise}`;
  const way = recoverBy.replaceAll('{id}', id);
  const counted =
    originalId === undefined
      ? countedBy(numbers, firstLine)
      : `lines of this JSON laid out, one field per line; as it came: ${originalId}`;
  return `✂ ${id}: ${cut} of ${originalLines} lines cut in ${gaps}; ${way} (${counted}${without}${promised})`;
}

function countedBy(numbers: LineNumbers | undefined, firstLine: number | undefined): string {
  if (firstLine !== undefined) return 'lines of the file';
  return numbers?.areShown === true ? 'numbers as shown' : 'lines of this output';
}

const COMPACT_HEADLINE = /^✂ (prn_\S+): /;
const COMPACT_GAP = /^✂ (\d+)-(\d+)(?: \((.*)\))?$/;
const CANONICAL_GAP = /⟦PRUNÉ: prune_id=(\S+) lignes (\d+)-(\d+) \(\d+\) raison=([^⟦⟧]*)⟧/;

/** A marker that was read: of removed lines, or the headline for all compact gaps below it. */
export type ReadMarker =
  | { kind: 'headline'; id: string }
  /** For a compact gap, `id` is that of the headline above it. */
  | { kind: 'gap'; id: string | undefined; lines: LineRange; reason: string };

/** Reads a marker of either style from a line without its terminator. */
export function readMarker(line: string): ReadMarker | undefined {
  const headId = COMPACT_HEADLINE.exec(line)?.[1];
  if (headId !== undefined) return { kind: 'headline', id: headId };
  const compact = COMPACT_GAP.exec(line);
  if (compact !== null) return gapRead(undefined, compact.slice(1));
  const canonical = CANONICAL_GAP.exec(line);
  return canonical === null ? undefined : gapRead(canonical[1], canonical.slice(2));
}

function gapRead(id: string | undefined, [start, end, reason = '']: string[]): ReadMarker {
  return { kind: 'gap', id, lines: { start: Number(start), end: Number(end) }, reason };
}

/** Returns the requested style. Returns `canonical` if a line of the text could be confused with a compact marker. */
export function markerStyle(asked: MarkerStyle, text: string): MarkerStyle {
  const isAmbiguous = text.includes('✂ ') && text.split('\n').some(isCompact);
  return isAmbiguous ? 'canonical' : asked;
}

function isCompact(line: string): boolean {
  const bare = line.trim();
  return COMPACT_HEADLINE.test(bare) || COMPACT_GAP.test(bare);
}

/** Whether a line is a marker of an earlier cut. Without that line, the removed text cannot be recovered. */
export function isHandle(line: string): boolean {
  if (line.includes('⟦PRUNÉ:') || line.includes('KIMI_PROXY_OBSERVATION_MASKED')) return true;
  return line.includes('✂ ') && isCompact(line);
}

/** Returns a reason on one short line. It cannot contain the end of a marker. */
function speakable(reason: string, most: number): string {
  const line = singleLine(reason);
  const characters = Array.from(line);
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`;
}

function singleLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cs}⟦⟧]+/gu, ' ').trim();
}
