/**
 * AssemblyScript. Finds the bodies of functions that stand outside every other function in TypeScript or JavaScript,
 * without a parser, or says that the text cannot be understood for certain. What lies inside a body must look like
 * code, so that a broken one is not passed over; whether a brace opens a body at all is left for the parser to confirm.
 * `npm run wasm` compiles it to src/syntax/languages/typescript/bodies/bodies.wasm; a test compares the two.
 *
 * The text lies at TEXT in UTF-16, a zero behind it. Bodies are left behind the text, the offsets of both braces each.
 */

/** Tables by character code, ASCII alone. */
const CLASSES: usize = 0x4000;
const REPEATED: usize = 0x4080;
const ASSIGNING: usize = 0x4100;
const INSIDE_EXPRESSION: usize = 0x4180;
const VALUE_FOLLOWS: usize = 0x4200;
/** One a role: the marks no valid code has after a word of it. */
const ODD_AFTER_ROLE: usize = 0x4400;
/** One a mark: the marks that may not follow it where an operand is expected. */
const ODD_AFTER_MARK: usize = 0x8000;
/** Words with a role: letters packed into eight bytes, then the role. */
const WORDS: usize = 0xc000;
const WORD_BYTES: usize = 16;
const WORD_SLOTS: u32 = 256;
/** The brackets that are open, a byte each. */
const STACK: usize = 0x10000;
const MAX_DEPTH: i32 = 0xffff;
export const TEXT: usize = 0x20000;

const NO_BODIES: i32 = -1;
/** Shorter bodies are not worth the trouble. */
const WORTH_BODY: i32 = 16;

/** Kinds of tokens; a punctuation mark is told by the code of its first character. */
const END: i32 = 0;
const WORD: i32 = 1;
const LITERAL: i32 = 2;
/** A template up to its first `${`. */
const TEMPLATE: i32 = 3;
const MARK: i32 = 4;
/** Nothing more can be said about this text. */
const LOST: i32 = 5;

/** Classes of characters; what lies beyond ASCII can only be part of a name where code stands. */
const OTHER: u32 = 0;
const BLANK: u32 = 1;
const NEWLINE: u32 = 2;
const LETTER: u32 = 3;
const LOWER: u32 = 4;
const DIGIT: u32 = 5;

/** What a word does to the code around it; words that are in no list are names. */
const NAME: i32 = 0;
/** An operand must follow. */
const PREFIX: i32 = 1;
/** Its parentheses hold a condition, and a statement follows them. */
const CONTROL: i32 = 2;
/** Stands between two operands, or is one itself: nothing is said about what may follow. */
const INFIX: i32 = 3;
/** Another word may follow on the same line: `async function`, `static get`. */
const LEADING: i32 = 4;
const CLASS: i32 = 5;
/** May end a statement or go on with an operand. */
const RETURNING: i32 = 6;
/** A type as often as an operator. */
const VOID: i32 = 7;
/** Begins a statement or a part of one. */
const STATEMENT: i32 = 8;
/** A name must follow, or a pattern. */
const DECLARING: i32 = 9;
/** Stands between two operands and is never one. */
const BETWEEN: i32 = 10;
/** An operator before its operand in some places, a name in others. */
const CONTEXTUAL: i32 = 11;
/** The `await` of a loop. */
const LOOPING: i32 = 12;

/** What a token leaves to be expected: an operand must come next. */
const OPERATOR: i32 = 0;
/** An operand has ended. */
const OPERAND: i32 = 1;
/** A brace closed that may have ended a statement or an operand. */
const AFTER_BRACE: i32 = 2;
/** Nothing is said about what may follow: after `>`, `as`, `await`. */
const EITHER: i32 = 3;

/** Marks of more than one character that mean something of their own. */
const ARROW: u32 = 1;
const SPREAD: u32 = 2;
const OPTIONAL: u32 = 3;
/** An operator that ends in `=` and takes a left side: `+=`, `!==`, `<=`. */
const COMPARED: u32 = 4;
/** `<<`, or what a merge left behind. */
const SHIFTED: u32 = 5;
/** A binary operator of one character written twice or more: `&&`, `??`, `**`. */
const DOUBLED: u32 = 6;
/** No mark: a string, a number or the like has ended. */
const LITERAL_END: u32 = 7;

/** Kinds of brackets. */
const NO_BRACKET: i32 = 0;
const IN_PAREN: i32 = 1;
const IN_CONTROL: i32 = 2;
const IN_BRACKET: i32 = 3;
const IN_BRACE: i32 = 4;
const IN_OBJECT: i32 = 5;
const IN_TEMPLATE: i32 = 6;

