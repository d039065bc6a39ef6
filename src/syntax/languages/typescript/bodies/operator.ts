import { ARROW, COMPARED, DOUBLED, OPTIONAL, SHIFTED, SPREAD } from './state.ts';

const [DOT, EQUALS, GREATER, LESS, QUESTION, PLUS, MINUS] = [46, 61, 62, 60, 63, 43, 45];

/** How many characters belong together: `===`, `>>>=`, `??=`, `...`, `?.`, `++`, `=>`. */
export function operatorLength(text: string, start: number, code: number): number {
  const second = text.charCodeAt(start + 1);
  if (code === DOT) return text.startsWith('...', start) ? 3 : 1;
  if (code === QUESTION && second === DOT) return isDigit(text.charCodeAt(start + 2)) ? 1 : 2;
  if (code === EQUALS && second === GREATER) return 2;
  if ((code === PLUS || code === MINUS) && second === code) return 2;
  return munch(text, start, code);
}

/** What an operator of this length is to its neighbours: a code of `state.ts`, else that of its first character. */
export function meaningOf(text: string, start: number, length: number): number {
  const code = text.charCodeAt(start);
  if (length === 1) return code;
  if (code === DOT) return SPREAD;
  if (code === LESS && text.charCodeAt(start + 1) === LESS) return SHIFTED;
  const last = text.charCodeAt(start + length - 1);
  if (code === EQUALS && last === GREATER) return ARROW;
  if (code === QUESTION && last === DOT) return OPTIONAL;
  if (last === EQUALS) return COMPARED;
  return code === PLUS || code === MINUS || code === GREATER ? code : DOUBLED;
}

function munch(text: string, start: number, code: number): number {
  let end = start + 1;
  if (REPEATED.has(code)) while (end - start < 3 && text.charCodeAt(end) === code) end += 1;
  if (ASSIGNING.has(code)) while (end - start < 4 && text.charCodeAt(end) === EQUALS) end += 1;
  return end - start;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

const codesOf = (characters: string): ReadonlySet<number> =>
  new Set([...characters].map((each) => each.charCodeAt(0)));
const REPEATED = codesOf('=*&|<>?');
const ASSIGNING = codesOf('!+-*/%&|^<>?');
