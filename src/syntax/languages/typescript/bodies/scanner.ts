/** Kinds of tokens; a punctuation mark is told by the code of its first character. */
export const END = 0;
export const WORD = 1;
export const LITERAL = 2;
/** A template up to its first `${`. */
export const TEMPLATE = 3;
export const MARK = 4;
/** Nothing more can be said about this text. */
export const LOST = 5;

const OTHER = 0;
const BLANK = 1;
const NEWLINE = 2;
const LETTER = 3;
const LOWER = 4;
const DIGIT = 5;

/** By character code, ASCII alone: what lies beyond can only be part of a name where code stands. */
const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => classOf(String.fromCharCode(code)));

function classOf(character: string): number {
  if (/[a-z]/.test(character)) return LOWER;
  if (/[A-Z_$#]/.test(character)) return LETTER;
  if (/\d/.test(character)) return DIGIT;
  if (/[\n\r]/.test(character)) return NEWLINE;
  return /[ \t\v\f]/.test(character) ? BLANK : OTHER;
}

const [SLASH, STAR, BACKSLASH, BACKTICK, DOLLAR, OPEN_BRACE, DOT] = [47, 42, 92, 96, 36, 123, 46];
const [DOUBLE_QUOTE, SINGLE_QUOTE, OPEN_BRACKET, CLOSE_BRACKET, LINE_FEED] = [34, 39, 91, 93, 10];

/** Cuts text into tokens. Whether a slash divides is for the reader to say: the scanner keeps no grammar. */
export class Scanner {
  readonly text: string;
  start = 0;
  end = 0;
  newlineBefore = false;
  /** Of a word: letters a–z alone, as all words with a role are. */
  isLower = false;

  constructor(text: string) {
    this.text = text;
    if (text.startsWith('#!')) this.end = this.#lineEnd(0);
  }

  next(): number {
    this.#skipBlanks();
    const { text } = this;
    this.start = this.end;
    if (this.end >= text.length) return END;
    const code = text.charCodeAt(this.end);
    const kind = code < 128 ? (CLASSES[code] as number) : LETTER;
    if (kind === LOWER || kind === LETTER) return this.#word();
    if (kind === DIGIT) return this.#number();
    if (code === SINGLE_QUOTE || code === DOUBLE_QUOTE) return this.#string(code);
    if (code === BACKTICK) return this.template();
    if (code === DOT && isDigit(text.charCodeAt(this.end + 1))) return this.#number();
    return code === BACKSLASH ? LOST : MARK;
  }

  /** From a backtick or the brace that closes a substitution to the next substitution or the end. */
  template(): number {
    const { text } = this;
    for (let at = this.end + 1; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === BACKTICK) return this.#stop(at + 1, LITERAL);
      if (code === DOLLAR && text.charCodeAt(at + 1) === OPEN_BRACE) return this.#stop(at + 2, TEMPLATE);
      if (code === BACKSLASH) at = escapeEnd(text, at);
      if (at === INVALID) return LOST;
    }
    return LOST;
  }

  /** From a slash that opens a regular expression. */
  regex(): number {
    const { text } = this;
    let inClass = false;
    for (let at = this.start + 1; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === LINE_FEED) return LOST;
      if (code === BACKSLASH) at += 1;
      else if (code === OPEN_BRACKET) inClass = true;
      else if (code === CLOSE_BRACKET) inClass = false;
      else if (code === SLASH && !inClass) return this.#flags(at + 1);
    }
    return LOST;
  }

  #flags(from: number): number {
    let at = from;
    while (CLASSES[this.text.charCodeAt(at)] === LOWER) at += 1;
    return this.#stop(at, LITERAL);
  }

  #stop(end: number, kind: number): number {
    this.end = end;
    return kind;
  }

  #skipBlanks(): void {
    const { text } = this;
    this.newlineBefore = false;
    for (;;) {
      const code = text.charCodeAt(this.end);
      const kind = CLASSES[code];
      if (kind === NEWLINE) this.newlineBefore = true;
      else if (code === SLASH) {
        if (!this.#skipComment()) return;
        continue;
      } else if (kind !== BLANK && code !== 0xfeff) return;
      this.end += 1;
    }
  }

  #skipComment(): boolean {
    const second = this.text.charCodeAt(this.end + 1);
    if (second === SLASH) this.end = this.#lineEnd(this.end);
    else if (second === STAR) this.#skipBlock();
    return second === SLASH || second === STAR;
  }

  #skipBlock(): void {
    const close = this.text.indexOf('*/', this.end + 2);
    const end = close === -1 ? this.text.length : close + 2;
    const newline = this.text.indexOf('\n', this.end);
    if (newline !== -1 && newline < end) this.newlineBefore = true;
    this.end = end;
  }

  #lineEnd(from: number): number {
    const newline = this.text.indexOf('\n', from);
    return newline === -1 ? this.text.length : newline;
  }

  #word(): number {
    const { text } = this;
    let at = this.end;
    let lower = true;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const kind = code < 128 ? (CLASSES[code] as number) : LETTER;
      if (kind < LETTER) break;
      if (kind !== LOWER) lower = false;
    }
    this.isLower = lower;
    return this.#stop(at, WORD);
  }

  #number(): number {
    const { text } = this;
    let at = this.end + 1;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code >= 128 || ((CLASSES[code] as number) < LETTER && code !== DOT)) break;
    }
    const isPlain = at - this.start === 1;
    return isPlain || isNumber(text.slice(this.start, at)) ? this.#stop(at, LITERAL) : LOST;
  }

  #string(quote: number): number {
    const { text } = this;
    for (let at = this.end + 1; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === quote) return this.#stop(at + 1, LITERAL);
      if (code === LINE_FEED) return LOST;
      if (code === BACKSLASH) at = escapeEnd(text, at);
      if (at === INVALID) return LOST;
    }
    return LOST;
  }
}

function isDigit(code: number): boolean {
  return CLASSES[code] === DIGIT;
}

const NUMBER =
  /^(?:0[xX][\da-fA-F_]+n?|0[oO][0-7_]+n?|0[bB][01_]+n?|(?:0|[1-9][\d_]*)n|(?:(?:0|[1-9][\d_]*)(?:\.[\d_]*)?|\.[\d_]+)(?:[eE]\d*)?)$/;

function isNumber(text: string): boolean {
  return NUMBER.test(text);
}

const INVALID = Number.MAX_SAFE_INTEGER;
/** What may follow a backslash; an octal digit and half a code point may not. */
const ESCAPE = /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[\da-fA-F]{1,6}\}|0(?!\d)|\r\n|[^xu\d])/y;

/** The last character of the escape that begins at a backslash. */
function escapeEnd(text: string, at: number): number {
  ESCAPE.lastIndex = at;
  return ESCAPE.test(text) ? ESCAPE.lastIndex - 1 : INVALID;
}