const LINE_FEED: u32 = 10;
const RETURN: u32 = 13;
const BANG: u32 = 33;
const DOUBLE_QUOTE: u32 = 34;
const HASH: u32 = 35;
const DOLLAR: u32 = 36;
const SINGLE_QUOTE: u32 = 39;
const OPEN_PAREN: u32 = 40;
const CLOSE_PAREN: u32 = 41;
const STAR: u32 = 42;
const PLUS: u32 = 43;
const COMMA: u32 = 44;
const MINUS: u32 = 45;
const DOT: u32 = 46;
const SLASH: u32 = 47;
const ZERO: u32 = 48;
const COLON: u32 = 58;
const SEMICOLON: u32 = 59;
const LESS: u32 = 60;
const EQUALS: u32 = 61;
const GREATER: u32 = 62;
const QUESTION: u32 = 63;
const OPEN_BRACKET: u32 = 91;
const BACKSLASH: u32 = 92;
const CLOSE_BRACKET: u32 = 93;
const UNDERSCORE: u32 = 95;
const BACKTICK: u32 = 96;
const OPEN_BRACE: u32 = 123;
const CLOSE_BRACE: u32 = 125;
const BYTE_ORDER_MARK: u32 = 0xfeff;

const NONE: i32 = -1;

let length: i32 = 0;
let mayHoldJsx: bool = false;
/** The token being looked at. */
let start: i32 = 0;
let end: i32 = 0;
let newlineBefore: bool = false;
/** Of a word: its letters packed, nothing unless they are a–z alone, as those of all words with a role are. */
let packed: u64 = 0;
/** What the token before leaves behind. */
let state: i32 = OPERATOR;
let mark: u32 = 0;
let role: i32 = NAME;
/** A line break follows that may end a statement. */
let newLine: bool = false;
let depth: i32 = 0;
/** The innermost bracket that is open. */
let top: i32 = NO_BRACKET;
/** Whether the bracket closed last held a condition. */
let wasControl: bool = false;
/** Depth at which a class header, or a return type, waits for its brace. */
let classAt: i32 = NONE;
let returnTypeAt: i32 = NONE;
/** Angle brackets open in that return type. */
let angles: i32 = 0;
let bodyStart: i32 = NONE;
let bodyDepth: i32 = NONE;
let isLost: bool = false;
let bodies: usize = 0;
let bodyCount: i32 = 0;

fillTables();

/** How many bodies were found and left behind the text; below zero when that cannot be told for certain. */
export function findBodies(textLength: i32, jsx: bool): i32 {
  begin(textLength, jsx);
  if (hasRareLineEnd()) return NO_BODIES;
  for (let kind = next(); kind != END; kind = next()) {
    take(kind);
    if (isLost) return NO_BODIES;
  }
  return depth == 0 ? bodyCount : NO_BODIES;
}

/** Where the bodies of a text of this length are left. */
export function bodiesAt(textLength: i32): usize {
  return (TEXT + (<usize>textLength << 1) + 16) & ~7;
}

function begin(textLength: i32, jsx: bool): void {
  length = textLength;
  mayHoldJsx = jsx;
  store<u64>(TEXT + (<usize>length << 1), 0);
  bodies = bodiesAt(length);
  bodyCount = 0;
  depth = 0;
  top = NO_BRACKET;
  wasControl = false;
  classAt = NONE;
  returnTypeAt = NONE;
  angles = 0;
  bodyStart = NONE;
  bodyDepth = NONE;
  isLost = false;
  leave(OPERATOR, SEMICOLON);
  start = 0;
  end = 0;
  if (codeAt(0) == HASH && codeAt(1) == BANG) end = lineEnd(0);
}

/** Line ends that are not counted with: a lone carriage return, and two separators beyond ASCII. */
function hasRareLineEnd(): bool {
  const stop = TEXT + (<usize>length << 1);
  const returns = i16x8.splat(13);
  const separators = i16x8.splat(0x2028);
  const pair = i16x8.splat(~1);
  for (let at = TEXT; at < stop; at += 16) {
    const units = v128.load(at);
    const found = v128.or(i16x8.eq(units, returns), i16x8.eq(v128.and(units, pair), separators));
    if (v128.any_true(found) && isRareWithin(at, min(at + 16, stop))) return true;
  }
  return false;
}

function isRareWithin(from: usize, to: usize): bool {
  for (let at = from; at < to; at += 2) {
    const code: u32 = load<u16>(at);
    if (code == 0x2028 || code == 0x2029 || (code == RETURN && load<u16>(at, 2) != LINE_FEED)) return true;
  }
  return false;
}

