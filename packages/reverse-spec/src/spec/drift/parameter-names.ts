import { closingOf, splitAtCommas } from './tokens.ts';

type NamePlace = 'last' | 'first' | 'before-colon';

/** Where a parameter's name stands, in languages whose callers never write it. */
const PLACES: Readonly<Record<string, NamePlace>> = {
  java: 'last',
  c: 'last',
  cpp: 'last',
  go: 'first',
  rust: 'before-colon',
  typescript: 'before-colon',
  tsx: 'before-colon',
};

/** A signature without the names of its parameters; as it is where callers can see them. */
export function withoutParameterNames(
  tokens: string[],
  { language, name }: { language: string; name: string },
): string[] {
  const place = PLACES[language];
  const open = place === undefined ? -1 : tokens.indexOf('(', tokens.indexOf(name) + 1);
  if (place === undefined || open === -1) return tokens;
  const close = closingOf(tokens, open);
  const parameters = splitAtCommas(tokens.slice(open + 1, close));
  const isGrouped = parameters.some((parameter) => parameter.length > 1);
  const plain = parameters.map((parameter) => withoutName(parameter, place, isGrouped).join(' '));
  return [...tokens.slice(0, open + 1), plain.join(' , '), ...tokens.slice(close)];
}

const WORD = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

function withoutName(parameter: string[], place: NamePlace, isGrouped: boolean): string[] {
  if (place === 'before-colon') return afterColon(parameter[0] === 'mut' ? parameter.slice(1) : parameter);
  if (place === 'first') return withoutFirst(parameter, isGrouped);
  const end = parameter.indexOf('=') === -1 ? parameter.length : parameter.indexOf('=');
  const at = lastWord(parameter.slice(0, end));
  return at > 0 ? parameter.filter((_token, index) => index !== at) : parameter;
}

/** `a ?: T` and `b ?: T` are one; `this`, `self` and patterns keep their words. */
function afterColon(parameter: string[]): string[] {
  const colon = parameter.indexOf(':');
  const name = parameter.slice(0, colon).filter((token) => WORD.test(token) && token !== 'mut');
  if (colon < 1 || name.length !== 1 || name[0] === 'this' || name[0] === 'self') return parameter;
  return ['_', ...parameter.slice(0, colon).filter((token) => !WORD.test(token)), ...parameter.slice(colon)];
}

/** `a, b int`: a word alone in a list of others is a name too. */
function withoutFirst(parameter: string[], isGrouped: boolean): string[] {
  const [first = '', second = ''] = parameter;
  if (!WORD.test(first) || /^(?:func|map|chan|struct|interface)$/.test(first)) return parameter;
  if (parameter.length === 1) return isGrouped ? ['_'] : parameter;
  return second === '.' && parameter.length === 3 ? parameter : ['_', ...parameter.slice(1)];
}

/** The name of `final List < String > names [ ]`; brackets of an array may follow. */
function lastWord(tokens: readonly string[]): number {
  let at = tokens.length - 1;
  while (at > 0 && /^[[\]\d]+$/.test(tokens[at] ?? '')) at -= 1;
  return WORD.test(tokens[at] ?? '') && tokens[at - 1] !== '.' && tokens[at - 1] !== '::' ? at : -1;
}
