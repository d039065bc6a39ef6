const [DOT, EQUALS, GREATER, QUESTION, PLUS, MINUS] = [46, 61, 62, 63, 43, 45];

/** How many characters belong together: `===`, `>>>=`, `??=`, `...`, `?.`, `++`, `=>`. */
export function operatorLength(text: string, start: number, code: number): number {
  const second = text.charCodeAt(start + 1);
  if (code === DOT) return text.startsWith('...', start) ? 3 : 1;
  if (code === QUESTION && second === DOT) return isDigit(text.charCodeAt(start + 2)) ? 1 : 2;
  if (code === EQUALS && second === GREATER) return 2;
  if ((code === PLUS || code === MINUS) && second === code) return 2;
  return munch(text, start, code);
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