@inline
function codeAt(at: i32): u32 {
  return load<u16>(TEXT + (<usize>at << 1));
}

@inline
function has(table: usize, code: u32): bool {
  return code < 128 && load<u8>(table + code) != 0;
}

@inline
function classOf(code: u32): u32 {
  return code < 128 ? load<u8>(CLASSES + code) : OTHER;
}

@inline
function classInWord(code: u32): u32 {
  return code < 128 ? load<u8>(CLASSES + code) : LETTER;
}

function next(): i32 {
  skipBlanks();
  start = end;
  if (end >= length) return END;
  const code = codeAt(end);
  const kind = classInWord(code);
  if (kind == LOWER || kind == LETTER) return word();
  if (kind == DIGIT) return number();
  if (code == SINGLE_QUOTE || code == DOUBLE_QUOTE) return quoted(code);
  if (code == BACKTICK) return template();
  if (code == DOT && classOf(codeAt(end + 1)) == DIGIT) return number();
  return code == BACKSLASH ? LOST : MARK;
}

function skipBlanks(): void {
  newlineBefore = false;
  while (true) {
    const code = codeAt(end);
    const kind = classOf(code);
    if (kind == NEWLINE) newlineBefore = true;
    else if (code == SLASH) {
      if (!skipComment()) return;
      continue;
    } else if (kind != BLANK && code != BYTE_ORDER_MARK) return;
    end += 1;
  }
}

function skipComment(): bool {
  const second = codeAt(end + 1);
  if (second == SLASH) end = lineEnd(end);
  else if (second == STAR) skipBlock();
  return second == SLASH || second == STAR;
}

function skipBlock(): void {
  for (let at = end + 2; at < length; at += 1) {
    const code = codeAt(at);
    if (code == LINE_FEED) newlineBefore = true;
    if (code == STAR && codeAt(at + 1) == SLASH) {
      end = at + 2;
      return;
    }
  }
  end = length;
}

function lineEnd(from: i32): i32 {
  let at = from;
  while (at < length && codeAt(at) != LINE_FEED) at += 1;
  return at;
}

function word(): i32 {
  let at = end;
  let isLower = true;
  packed = 0;
  for (; at < length; at += 1) {
    const code = codeAt(at);
    const kind = classInWord(code);
    if (kind < LETTER) break;
    if (kind != LOWER) isLower = false;
    packed = (packed << 5) | (code & 31);
  }
  if (!isLower || at - start > LONGEST_WORD) packed = 0;
  end = at;
  return WORD;
}

function number(): i32 {
  let at = end + 1;
  for (; at < length; at += 1) {
    const code = codeAt(at);
    if (code >= 128 || (classOf(code) < LETTER && code != DOT)) break;
  }
  if (at - start > 1 && !isNumber(at)) return LOST;
  end = at;
  return LITERAL;
}

/** Whether the characters from `start` up to `stop` are a number, or one up to the sign of its exponent. */
function isNumber(stop: i32): bool {
  const second = codeAt(start + 1) | 32;
  if (codeAt(start) == ZERO && (second == 0x78 || second == 0x6f || second == 0x62)) return isBased(second, stop);
  let at = start;
  if (codeAt(at) == ZERO) at += 1;
  else if (codeAt(at) != DOT) at = digitsEnd(at);
  if (at > start && at == stop - 1 && codeAt(at) == 0x6e) return true;
  if (at < stop && codeAt(at) == DOT) {
    const from = at + 1;
    at = digitsEnd(from);
    if (from == start + 1 && at == from) return false;
  }
  if (at < stop && (codeAt(at) | 32) == 0x65) {
    at += 1;
    while (at < stop && classOf(codeAt(at)) == DIGIT) at += 1;
  }
  return at == stop;
}

function digitsEnd(from: i32): i32 {
  let at = from;
  while (classOf(codeAt(at)) == DIGIT || codeAt(at) == UNDERSCORE) at += 1;
  return at;
}

/** `0x…`, `0o…`, `0b…`: the letter says how many digits there are. */
function isBased(letter: u32, stop: i32): bool {
  const last = codeAt(stop - 1) == 0x6e ? stop - 1 : stop;
  if (last - start < 3) return false;
  for (let at = start + 2; at < last; at += 1) {
    const code = codeAt(at);
    if (code == UNDERSCORE) continue;
    if (letter == 0x78 ? !isHex(code) : code - ZERO >= <u32>(letter == 0x6f ? 8 : 2)) return false;
  }
  return true;
}

