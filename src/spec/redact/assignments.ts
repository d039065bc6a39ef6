import { entropy, isPublicRandomness, looksGenerated } from './entropy.ts';

const SECRET_NAME =
  /(?:passw(?:or)?d|passphrase|passcode|\bpwd|_pwd|secret|token|credential|api[_-]?key|access[_-]?key|private[_-]?key|encryption[_-]?key|signing[_-]?key|auth[_-]?key|client[_-]?key)s?([A-Za-z0-9_-]*)$/i;
/** `tokenType`, `TOKEN_ENDPOINT`, `passwordField` speak about a secret and hold none. */
const ABOUT =
  /^[_-]?(?:type|name|kind|endpoint|ur[il]|path|file|dir|field|header|param|prefix|suffix|label|format|scheme|pattern|regex|class|error|message|text|title|help|hint|event|action|scope|policy|provider|source|store|count|limit|length|usage)/i;

function isSecretName(name: string): boolean {
  const rest = SECRET_NAME.exec(name)?.[1];
  return rest !== undefined && !ABOUT.test(rest);
}

/** A literal long enough to be a secret, without blanks; what it is assigned to is looked for behind it. */
const LITERAL = /(["'`])([^"'`\s\\]{8,1024})(?=\1)/g;
/** `name = "`, `name: '`, `"name" => "`, `name: Type = "`, up to the opening quote. */
const ASSIGNED =
  /([A-Za-z_$][\w$-]{0,63})["'`]?\]?\s*(?::\s*[\w.<>[\]| ]{1,40}?\s*=|:=|=>|=|:)\s*[a-z]{0,2}$/;
const MAX_BEFORE = 140;

/** `export API_KEY=abc…` in a comment or a document: no quotes to go by, so only where code cannot be. */
const UNQUOTED_IN_COMMENT =
  /((?:\/\/|#|\*)[^\n]{0,200}?\b)([A-Za-z_][\w-]{0,63})(\s*[:=]\s*)([A-Za-z0-9+/_=-]{16,})/g;

export function redactAssignments(text: string): string {
  const quoted = redactLiterals(text);
  if (!SECRET_WORD.test(quoted)) return quoted;
  return quoted.replace(UNQUOTED_IN_COMMENT, redactUnquoted);
}

const SECRET_WORD = /passw|secret|token|credential|[_-]?key/i;

/** From the literal back to the name: literals of this kind are rare, names are everywhere. */
function redactLiterals(text: string): string {
  return text.replace(LITERAL, (literal: string, ...found: [quote: string, value: string, at: number]) => {
    const [quote, value, at] = found;
    if (!mayBeAssigned(text, at)) return literal;
    const name = ASSIGNED.exec(text.slice(Math.max(0, at - MAX_BEFORE), at))?.[1];
    return name !== undefined && isSecret(name, value) ? `${quote}[REDACTED:secret]` : literal;
  });
}

const [LOWER_A, LOWER_Z, COLON, EQUALS, GREATER] = [97, 122, 58, 61, 62];

/** Whether a sign that `ASSIGNED` ends with stands before the quote: one look back instead of a search. */
function mayBeAssigned(text: string, quoteAt: number): boolean {
  let at = quoteAt - 1;
  for (let prefix = 0; prefix < 2 && isLowerLetter(text.charCodeAt(at)); prefix += 1) at -= 1;
  while (isBlank(text.charCodeAt(at))) at -= 1;
  const code = text.charCodeAt(at);
  return code === EQUALS || code === COLON || code === GREATER;
}

function isLowerLetter(code: number): boolean {
  return code >= LOWER_A && code <= LOWER_Z;
}

/** Any character a pattern's `\s` could mean: those of ASCII, and all beyond it for safety. */
function isBlank(code: number): boolean {
  return code <= 32 || code > 127;
}

function redactUnquoted(match: string, ...groups: string[]): string {
  const [before = '', name = '', operator = '', value = ''] = groups;
  if (!isSecretName(name) || !isRandomEnough(value)) return match;
  return `${before}${name}${operator}[REDACTED:secret]`;
}

function isSecret(name: string, value: string): boolean {
  if (value.includes('[REDACTED:')) return false;
  if (isSecretName(name)) return isRandomEnough(value) && !isPlaceholder(value);
  return looksGenerated(value);
}

/** Plain words joined by `-`, `_`, `.` or `/` name a thing (`access_token`, `my-secret-name`); they are not one. */
function isRandomEnough(value: string): boolean {
  if (/^[A-Za-z]+(?:[-_./:][A-Za-z]+)*$/.test(value)) return looksGenerated(value);
  if (/^(?:\.{0,2}\/|[a-z][a-z0-9+.-]{1,20}:\/\/)/i.test(value)) return false;
  if (isPublicRandomness(value)) return /^[0-9a-f]{32,}$/i.test(value);
  return /\d/.test(value) ? entropy(value) >= 2.5 : /[^\w.:/-]/.test(value);
}

function isPlaceholder(value: string): boolean {
  return /^(?:<.*>|\$\{?.*|\{.*\}|%.*|x{4,}.*|\*{4,}|your[-_].*|.*\.\.\.$)/i.test(value);
}
