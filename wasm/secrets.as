/**
 * AssemblyScript. Tells in one pass whether a text may hold a secret that `redactSecrets` would take out. It never says
 * no where there is one: every question asked here is a part of a pattern there. Where it says yes, the patterns decide.
 * `npm run wasm` compiles it to src/spec/redact/secrets.wasm; a test compares the two.
 *
 * The text lies at TEXT in UTF-16, zeros behind and before it, so that nobody has to ask where it ends.
 */

/** What a character may begin or end, by its code. */
const TRIGGERS: usize = 0x1000;
/** Characters of names, of values without quotes, and white space, by their codes. */
const CLASSES: usize = 0x1100;
export const TEXT: usize = 0x2000;

const QUOTE: u8 = 1;
const UNDERSCORE: u8 = 2;
const DASH: u8 = 3;
const DOT: u8 = 4;
const COLON: u8 = 5;
const EQUALS: u8 = 6;
const LETTER: u8 = 7;

/** Bits of CLASSES. */
const WORD: u8 = 1;
/** What a value that stands without quotes is made of. */
const PLAIN: u8 = 2;
/** What stands between a name and the value assigned to it. */
const BEFORE: u8 = 4;

/** A literal of this length can be one, one of the other may be a secret whatever it is assigned to. */
const SHORTEST: i32 = 8;
const GENERATED: i32 = 32;
const LONGEST: i32 = 1024;
/** How far before a literal its name may begin; a name itself; what follows it without quotes. */
const MAX_BEFORE: i32 = 140;
const LONGEST_NAME: i32 = 64;
const SHORTEST_PLAIN: i32 = 16;

let length: i32 = 0;

fillTables();

export function mayHoldSecrets(textLength: i32): bool {
  length = textLength;
  memory.fill(TEXT + (<usize>length << 1), 0, 64);
  for (let at = 0; at < length; at += 1) {
    const code = codeAt(at);
    if (code >= 128) continue;
    const trigger = load<u8>(TRIGGERS + code);
    if (trigger != 0 && isSuspicious(trigger, at)) return true;
  }
  return false;
}

function isSuspicious(trigger: u8, at: i32): bool {
  if (trigger == QUOTE) return mayBeLiteral(at);
  if (trigger == DOT) return follows(at, 'ya29') || follows(at, 'SG') || follows(at, 'hooks');
  if (trigger == UNDERSCORE) return mayBeUnderscored(at);
  if (trigger == DASH) return mayBeDashed(at);
  if (trigger == COLON) return mayBePassword(at) || opens(at + 1, 'AA') || mayBePlain(at);
  if (trigger == EQUALS) return follows(at, 'Key') || follows(at, 'sig') || mayBePlain(at);
  return mayBeSpelled(at);
}

@inline
function codeAt(at: i32): u32 {
  return load<u16>(TEXT + (<usize>at << 1));
}

@inline
function is(kind: u8, code: u32): bool {
  return code < 128 && (load<u8>(CLASSES + code) & kind) != 0;
}

/** Whether the text goes on with these characters. */
function opens(at: i32, characters: string): bool {
  for (let each = 0; each < characters.length; each += 1)
    if (codeAt(at + each) != characters.charCodeAt(each)) return false;
  return true;
}

/** Whether these characters stand right before. */
function follows(at: i32, characters: string): bool {
  return at >= characters.length && opens(at - characters.length, characters);
}

/** `ghp_`, `github_pat_`, `sk_live_`, `whsec_`, `npm_`, `hf_`, `dop_v1_`, `shpat_`. */
function mayBeUnderscored(at: i32): bool {
  if (follows(at, 'npm') || follows(at, 'hf') || follows(at, 'whsec') || follows(at, 'github_pat')) return true;
  if (at >= 3 && opens(at - 3, 'gh') && isOneOf(at - 1, 'pousr')) return true;
  if (at >= 2 && codeAt(at - 1) == 0x6b && isOneOf(at - 2, 'rsp')) return opens(at, '_live_') || opens(at, '_test_');
  if (at >= 3 && opens(at - 3, 'do') && isOneOf(at - 1, 'opr')) return opens(at, '_v1_');
  return at >= 5 && opens(at - 5, 'shp');
}

/** `glpat-`, `xoxb-`, `xapp-`, `sk-`, `GOCSPX-`, `pypi-`. */
function mayBeDashed(at: i32): bool {
  if (follows(at, 'pypi') || follows(at, 'GOCSPX') || follows(at, 'xapp')) return true;
  if (at >= 4 && opens(at - 4, 'xox')) return true;
  if (follows(at, 'sk')) return at == 2 || !is(WORD, codeAt(at - 3));
  return follows(at, 'glpat') || follows(at, 'glrt') || follows(at, 'glptt') || follows(at, 'gldt') || follows(at, 'glsoat');
}

/** What a capital begins or ends: `AKIA`, `AIza`, `eyJ`, `Bearer`, `Basic`, `PRIVATE KEY`. */
function mayBeSpelled(at: i32): bool {
  const code = codeAt(at);
  if (code == 0x4a) return follows(at, 'ey');
  if (code == 0x42) return (opens(at, 'Bearer') && mayBeHeader(at + 6)) || (opens(at, 'Basic') && mayBeHeader(at + 5));
  if (code == 0x4b) return opens(at, 'KEY') && follows(at, 'PRIVATE ');
  if (opens(at, 'AIza')) return true;
  const isAccount = opens(at, 'AKIA') || opens(at, 'ASIA') || opens(at, 'AROA') || opens(at, 'AIDA');
  return isAccount || opens(at, 'AGPA') || opens(at, 'ANPA') || opens(at, 'ABIA') || opens(at, 'ACCA');
}