function isHex(code: u32): bool {
  return code - ZERO < 10 || (code | 32) - 0x61 < 6;
}

function quoted(quote: u32): i32 {
  for (let at = end + 1; at < length; at += 1) {
    const code = codeAt(at);
    if (code == quote) {
      end = at + 1;
      return LITERAL;
    }
    if (code == LINE_FEED) return LOST;
    if (code == BACKSLASH) {
      at = escapeEnd(at);
      if (at == NONE) return LOST;
    }
  }
  return LOST;
}

/** From a backtick or the brace that closes a substitution to the next substitution or the end. */
function template(): i32 {
  for (let at = end + 1; at < length; at += 1) {
    const code = codeAt(at);
    if (code == BACKTICK) {
      end = at + 1;
      return LITERAL;
    }
    if (code == DOLLAR && codeAt(at + 1) == OPEN_BRACE) {
      end = at + 2;
      return TEMPLATE;
    }
    if (code == BACKSLASH) {
      at = escapeEnd(at);
      if (at == NONE) return LOST;
    }
  }
  return LOST;
}

/** The last character of the escape that begins at a backslash; an octal digit and half a code point are none. */
function escapeEnd(at: i32): i32 {
  if (at + 1 >= length) return NONE;
  const code = codeAt(at + 1);
  if (code == 0x78) return hexEnd(at + 2, 2);
  if (code == 0x75) return codeAt(at + 2) == OPEN_BRACE ? braced(at + 3) : hexEnd(at + 2, 4);
  if (code == ZERO) return classOf(codeAt(at + 2)) == DIGIT ? NONE : at + 1;
  if (classOf(code) == DIGIT) return NONE;
  return code == RETURN && codeAt(at + 2) == LINE_FEED ? at + 2 : at + 1;
}

function hexEnd(from: i32, count: i32): i32 {
  for (let at = from; at < from + count; at += 1) if (!isHex(codeAt(at))) return NONE;
  return from + count - 1;
}

function braced(from: i32): i32 {
  let at = from;
  while (at < from + 6 && isHex(codeAt(at))) at += 1;
  return at > from && codeAt(at) == CLOSE_BRACE ? at : NONE;
}

/** From a slash that opens a regular expression. */
function regex(): i32 {
  let inClass = false;
  for (let at = start + 1; at < length; at += 1) {
    const code = codeAt(at);
    if (code == LINE_FEED) return LOST;
    if (code == BACKSLASH) at += 1;
    else if (code == OPEN_BRACKET) inClass = true;
    else if (code == CLOSE_BRACKET) inClass = false;
    else if (code == SLASH && !inClass) {
      end = at + 1;
      while (classOf(codeAt(end)) == LOWER) end += 1;
      return LITERAL;
    }
  }
  return LOST;
}

function take(kind: i32): void {
  newLine = newlineBefore && top == IN_BRACE;
  if (kind == WORD) takeWord();
  else if (kind == MARK) takeMark(codeAt(start));
  else if (kind == LITERAL) takeLiteral();
  else if (kind == TEMPLATE) substitute();
  else isLost = true;
}

@inline
function inBody(): bool {
  return bodyStart != NONE;
}

@inline
function leave(newState: i32, newMark: u32): void {
  state = newState;
  mark = newMark;
  role = NAME;
}

function takeWord(): void {
  const found = roleHere();
  if (inBody() && wordIsOdd(found)) {
    isLost = true;
    return;
  }
  leave(stateAfter(found), 0);
  role = found;
  if (!inBody() && found != NAME) noteHeader(found);
}

/** What a word of this role leaves to be expected. */
function stateAfter(found: i32): i32 {
  if (found == NAME || found == LEADING || found == CLASS || found == DECLARING) return OPERAND;
  return found == INFIX || found == CONTEXTUAL || found == VOID ? EITHER : OPERATOR;
}

/** Every word is a name after a dot, and `const` is a type after `as` and `<`. */
function roleHere(): i32 {
  if (packed == 0 || mark == DOT || mark == OPTIONAL) return NAME;
  const found = roleOf(packed);
  if (found == CONTEXTUAL && role == CONTROL) return LOOPING;
  return found == DECLARING && (role == INFIX || mark == LESS) ? NAME : found;
}

/** A return type goes on over names, never over the words that begin the next statement. */
function noteHeader(found: i32): void {
  if (found == CLASS) classAt = depth;
  if (found == CLASS || found == LEADING || found == CONTROL || found == DECLARING) returnTypeAt = NONE;
}

