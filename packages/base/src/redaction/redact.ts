import { redactAssignments, redactCallShapes } from './redact/assignments.ts';
import { tokenRules } from './redact/gitleaks-rules.ts';
import { isPlaceholder, isRandomEnough, looksGenerated, tokenShapes } from './redact/token-shapes.ts';
import { isPublicName, isSecretName } from './secret-names.ts';
/**
 * Returns a text with its secrets redacted. Keeps the number of lines and the quotes, so that the text can
 * still be parsed and line numbers are correct. A second call changes nothing more.
 */
export function redactSecrets(text: string): string {
  const known = redactUrlPasswords(redactTokens(redactPrivateKeys(text)));
  return redactAssignments(redactCallShapes(known));
}

/** Returns a text with its secrets redacted. For settings, scripts and documents that are not parsed. */
export function redactUnparsed(text: string): string {
  return redactSecrets(redactPlainSettings(text));
}

function redactTokens(text: string): string {
  let clean = redactLongRuns(text);
  for (const { label, pattern, hint } of tokenPatterns) {
    if (hint !== undefined && !clean.includes(hint)) continue;
    const mark = `[REDACTED:${label}]`;
    clean = clean.replace(pattern, (match, prefix: unknown) =>
      typeof prefix === 'string' && match.startsWith(prefix) ? prefix + mark : mark,
    );
  }
  return clean;
}

