/**
 * How many tokens a model would count, estimated in one pass over character classes. The constants were
 * fitted against the o200k vocabulary: held-out mean error 2–5 % on code, prose and tool output and up to
 * 9 % on CI logs, where characters / 4 errs 6–43 %.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(estimateTokensExactly(text));
}

/** The same, unrounded: add these up and round once. */
export function estimateTokensExactly(text: string): number {
  let tokens = 0;
  let at = 0;
  while (at < text.length) {
    const kind = classOf(text.charCodeAt(at));
    const end = runEnd(text, at, kind);
    tokens += COST[kind](text, at, end);
    at = end;
  }
  return tokens;
}

const LETTER = 0;
const DIGIT = 1;
const SPACE = 2;
const NEWLINE = 3;
const PUNCTUATION = 4;
const CJK = 5;
const OTHER = 6;
type CharClass = 0 | 1 | 2 | 3 | 4 | 5 | 6;

function classOf(code: number): CharClass {
  if (code < 128) return ASCII_CLASS[code] as CharClass;
  if (code >= 0x3040 && code <= 0x9fff) return CJK;
  if (code >= 0xac00 && code <= 0xd7af) return CJK;
  return OTHER;
}

function asciiClass(code: number): CharClass {
  if (code === 10) return NEWLINE;
  if (code <= 32) return SPACE;
  if (code >= 48 && code <= 57) return DIGIT;
  const upper = code & 0xdf;
  if (upper >= 65 && upper <= 90) return LETTER;
  return PUNCTUATION;
}

const ASCII_CLASS = Uint8Array.from({ length: 128 }, (_, code) => asciiClass(code));

function runEnd(text: string, start: number, kind: CharClass): number {
  let end = start + 1;
  if (kind === NEWLINE) {
    while (end < text.length && isBlank(text.charCodeAt(end))) end += 1;
    return end;
  }
  while (end < text.length && classOf(text.charCodeAt(end)) === kind) end += 1;
  return end;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13;
}

const COST: Record<CharClass, (text: string, start: number, end: number) => number> = {
  [LETTER]: letterCost,
  [DIGIT]: (_text, start, end) => 1.273 * Math.ceil((end - start) / 3),
  [SPACE]: (_text, start, end) => (end - start >= 2 ? 1.061 : 0),
  [NEWLINE]: newlineCost,
  [PUNCTUATION]: (_text, start, end) => (end - start === 1 ? 0.74 : 1.033 + 0.19 * (end - start - 2)),
  [CJK]: (_text, start, end) => 0.791 * (end - start),
  [OTHER]: (_text, start, end) => 0.779 * (end - start),
};

/** A word after a space starts a token of its own; one after punctuation often shares it; a hump starts a piece. */
function letterCost(text: string, start: number, end: number): number {
  let cost = start === 0 || text.charCodeAt(start - 1) === 32 ? 0.999 : 0.808;
  let pieceStart = start;
  for (let at = start + 1; at <= end; at += 1) {
    if (at < end && !isHump(text, at)) continue;
    cost += 0.109 * Math.max(0, at - pieceStart - 4.75);
    if (at < end) cost += 0.849;
    pieceStart = at;
  }
  return cost;
}

function isHump(text: string, at: number): boolean {
  return text.charCodeAt(at) <= 90 && text.charCodeAt(at - 1) > 90;
}

function newlineCost(text: string, _start: number, end: number): number {
  const indent = end - 1 - text.lastIndexOf('\n', end - 1);
  return indent >= 2 ? 0.726 + 0.41 : 0.726;
}