function takeLiteral(): void {
  const isTagged = codeAt(start) == BACKTICK;
  if (inBody() && !isTagged && literalIsOdd()) isLost = true;
  else leave(OPERAND, LITERAL_END);
}

function takeMark(code: u32): void {
  if (code == OPEN_PAREN) open(role == CONTROL || role == LOOPING ? IN_CONTROL : IN_PAREN);
  else if (code == OPEN_BRACKET) open(IN_BRACKET);
  else if (code == OPEN_BRACE) openBrace();
  else if (code == CLOSE_PAREN || code == CLOSE_BRACKET || code == CLOSE_BRACE) close(code);
  else if (code == SLASH) slash();
  else operator(code);
}

function open(kind: i32): void {
  const code = codeAt(start);
  if (inBody() && bodyStart != start && markIsOdd(code)) isLost = true;
  end += 1;
  push(kind);
  leave(OPERATOR, code);
}

function push(kind: i32): void {
  if (depth >= MAX_DEPTH) {
    isLost = true;
    return;
  }
  depth += 1;
  store<u8>(STACK + depth, <u8>kind);
  top = kind;
}

function substitute(): void {
  push(IN_TEMPLATE);
  leave(OPERATOR, OPEN_BRACE);
}

function openBrace(): void {
  if (!inBody() && opensBody()) {
    bodyStart = start;
    bodyDepth = depth;
  }
  open(inBody() && opensObject() ? IN_OBJECT : IN_BRACE);
}

/** Where only a value can stand; after a colon it may be a type as well. */
function opensObject(): bool {
  if (state != OPERATOR) return false;
  if (role == RETURNING || has(VALUE_FOLLOWS, mark)) return true;
  if (mark == COMMA) return top != IN_BRACE;
  return mark == COLON && top == IN_OBJECT;
}

function opensBody(): bool {
  const afterOperand = state != OPERATOR && role != INFIX && role != CONTEXTUAL;
  if (classAt == depth && afterOperand) {
    classAt = NONE;
    return false;
  }
  if (mark == ARROW) return !opensObjectType(start + 1, min(start + LOOK_AHEAD, length));
  if (mark == CLOSE_PAREN) return !wasControl;
  if (returnTypeAt != depth || !afterOperand) return false;
  returnTypeAt = NONE;
  return true;
}

function close(code: u32): void {
  const isOdd = markIsOdd(code);
  const kind = top;
  if (kind == NO_BRACKET || closerOf(kind) != code || (inBody() && isOdd)) {
    isLost = true;
    return;
  }
  depth -= 1;
  wasControl = kind == IN_CONTROL;
  top = depth == 0 ? NO_BRACKET : <i32>load<u8>(STACK + depth);
  if (kind == IN_TEMPLATE) afterSubstitution();
  else afterClose(kind, code);
}

function closerOf(kind: i32): u32 {
  if (kind == IN_PAREN || kind == IN_CONTROL) return CLOSE_PAREN;
  return kind == IN_BRACKET ? CLOSE_BRACKET : CLOSE_BRACE;
}

function afterClose(kind: i32, code: u32): void {
  end += 1;
  leave(kind == IN_BRACE ? AFTER_BRACE : OPERAND, code);
  if (kind == IN_CONTROL) state = OPERATOR;
  if (bodyDepth == depth) endBody();
  if (returnTypeAt > depth) returnTypeAt = NONE;
}

function afterSubstitution(): void {
  const kind = template();
  if (kind == TEMPLATE) substitute();
  else if (kind == LITERAL) leave(OPERAND, 0);
  else isLost = true;
}

function endBody(): void {
  if (end - 1 - bodyStart > WORTH_BODY) {
    const at = bodies + (<usize>bodyCount << 3);
    store<i32>(at, bodyStart);
    store<i32>(at, end - 1, 4);
    bodyCount += 1;
  }
  bodyStart = NONE;
  bodyDepth = NONE;
}

function slash(): void {
  if (state == AFTER_BRACE || state == EITHER) isLost = true;
  else if (state == OPERAND) operator(SLASH);
  else if (regex() == LOST) isLost = true;
  else leave(OPERAND, LITERAL_END);
}

function operator(code: u32): void {
  const size = operatorLength(code);
  const isElement = code == LESS && state == OPERATOR && mayHoldJsx;
  const meaning = meaningOf(code, size);
  if (isElement || (inBody() && markIsOdd(meaning))) {
    isLost = true;
    return;
  }
  end += size;
  if (!inBody()) noteType(meaning, size);
  if (isPostfix(code, size)) return;
  leave(code == GREATER ? EITHER : OPERATOR, meaning);
}

