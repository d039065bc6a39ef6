/**
 * AssemblyScript. Proves in one pass that bytes are one JSON object, and notes what the gateway wants to know of it.
 * `npm run wasm` compiles it to src/text/json-scan/json-scan.wasm; a test compares the two.
 *
 * The text comes in pieces, so that memory stays small and warm whatever its size. A piece lies at TEXT, followed by
 * zeros: no loop asks where it ends, since zero may stand nowhere in JSON. Before a piece runs out, the scan stops
 * between two values or inside a string value and tells how far it came; the next piece starts there.
 */

/** Left for the caller: where the top-level member `id` starts and ends, how much of the piece is done, how many spans are noted. */
const ID_START: usize = 0;
const ID_END: usize = 4;
const DONE: usize = 8;
const SPAN_COUNT: usize = 12;
/** Start and end of values that are long, strings, lists and objects alike, as far as there is room. */
const SPANS: usize = 0x100;
const MAX_SPANS: u32 = 1000;
/** For each list and object that is open: where it started, times two, plus one for a list. */
const STACK: usize = 0x2400;
const MAX_DEPTH: usize = 0x1a000;
const TEXT: usize = 0x70000;

const NOWHERE: usize = 0;
const STOPPED: usize = 1;
/** A value that starts before this much of the end of a piece is whole, or too long a number, name or gap to be worth it. */
const MARGIN: usize = 4096;
const STRING_MARGIN: usize = 128;

const QUOTE: u32 = 0x22;
const BACKSLASH: u32 = 0x5c;
const COMMA: u32 = 0x2c;
const COLON: u32 = 0x3a;
const OPEN_LIST: u32 = 0x5b;
const OPEN_OBJECT: u32 = 0x7b;
/** The one of a list is 32 below. */
const CLOSE_OBJECT: u32 = 0x7d;

/** Bits of what `scan` returns. */
const HAS_RESULT: i32 = 1;
const HAS_ERROR: i32 = 2;
const HAS_METHOD: i32 = 4;
const HAS_LONG: i32 = 8;
const NOT_ASCII: i32 = 16;
const ESCAPED_NAME: i32 = 32;
const UNPROVEN: i32 = -1;
const UNFINISHED: i32 = -2;

/** What comes next. */
const VALUE: i32 = 0;
const REST_OF_STRING: i32 = 1;
const AFTER_VALUE: i32 = 2;

let facts: i32 = 0;
let longest: usize = 0;
let inId: bool = false;
/** Position in the whole text minus address. */
let shift: usize = 0;
let depth: usize = 0;
let phase: i32 = VALUE;
let stringStart: usize = 0;
let firstIsEscaped: u64 = 0;
let valuesEnd: usize = 0;
let stringsEnd: usize = 0;

/** Starts with a new text. */
function begin(maxBytes: i32): void {
  facts = 0;
  longest = <usize>maxBytes + 2;
  inId = false;
  shift = 0 - TEXT;
  depth = 0;
  phase = VALUE;
  store<u64>(ID_START, 0);
  store<u32>(SPAN_COUNT, 0);
}

/**
 * What is known of the object after this piece; below zero when it is none or nested too deep to tell, or unfinished.
 * Strings of more than `maxBytes` are long; the first piece tells how many that are, the others give -1.
 */
export function scan(length: i32, isLast: bool, maxBytes: i32): i32 {
  if (maxBytes >= 0) begin(maxBytes);
  const end = TEXT + length;
  writeZeros(end);
  valuesEnd = isLast ? usize.MAX_VALUE : end - MARGIN;
  stringsEnd = isLast ? usize.MAX_VALUE : end - STRING_MARGIN;
  let start = TEXT;
  if (shift + TEXT == 0) {
    start = blanksEnd(TEXT);
    if (load<u8>(start) != OPEN_OBJECT) return UNPROVEN;
  }
  if (!isAscii(end)) facts |= NOT_ASCII;
  const at = objectEnd(start);
  if (at == NOWHERE) return UNPROVEN;
  if (at == STOPPED) return UNFINISHED;
  return isLast && blanksEnd(at) == end ? facts : UNPROVEN;
}

@inline
function writeZeros(end: usize): void {
  const zeros = i8x16.splat(0);
  v128.store(end, zeros);
  v128.store(end, zeros, 16);
  v128.store(end, zeros, 32);
  v128.store(end, zeros, 48);
}

