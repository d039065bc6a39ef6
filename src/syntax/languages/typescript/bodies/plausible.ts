import {
  ARROW,
  COMPARED,
  DOUBLED,
  LITERAL_END,
  type Neighbour,
  OPERAND,
  OPERATOR,
  OPTIONAL,
  SHIFTED,
  SPREAD,
} from './state.ts';
import {
  BETWEEN,
  CLASS,
  CONTROL,
  DECLARING,
  INFIX,
  LEADING,
  NAME,
  PREFIX,
  RETURNING,
  STATEMENT,
} from './words.ts';

const named = (...marks: number[]): string => String.fromCharCode(...marks);

/**
 * Marks that may follow where an operand was expected, each with the marks it may follow there. Marks not named
 * here begin an operand.
 */
const FOLLOWS: Readonly<Record<string, string>> = {
  ')': '(,;?',
  ']': '[,?',
  '}': '{;,:',
  ';': ';{:(?)',
  ',': '[,?',
  ':': '?',
  '?': '+-',
  '*': '{,;',
  '&': `=:<(,${named(ARROW)}`,
  '|': `=:<(,${named(ARROW)}`,
  '>': ',',
  '.': '',
  '=': '',
  '%': '',
  '^': '',
  [named(ARROW)]: '',
  [named(OPTIONAL)]: '',
  [named(COMPARED)]: '',
  [named(SHIFTED)]: '',
  [named(DOUBLED)]: '',
};

const SIZE = 128;
const ODD = new Uint8Array(SIZE * SIZE);
for (const [mark, allowed] of Object.entries(FOLLOWS)) {
  for (let before = 0; before < SIZE; before += 1) {
    const isAllowed = allowed.includes(String.fromCharCode(before));
    ODD[before * SIZE + mark.charCodeAt(0)] = isAllowed ? 0 : 1;
  }
}
// After a member's dot no mark can follow at all, after the optional one only what opens an argument or an index.
for (let mark = 0; mark < SIZE; mark += 1) {
  ODD['.'.charCodeAt(0) * SIZE + mark] = 1;
  ODD[OPTIONAL * SIZE + mark] = mark === '('.charCodeAt(0) || mark === '['.charCodeAt(0) ? 0 : 1;
}

/** What cannot follow a word that wants an operand or a name. */
const codesOf = (marks: string): ReadonlySet<number> => new Set([...marks].map((each) => each.charCodeAt(0)));
const NO_OPERAND = codesOf(`*%^&|=>?)];<${named(ARROW, COMPARED, SHIFTED, OPTIONAL, DOUBLED)}`);
const NO_VALUE = codesOf(`*%^&|=>?,.])${named(ARROW, COMPARED, SHIFTED, OPTIONAL, DOUBLED)}`);
const NO_NAME = codesOf(`*%^&|=>?)];<,.(+-!~@}${named(ARROW, COMPARED, SHIFTED, OPTIONAL, DOUBLED, SPREAD)}`);
const NO_CLASS = codesOf(`*%^&|=>?)];,.(+-!~@[${named(ARROW, COMPARED, SHIFTED, OPTIONAL, DOUBLED, SPREAD)}`);
const AFTER_ROLE: ReadonlyMap<number, ReadonlySet<number>> = new Map([
  [PREFIX, NO_OPERAND],
  [STATEMENT, NO_OPERAND],
  [BETWEEN, NO_OPERAND],
  [RETURNING, NO_VALUE],
  [DECLARING, NO_NAME],
  [CLASS, NO_CLASS],
]);

const [SEMICOLON, COMMA, COLON, OPEN_BRACE, CLOSE_BRACE, DOT] = [59, 44, 58, 123, 125, 46];

/** Whether no valid code has `mark` here. */
export function markIsOdd(before: Neighbour, mark: number): boolean {
  const { around } = before;
  if (before.role !== NAME) return AFTER_ROLE.get(before.role)?.has(mark) ?? false;
  if (mark === SEMICOLON && around !== 'brace' && around !== 'control') return true;
  if (before.state !== OPERATOR) return isOddAfterOperand(before, mark);
  if (mark === COMMA && around !== 'bracket') return before.mark !== '?'.charCodeAt(0);
  if (mark === CLOSE_BRACE && around === 'object' && before.mark === COLON) return true;
  return ODD[before.mark * SIZE + mark] === 1;
}

function isOddAfterOperand({ state, mark: before }: Neighbour, mark: number): boolean {
  if (state !== OPERAND) return false;
  return mark === SPREAD || (mark === OPEN_BRACE && before === LITERAL_END);
}

/** Marks after which no statement can begin. */
const INSIDE_EXPRESSION = codesOf(`=+-*&|<?([%^.${named(ARROW, SPREAD, COMPARED, DOUBLED)}`);

export function literalIsOdd(before: Neighbour): boolean {
  if (before.role === DECLARING || before.role === CLASS) return true;
  if (before.mark === DOT || before.mark === OPTIONAL) return true;
  return wordIsOdd(before, NAME);
}

/** Whether no valid code has a word of this role after `before`. */
export function wordIsOdd(before: Neighbour, role: number): boolean {
  if (before.role === DECLARING || before.role === CLASS) return isReserved(role) && role !== BETWEEN;
  if (before.state === OPERATOR) {
    return !(before.newLine && before.role === RETURNING) && isOutOfPlace(before, role);
  }
  if (before.state !== OPERAND || before.newLine) return false;
  if (role === INFIX || role === BETWEEN) return false;
  return before.role !== LEADING;
}

function isOutOfPlace({ mark, role: roleBefore, around }: Neighbour, role: number): boolean {
  if (!isReserved(role) || (role === DECLARING && around === 'control')) return false;
  if (roleBefore !== NAME && roleBefore !== STATEMENT) return true;
  if (mark === COMMA) return around === 'paren' || around === 'bracket';
  return INSIDE_EXPRESSION.has(mark);
}

/** Words that begin a statement and are never a value. */
function isReserved(role: number): boolean {
  return (
    role === CONTROL || role === RETURNING || role === STATEMENT || role === DECLARING || role === BETWEEN
  );
}
