/**
 * Atoms and gaps of `prune_text`. Atoms are the smallest parts that it removes. A small unit is one atom. A
 * larger unit consists of its children, and of the blocks between blank lines; in reports and data each line
 * is an atom.
 */

import { type Document, LISTS, REPORTS, type Unit } from '../reading/document.ts';

/** Lines that are kept or removed together, 1-based and inclusive. */
export interface Atom {
  readonly start: number;
  readonly end: number;
  /** Unit that the atom consists of, if it is a whole unit. */
  readonly unit?: Unit;
  /** Unit whose signature or heading the atom is. The atom is kept if any part of that unit is kept. */
  readonly headOf?: Unit;
}

export function linesOf({ start, end }: Atom): number {
  return end - start + 1;
}

/** Maximum lines of a unit that is one atom, and of a block in a larger unit. */
export interface AtomSizes {
  readonly maxWholeLines: number;
  readonly maxBlockLines: number;
  /** Whether signatures and headings are atoms even in small units. Default: false. */
  readonly splitsHeads?: boolean;
}

/** Returns all lines of a document as atoms in order. */
export function atomsOf(
  { units, bare, format }: Document,
  { maxWholeLines, maxBlockLines, splitsHeads = false }: AtomSizes,
): Atom[] {
  const maxBlock = LISTS.has(format) ? 1 : maxBlockLines;
  const atoms: Atom[] = [];
  const between = (start: number, end: number) => {
    if (REPORTS.has(format))
      for (let line = start; line <= end; line += 1) atoms.push({ start: line, end: line });
    else for (const block of blocksIn(bare, { start, end, maxBlock })) atoms.push(block);
  };
  const isOne = (unit: Unit) =>
    unit.kind !== 'quiet-lines' && isWhole(unit, maxWholeLines) && !(splitsHeads && hasHead(unit));
  const visit = (siblings: readonly Unit[], start: number, end: number) => {
    let next = start;
    for (const unit of siblings) {
      between(next, unit.start - 1);
      next = unit.end + 1;
      if (isOne(unit)) {
        atoms.push({ start: unit.start, end: unit.end, unit });
        continue;
      }
      if (hasHead(unit)) atoms.push({ start: unit.start, end: unit.head, headOf: unit });
      visit(unit.children ?? [], Math.max(unit.start, unit.head + 1), unit.end);
    }
    between(next, end);
  };
  visit(units, 1, bare.length);
  return atoms;
}

function hasHead({ head, start }: Unit): boolean {
  return head >= start;
}

/** Kinds of units that are always split if they contain other units. */
const CONTAINERS = new Set<string>('class module section element changed-file commit'.split(' '));

function isWhole({ kind, start, end, children = [] }: Unit, maxWholeLines: number): boolean {
  const isSmall = end - start + 1 <= maxWholeLines;
  return isSmall && (!CONTAINERS.has(kind) || children.length === 0);
}

/** Yields the ranges between blank lines, up to a maximum length. Blank lines belong to the range before them. */
function* blocksIn(
  lines: readonly string[],
  { start, end, maxBlock }: { start: number; end: number; maxBlock: number },
): Generator<Atom> {
  let first = start;
  for (let line = start; line <= end; line += 1) {
    const isLast = line === end;
    const endsBlock = (lines[line - 1] ?? '').trim() === '' && (lines[line] ?? '').trim() !== '';
    const length = line - first + 1;
    const isFull =
      length >= maxBlock && (endsStatement(lines, line) || length >= MAX_STATEMENT_BLOCKS * maxBlock);
    if (!isLast && !endsBlock && !isFull) continue;
    yield { start: first, end: line };
    first = line + 1;
  }
}

/** Maximum length of a statement in blocks. A longer one, such as a chain of a hundred calls, is split. */
const MAX_STATEMENT_BLOCKS = 8;

const GOES_ON = /(?:[([{,=+&|\\?:<]|=>|\b(?:and|or|not|in|return))\s*$/;
const GOES_ON_BELOW = /^\s*(?:[)\]}.,?:|&]|(?:else|elif|except|catch|finally|and|or)\b)/;

/** Whether a statement may end here, judged by the end of this line and the beginning of the next. */
function endsStatement(lines: readonly string[], line: number): boolean {
  return !GOES_ON.test(lines[line - 1] ?? '') && !GOES_ON_BELOW.test(lines[line] ?? '');
}

/**
 * The rest of this file chooses all gaps together. A part is removed if its tokens cost more than the harm of
 * missing it, and each gap also pays for its marker. A part is kept only with all signatures and headings
 * that enclose it (P21).
 */

/** Parts of a text in order. Each array has one value per part. */
export interface Parts {
  /** Number of signatures and headings that enclose the part. */
  readonly depth: Uint8Array;
  /** 1 if the part is always kept. */
  readonly pinned: Uint8Array;
  readonly tokens: Float64Array;
  /** Cost of missing the part, in tokens. */
  readonly harm: Float64Array;
  readonly markerTokens: number;
}