function isAscii(end: usize): bool {
  let all = i8x16.splat(0);
  for (let at = TEXT; at < end; at += 64) {
    const first = v128.or(v128.load(at), v128.load(at, 16));
    const second = v128.or(v128.load(at, 32), v128.load(at, 48));
    all = v128.or(all, v128.or(first, second));
  }
  return i8x16.bitmask(all) == 0;
}

/** The one loop over the grammar. It keeps its own stack, so that depth costs four bytes a level. */
function objectEnd(start: usize): usize {
  const lastValue = valuesEnd;
  const long = longest;
  const move = shift;
  let at = start;
  let level = depth;
  let next = phase;
  while (true) {
    if (next == VALUE) {
      if (at >= lastValue) return stop(at, VALUE, level);
      let first: u32 = load<u8>(at);
      if (first <= 0x20) {
        at = blanksEnd(at);
        first = load<u8>(at);
      }
      if (first == QUOTE) {
        const opened = at;
        at = stringEnd(at + 1);
        if (at - opened > long) {
          if (at == STOPPED) return stopInString(opened + move, level);
          noteLongString(opened + move, at + move);
        }
      } else if (first == OPEN_OBJECT || first == OPEN_LIST) {
        const opened = at + move;
        at += 1;
        if (load<u8>(at) <= 0x20) at = blanksEnd(at);
        if (load<u8>(at) != first + 2) {
          if (level == MAX_DEPTH) return NOWHERE;
          level += 1;
          store<u32>(STACK + (level << 2), <u32>(opened << 1) | <u32>(first == OPEN_LIST));
          if (first == OPEN_OBJECT) at = memberStart(at, level);
          if (at == NOWHERE) return NOWHERE;
          continue;
        }
        at += 1;
      } else at = isDigit(first) ? numberEnd(at, first) : scalarEnd(at, first);
    } else if (next == REST_OF_STRING) {
      at = longStringEnd(at, firstIsEscaped);
      if (at == STOPPED) return stopInString(stringStart, level);
      if (at + move - stringStart > long) noteLongString(stringStart, at + move);
    }
    if (at == NOWHERE) return NOWHERE;
    // A value is complete: what follows it closes what it stands in, or starts the next one.
    next = VALUE;
    while (true) {
      if (level <= 1) {
        if (level == 0) return at;
        if (inId) endId(at);
      }
      if (at >= lastValue) return stop(at, AFTER_VALUE, level);
      let byte: u32 = load<u8>(at);
      if (byte <= 0x20) {
        at = blanksEnd(at);
        byte = load<u8>(at);
      }
      const open: u32 = load<u32>(STACK + (level << 2));
      at += 1;
      if (byte == COMMA) {
        if ((open & 1) == 0) at = memberStart(at, level);
        if (at == NOWHERE) return NOWHERE;
        break;
      }
      if (byte != CLOSE_OBJECT - ((open & 1) << 5)) return NOWHERE;
      const started: usize = open >> 1;
      if (at + move - started > long) noteSpan(started, at + move);
      level -= 1;
    }
  }
}

let stoppedAt: usize = 0;

function stop(at: usize, next: i32, level: usize): usize {
  const done = at - TEXT;
  store<u32>(DONE, <u32>done);
  shift += done;
  phase = next;
  depth = level;
  return STOPPED;
}

function stopInString(start: usize, level: usize): usize {
  stringStart = start;
  return stop(stoppedAt, REST_OF_STRING, level);
}

function noteLongString(start: usize, end: usize): void {
  facts |= HAS_LONG;
  noteSpan(start, end);
}

function noteSpan(start: usize, end: usize): void {
  const count = load<u32>(SPAN_COUNT);
  if (count == MAX_SPANS) return;
  store<u32>(SPAN_COUNT, count + 1);
  store<u32>(SPANS + (<usize>count << 3), <u32>start);
  store<u32>(SPANS + (<usize>count << 3), <u32>end, 4);
}

function blanksEnd(start: usize): usize {
  let at = start;
  let byte: u32 = load<u8>(at);
  while (byte <= 0x20 && (byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09)) {
    at += 1;
    byte = load<u8>(at);
  }
  return at;
}