/** What follows the name of a scheme: white space, then a long word. */
function mayBeHeader(from: i32): bool {
  let at = from;
  while (at < from + 8 && isSpace(codeAt(at))) at += 1;
  if (at == from) return false;
  for (let each = 0; each < SHORTEST_PLAIN; each += 1) {
    const code = codeAt(at + each);
    if (!is(PLAIN, code) && code != 0x2e && code != 0x7e) return false;
  }
  return true;
}

function isOneOf(at: i32, characters: string): bool {
  for (let each = 0; each < characters.length; each += 1) if (codeAt(at) == characters.charCodeAt(each)) return true;
  return false;
}

/** `://user:password@`: nothing that ends either stands before the `@`. */
function mayBePassword(at: i32): bool {
  if (!opens(at + 1, '//')) return false;
  let end = at + 3;
  while (end < length) {
    const code = codeAt(end);
    if (code == 0x40) return true;
    if (isQuote(code) || code == 0x2f || code == 0x3c || code == 0x3e || isSpace(code)) return false;
    end += 1;
  }
  return false;
}

/** A literal that something is assigned to, long enough for a generated key or named like a secret. */
function mayBeLiteral(at: i32): bool {
  const quote = codeAt(at);
  let end = at + 1;
  while (end < length) {
    const code = codeAt(end);
    if (isQuote(code) || code == 0x5c || isSpace(code)) break;
    end += 1;
  }
  const size = end - at - 1;
  if (size < SHORTEST || size > LONGEST || codeAt(end) != quote || !mayBeAssigned(at)) return false;
  return size >= GENERATED || namesSecret(assignmentStart(at), at);
}

/** Whether a sign that assigns stands before the quote, with a prefix of up to two letters in between. */
function mayBeAssigned(quoteAt: i32): bool {
  let at = quoteAt - 1;
  for (let prefix = 0; prefix < 2 && at >= 0 && codeAt(at) - 0x61 < 26; prefix += 1) at -= 1;
  while (at >= 0 && (codeAt(at) <= 32 || codeAt(at) > 127)) at -= 1;
  if (at < 0) return false;
  const code = codeAt(at);
  return code == 0x3d || code == 0x3a || code == 0x3e;
}

/** How far back from its quote an assignment may begin: as far as there is nothing but names, types and signs. */
function assignmentStart(quoteAt: i32): i32 {
  const furthest = max(0, quoteAt - MAX_BEFORE);
  let at = quoteAt;
  while (at > furthest && (is(BEFORE, codeAt(at - 1)) || isSpace(codeAt(at - 1)))) at -= 1;
  return at;
}

/** `api_key = abc…` without quotes: a long value behind the sign, a name that speaks of secrets before it. */
function mayBePlain(at: i32): bool {
  let value = at + 1;
  while (value < length && isSpace(codeAt(value))) value += 1;
  for (let each = 0; each < SHORTEST_PLAIN; each += 1) if (!is(PLAIN, codeAt(value + each))) return false;
  let end = at;
  while (end > 0 && isSpace(codeAt(end - 1))) end -= 1;
  return namesSecret(max(0, end - LONGEST_NAME), end);
}

/** Whether a word that names secrets stands there, in capitals or not. */
function namesSecret(from: i32, to: i32): bool {
  for (let at = from; at < to; at += 1) {
    const code = codeAt(at) | 32;
    if (code == 0x70 && (spells(at, to, 'pass') || spells(at, to, 'pwd'))) return true;
    if (code == 0x6b && spells(at, to, 'key')) return true;
    if (code == 0x74 && spells(at, to, 'token')) return true;
    if (code == 0x73 && spells(at, to, 'secret')) return true;
    if (code == 0x63 && spells(at, to, 'credential')) return true;
  }
  return false;
}

function spells(at: i32, to: i32, word: string): bool {
  if (at + word.length > to) return false;
  for (let each = 0; each < word.length; each += 1)
    if ((codeAt(at + each) | 32) != word.charCodeAt(each)) return false;
  return true;
}

function isQuote(code: u32): bool {
  return code == 0x22 || code == 0x27 || code == 0x60;
}

function isSpace(code: u32): bool {
  if (code < 128) return code == 32 || code - 9 < 5;
  if (code == 0xa0 || code == 0x1680 || code == 0xfeff) return true;
  return code - 0x2000 < 11 || code == 0x2028 || code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000;
}

function trigger(kind: u8, characters: string): void {
  for (let at = 0; at < characters.length; at += 1) store<u8>(TRIGGERS + characters.charCodeAt(at), kind);
}

function fillTables(): void {
  trigger(QUOTE, '"\'`');
  trigger(UNDERSCORE, '_');
  trigger(DASH, '-');
  trigger(DOT, '.');
  trigger(COLON, ':');
  trigger(EQUALS, '=');
  trigger(LETTER, 'AJBK');
  for (let code: u32 = 0; code < 128; code += 1) {
    const isWord = code - 0x30 < 10 || (code | 32) - 0x61 < 26 || code == 0x5f;
    const isPlain = isWord || code == 0x2b || code == 0x2f || code == 0x3d || code == 0x2d;
    store<u8>(CLASSES + code, (isWord ? WORD | BEFORE : 0) | (isPlain ? PLAIN : 0));
  }
  const between = '$-"\'`][:=><.|';
  for (let at = 0; at < between.length; at += 1) {
    const place = CLASSES + between.charCodeAt(at);
    store<u8>(place, load<u8>(place) | BEFORE);
  }
}