/** `x!`, `x++`: the operand goes on. */
function isPostfix(code: u32, size: i32): bool {
  if (state != OPERAND || newlineBefore) return false;
  if (code == BANG) return size == 1;
  return (code == PLUS || code == MINUS) && size == 2 && codeAt(start + 1) == code;
}

/** A return type goes on over the commas of its own type arguments. */
function noteType(meaning: u32, size: i32): void {
  if (meaning == COLON && mark == CLOSE_PAREN) {
    returnTypeAt = depth;
    angles = 0;
  }
  if (returnTypeAt != depth) return;
  if (meaning == LESS) angles += size;
  if (meaning == GREATER) angles -= size;
  if (meaning == SEMICOLON || meaning == EQUALS || (meaning == COMMA && angles == 0)) returnTypeAt = NONE;
}

/** How many characters belong together: `===`, `>>>=`, `??=`, `...`, `?.`, `++`, `=>`. */
function operatorLength(code: u32): i32 {
  const second = codeAt(start + 1);
  if (code == DOT) return second == DOT && codeAt(start + 2) == DOT ? 3 : 1;
  if (code == QUESTION && second == DOT) return classOf(codeAt(start + 2)) == DIGIT ? 1 : 2;
  if (code == EQUALS && second == GREATER) return 2;
  if ((code == PLUS || code == MINUS) && second == code) return 2;
  let at = start + 1;
  if (has(REPEATED, code)) while (at - start < 3 && codeAt(at) == code) at += 1;
  if (has(ASSIGNING, code)) while (at - start < 4 && codeAt(at) == EQUALS) at += 1;
  return at - start;
}

/** What an operator of this length is to its neighbours: a mark of its own, else the code of its first character. */
function meaningOf(code: u32, size: i32): u32 {
  if (size == 1) return code;
  if (code == DOT) return SPREAD;
  if (code == LESS && codeAt(start + 1) == LESS) return SHIFTED;
  const last = codeAt(start + size - 1);
  if (code == EQUALS && last == GREATER) return ARROW;
  if (code == QUESTION && last == DOT) return OPTIONAL;
  if (last == EQUALS) return COMPARED;
  return code == PLUS || code == MINUS || code == GREATER ? code : DOUBLED;
}

/** Whether no valid code has this mark here. */
function markIsOdd(code: u32): bool {
  if (role != NAME) return load<u8>(ODD_AFTER_ROLE + ((<usize>role << 7) | code)) != 0;
  if (code == SEMICOLON && top != IN_BRACE && top != IN_CONTROL) return true;
  if (state != OPERATOR) {
    if (state != OPERAND) return false;
    return code == SPREAD || (code == OPEN_BRACE && mark == LITERAL_END);
  }
  if (code == COMMA && top != IN_BRACKET) return mark != QUESTION;
  if (code == CLOSE_BRACE && top == IN_OBJECT && mark == COLON) return true;
  return load<u8>(ODD_AFTER_MARK + ((<usize>mark << 7) | code)) != 0;
}

function literalIsOdd(): bool {
  if (role == DECLARING || role == CLASS) return true;
  if (mark == DOT || mark == OPTIONAL) return true;
  return wordIsOdd(NAME);
}

/** Whether no valid code has a word of this role here. */
function wordIsOdd(found: i32): bool {
  if (role == DECLARING || role == CLASS) return isReserved(found) && found != BETWEEN;
  if (state == OPERATOR) return !(newLine && role == RETURNING) && isOutOfPlace(found);
  if (state != OPERAND || newLine) return false;
  if (found == INFIX || found == BETWEEN) return false;
  return role != LEADING;
}

function isOutOfPlace(found: i32): bool {
  if (!isReserved(found) || (found == DECLARING && top == IN_CONTROL)) return false;
  if (role != NAME && role != STATEMENT) return true;
  if (mark == COMMA) return top == IN_PAREN || top == IN_BRACKET;
  return has(INSIDE_EXPRESSION, mark);
}

/** Words that begin a statement and are never a value. */
function isReserved(found: i32): bool {
  return found == CONTROL || found == RETURNING || found == STATEMENT || found == DECLARING || found == BETWEEN;
}

const LOOK_AHEAD: i32 = 200;