/** A value per part: 1 if it is removed. */
export type Cut = Uint8Array;

/** Maximum depth that is distinguished. Deeper signatures count as parts of the unit at this depth. */
export const MAX_DEPTH = 20;
const KEPT = MAX_DEPTH + 1;

/**
 * Returns the best cut if keeping costs `price` per token, removing costs harm, and each gap costs its
 * marker. Uses dynamic programming (Viterbi) over two states: "kept", and "in a gap that began below this
 * number of kept heads".
 */
export function gapsAtPrice(price: number, { depth, pinned, tokens, harm, markerTokens }: Parts): Cut {
  const beforeKept = new Uint8Array(depth.length);
  const beforeGone = new Uint8Array(depth.length);
  const gone = new Float64Array(MAX_DEPTH + 1).fill(Number.NEGATIVE_INFINITY);
  let kept = 0;
  let deepest = 0;
  for (let index = 0; index < depth.length; index += 1) {
    const level = depth[index] as number;
    const from = leaveHeads(gone, level, deepest);
    deepest = level;
    const inGap = gone[level] as number;
    const opened = kept - price * markerTokens;
    beforeKept[index] = inGap > kept ? from : KEPT;
    beforeGone[index] = opened > inGap ? KEPT : from;
    kept = Math.max(kept, inGap);
    const saved = price * (tokens[index] as number) - (harm[index] as number);
    const earned = pinned[index] === 1 ? Number.NEGATIVE_INFINITY : saved;
    for (let outer = 0; outer < level; outer += 1) gone[outer] = (gone[outer] as number) + earned;
    gone[level] = Math.max(opened, inGap) + earned;
  }
  const best = gone.indexOf(Math.max(...gone));
  const last = (gone[best] as number) > kept ? best : KEPT;
  return tracedBack(last, { depth, beforeKept, beforeGone });
}

/** For each part, the state before it: if it is kept, and if it is in a gap that begins below all of its heads. */
interface Steps extends Pick<Parts, 'depth'> {
  readonly beforeKept: Uint8Array;
  readonly beforeGone: Uint8Array;
}

/** Returns the cut that ends in this state. */
function tracedBack(last: number, { depth, beforeKept, beforeGone }: Steps): Cut {
  const cut = new Uint8Array(depth.length);
  let state = last;
  for (let index = depth.length - 1; index >= 0; index -= 1) {
    cut[index] = state === KEPT ? 0 : 1;
    if (state === KEPT) state = beforeKept[index] as number;
    else if (state === depth[index]) state = beforeGone[index] as number;
  }
  return cut;
}

/** At the end of heads, moves gaps that began below them to this depth. Returns the depth at which the best of these gaps began. */
function leaveHeads(gone: Float64Array, depth: number, deepest: number): number {
  let from = depth;
  for (let level = depth + 1; level <= deepest; level += 1) {
    if ((gone[level] as number) > (gone[depth] as number)) {
      gone[depth] = gone[level] as number;
      from = level;
    }
    gone[level] = Number.NEGATIVE_INFINITY;
  }
  return from;
}

/** Two neighbouring best cuts: the last that is not sufficient, and the first that is (or the largest cut). */
export interface Neighbours {
  readonly below: Cut;
  readonly above: Cut;
}

const MAX_STEPS = 30;
/** Price at which every part that is not pinned is removed. */
export const MAX_PRICE = 1e9;

/**
 * Finds the two best cuts between which `isEnough` becomes true. Each step tries the price at which the
 * nearest known cuts are equally good.
 */
export function cutsAround(parts: Parts, isEnough: (cut: Cut) => boolean): Neighbours {
  let low = weighed(new Uint8Array(parts.depth.length), parts);
  let high = weighed(gapsAtPrice(MAX_PRICE, parts), parts);
  if (isEnough(low.cut)) return { below: low.cut, above: low.cut };
  for (let step = 0; step < MAX_STEPS && high.saved > low.saved; step += 1) {
    const tried = weighed(gapsAtPrice((high.harm - low.harm) / (high.saved - low.saved), parts), parts);
    if (tried.saved <= low.saved || tried.saved >= high.saved) break;
    if (isEnough(tried.cut)) high = tried;
    else low = tried;
  }
  return { below: low.cut, above: high.cut };
}

/** Returns a cut with its harm and the tokens that it saves, minus those of its markers. */
function weighed(cut: Cut, { tokens, harm, markerTokens }: Parts): { cut: Cut; saved: number; harm: number } {
  const sum = { cut, saved: 0, harm: 0 };
  for (let index = 0; index < cut.length; index += 1) {
    if (cut[index] === 0) continue;
    sum.saved += (tokens[index] as number) - (cut[index - 1] === 1 ? 0 : markerTokens);
    sum.harm += harm[index] as number;
  }
  return sum;
}
