/**
 * Source text as a row of tokens: two texts that differ in whitespace, comments, quote style, trailing
 * separators or a leading `|` alone come out the same. Strings keep their content.
 */
export function normaliseCode(code: string, language: string): string {
  const grammar = grammarOf(language);
  return tidy(tokenise(code, grammar), grammar).join(' ');
}

interface Grammar {
  lineComment: RegExp | undefined;
  blockComments: boolean;
  /** `'a'` and `"a"` mean the same. */
  quotesAlike: boolean;
  /** Members of a braced body may end with `;`, `,` or a line break. */
  looseSeparators: boolean;
  strings: RegExp;
}

const SLASHES = /\/\/[^\n]*/y;
const HASHES = /#[^\n]*/y;
const EITHER = /(?:\/\/|#(?!\[))[^\n]*/y;
const STRING =
  /"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`/y;
/** A lone `'` opens a lifetime or a label. */
const RUST_STRING = /r?(#*)"[\s\S]*?"\1|'(?:[^'\\\n]|\\[^\n]{1,8})'/y;

const cLike: Grammar = {
  lineComment: SLASHES,
  blockComments: true,
  quotesAlike: false,
  looseSeparators: false,
  strings: STRING,
};
const scriptLike: Grammar = { ...cLike, quotesAlike: true, looseSeparators: true };
const hashLike: Grammar = { ...cLike, lineComment: HASHES, blockComments: false };

const grammars: Readonly<Record<string, Grammar>> = {
  typescript: scriptLike,
  tsx: scriptLike,
  javascript: scriptLike,
  jsx: scriptLike,
  python: { ...hashLike, quotesAlike: true },
  ruby: hashLike,
  php: { ...cLike, lineComment: EITHER },
  rust: { ...cLike, strings: RUST_STRING },
};

function grammarOf(language: string): Grammar {
  return grammars[language.toLowerCase()] ?? cLike;
}

const SPACE = /\s+/y;
const BLOCK_COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/y;
const WORD = /[\p{L}\p{N}_$@#]+/uy;
const OPERATOR = /=>|->|::|\.\.\.|&&|\|\||[=!<>]=|[\s\S]/uy;

interface Token {
  text: string;
  newlineBefore: boolean;
}

function tokenise(code: string, grammar: Grammar): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let newlineBefore = false;
  while (at < code.length) {
    const skipped = match(SPACE, code, at) ?? comment(code, at, grammar);
    if (skipped !== undefined) {
      newlineBefore ||= skipped.includes('\n');
      at += skipped.length;
      continue;
    }
    const text = match(grammar.strings, code, at) ?? match(WORD, code, at) ?? match(OPERATOR, code, at) ?? '';
    tokens.push({ text: grammar.quotesAlike ? plainQuotes(text) : text, newlineBefore });
    newlineBefore = false;
    at += Math.max(1, text.length);
  }
  return tokens;
}

function comment(code: string, at: number, grammar: Grammar): string | undefined {
  const block = grammar.blockComments ? match(BLOCK_COMMENT, code, at) : undefined;
  return block ?? (grammar.lineComment && match(grammar.lineComment, code, at));
}

function match(pattern: RegExp, code: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(code)?.[0];
}

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

function tidy(tokens: readonly Token[], grammar: Grammar): string[] {
  const row: string[] = [];
  const brackets: string[] = [];
  for (const { text, newlineBefore } of tokens) {
    const inBody = grammar.looseSeparators && brackets.at(-1) === '{';
    if (inBody && newlineBefore && separates(row.at(-1), text)) row.push(';');
    pushToken(row, inBody && text === ',' ? ';' : text);
    trackBrackets(brackets, text);
  }
  while (row.at(-1) === ';') row.pop();
  return row;
}

function trackBrackets(brackets: string[], text: string): void {
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
