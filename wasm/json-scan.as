/**
 * AssemblyScript. Proves in one pass that bytes are one JSON object, and notes what the gateway wants to know of it.
 * `npm run wasm` compiles it to src/text/json-scan/json-scan.wasm; a test compares the two.
 *
 * The text lies at TEXT, followed by zeros: no loop asks where the text ends, since zero may stand nowhere in JSON.
 */

/** Where the span of the top-level member `id` is left for the caller: start and end, counted from the text's start. */
const ID_SPAN: usize = 0;
/** The closing byte of each list and object that is open. */
const STACK: usize = 0x100;
const MAX_DEPTH: i32 = 0x1fe00;
const TEXT: usize = 0x20000;
const NOWHERE: usize = 0;

const QUOTE: u32 = 0x22;
const BACKSLASH: u32 = 0x5c;
const COMMA: u32 = 0x2c;
const COLON: u32 = 0x3a;
const OPEN_LIST: u32 = 0x5b;
const CLOSE_LIST: u32 = 0x5d;
const OPEN_OBJECT: u32 = 0x7b;

/** Bits of what `scan` returns. */
const HAS_RESULT: i32 = 1;
const HAS_ERROR: i32 = 2;
const HAS_METHOD: i32 = 4;
const HAS_LONG: i32 = 8;
const NOT_ASCII: i32 = 16;
const ESCAPED_NAME: i32 = 32;

let facts: i32 = 0;
let longest: usize = 0;
let inId: bool = false;

/** What is known of the object of `length` bytes; -1 when it is none, or nested too deep to tell. Strings of more than `maxBytes` are long. */
export function scan(length: i32, maxBytes: i32): i32 {
  facts = 0;
  longest = <usize>maxBytes + 2;
  inId = false;
  store<u64>(ID_SPAN, 0);
  const end = TEXT + length;
  writeZeros(end);
  const start = blanksEnd(TEXT);
  if (load<u8>(start) != OPEN_OBJECT) return -1;
  const at = valueEnd(start);
  if (at == NOWHERE || blanksEnd(at) != end) return -1;
  return isAscii(end) ? facts : facts | NOT_ASCII;
}

/** Where the value that starts at `offset` ends, in a text that was scanned. */
export function skip(offset: i32): i32 {
  inId = false;
  const end = valueEnd(TEXT + offset);
  return end == NOWHERE ? -1 : <i32>(end - TEXT);
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

/** The one loop over the grammar. It keeps its own stack, so that depth costs a byte a level. */
function valueEnd(start: usize): usize {
  let at = start;
  let depth: i32 = 0;
  while (true) {
    at = blanksEnd(at);
    const first: u32 = load<u8>(at);
    if (first == QUOTE) {
      const end = stringEnd(at + 1);
      if (end - at > longest) facts |= HAS_LONG;
      at = end;
    } else if (first == OPEN_OBJECT || first == OPEN_LIST) {
      const close = first + 2;
      at = blanksEnd(at + 1);
      if (load<u8>(at) != close) {
        if (depth == MAX_DEPTH) return NOWHERE;
        depth += 1;
        store<u8>(STACK + depth, <u8>close);
        if (first == OPEN_OBJECT) at = memberStart(at, depth);
        if (at == NOWHERE) return NOWHERE;
        continue;
      }
      at += 1;
    } else at = scalarEnd(at, first);
    if (at == NOWHERE) return NOWHERE;
    // A value is complete: what follows it closes what it stands in, or starts the next one.
    while (true) {
      if (depth == 0) return at;
      if (depth == 1 && inId) endId(at);
      at = blanksEnd(at);
      const next: u32 = load<u8>(at);
      const close: u32 = load<u8>(STACK + depth);
      at += 1;
      if (next == COMMA) {
        if (close != CLOSE_LIST) at = memberStart(blanksEnd(at), depth);
        if (at == NOWHERE) return NOWHERE;
        break;
      }
      if (next != close) return NOWHERE;
      depth -= 1;
    }
  }
}

@inline
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
function memberStart(at: usize, depth: i32): usize {
  if (load<u8>(at) != QUOTE) return NOWHERE;
  const end = stringEnd(at + 1);
  if (end == NOWHERE) return NOWHERE;
  const colon = blanksEnd(end);
  if (load<u8>(colon) != COLON) return NOWHERE;
  if (depth == 1) noteMember(at + 1, end - 1, blanksEnd(colon + 1));
  return colon + 1;
}

function noteMember(start: usize, end: usize, value: usize): void {
  for (let at = start; at < end; at++) {
    if (load<u8>(at) == BACKSLASH) facts |= ESCAPED_NAME;
  }
  const size = end - start;
  if (size == 2 && load<u16>(start) == 0x6469) {
    inId = true;
    store<u32>(ID_SPAN, <u32>(value - TEXT));
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
  store<u32>(ID_SPAN, <u32>(at - TEXT), 4);
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
  const bytes = v128.load(start);
  const quotes = i8x16.eq(bytes, i8x16.splat(0x22));
  const backslashes = i8x16.eq(bytes, i8x16.splat(0x5c));
  const controls = i8x16.lt_u(bytes, i8x16.splat(0x20));
  const special = i8x16.bitmask(v128.or(v128.or(quotes, backslashes), controls));
  if (special == 0) return longStringEnd(start + 16);
  const found = start + ctz(special);
  return load<u8>(found) == QUOTE ? found + 1 : longStringEnd(found);
}

/** The same in steps of 64 bytes, one bit a byte, without a branch for each escape. */
function longStringEnd(start: usize): usize {
  let at = start;
  let escapedFirst: u64 = 0;
  while (true) {
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