/** Behind the name and colon of the member that starts at `at`. */
@inline
function memberStart(start: usize, level: usize): usize {
  let at = start;
  if (load<u8>(at) != QUOTE) {
    at = blanksEnd(at);
    if (load<u8>(at) != QUOTE) return NOWHERE;
  }
  const end = stringEnd(at + 1);
  if (end <= STOPPED) return NOWHERE;
  let colon = end;
  if (load<u8>(colon) != COLON) {
    colon = blanksEnd(colon);
    if (load<u8>(colon) != COLON) return NOWHERE;
  }
  if (level == 1) noteMember(at + 1, end - 1, blanksEnd(colon + 1));
  return colon + 1;
}

function noteMember(start: usize, end: usize, value: usize): void {
  for (let at = start; at < end; at++) {
    if (load<u8>(at) == BACKSLASH) facts |= ESCAPED_NAME;
  }
  const size = end - start;
  if (size == 2 && load<u16>(start) == 0x6469) {
    inId = true;
    store<u32>(ID_START, <u32>(value + shift));
  } else if (size == 5 && load<u32>(start) == ERRO && load<u8>(start, 4) == 0x72) facts |= HAS_ERROR;
  else if (size == 6 && load<u32>(start) == RESU && load<u16>(start, 4) == 0x746c) facts |= HAS_RESULT;
  else if (size == 6 && load<u32>(start) == METH && load<u16>(start, 4) == 0x646f) facts |= HAS_METHOD;
}

/** Names as numbers, first letter lowest: strings would need memory of their own. */
const ERRO: u32 = 0x6f727265;
const RESU: u32 = 0x75736572;
const METH: u32 = 0x6874656d;

function endId(at: usize): void {
  inId = false;
  store<u32>(ID_END, <u32>(at + shift));
}

function scalarEnd(at: usize, first: u32): usize {
  if (first == 0x74) return load<u32>(at) == 0x65757274 ? at + 4 : NOWHERE; // true
  if (first == 0x66) return load<u32>(at, 1) == 0x65736c61 ? at + 5 : NOWHERE; // false
  if (first == 0x6e) return load<u32>(at) == 0x6c6c756e ? at + 4 : NOWHERE; // null
  return numberEnd(at, first);
}

function numberEnd(start: usize, first: u32): usize {
  let at = first == 0x2d ? start + 1 : start;
  const lead: u32 = load<u8>(at);
  if (!isDigit(lead)) return NOWHERE;
  at = lead == 0x30 ? at + 1 : digitsEnd(at + 1);
  if (load<u8>(at) == 0x2e) {
    const end = digitsEnd(at + 1);
    if (end == at + 1) return NOWHERE;
    at = end;
  }
  if ((load<u8>(at) | 0x20) != 0x65) return at;
  const sign: u32 = load<u8>(at, 1);
  at += sign == 0x2b || sign == 0x2d ? 2 : 1;
  const end = digitsEnd(at);
  return end == at ? NOWHERE : end;
}

@inline
function isDigit(byte: u32): bool {
  return byte - 0x30 < 10;
}

@inline
function digitsEnd(start: usize): usize {
  let at = start;
  while (isDigit(load<u8>(at))) at += 1;
  return at;
}

/** Behind the closing quote of the string whose first byte is at `start`. Most are names and words, and end within sixteen bytes. */
@inline
function stringEnd(start: usize): usize {
  let special = specials(start);
  let at = start;
  if (special == 0) {
    at += 16;
    special = specials(at);
    if (special == 0) return longStringEnd(at + 16, 0);
  }
  const found = at + ctz(special);
  return load<u8>(found) == QUOTE ? found + 1 : longStringEnd(found, 0);
}

/** Which of the sixteen bytes at `at` do not simply belong to a string. */
@inline
function specials(at: usize): i32 {
  const bytes = v128.load(at);
  const quotes = i8x16.eq(bytes, i8x16.splat(0x22));
  const backslashes = i8x16.eq(bytes, i8x16.splat(0x5c));
  const controls = i8x16.lt_u(bytes, i8x16.splat(0x20));
  return i8x16.bitmask(v128.or(v128.or(quotes, backslashes), controls));
}

