import { stateAfter } from './after-word.ts';
import { type BracketKind, Brackets } from './brackets.ts';
import { opensObjectType } from './object-type.ts';
import { meaningOf, operatorLength } from './operator.ts';
import { literalIsOdd, markIsOdd, wordIsOdd } from './plausible.ts';
import { END, LITERAL, LOST, MARK, Scanner, TEMPLATE, WORD } from './scanner.ts';
import {
  AFTER_BRACE,
  ARROW,
  COMPARED,
  DOUBLED,
  EITHER,
  LITERAL_END,
  type Neighbour,
  OPERAND,
  OPERATOR,
  OPTIONAL,
  SHIFTED,
  SPREAD,
} from './state.ts';
import {
  CLASS,
  CONTEXTUAL,
  CONTROL,
  DECLARING,
  INFIX,
  LEADING,
  LOOPING,
  NAME,
  RETURNING,
  roleOf,
  VOID,
} from './words.ts';

/** Offsets of the opening brace and of the closing one. */
export interface Body {
  start: number;
  end: number;
}

export interface FindOptions {
  /** A `<` where an operand belongs may open an element, whose text is no code. */
  mayHoldJsx: boolean;
}

/**
 * The bodies of functions that stand outside every other function, found without a parser; nothing when the text
 * cannot be understood for certain. What lies inside a body must look like code, so that a broken one is not
 * passed over; whether a brace opens a body at all is left for the parser to confirm.
 */
export function findBodies(text: string, options: FindOptions): Body[] | undefined {
  return new BodyFinder(text, options).find();
}

const BACKTICK = 96;
const [PAREN, BRACKET, BRACE, CLOSE_PAREN, CLOSE_BRACKET, CLOSE_BRACE] = [40, 91, 123, 41, 93, 125];
const [SLASH, COLON, SEMICOLON, COMMA, EQUALS, GREATER, LESS, DOT, PLUS, MINUS, BANG, QUESTION] = [
  47, 58, 59, 44, 61, 62, 60, 46, 43, 45, 33, 63,
];
const NONE = -1;

