import type { LineRange } from '@secateur/base/text/lines.ts';
import { type ReadMarker, readMarker } from '@secateur/engine/marker.ts';

/** A marker in a text that a tool is about to write. */
export interface WrittenMarker {
  /** Id of the cut; `undefined` for a compact gap, which contains none. */
  readonly id: string | undefined;
  /** Removed lines. `undefined` for the first line of a compact output and for a masked text. */
  readonly lines: LineRange | undefined;
}

/** Matches what may precede a line: the sign of a patch, or a line number of a client. */
const BEFORE_LINE = /^[+\s]*(?:\d+[→│\t]\s*)?/;
/** Matches ids that can be recovered. `prn_…`, as in documentation, does not match. */
const REAL_ID = /^prn_[0-9A-HJKMNP-TV-Z]{10,26}$/;
const ANY_ID = /\bprn_[0-9A-HJKMNP-TV-Z]{10,26}\b/;
const MASK = /\[KIMI_PROXY_OBSERVATION_MASKED original_chars=\d+ head=\d+ tail=\d+\]/;

/** Returns a complete marker line with a real id or lines. A text that only mentions markers does not match. */
export function findMarker(text: string): WrittenMarker | undefined {
  const markers = markersIn(text);
  const gap = markers.find((marker) => marker.kind === 'gap');
  const headId = markers.find((marker) => marker.kind === 'headline')?.id;
  if (gap !== undefined) return { id: gap.id ?? headId, lines: gap.lines };
  if (headId === undefined && !MASK.test(text)) return undefined;
  return { id: headId ?? ANY_ID.exec(text)?.[0], lines: undefined };
}

/** Whether a text was cut or masked before. */
export function holdsMarker(text: string): boolean {
  return MASK.test(text) || markersIn(text).some(({ id }) => id !== undefined);
}

/** Gaps and id of a cut output. */
export interface ShownCut {
  /** Id in the first line of the output, or in its first canonical marker. */
  readonly id: string | undefined;
  readonly ids: readonly string[];
  readonly gaps: readonly LineRange[];
}

/** Reads the gaps in an output; `undefined` if the output was not cut. */
export function cutIn(text: string): ShownCut | undefined {
  const markers = markersIn(text);
  if (markers.length === 0) return undefined;
  const ids = markers.flatMap(({ id }) => id ?? []);
  return { id: ids[0], ids, gaps: markers.flatMap((marker) => (marker.kind === 'gap' ? marker.lines : [])) };
}

function markersIn(text: string): ReadMarker[] {
  if (!text.includes('✂ ') && !text.includes('⟦')) return [];
  const read = text.split('\n').map((line) => readMarker(line.replace(BEFORE_LINE, '').trimEnd()));
  return read.filter(
    (marker) => marker !== undefined && (marker.id === undefined || REAL_ID.test(marker.id)),
  ) as ReadMarker[];
}

/**
 * Positions in a line that are searched for disguised markers. `line`: at the beginning or after a comment
 * sign, as in a file, so that prose may mention a marker. `anywhere`: each word, as in a command or script.
 */
export type MarkerPlace = 'line' | 'anywhere';

/** Finds disguised markers: with other letters, dashes or spaces, invisible characters, or additional words. */
export function findDisguised(text: string, place: MarkerPlace): WrittenMarker[] {
  if (!MAY_BE_MARKER.test(text)) return [];
  const found: WrittenMarker[] = [];
  for (const line of plainForm(text).split('\n')) {
    for (const match of line.matchAll(DISGUISED)) {
      if (place === 'line' && !isFirst(line, match)) continue;
      const [, start, end, id, canonicalId = id, ...numbers] = match;
      const [first = numbers[0], last = numbers[1]] = [start, end];
      const lines = first === undefined ? undefined : { start: Number(first), end: Number(last) };
      // Ids consist of upper-case letters.
      found.push({ id: canonicalId && `prn_${canonicalId.slice('prn_'.length).toUpperCase()}`, lines });
    }
  }
  return found;
}

/** Fast test whether a text may contain a marker: scissors, their escapes, `⟦` or `prune`. Other texts are not normalised. */
const MAY_BE_MARKER = /[\u2700-\u2704\u27e6]|\\(?:u\{?270|xe2|342)|prune/i;

/** Matches markers in plain form: `✂ 36-47`, `✂ prn_…`, `prune: prune_id=prn_… lignes 36-47`. */
const DISGUISED =
  /✂ ?(?:(\d{1,9}) ?- ?(\d{1,9})|(prn_[0-9a-z]{10,26}))|prune ?: ?prune_id ?= ?(prn_[0-9a-z]{10,26})(?: lignes (\d{1,9})-(\d{1,9}))?/g;

/** Matches escapes of the scissors in scripts: `\u2702`, `\xe2\x9c\x82`, `\342\234\202`. */
const ESCAPED_SCISSORS = /\\u\{?270[0-4]\}?|\\xe2\\x9c\\x8[0-4]|\\342\\234\\20[0-4]/gi;

/** Replaces accents, case, dashes, spaces and invisible characters, so that disguised markers become equal. */
function plainForm(text: string): string {
  return text
    .replace(ESCAPED_SCISSORS, '✂')
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(/[\u2700-\u2704]/g, '✂')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/[\p{Zs}\t]+/gu, ' ')
    .toLowerCase();
}

/** Matches a comment sign at the end of the text before a marker. */
const COMMENT_SIGN = /(?:\/\/|\/\*|<!--|--|[#;%*]|\brem|''')[^\p{L}]{0,9}$/u;
const MAX_SIGN_CHARS = 20;
const MAX_INDENT_CHARS = 400;

/** Whether only signs, numbers or a comment sign precede a marker. A marker in backticks is a quotation. */
function isFirst(line: string, { index, 0: found }: RegExpExecArray): boolean {
  const before = line.slice(Math.max(0, index - MAX_SIGN_CHARS), index);
  if (before.endsWith('`') && line.charAt(index + found.length) === '`') return false;
  if (index <= MAX_INDENT_CHARS && !/\p{L}/u.test(line.slice(0, index))) return true;
  return COMMENT_SIGN.test(before);
}