/** Whether a brace looks like that of an object type: an arrow before it then belongs to a function type. */
function opensObjectType(from: i32, stop: i32): bool {
  const at = triviaEnd(from, stop);
  if (at >= stop) return false;
  const code = codeAt(at);
  if (code == OPEN_BRACKET) return opensIndex(at + 1, stop);
  if (code == SINGLE_QUOTE || code == DOUBLE_QUOTE) return opensQuotedName(at, stop);
  const name = code == MINUS ? at + 1 : at;
  const nameStop = nameEnd(name, stop);
  if (isReadonly(name, nameStop) && nameStop < stop && isSpace(codeAt(nameStop))) return true;
  return nameStop > at && code != MINUS && colonFollows(nameStop, stop);
}

function triviaEnd(from: i32, stop: i32): i32 {
  let at = from;
  while (at < stop) {
    const code = codeAt(at);
    if (code == SLASH && codeAt(at + 1) == SLASH) at = lineEnd(at);
    else if (code == SLASH && codeAt(at + 1) == STAR) {
      at += 2;
      while (at < stop && !(codeAt(at) == STAR && codeAt(at + 1) == SLASH)) at += 1;
      at += 2;
    } else if (isSpace(code)) at += 1;
    else return at;
  }
  return at;
}

function nameEnd(from: i32, stop: i32): i32 {
  let at = from;
  while (at < stop && isNamePart(codeAt(at))) at += 1;
  return at;
}

function isNamePart(code: u32): bool {
  return code != HASH && classOf(code) >= LETTER;
}

function isReadonly(from: i32, stop: i32): bool {
  const wanted = 'readonly';
  if (stop - from != wanted.length) return false;
  for (let at = 0; at < wanted.length; at += 1) if (codeAt(from + at) != wanted.charCodeAt(at)) return false;
  return true;
}

function colonFollows(from: i32, stop: i32): bool {
  let at = from;
  if (at < stop && codeAt(at) == QUESTION) at += 1;
  while (at < stop && isSpace(codeAt(at))) at += 1;
  return at < stop && codeAt(at) == COLON;
}

function opensQuotedName(from: i32, stop: i32): bool {
  const quote = codeAt(from);
  for (let at = from + 1; at < stop && codeAt(at) != LINE_FEED; at += 1)
    if (codeAt(at) == quote && colonFollows(at + 1, stop)) return true;
  return false;
}

/** `[key: …]`, `[Key in …]`. */
function opensIndex(from: i32, stop: i32): bool {
  let at = nameEnd(from, stop);
  if (at == from) return false;
  while (at < stop && isSpace(codeAt(at))) at += 1;
  if (at >= stop) return false;
  if (codeAt(at) == COLON) return true;
  if (codeAt(at) != 0x69 || at + 1 >= stop || codeAt(at + 1) != 0x6e) return false;
  return at + 2 >= stop || !isNamePart(codeAt(at + 2)) || codeAt(at + 2) == DOLLAR;
}

function isSpace(code: u32): bool {
  if (code < 128) return code == 32 || code - 9 < 5;
  if (code == 0xa0 || code == 0x1680 || code == BYTE_ORDER_MARK) return true;
  return code - 0x2000 < 11 || code == 0x2028 || code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000;
}

const LONGEST_WORD: i32 = 10;

function roleOf(letters: u64): i32 {
  let slot = slotOf(letters);
  while (true) {
    const at = WORDS + <usize>slot * WORD_BYTES;
    const known = load<u64>(at);
    if (known == letters) return load<i32>(at, 8);
    if (known == 0) return NAME;
    slot = (slot + 1) & (WORD_SLOTS - 1);
  }
}

@inline
function slotOf(letters: u64): u32 {
  return <u32>((letters * 0x9e3779b97f4a7c15) >> 56);
}

function addWords(found: i32, words: string): void {
  let letters: u64 = 0;
  for (let at = 0; at <= words.length; at += 1) {
    const code = at == words.length ? 32 : words.charCodeAt(at);
    if (code != 32) {
      letters = (letters << 5) | (code & 31);
      continue;
    }
    let slot = slotOf(letters);
    while (load<u64>(WORDS + <usize>slot * WORD_BYTES) != 0) slot = (slot + 1) & (WORD_SLOTS - 1);
    store<u64>(WORDS + <usize>slot * WORD_BYTES, letters);
    store<i32>(WORDS + <usize>slot * WORD_BYTES, found, 8);
    letters = 0;
  }
}

function addAll(table: usize, characters: string): void {
  for (let at = 0; at < characters.length; at += 1) store<u8>(table + characters.charCodeAt(at), 1);
}

