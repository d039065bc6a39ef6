import { tokenRules } from './gitleaks-rules.ts';
import { tokenShapes } from './token-shapes.ts';

const SHORTEST = 20;

/** Which characters a token of known shape is made of; asked once for every character of every source. */
const isTokenCode = new Uint8Array(128);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.')
  isTokenCode[char.charCodeAt(0)] = 1;

/** Ours first: they go on for as long as the token does. */
const SHAPES_BY_LABEL = [
  ...tokenShapes,
  ...tokenRules.map(([label, shape]) => ({ label, shape: `(?:${shape})(?![\\w-])` })),
];
const SHAPES = SHAPES_BY_LABEL.map(({ shape }) => `(${shape})`).join('|');
const SOME_SHAPE = new RegExp(`\\b(?:${SHAPES})`);
const EACH_SHAPE = new RegExp(SOME_SHAPE, 'g');
/** What may follow in the same token: padded base64 goes on behind characters that no run holds. */
const REST = /[A-Za-z0-9+/=_-]*/y;

/**
 * Tokens of a known shape. All of them are long runs without a blank, and code has few of those: finding the runs
 * first costs a tenth of trying every shape at every place.
 */
export function redactLongRuns(text: string): string {
  let clean = '';
  let copied = 0;
  for (let start = nextRun(text, 0); start !== -1; ) {
    const end = runEnd(text, start);
    for (const { index, found, label } of tokensIn(text.slice(start, end))) {
      const from = start + index;
      const to = from + found.length;
      clean += `${text.slice(copied, from)}[REDACTED:${label}]`;
      copied = to === end ? restEnd(text, to) : to;
    }
    start = nextRun(text, Math.max(end, copied));
  }
  return copied === 0 ? text : clean + text.slice(copied);
}

/** Where the next run of at least `SHORTEST` begins: looks at every twentieth character, and back from a hit. */
function nextRun(text: string, from: number): number {
  let least = from;
  for (let at = from + SHORTEST - 1; at < text.length; at = least + SHORTEST - 1) {
    let back = at;
    while (back >= least && isToken(text.charCodeAt(back))) back -= 1;
    if (back < least) return least;
    least = back + 1;
  }
  return -1;
}

function isToken(code: number): boolean {
  return code < 128 && isTokenCode[code] === 1;
}

function runEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && isToken(text.charCodeAt(end))) end += 1;
  return end;
}

/** Every issuer's random part has a digit somewhere; most long names have none. */
function* tokensIn(run: string): Generator<{ index: number; found: string; label: string }> {
  if (!/\d/.test(run) || !SOME_SHAPE.test(run)) return;
  for (const match of run.matchAll(EACH_SHAPE)) {
    const which = match.findIndex((group, at) => at > 0 && group !== undefined);
    yield { index: match.index, found: match[0], label: SHAPES_BY_LABEL[which - 1]?.label ?? 'token' };
  }
}

function restEnd(text: string, from: number): number {
  REST.lastIndex = from;
  REST.exec(text);
  return REST.lastIndex;
}
