import { isPublicName, isSecretName } from '../secret-names.ts';
import { assignedRules } from './gitleaks-rules.ts';
import { isPlaceholder, isRandomEnough, looksGenerated } from './token-shapes.ts';

/** Matches a string literal without spaces that is long enough to be a secret. The text before it is then searched for a name. */
const LITERAL =
  /"(?:[^"\s\\]|\\[^\s]){6,600}(?=")|'(?:[^'\s\\]|\\[^\s]){6,600}(?=')|`(?:[^`\s\\]|\\[^\s]){6,600}(?=`)/g;
const NAME = '([A-Za-z_$][\\w$-]{0,63})';
const TYPE = "[?!]?:\\s{0,9}[\\w.<>[\\]|&'*? ]{1,40}?\\s{0,9}=";
/**
 * Text before the quote of an assigned value: `name = "`, `name: '`, `"name" => "`, `name: Type = "`, `name[]
 * = "`, `name { get; } = "`, `name === "`, `env.NAME || "`, `get("NAME") ?? "`.
 */
const ASSIGNED = endingWith(
  `${NAME}(?:["'\`]?\\]?\\s{0,9}(?:${TYPE}|:=|=>|[!=]?={1,2}|\\|\\|=|\\?\\?=|:)|\\[\\w{0,8}\\]\\s{0,9}=|\\s{0,9}\\{[^{}"']{1,40}\\}\\s{0,9}=|["'\`]?\\]?\\)?\\s{0,9}(?:\\|\\||\\?\\?))\\s{0,99}`,
);
/** Text before the quote of an argument: `getenv("NAME", "`, `setPassword("`, `name = String::from("`. */
const GIVEN = endingWith(
  `(?:(?:[Gg]et|[Ee]nv|ENV|[Ff]etch|[Cc]onfig|[Dd]efault)\\w{0,20}\\(\\s{0,9}["'\`]([A-Za-z_$][\\w$.-]{0,63})["'\`]\\s{0,9},|\\b(?:set|with|add)?_?([Pp]ass(?:word|phrase|wd)|[Aa]pi_?[Kk]ey|[Ss]ecret(?:_?[Kk]ey)?)\\(|${NAME}\\s{0,9}=\\s{0,9}(?:new\\s)?(?:std::string|String(?:::from)?|string|Secret(?:Str(?:ing)?)?|SecureString|Buffer\\.from|bytes|Some|Optional\\.of)\\()\\s{0,99}`,
);
/** Text before a quote that follows a word: `get("NAME") or "`, `#define NAME "`. */
const WORDED = endingWith(`(?:${NAME}["'\`]?\\]?\\)?\\s{1,9}or|#\\s{0,9}define\\s{1,9}${NAME})\\s{1,99}`);

/** Returns a pattern that matches at `lastIndex` if the text before it ends with `pattern`. Nothing else is scanned. */
function endingWith(pattern: string): RegExp {
  return new RegExp(`(?<=${pattern})`, 'y');
}

/** A comment up to the end of its line. `#name` is a private field, not a comment. */
const COMMENT = /(?:\/\/|\/\*|<!--|#(?=[ \t#!])|^[ \t]{0,40}\*[ \t])[^\n]*/gm;
const VALUE = /[:=]\s{0,4}[^\s'"`<>,;(){}[\]]{8}/;
/** An unquoted value: `export API_KEY=abc…`. It is redacted only in comments; elsewhere it may be code. */
const UNQUOTED = /(?<![\w-])([A-Za-z_][\w-]{0,63})(\s{0,4}[:=]\s{0,4})([^\s'"`<>,;(){}[\]]{8,})/g;
/** A secret after a sentence about it: `the secret key is wJalr…`. */
const SECRET_WORD =
  /\b(?:secret|token|password|passphrase|credential|(?:api|access|private|signing|encryption|master|hmac|aes|session)[ _-]?key)s?\b/i;
/** `key` alone often means the key of a table or a public key. A digest after such a word is kept. */
const KEY_WORD = /\bkeys?\b/i;
const IN_PROSE = /(?<![\w+/=.-])(?:[A-Za-z0-9+/]{40}|[0-9a-fA-F]{32,128})(?![\w+/=-])/g;
/** 40 characters with lower case, upper case and digits, as in keys of AWS. A digest never has all three. */
const MIXED_IN_PROSE =
  /(?<![\w+/=.-])(?=[A-Z0-9+/]{0,39}[a-z])(?=[a-z0-9+/]{0,39}[A-Z])(?=[A-Za-z+/]{0,39}\d)[A-Za-z0-9+/]{40}(?![\w+/=-])/g;

/** A name and a value as separate fields: `{ name: 'API_KEY', value: '…' }`, `<add key="ApiKey" value="…"/>`, and the same in YAML. */
const PAIR =
  /((?:[Kk]ey|[Nn]ame)["']?\s{0,4}[:=]\s{0,4}["']?)([A-Za-z_][\w.-]{0,63})(["']?\s{0,4},?\s{0,40}["']?[Vv]alue["']?\s{0,4}[:=]\s{0,4}["']?)([^\s"'`<>,;(){}[\]]{6,500})/g;
const XML_ELEMENT = /(<)([A-Za-z][\w.-]{0,63})(>)([^<>\s]{6,500})(?=<\/)/g;

export function redactAssignments(text: string): string {
  const clean = redactLiterals(text).replace(COMMENT, (comment) => {
    const assigned = VALUE.test(comment) ? comment.replace(UNQUOTED, redactUnquoted) : comment;
    const isSaid = SECRET_WORD.test(assigned) || (KEY_WORD.test(assigned) && !isPublicName(assigned));
    return assigned.replace(isSaid ? IN_PROSE : MIXED_IN_PROSE, redactInProse);
  });
  // Every match contains `alue`. Few sources do, so this is searched first.
  const paired = clean.includes('alue') ? clean.replace(PAIR, redactPair) : clean;
  return paired.includes('</') ? paired.replace(XML_ELEMENT, redactPair) : paired;
}

/** Redacts literals. Searches from each literal back to its name, because long literals are rarer than names. */
function redactLiterals(text: string): string {
  return text.replace(LITERAL, (literal: string, at: number) => {
    const place = placeBefore(text, at);
    if (place === undefined) return literal;
    const value = literal.slice(1);
    if (!(isRandomEnough(value) || looksGenerated(value)) || isPlaceholder(value)) return literal;
    place.pattern.lastIndex = place.end;
    const name = place.pattern.exec(text)?.find((group) => group !== undefined && group !== '');
    return name !== undefined && isSecret(name, value) ? `${literal[0]}[REDACTED:secret]` : literal;
  });
}

/** Returns the pattern for the text before a quote. This test is cheap and excludes most literals, which are not assigned to a name. */
function placeBefore(text: string, quoteAt: number): { pattern: RegExp; end: number } | undefined {
  let end = quoteAt;
  // Skips the prefix of a literal: `b"…"`, `r'…'`, `u8"…"`, `@"…"`, `$@"…"`.
  while (quoteAt - end < 2 && /[\w@$]/.test(text.charAt(end - 1))) end -= 1;
  let at = end - 1;
  while (isBlank(text.charCodeAt(at))) at -= 1;
  const pattern = patternAfter(text, at);
  return pattern === undefined ? undefined : { pattern, end };
}

function patternAfter(text: string, at: number): RegExp | undefined {
  const sign = text[at];
  if (sign === undefined) return undefined;
  if (sign === ',' || sign === '(') return GIVEN;
  if ('=:>|?'.includes(sign)) return ASSIGNED;
  return /\w/.test(sign) ? WORDED : undefined;
}

/** Whether a character may match `\s`: ASCII control characters, the space and, to be safe, all non-ASCII characters. */
function isBlank(code: number): boolean {
  return code <= 32 || code > 127;
}
function redactUnquoted(match: string, ...groups: string[]): string {
  const [name = '', operator = '', value = ''] = groups;
  const isMixed = /\d/.test(value) && /[A-Za-z]/.test(value);
  if (!isMixed || isPlaceholder(value) || !isSecret(name, value)) return match;
  return `${name}${operator}[REDACTED:secret]`;
}

function redactInProse(value: string): string {
  return isRandomEnough(value) && !isPlaceholder(value) ? '[REDACTED:secret]' : value;
}

function redactPair(match: string, ...groups: string[]): string {
  const [before = '', name = '', between = '', value = ''] = groups;
  return isSecretName(name) && isRandomEnough(value) && !isPlaceholder(value)
    ? `${before}${name}${between}[REDACTED:secret]`
    : match;
}

function isSecret(name: string, value: string): boolean {
  if (isSecretName(name)) return isRandomEnough(value);
  return (looksGenerated(value) && !isPublicName(name)) || isIssuedTo(name, value);
}

const RULES = assignedRules.map(([value, names]) => ({
  names: new RegExp(names.replaceAll(' ', '|'), 'i'),
  value: new RegExp(`^(?:${value})$`),
}));
const SOME_ISSUER = new RegExp(RULES.map(({ names }) => names.source).join('|'), 'i');

/** Whether a name mentions an issuer whose keys look like the value: `algoliaAdmin = "…32 characters…"`. */
function isIssuedTo(name: string, value: string): boolean {
  if (!SOME_ISSUER.test(name) || isPublicName(name) || !isRandomEnough(value)) return false;
  return RULES.some((rule) => rule.names.test(name) && rule.value.test(value));
}

/** A secret that is recognised by the call, option or sentence around it. */
interface CallShape {
  /** Pattern with the adjacent groups `before` and `value`. If it has a group `name`, the name must be one of a secret. */
  readonly pattern: RegExp;
  /** Matches every text that `pattern` matches, and is much faster. If it does not match, `pattern` is not tried. */
  readonly hint: RegExp;
  isSecret(value: string): boolean;
}

const QUOTE = '["\'`]';
const shape = (source: string, flags = 'g') => new RegExp(source, flags);

const SHAPES: readonly CallShape[] = [
  {
    // '{"password":"…"}': JSON inside a literal.
    pattern: shape(
      '(?<before>\\\\?"(?<name>[A-Za-z_][\\w-]{0,63})\\\\?"\\s{0,4}:\\s{0,4}\\\\?")(?<value>[^"\\\\\\s]{4,500})',
    ),
    hint: /":/,
    isSecret: isRandomEnough,
  },
  {
    // `key = isLive ? "…" : "…"`: the second value is redacted too.
    pattern: shape(
      `(?<before>(?<![\\w$])(?<name>[A-Za-z_$][\\w$]{0,63})\\s{0,9}[:=]\\s{0,9}[\\w$.!()<>=& \\t]{1,80}\\?\\s{0,9}(?:${QUOTE}[^"'\`\\s]{0,200}${QUOTE}\\s{0,9}:\\s{0,9})?${QUOTE})(?<value>[^"'\`\\s[\\]]{6,500})(?=${QUOTE})`,
    ),
    hint: /\?\s{0,9}["'`]/,
    isSecret: isRandomEnough,
  },
  {
    pattern: shape(
      `(?<before>\\b(?:Buffer\\.from|b64decode|fromhex|unhexlify|decodeHex|hexToBytes)\\(\\s{0,9}b?${QUOTE})(?<value>[0-9a-fA-F]{32,500}|[A-Za-z0-9+/]{32,500}={0,2})(?=${QUOTE})`,
    ),
    hint: /(?:Buffer\.from|b64decode|fromhex|unhexlify|decodeHex|hexToBytes)\(/,
    isSecret: isRandomEnough,
  },
  {
    pattern: /(?<before>\bsshpass\s{1,4}-p\s{0,4}["']?)(?<value>[^\s"'$]{3,200})/g,
    hint: /sshpass/,
    isSecret: isSpelled,
  },
  {
    pattern: /(?<before>\bmysql(?:dump|admin)?\s(?:[^\n|;&]{0,120}\s)?-p["']?)(?<value>[^\s"'$]{3,200})/g,
    hint: /mysql/,
    isSecret: isSpelled,
  },
  {
    // `@Value("${db.password:…}")`: a setting with a default.
    pattern: /(?<before>\$\{(?:[\w-]{1,60}\.){0,8}(?<name>[\w-]{1,60}):)(?<value>[^}\s${]{4,200})(?=\})/g,
    hint: /\$\{/,
    isSecret: isSpelled,
  },
  {
    // add_argument("-p", "--password", default="…")
    pattern:
      /(?<before>(?:["']-\w["']\s{0,4},\s{0,9})?["']--?(?<name>[\w-]{1,60})["'][^\n()"']{0,80}(?:["'][^\n"']{0,80}["'][^\n()"']{0,80}){0,3}\bdefault\s{0,4}=\s{0,4}["'])(?<value>[^"'\s]{4,200})(?=["'])/g,
    hint: /default/,
    isSecret: isSpelled,
  },
  {
    pattern:
      /(?<before>\b(?:log_?in|authenticate|sign_?in)\(\s{0,9}(?:["'][^"'\n]{1,100}["']|[\w.$]{1,100})\s{0,9},\s{0,9}["'])(?<value>[^"'\s]{6,200})(?=["'])/gi,
    hint: /(?:log_?in|authenticate|sign_?in)\(/i,
    isSecret: isRandomEnough,
  },
];

/** Redacts secrets that have neither a name nor the prefix of an issuer. */
export function redactCallShapes(text: string): string {
  return SHAPES.reduce((clean, one) => (one.hint.test(clean) ? replaceAll(clean, one) : clean), text);
}

function replaceAll(text: string, { pattern, isSecret }: CallShape): string {
  return text.replace(pattern, (match: string, ...rest: unknown[]) => {
    const { before = '', name, value = '' } = rest.at(-1) as Record<string, string | undefined>;
    if (name !== undefined && !isSecretName(name)) return match;
    if (isPlaceholder(value) || !isSecret(value)) return match;
    return `${before}[REDACTED:secret]`;
  });
}

/** Whether a value is a literal and not a variable. After an option for a password, every such word is a secret. */
function isSpelled(value: string): boolean {
  return !/^[<{%*[]/.test(value);
}
