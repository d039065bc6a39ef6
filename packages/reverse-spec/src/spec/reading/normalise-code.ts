/**
 * Source text as a row of tokens: two texts that differ in whitespace, comments, quote style, trailing
 * separators or a leading `|` alone come out the same. Strings keep their content.
 */
export function normaliseCode(code: string, language: string): string {
  return codeTokens(code, language).join(' ');
}

export function codeTokens(code: string, language: string): string[] {
  return tidyTokens(code, grammars[language] ?? cLike);
}

interface Grammar {
  /** `'a'` and `"a"` mean the same. */
  quotesAlike: boolean;
  /** Members of a braced body may end with `;`, `,` or a line break. */
  looseSeparators: boolean;
  /** One token a match; the first group is what separates tokens and means nothing. */
  token: RegExp;
}

const SLASHES = '//[^\\n]*';
const HASHES = '#[^\\n]*';
const BLOCK_COMMENT = '/\\*[^]*?(?:\\*/|$)';
const STRING =
  '"""[^]*?(?:"""|$)|\'\'\'[^]*?(?:\'\'\'|$)|"(?:[^"\\\\\\n]|\\\\.)*"|\'(?:[^\'\\\\\\n]|\\\\.)*\'|`(?:[^`\\\\]|\\\\[^])*`';
/** A lone `'` opens a lifetime or a label. */
const RUST_STRING = "r?(?<hashes>#*)\"[^]*?\"\\k<hashes>|'(?:[^'\\\\\\n]|\\\\[^\\n]{1,8})'";
/** Letters of any script: what is not ASCII is never an operator. */
const WORD = '[\\w$@#\\u0080-\\uffff]+';
const OPERATOR = '=>|->|::|\\.\\.\\.|&&|\\|\\||[=!<>]=|[^]';

function tokens(comments: readonly string[], strings: string = STRING): RegExp {
  return new RegExp(`(\\s+|${comments.join('|')})|${strings}|${WORD}|${OPERATOR}`, 'y');
}

const cLike: Grammar = {
  quotesAlike: false,
  looseSeparators: false,
  token: tokens([SLASHES, BLOCK_COMMENT]),
};
const scriptLike: Grammar = { ...cLike, quotesAlike: true, looseSeparators: true };

const grammars: Readonly<Record<string, Grammar>> = {
  typescript: scriptLike,
  tsx: scriptLike,
  javascript: scriptLike,
  python: { ...cLike, quotesAlike: true, token: tokens([HASHES]) },
  ruby: { ...cLike, token: tokens([HASHES]) },
  php: { ...cLike, token: tokens(['(?://|#(?!\\[))[^\\n]*', BLOCK_COMMENT]) },
  rust: { ...cLike, token: tokens([SLASHES, BLOCK_COMMENT], RUST_STRING) },
};

/** `'it\'s'` and `"it's"` are one string. */
function plainQuotes(token: string): string {
  const quote = token[0];
  if (token.length < 2 || (quote !== "'" && quote !== '"') || token.startsWith(quote.repeat(3))) return token;
  const content = token.slice(1, -1).replace(/\\(['"])/g, '$1');
  return `"${content.replace(/"/g, '\\"')}"`;
}

const OPENERS = '([{<';
const CLOSERS = ')]}>';
/** After or before one of these a line break separates nothing. */
const JOINS = new Set([',', ';', '|', '&', '=', ':', '=>', '.', '?', '(', '[', '{', '<', '||', '&&']);
const OPENS_UNION = new Set([',', ';', '=', ':', '=>', '(', '[', '{', '<']);

function tidyTokens(code: string, { token, quotesAlike, looseSeparators }: Grammar): string[] {
  const row: string[] = [];
  const brackets: string[] = [];
  let newlineBefore = false;
  token.lastIndex = 0;
  for (let match = token.exec(code); match !== null; match = token.exec(code)) {
    const [text, skipped] = match;
    if (skipped !== undefined) {
      newlineBefore ||= skipped.includes('\n');
      continue;
    }
    const inBody = looseSeparators && brackets.at(-1) === '{';
    if (inBody && newlineBefore && separates(row.at(-1), text)) row.push(';');
    newlineBefore = false;
    takeToken(row, quotesAlike ? plainQuotes(text) : text, inBody);
    trackBrackets(brackets, text);
  }
  while (row.at(-1) === ';') row.pop();
  return row;
}

/** Words are most of what there is, and nothing below concerns them. */
function takeToken(row: string[], text: string, inBody: boolean): void {
  if (text.length > 1) row.push(text);
  else pushToken(row, inBody && text === ',' ? ';' : text);
}

function trackBrackets(brackets: string[], text: string): void {
  if (text.length > 1) return;
  if (isOneOf('([{', text)) brackets.push(text);
  if (isOneOf(')]}', text)) brackets.pop();
}

function separates(before: string | undefined, after: string): boolean {
  return before !== undefined && !JOINS.has(before) && !JOINS.has(after) && !isOneOf(CLOSERS, after);
}

function pushToken(row: string[], text: string): void {
  const last = row.at(-1);
  if (text === ';' && (last === ';' || last === undefined || isOneOf(OPENERS, last))) return;
  // A separator before a closing bracket ends nothing that the bracket does not end.
  if (isOneOf(CLOSERS, text)) while (row.at(-1) === ';' || row.at(-1) === ',') row.pop();
  if ((text === '|' || text === '&') && (last === undefined || OPENS_UNION.has(last))) return;
  row.push(text);
}

function isOneOf(set: string, text: string): boolean {
  return text.length === 1 && set.includes(text);
}