class BodyFinder {
  readonly #scanner: Scanner;
  readonly #mayHoldJsx: boolean;
  readonly #brackets = new Brackets();
  readonly #bodies: Body[] = [];
  /** What the token before leaves behind. */
  readonly #before: Neighbour = {
    state: OPERATOR,
    mark: SEMICOLON,
    role: NAME,
    around: undefined,
    newLine: false,
  };
  /** Depth at which a class header, or a return type, waits for its brace. */
  #classAt = NONE;
  #returnTypeAt = NONE;
  /** Angle brackets open in that return type. */
  #angles = 0;
  #bodyStart = NONE;
  #bodyDepth = NONE;
  #lost = false;

  constructor(text: string, { mayHoldJsx }: FindOptions) {
    this.#scanner = new Scanner(text);
    this.#mayHoldJsx = mayHoldJsx;
  }

  find(): Body[] | undefined {
    for (let kind = this.#scanner.next(); kind !== END; kind = this.#scanner.next()) {
      this.#take(kind);
      if (this.#lost) return undefined;
    }
    return this.#brackets.depth === 0 ? this.#bodies : undefined;
  }

  #take(kind: number): void {
    const around = this.#brackets.top;
    this.#before.around = around;
    this.#before.newLine = this.#scanner.newlineBefore && around === 'brace';
    if (kind === WORD) this.#word();
    else if (kind === MARK) this.#mark(this.#scanner.text.charCodeAt(this.#scanner.start));
    else if (kind === LITERAL) this.#literal();
    else if (kind === TEMPLATE) this.#substitute();
    else this.#lost = kind === LOST;
  }

  get #inBody(): boolean {
    return this.#bodyStart !== NONE;
  }

  #leave(state: Neighbour['state'], mark: number): void {
    this.#before.state = state;
    this.#before.mark = mark;
    this.#before.role = NAME;
  }

  #word(): void {
    const role = this.#roleHere();
    if (this.#inBody && wordIsOdd(this.#before, role)) {
      this.#lost = true;
      return;
    }
    this.#leave(stateAfter(role), 0);
    this.#before.role = role;
    if (!this.#inBody && role !== NAME) this.#noteHeader(role);
  }

  /** Every word is a name after a dot, and `const` is a type after `as` and `<`. */
  #roleHere(): number {
    const { start, end, isLower, text } = this.#scanner;
    const { mark, role: roleBefore } = this.#before;
    if (!isLower || mark === DOT || mark === OPTIONAL) return NAME;
    const role = roleOf(text, start, end);
    if (role === CONTEXTUAL && roleBefore === CONTROL) return LOOPING;
    return role === DECLARING && (roleBefore === INFIX || mark === LESS) ? NAME : role;
  }

  /** A return type goes on over names, never over the words that begin the next statement. */
  #noteHeader(role: number): void {
    if (role === CLASS) this.#classAt = this.#brackets.depth;
    if (role === CLASS || role === LEADING || role === CONTROL || role === DECLARING)
      this.#returnTypeAt = NONE;
  }

  #literal(): void {
    const isTagged = this.#scanner.text.charCodeAt(this.#scanner.start) === BACKTICK;
    if (this.#inBody && !isTagged && literalIsOdd(this.#before)) this.#lost = true;
    else this.#leave(OPERAND, LITERAL_END);
  }

  #mark(code: number): void {
    if (code === PAREN) this.#open(this.#opensControl() ? 'control' : 'paren');
    else if (code === BRACKET) this.#open('bracket');
    else if (code === BRACE) this.#openBrace();
    else if (code === CLOSE_PAREN || code === CLOSE_BRACKET || code === CLOSE_BRACE) this.#close(code);
    else if (code === SLASH) this.#slash();
    else this.#operator(code);
  }

  #opensControl(): boolean {
    return this.#before.role === CONTROL || this.#before.role === LOOPING;
  }

  #open(kind: BracketKind): void {
    const mark = this.#scanner.text.charCodeAt(this.#scanner.start);
    if (this.#inBody && this.#bodyStart !== this.#scanner.start && this.#isOdd(mark)) this.#lost = true;
    this.#scanner.end += 1;
    this.#brackets.open(kind);
    this.#leave(OPERATOR, mark);
  }

  #isOdd(mark: number): boolean {
    return markIsOdd(this.#before, mark);
  }

  #substitute(): void {
    this.#brackets.open('template');
    this.#leave(OPERATOR, BRACE);
  }

  #openBrace(): void {
    const { start } = this.#scanner;
    if (!this.#inBody && this.#opensBody()) {
      this.#bodyStart = start;
      this.#bodyDepth = this.#brackets.depth;
    }
    this.#open(this.#inBody && this.#opensObject() ? 'object' : 'brace');
  }

  /** Where only a value can stand; after a colon it may be a type as well. */
  #opensObject(): boolean {
    const { state, mark, role } = this.#before;
    if (state !== OPERATOR) return false;
    if (role === RETURNING || VALUE_FOLLOWS.has(mark)) return true;
    const { top } = this.#brackets;
    if (mark === COMMA) return top !== 'brace';
    return mark === COLON && top === 'object';
  }

  #opensBody(): boolean {
    const { state, mark, role } = this.#before;
    const { depth, wasControl } = this.#brackets;
    const afterOperand = state !== OPERATOR && role !== INFIX && role !== CONTEXTUAL;
    if (this.#classAt === depth && afterOperand) {
      this.#classAt = NONE;
      return false;
    }
    if (mark === ARROW) return !opensObjectType(this.#scanner.text, this.#scanner.start);
    if (mark === CLOSE_PAREN) return !wasControl;
    if (this.#returnTypeAt !== depth || !afterOperand) return false;
    this.#returnTypeAt = NONE;
    return true;
  }

  #close(code: number): void {
    const isOdd = this.#isOdd(code);
    const kind = this.#brackets.close(code);
    if (kind === undefined || (this.#inBody && isOdd)) {
      this.#lost = true;
      return;
    }
    if (kind === 'template') this.#afterSubstitution();
    else this.#afterClose(kind, code);
  }

  #afterClose(kind: BracketKind, code: number): void {
    this.#scanner.end += 1;
    this.#leave(kind === 'brace' ? AFTER_BRACE : OPERAND, code);
    if (kind === 'control') this.#before.state = OPERATOR;
    if (this.#bodyDepth === this.#brackets.depth) this.#endBody();
    if (this.#returnTypeAt > this.#brackets.depth) this.#returnTypeAt = NONE;
  }

  #afterSubstitution(): void {
    const kind = this.#scanner.template();
    if (kind === TEMPLATE) this.#substitute();
    else if (kind === LITERAL) this.#leave(OPERAND, 0);
    else this.#lost = true;
  }

  #endBody(): void {
    this.#bodies.push({ start: this.#bodyStart, end: this.#scanner.end - 1 });
    this.#bodyStart = NONE;
    this.#bodyDepth = NONE;
  }

  #slash(): void {
    const { state } = this.#before;
    if (state === AFTER_BRACE || state === EITHER) this.#lost = true;
    else if (state === OPERAND) this.#operator(SLASH);
    else if (this.#scanner.regex() === LOST) this.#lost = true;
    else this.#leave(OPERAND, LITERAL_END);
  }

  #operator(code: number): void {
    const { text, start } = this.#scanner;
    const length = operatorLength(text, start, code);
    const { state } = this.#before;
    const isElement = code === LESS && state === OPERATOR && this.#mayHoldJsx;
    const meaning = meaningOf(text, start, length);
    if (isElement || (this.#inBody && this.#isOdd(meaning))) {
      this.#lost = true;
      return;
    }
    this.#scanner.end += length;
    if (!this.#inBody) this.#noteType(meaning, length);
    if (this.#isPostfix(code, length)) return;
    this.#leave(code === GREATER ? EITHER : OPERATOR, meaning);
  }

  /** `x!`, `x++`: the operand goes on. */
  #isPostfix(code: number, length: number): boolean {
    if (this.#before.state !== OPERAND || this.#scanner.newlineBefore) return false;
    if (code === BANG) return length === 1;
    const isStep = (code === PLUS || code === MINUS) && length === 2;
    return isStep && this.#scanner.text.charCodeAt(this.#scanner.start + 1) === code;
  }

  /** A return type goes on over the commas of its own type arguments. */
  #noteType(mark: number, length: number): void {
    const { depth } = this.#brackets;
    if (mark === COLON && this.#before.mark === CLOSE_PAREN) {
      this.#returnTypeAt = depth;
      this.#angles = 0;
    }
    if (this.#returnTypeAt !== depth) return;
    if (mark === LESS) this.#angles += length;
    if (mark === GREATER) this.#angles -= length;
    const ends = mark === SEMICOLON || mark === EQUALS || (mark === COMMA && this.#angles === 0);
    if (ends) this.#returnTypeAt = NONE;
  }
}

/** Marks after which a brace opens a value, never a type or a block. */
const VALUE_FOLLOWS: ReadonlySet<number> = new Set([EQUALS, PAREN, BRACKET, QUESTION, SPREAD, DOUBLED]);