/** Begins at `://`, which is rare and can be found fast. */
const URL_WITH_PASSWORD = /(:\/\/[^\s/:@'"`<>[]{0,200}:)([^\s/@'"`<>]{1,500})@/g;
/** Matches the URL of a database or server. Unlike in the URL of a page, its password may contain an unescaped `/`. */
const DATABASE_URL =
  /(:\/\/(?<=\b(?:mongodb|postgres(?:ql)?|mysql|mariadb|rediss?|amqps?|mssql|clickhouse|ldaps?|smtps?|ftps?)(?:\+[a-z]{1,10})?:\/\/)[^\s/:@'"`<>[]{0,200}:)([^\s@'"`<>]{1,200})@/g;
/** Placeholders for passwords in documentation and templates. */
const PLACEHOLDER = /^(?:\$\{?|\{|%|\[|\*+$|x+$|pass(?:word|wd)?$|pwd$|secret$|\.\.\.)/i;
/** A token in the place of a user: `https://<token>@github.com/…`. */
const URL_WITH_TOKEN = /(:\/\/)(?=[A-Za-z_-]{0,60}\d)([A-Za-z0-9_-]{20,200})@/g;
/** A field of a query or of a connection string: `;Password=…`, `?api_key=…`. */
const FIELD =
  /([?&;]\s{0,2}(?:password|passwd|pwd|api[_-]?key|(?:access|auth|refresh|id)[_-]?token|client[_-]?secret|secret(?:[_-]?key)?|token)=)([^\s;&'"`<>(){}[\]$|,]{6,500})(?=[\s;&'"`<>,|)\]]|$)/gi;

function redactUrlPasswords(text: string): string {
  const fields = text.replace(FIELD, (match, before: string, value: string) =>
    isRandomEnough(value) && !isPlaceholder(value) ? `${before}[REDACTED:secret]` : match,
  );
  if (!fields.includes('://')) return fields;
  return fields
    .replace(URL_WITH_PASSWORD, redactPassword)
    .replace(DATABASE_URL, redactPassword)
    .replace(URL_WITH_TOKEN, '$1[REDACTED:url-token]@');
}

function redactPassword(match: string, before: string, password: string): string {
  return PLACEHOLDER.test(password) ? match : `${before}[REDACTED:url-password]@`;
}

const BLOCK = /-----BEGIN ([A-Z ]*)PRIVATE KEY( BLOCK)?-----([\s\S]*?)(?:-----END \1PRIVATE KEY\2?-----|$)/g;
/** In a PuTTY key file, the private part follows the number of its lines. */
const PUTTY = /(Private-Lines: \d+\s)([A-Za-z0-9+/=\s]+)/g;
const KEY_MATERIAL = /[A-Za-z0-9+/=]{16,}/g;

/**
 * Removes the key material of a private key. Keeps quotes, `\n` escapes, comment stars and line breaks
 * between BEGIN and END, because a key is often written as several string literals.
 */
function redactPrivateKeys(text: string): string {
  const withoutKey = (_: string, head: string, body: string) => head + body.replace(KEY_MATERIAL, redactRun);
  const putty = text.includes('Private-Lines: ') ? text.replace(PUTTY, withoutKey) : text;
  if (!putty.includes('PRIVATE KEY')) return putty;
  return putty.replace(BLOCK, (block) => redactBody(block));
}

function redactBody(block: string): string {
  const bodyStart = block.indexOf('-----', 11) + 5;
  const bodyEnd = block.lastIndexOf('-----END');
  const end = bodyEnd < bodyStart ? block.length : bodyEnd;
  const body = block.slice(bodyStart, end).replace(KEY_MATERIAL, redactRun);
  return block.slice(0, bodyStart) + body + block.slice(end);
}

/** Redacts a run of characters. After a backslash the run begins with the letter of an escape (`\nMIIE…`), which is kept. */
function redactRun(run: string, at: number, body: string): string {
  const escaped = body[at - 1] === '\\' ? (run[0] ?? '') : '';
  return `${escaped}[REDACTED:private-key]`;
}

/** A setting on a line of its own: `NAME=value`, `name: value`, `- "name": value`. The value is the rest of the line. */
const SETTING =
  /^([ \t]*(?:export[ \t]+|set[ \t]+|-[ \t]+)?["']?)([A-Za-z_][\w.-]{0,63})(["']?[ \t]*[:=][ \t]*)(["']?)(.+)/gm;
/** A setting among other words: `docker run -e NAME=value`, `//host/:_authToken=value`. */
const INLINE = /()(?<![\w.-])([A-Za-z_][\w.-]{0,63})(=)(["']?)([^\s"']+)/g;
/** A setting of a Dockerfile or a Windows script: `ENV NAME value`. */
const BLANK = /^([ \t]*(?:ENV|ARG|setx?)[ \t]+)([A-Za-z_]\w{0,63})([ \t]+)(["']?)([^\s=]+)/gm;
/** `--password value`, `login name password value` of a netrc file. */
const ARGUMENT =
  /((?:--?|\b(?:login[ \t]+\S{1,200}[ \t]+))(?:password|passwd|token|secret|api-?key)[ \t=]+)([^\s'"]{3,})/gi;
/** Values that are not secrets: booleans, references, empty strings, and the beginning of a block. */
const NO_VALUE = /^(?:true|false|yes|no|on|off|null|none|nil|~|["'[{|>&*!]|\$|\d{1,5}$|https?:\/\/[^@\s]*$)/i;

/**
 * Redacts settings in a text that is not parsed: `.env`, YAML, ini, shell. Values may be unquoted. If the name
 * is one of a secret, the whole value is removed, whatever it looks like.
 */
function redactPlainSettings(text: string): string {
  const settings = [SETTING, INLINE, BLANK].reduce((left, form) => left.replace(form, redactSetting), text);
  return settings.replace(ARGUMENT, (match, before: string, value: string) =>
    mayBeValue(value) ? `${before}[REDACTED:secret]` : match,
  );
}

function redactSetting(match: string, ...groups: string[]): string {
  const [before = '', name = '', operator = '', quote = '', rest = ''] = groups;
  const value = quote === '' ? withoutComment(rest) : (rest.split(quote)[0] ?? rest);
  if (!mayBeValue(value)) return match;
  if (!isSecretName(name) && (isPublicName(name) || !looksGenerated(value))) return match;
  return `${before}${name}${operator}${quote}[REDACTED:secret]${rest.slice(value.length)}`;
}

function withoutComment(rest: string): string {
  const at = rest.search(/(?<![ \t])[ \t]+#/);
  return (at === -1 ? rest : rest.slice(0, at)).trimEnd();
}

function mayBeValue(value: string): boolean {
  return value !== '' && !isPlaceholder(value) && !NO_VALUE.test(value);
}

interface TokenPattern {
  label: string;
  /** Pattern of the token. A first group, if it has one, is a prefix that is kept. */
  pattern: RegExp;
  /** Text that every match contains. If a text does not contain it, the pattern is not tried. */
  hint?: string;
}

/** Tokens that are recognised by the text before them, because they contain unusual characters or no digit. */
const tokenPatterns: readonly TokenPattern[] = [
  { label: 'aws-access-key', pattern: /\b(?:AKIA|ASIA|AROA|AIDA|AGPA|ANPA|ABIA|ACCA)[A-Z0-9]{16}\b/g },
  {
    label: 'webhook',
    pattern: /(https:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9/_-]{20,}/g,
    hint: 'hooks.slack.com',
  },
  {
    label: 'webhook',
    pattern: /(https:\/\/(?:[a-z]+\.)?discord(?:app)?\.com\/api\/webhooks\/\d+\/)[\w-]{40,}/g,
    hint: '/api/webhooks/',
  },
  {
    label: 'webhook',
    pattern: /(https:\/\/[\w.-]{1,80}\.webhook\.office\.com\/)[\w@/-]{40,}/g,
    hint: '.webhook.office.com/',
  },
  { label: 'google-token', pattern: /\b1\/\/0[\w-]{40,}/g, hint: '1//0' },
  { label: 'telegram-token', pattern: /\b\d{8,10}:AA[A-Za-z0-9_-]{33}/g, hint: ':AA' },
  { label: 'azure-key', pattern: /\b((?:AccountKey|SharedAccessKey)=)[A-Za-z0-9+/=]{40,}/g, hint: 'Key=' },
  { label: 'azure-signature', pattern: /([?&]sig=)[A-Za-z0-9%+/=]{40,}/g, hint: 'sig=' },
  { label: 'azure-secret', pattern: /\b[\w~.-]{3}\dQ~[\w~.-]{31,40}/g, hint: 'Q~' },
  { label: 'aws-signature', pattern: /(X-Amz-Signature=)[0-9a-f]{64}/g, hint: 'X-Amz-Signature=' },
  { label: 'cloud-token', pattern: /(FlyV1\s{1,4})[\w+/=,-]{40,}/g, hint: 'FlyV1' },
  {
    label: 'bearer-token',
    pattern: /\b(Bearer\s{1,8})(?=[A-Za-z._~+/-]{0,200}\d)[A-Za-z0-9._~+/-]{20,}=*/g,
    hint: 'Bearer',
  },
  {
    label: 'basic-auth',
    pattern: /\b(Basic\s{1,8})(?=[A-Za-z+/]{0,200}\d)[A-Za-z0-9+/]{16,}={0,2}/g,
    hint: 'Basic',
  },
  {
    label: 'auth-header',
    pattern:
      /(\bAuthorization["']?\s{0,4}[:=]\s{0,4}["']?(?:[Tt]oken|[Aa]pi[Kk]ey)[ =]{1,4})[\w.~+/=-]{16,}/g,
    hint: 'uthorization',
  },
  {
    label: 'auth-header',
    pattern:
      /(-(?:[Kk]ey|KEY|[Tt]oken|TOKEN)["']?\s{0,4}:\s{0,4}["']?)(?=[A-Za-z._~+/-]{0,200}\d)[\w.~+/=-]{16,}/g,
    hint: '-',
  },
  {
    label: 'argument',
    pattern: /(--(?:password|passwd|token|secret|api-?key)[ =])(?=[^\s\d]{0,200}\d)[^\s'"`,)<>[\]]{6,}/g,
    hint: '--',
  },
  {
    label: 'argument',
    pattern: /(\bcurl [^\n]{0,200}?(?:-u|--user)[ =]["']?[\w.@-]{1,64}:)[^\s'"`<>$]{4,}/g,
    hint: 'curl ',
  },
  { label: 'password-hash', pattern: /\$(?:apr1|2[abxy]|[156]|argon2id?|y)\$[\w./$=,+-]{20,}/g, hint: '$' },
];

const SHORTEST = 20;

/** Marks the characters that tokens of a known format may contain. A table, because it is read for every character of every source. */
const isTokenCode = new Uint8Array(128);
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.')
  isTokenCode[char.charCodeAt(0)] = 1;

/** Formats of this project come first, because they match a token to its end. */
const SHAPES_BY_LABEL = [
  ...Object.entries(tokenShapes),
  ...tokenRules.map(([label, shape]) => [label, `(?:${shape})(?![\\w-])`] as const),
];
const SHAPES = SHAPES_BY_LABEL.map(([, shape]) => `(${shape})`).join('|');
const SOME_SHAPE = new RegExp(`\\b(?:${SHAPES})`);
const EACH_SHAPE = new RegExp(SOME_SHAPE, 'g');
/** Matches the rest of a token after a run. Padded base64 contains characters that runs do not. */
const REST = /[A-Za-z0-9+/=_-]*/y;

/**
 * Redacts tokens of a known format. Each contains a long run of characters without whitespace, which is rare in
 * code. Finding runs first takes a tenth of the time of trying every format everywhere.
 */
function redactLongRuns(text: string): string {
  let clean = '';
  let copied = 0;
  for (let start = nextRun(text, 0); start !== -1; ) {
    const end = runEnd(text, start);
    for (const { index, found, label } of tokensIn(text.slice(start, end))) {
      const from = start + index;
      const to = from + found.length;
      clean += `${text.slice(copied, from)}[REDACTED:${label}]`;
      copied = to === end ? restEnd(text, to) : to;
    }
    start = nextRun(text, Math.max(end, copied));
  }
  return copied === 0 ? text : clean + text.slice(copied);
}

/** Returns the start of the next run of at least `SHORTEST` characters. Looks at every twentieth character and then goes back. */
function nextRun(text: string, from: number): number {
  let least = from;
  for (let at = from + SHORTEST - 1; at < text.length; at = least + SHORTEST - 1) {
    let back = at;
    while (back >= least && isToken(text.charCodeAt(back))) back -= 1;
    if (back < least) return least;
    least = back + 1;
  }
  return -1;
}

function isToken(code: number): boolean {
  return code < 128 && isTokenCode[code] === 1;
}

function runEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && isToken(text.charCodeAt(end))) end += 1;
  return end;
}

/** Yields the tokens in a run. Skips runs without a digit: most names have none, and every token has one. */
function* tokensIn(run: string): Generator<{ index: number; found: string; label: string }> {
  if (!/\d/.test(run) || !SOME_SHAPE.test(run)) return;
  for (const match of run.matchAll(EACH_SHAPE)) {
    const which = match.findIndex((group, at) => at > 0 && group !== undefined);
    yield { index: match.index, found: match[0], label: SHAPES_BY_LABEL[which - 1]?.[0] ?? 'token' };
  }
}

function restEnd(text: string, from: number): number {
  REST.lastIndex = from;
  REST.exec(text);
  return REST.lastIndex;
}

/**
 * Names of secrets that only environment variables have: a personal access token, the key of a service, an
 * address with a password. A name that merely mentions a password counts too, because the shell does not need
 * the variable.
 */
const VARIABLE =
  /PASSWORD|PASSWD|PASSPHRASE|AUTHORIZATION|AUTH_CONFIG$|WEBHOOK|OTLP_HEADERS$|_KEY$|(?:^|_)(?:PAT|PW|AUTH|COOKIE|DSN|CONNECTION_STRING|(?:DATABASE|DB|REDIS|MONGO(?:DB)?|POSTGRES(?:QL)?|PG|MYSQL|MARIADB|AMQP|RABBITMQ|CLICKHOUSE|SMTP|LDAP|BROKER|JDBC|ELASTIC(?:SEARCH)?)_?UR[IL])(?:_?\d{1,3})?$/i;

/** Variables that are never secret, because every program needs them. */
const PLAIN: ReadonlySet<string> = new Set('PATH HOME PWD OLDPWD SHELL USER TMPDIR LANG'.split(' '));

/** Whether a variable is secret: by its name, or because its value is a token of a known issuer or an address with a password. */
export function isSecretVariable(name: string, value: string): boolean {
  if (PLAIN.has(name)) return false;
  if (VARIABLE.test(name) || isSecretName(name)) return true;
  return redactSecrets(value) !== value;
}