/** The same in steps of 64 bytes, one bit a byte, without a branch for each escape. */
function longStringEnd(start: usize, escapedAtStart: u64): usize {
  let at = start;
  let escapedFirst = escapedAtStart;
  while (true) {
    if (at >= stringsEnd) {
      firstIsEscaped = escapedFirst;
      stoppedAt = at;
      return STOPPED;
    }
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);
    const backslashes = bitsEqual(a, b, c, d, 0x5c);
    let escaped = escapedFirst;
    escapedFirst = 0;
    if (backslashes != 0) {
      // Of a run of backslashes every second one is escaped, and so is what follows a run of odd length. The
      // subtraction borrows through each run and so tells runs that start at even places from those at odd ones.
      const starting = backslashes & ~escaped;
      const parity = (((starting << 1) | ODD_PLACES) - starting) ^ ODD_PLACES;
      escaped = parity ^ (backslashes | escaped);
      escapedFirst = (parity & backslashes) >> 63;
    }
    const quotes = bitsEqual(a, b, c, d, 0x22) & ~escaped;
    const inside = quotes == 0 ? <u64>-1 : (quotes - 1) & ~quotes;
    if (hasControls(a, b, c, d) && (bitsBelow(a, b, c, d, 0x20) & inside) != 0) return NOWHERE;
    if ((escaped & inside) != 0) {
      let units = escaped & inside & ~bitsSimpleEscapes(a, b, c, d);
      while (units != 0) {
        if (!isUnit(at + <usize>ctz(units))) return NOWHERE;
        units &= units - 1;
      }
    }
    if (quotes != 0) return at + <usize>ctz(quotes) + 1;
    at += 64;
  }
}

const ODD_PLACES: u64 = 0xaaaaaaaaaaaaaaaa;

@inline
function bits(a: v128, b: v128, c: v128, d: v128): u64 {
  const low = <u32>i8x16.bitmask(a) | (<u32>i8x16.bitmask(b) << 16);
  const high = <u32>i8x16.bitmask(c) | (<u32>i8x16.bitmask(d) << 16);
  return <u64>low | (<u64>high << 32);
}

@inline
function bitsEqual(a: v128, b: v128, c: v128, d: v128, byte: i8): u64 {
  const each = i8x16.splat(byte);
  return bits(i8x16.eq(a, each), i8x16.eq(b, each), i8x16.eq(c, each), i8x16.eq(d, each));
}

@inline
function bitsBelow(a: v128, b: v128, c: v128, d: v128, byte: i8): u64 {
  const each = i8x16.splat(byte);
  return bits(i8x16.lt_u(a, each), i8x16.lt_u(b, each), i8x16.lt_u(c, each), i8x16.lt_u(d, each));
}

@inline
function hasControls(a: v128, b: v128, c: v128, d: v128): bool {
  const least = i8x16.min_u(i8x16.min_u(a, b), i8x16.min_u(c, d));
  return v128.any_true(i8x16.lt_u(least, i8x16.splat(0x20)));
}

@inline
function bitsSimpleEscapes(a: v128, b: v128, c: v128, d: v128): u64 {
  return bits(simpleEscapes(a), simpleEscapes(b), simpleEscapes(c), simpleEscapes(d));
}

/** Bytes that make an escape of two: " / \ b f n r t. Each half of a byte looks up which of four groups it can belong to. */
@inline
function simpleEscapes(bytes: v128): v128 {
  const low = i8x16(0, 0, 13, 0, 8, 0, 4, 0, 0, 0, 0, 0, 2, 0, 4, 1);
  const high = i8x16(0, 0, 1, 0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0);
  const half = i8x16.splat(0x0f);
  const byLow = i8x16.swizzle(low, v128.and(bytes, half));
  const byHigh = i8x16.swizzle(high, v128.and(i16x8.shr_u(bytes, 4), half));
  return i8x16.ne(v128.and(byLow, byHigh), i8x16.splat(0));
}

/** Is this the `u` of an escape with four hexadecimal digits? */
function isUnit(at: usize): bool {
  if (load<u8>(at) != 0x75) return false;
  for (let digit: usize = 1; digit <= 4; digit++) {
    const byte: u32 = load<u8>(at + digit);
    if (!isDigit(byte) && (byte | 0x20) - 0x61 >= 6) return false;
  }
  return true;
}
