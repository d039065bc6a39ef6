/**
 * Scans source text for strings and comments, in one pass. Returns the bracket depth at the end of each line,
 * and the lines that begin inside a string or comment. The ends of units can then be found without a parser.
 */

export interface ScannedSource {
  /** Number of open brackets of all kinds at the end of each line. */
  readonly depth: Int32Array;
  /** 1 if the innermost open bracket at the end of the line is a brace. */
  readonly inBraces: Uint8Array;
  /** 1 if the line begins inside a string or comment, where indentation has no meaning. */
  readonly continues: Uint8Array;
}

/** Comments and strings of several related languages. */
export interface LexicalRules {
  readonly lineComment: readonly string[];
  readonly blockComment?: readonly [string, string];
  /** Delimiters of strings that may continue on the next line, longest first. */
  readonly longStrings: readonly string[];
  /** Delimiters of strings that end on their line. */
  readonly strings: string;
  /** Whether `/…/` is a regular expression in places where a value may begin. */
  readonly regularExpressions?: boolean;
  /** Whether `'` may begin a lifetime, which has no closing quote, or a character literal. */
  readonly lifetimes?: boolean;
}

const C_LIKE: LexicalRules = {
  lineComment: ['//'],
  blockComment: ['/*', '*/'],
  longStrings: ['"""'],
  strings: '"\'',
};
const SCRIPT: LexicalRules = { ...C_LIKE, longStrings: ['`'], regularExpressions: true };
const HASH: LexicalRules = { lineComment: ['#'], longStrings: ['"""', "'''"], strings: '"\'' };

const BY_LANGUAGE: Readonly<Record<string, LexicalRules>> = {
  javascript: SCRIPT,
  typescript: SCRIPT,
  tsx: SCRIPT,
  python: HASH,
  ruby: { ...HASH, longStrings: [], regularExpressions: true },
  go: { ...C_LIKE, longStrings: ['`'] },
  rust: { ...C_LIKE, longStrings: ['"'], strings: '', lifetimes: true },
  php: { ...C_LIKE, lineComment: ['//', '#'], longStrings: ['"', "'"], strings: '' },
};

export function lexicalRulesOf(language: string | undefined): LexicalRules {
  return BY_LANGUAGE[language ?? ''] ?? C_LIKE;
}

const MAX_SCANNED_CHARS = 2000;

/** Scans lines by the rules of their language. Of a very long line only the beginning is read. */
export function scanSource(lines: readonly string[], rules: LexicalRules): ScannedSource {
  const scanner = new Scanner(rules);
  const depth = new Int32Array(lines.length);
  const inBraces = new Uint8Array(lines.length);
  const continues = new Uint8Array(lines.length);
  for (const [index, line] of lines.entries()) {
    if (scanner.isInside()) continues[index] = 1;
    scanner.read(line.length > MAX_SCANNED_CHARS ? line.slice(0, MAX_SCANNED_CHARS) : line);
    depth[index] = scanner.depth();
    if (scanner.isInBraces()) inBraces[index] = 1;
  }
  return { depth, inBraces, continues };
}

const OPENING = '([{';
const CLOSING = ')]}';
/** Matches text after which `/` begins a regular expression and is not a division. */
const BEFORE_VALUE =
  /(?:^|[([{,;=:!&|?+\-*%~^<>]|\b(?:return|typeof|case|in|of|do|else|if|unless|when|and|or|not))\s*$/;
const CHARACTER = /^'(?:\\.[^']{0,10}|[^\\'])'/;

class Scanner {
  readonly #rules: LexicalRules;
  readonly #open: string[] = [];
  /** Delimiter that ends the open string or comment; empty outside of both. */
  #until = '';

  /** 1 for the codes of brackets, and of characters with which a comment or string begins. */
  readonly #matters: Uint8Array;

  constructor(rules: LexicalRules) {
    this.#rules = rules;
    this.#matters = new Uint8Array(128);
    const comments = [...rules.lineComment, rules.blockComment?.[0] ?? ''];
    const marks = [...comments, ...rules.longStrings, ...rules.strings];
    for (const mark of [...marks, ...OPENING, ...CLOSING, "'", '/']) this.#matters[mark.charCodeAt(0)] = 1;
  }

  isInside(): boolean {
    return this.#until !== '';
  }

  depth(): number {
    return this.#open.length;
  }

  isInBraces(): boolean {
    return this.#open.at(-1) === '{';
  }

  read(line: string): void {
    for (let at = 0; at < line.length; ) {
      if (this.#until !== '') at = this.#skipInside(line, at);
      else if (this.#matters[line.charCodeAt(at)] !== 1) at += 1;
      else if (this.#isComment(line, at)) return;
      else at = this.#readCode(line, at);
    }
  }

  /** Returns the position after the open string or comment, at most the end of the line. */
  #skipInside(line: string, from: number): number {
    const until = this.#until;
    const isComment = until === this.#rules.blockComment?.[1];
    for (let at = from; at < line.length; at += 1) {
      if (!isComment && line.charAt(at) === '\\') at += 1;
      else if (line.startsWith(until, at)) {
        this.#until = '';
        return at + until.length;
      }
    }
    return line.length;
  }

  #isComment(line: string, at: number): boolean {
    return this.#rules.lineComment.some(
      (mark) => line.startsWith(mark, at) && !(mark === '#' && line.charAt(at + 1) === '{'),
    );
  }

  #readCode(line: string, at: number): number {
    const { blockComment, longStrings, strings } = this.#rules;
    if (blockComment !== undefined && line.startsWith(blockComment[0], at)) {
      this.#until = blockComment[1];
      return at + blockComment[0].length;
    }
    const long = longStrings.find((mark) => line.startsWith(mark, at));
    if (long !== undefined) {
      this.#until = long;
      return at + long.length;
    }
    const character = line.charAt(at);
    if (strings.includes(character)) return endOfString(line, at);
    if (character === "'" && this.#rules.lifetimes === true)
      return at + (CHARACTER.exec(line.slice(at, at + 16))?.[0].length ?? 1);
    if (character === '/' && this.#rules.regularExpressions === true && isRegularExpression(line, at))
      return endOfRegularExpression(line, at);
    this.#count(character);
    return at + 1;
  }

  #count(character: string): void {
    if (OPENING.includes(character)) this.#open.push(character);
    else if (CLOSING.includes(character)) this.#close(OPENING.charAt(CLOSING.indexOf(character)));
  }

  /** Closes a bracket and all open brackets inside it. Ignores a bracket that has no counterpart. */
  #close(opening: string): void {
    const at = this.#open.lastIndexOf(opening);
    if (at >= 0 && this.#open.length - at <= MAX_UNCLOSED) this.#open.length = at;
  }
}

const MAX_UNCLOSED = 3;

function endOfString(line: string, start: number): number {
  const quote = line.charAt(start);
  for (let at = start + 1; at < line.length; at += 1) {
    if (line.charAt(at) === '\\') at += 1;
    else if (line.charAt(at) === quote) return at + 1;
  }
  // A quote that is not closed is an apostrophe, and code follows.
  return start + 1;
}

const LOOKED_BACK = 40;

function isRegularExpression(line: string, at: number): boolean {
  return BEFORE_VALUE.test(line.slice(Math.max(0, at - LOOKED_BACK), at));
}

function endOfRegularExpression(line: string, start: number): number {
  let isInClass = false;
  for (let at = start + 1; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '[') isInClass = true;
    else if (character === ']') isInClass = false;
    else if (character === '/' && !isInClass) return at + 1;
  }
  return start + 1;
}