/** What may not follow a mark, where every mark but `allowed` is named once. */
function follows(code: u32, allowed: string): void {
  for (let before: u32 = 0; before < 128; before += 1) {
    let isAllowed = false;
    for (let at = 0; at < allowed.length; at += 1) if (allowed.charCodeAt(at) == before) isAllowed = true;
    store<u8>(ODD_AFTER_MARK + ((<usize>before << 7) | code), isAllowed ? 0 : 1);
  }
}

function fillTables(): void {
  fillClasses();
  fillWords();
  fillFollowing();
  fillAfterRoles();
  addAll(REPEATED, '=*&|<>?');
  addAll(ASSIGNING, '!+-*/%&|^<>?');
  addAll(INSIDE_EXPRESSION, '=+-*&|<?([%^.\x01\x02\x04\x06');
  addAll(VALUE_FOLLOWS, '=([?\x02\x06');
}

function fillClasses(): void {
  for (let code: u32 = 0x61; code <= 0x7a; code += 1) store<u8>(CLASSES + code, LOWER);
  for (let code: u32 = 0x41; code <= 0x5a; code += 1) store<u8>(CLASSES + code, LETTER);
  for (let code: u32 = ZERO; code < ZERO + 10; code += 1) store<u8>(CLASSES + code, DIGIT);
  store<u8>(CLASSES + UNDERSCORE, LETTER);
  store<u8>(CLASSES + DOLLAR, LETTER);
  store<u8>(CLASSES + HASH, LETTER);
  store<u8>(CLASSES + LINE_FEED, NEWLINE);
  store<u8>(CLASSES + RETURN, NEWLINE);
  store<u8>(CLASSES + 32, BLANK);
  store<u8>(CLASSES + 9, BLANK);
  store<u8>(CLASSES + 11, BLANK);
  store<u8>(CLASSES + 12, BLANK);
}

function fillWords(): void {
  addWords(PREFIX, 'typeof delete new default');
  addWords(CONTROL, 'if while for with switch catch');
  addWords(INFIX, 'of implements as satisfies is from');
  addWords(CONTEXTUAL, 'await yield keyof infer unique asserts readonly out');
  addWords(LEADING, 'function interface enum namespace module declare abstract static get set async type export');
  addWords(LEADING, 'import public private protected override accessor using try finally debugger global');
  addWords(CLASS, 'class');
  addWords(RETURNING, 'return break continue');
  addWords(VOID, 'void');
  addWords(STATEMENT, 'throw case else do');
  addWords(DECLARING, 'const let var');
  addWords(BETWEEN, 'in instanceof extends');
}

/** Marks that may follow where an operand was expected, each with the marks it may follow there; others begin an operand. */
function fillFollowing(): void {
  follows(CLOSE_PAREN, '(,;?');
  follows(CLOSE_BRACKET, '[,?');
  follows(CLOSE_BRACE, '{;,:');
  follows(SEMICOLON, ';{:(?)');
  follows(COMMA, '[,?');
  follows(COLON, '?');
  follows(QUESTION, '+-');
  follows(STAR, '{,;');
  follows(0x26, '=:<(,\x01');
  follows(0x7c, '=:<(,\x01');
  follows(GREATER, ',');
  const never = '.=%^\x01\x03\x04\x05\x06';
  for (let at = 0; at < never.length; at += 1) follows(never.charCodeAt(at), '');
  // After a member's dot no mark can follow at all, after the optional one only what opens an argument or an index.
  for (let code: u32 = 0; code < 128; code += 1) {
    store<u8>(ODD_AFTER_MARK + ((DOT << 7) | code), 1);
    store<u8>(ODD_AFTER_MARK + ((OPTIONAL << 7) | code), code == OPEN_PAREN || code == OPEN_BRACKET ? 0 : 1);
  }
}

/** What cannot follow a word that wants an operand or a name. */
function fillAfterRoles(): void {
  const noOperand = '*%^&|=>?)];<\x01\x04\x05\x03\x06';
  addAll(ODD_AFTER_ROLE + (PREFIX << 7), noOperand);
  addAll(ODD_AFTER_ROLE + (STATEMENT << 7), noOperand);
  addAll(ODD_AFTER_ROLE + (BETWEEN << 7), noOperand);
  addAll(ODD_AFTER_ROLE + (RETURNING << 7), '*%^&|=>?,.])\x01\x04\x05\x03\x06');
  addAll(ODD_AFTER_ROLE + (DECLARING << 7), '*%^&|=>?)];<,.(+-!~@}\x01\x04\x05\x03\x06\x02');
  addAll(ODD_AFTER_ROLE + (CLASS << 7), '*%^&|=>?)];,.(+-!~@[\x01\x04\x05\x03\x06\x02');
}
