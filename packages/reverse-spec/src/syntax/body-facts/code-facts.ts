import type { BodyFact } from './fact.ts';

/** Returns the last name in a callee: `Execute` for `c.Root().Execute`. */
export function calleeName(callee: string): string {
  const plain = /^[\w$.]{0,200}$/.test(callee) ? callee.slice(callee.lastIndexOf('.') + 1) : undefined;
  if (plain !== undefined && /^[A-Za-z_$]/.test(plain)) return plain;
  const bare = callee.replace(/(?:::)?(?:<[^<>]*>|\[[^[\]]*\])$/, '').replace(/[!?]$/, '');
  return /(?<![\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$]*)$/u.exec(bare)?.[1] ?? '';
}

const FILE_CALLS =
  /^(?:open|fopen|readFile(?:Sync)?|writeFile(?:Sync)?|appendFile(?:Sync)?|createReadStream|createWriteStream|mkdir(?:Sync)?|unlink(?:Sync)?|rename(?:Sync)?|ReadFile|WriteFile|Open|OpenFile|Create|read_text|write_text|read_bytes|write_bytes|file_get_contents|file_put_contents|read_to_string|File|FileReader|FileWriter|FileInputStream|FileOutputStream|ReadAllText|WriteAllText|ifstream|ofstream|Path)$/;
/** Standard functions of Kotlin that throw, with the exception each throws. */
const RAISED_BY: Readonly<Record<string, string>> = {
  error: 'IllegalStateException',
  TODO: 'NotImplementedError',
};

/**
 * Returns the name of the error a call raises: `ArgumentError` for `raise ArgumentError, "no"`. For
 * `panic("no")` it is `panic`.
 */
export function raisedBy(call: string, name: string): string {
  const [, type, quote] = /^(?:raise|fail)\s*(?:\(\s*)?(?:([A-Z][\w:]*)|(["']))/.exec(call) ?? [];
  // In Ruby a message without a type raises a `RuntimeError`.
  return type ?? (quote === undefined ? (RAISED_BY[name] ?? name) : 'RuntimeError');
}

/** Returns the error that a `return` statement of Go creates or names: `return nil, errors.New("…")`, `return ErrClosed`. */
export function returnedError(text: string): Pick<BodyFact, 'name' | 'text'> | undefined {
  const made = /\b(errors\.New|fmt\.Errorf|errors\.Errorf|errors\.Wrapf?)\s*\(/.exec(text)?.[1];
  // In `fmt.Errorf("%w: %s", ErrClosed, name)` callers can compare the wrapped error.
  const wrapped =
    made !== undefined && text.includes('%w')
      ? /[,(]\s*((?:\w+\.)?\w?Err[A-Z]\w*)\s*[,)]/.exec(text)?.[1]
      : undefined;
  if (wrapped !== undefined)
    return { name: wrapped, text: messageIn(text).replace(/^(?:%[wsvq][:\s]*)+$/, '') };
  if (made !== undefined) return { name: made, text: messageIn(text) };
  const known = /(?:^return|,)\s*((?:\w+\.)?Err[A-Z]\w*)\s*$/.exec(text)?.[1];
  return known === undefined ? undefined : { name: known, text: '' };
}

/** Returns the error in `Err(Error::TooLong)` of Rust. Ignores errors that are only passed on, such as `Err(err)`. */
export function rustError(call: string): Pick<BodyFact, 'name' | 'text'> | undefined {
  const [, name] = /^Err\(\s*((?:\w+::)*\w+!?)/.exec(call) ?? [];
  if (name === undefined || /^[a-z_]\w*$/.test(name)) return undefined;
  return {
    name: name.replace(/::(?:new|from|custom)$/, ''),
    text:
      messageIn(call) ||
      (/\(\s*((?:[A-Z]\w*::)+[A-Z]\w*)\s*[,()]/.exec(call.slice(call.indexOf('(') + 1))?.[1] ?? ''),
  };
}

/** Returns the literal path in a call that opens or changes a file: `open('a/x')`. Undefined for other calls and for paths in variables. */
export function fileTouched(callee: string, name: string, whole: string): string | undefined {
  if (
    !FILE_CALLS.test(name) &&
    !/^(?:File|IO|Dir)\.(?:read|write|binread|readlines|delete|foreach|mkdir)$/.test(callee)
  )
    return undefined;
  const path = /\(\s*[rbuf]?(["'])([^"'\n]{1,200})\1\s*(?:[,)]|$)/.exec(whole)?.[2];
  return path !== undefined && /[./\\~]/.test(path) && !/^(?:https?:|(?:\\[nrt0])+$)/.test(path)
    ? path
    : undefined;
}

/** Returns the error in `throw new E("no")`; undefined for an error that is only passed on and for a type parameter. */
export function thrownError(text: string): Pick<BodyFact, 'name' | 'text'> | undefined {
  // In `throw given ?? new Error("no")`, `new Error("no")` is returned, because `given` was created
  // elsewhere.
  const [, made] = /(?:\?\?|\|\||\bor)\s+(?:new\s+)?(\\?\p{Lu}[\p{L}\p{N}_.$:\\]*)\(/u.exec(text) ?? [];
  if (made !== undefined) return { name: made, text: messageIn(text) };
  // In Java a caught error may be thrown with a cast: `throw (IOException) cause`.
  const name =
    /\b(?:throw|raise)\s+(?:new\s+|\(\s*(?=\p{Lu}[\w.]*\)))?([\p{L}_$\\][\p{L}\p{N}_.$:\\]*)/u.exec(
      text,
    )?.[1] ?? '';
  // For an error created by a function, such as `createError(…)`, the whole call is shown, because the name
  // alone would look like a type.
  if (/^(?:[^:]*\.)?_?\p{Ll}[\p{L}\p{N}_$]*$/u.test(name) && text.includes(`${name}(`)) {
    const call = shortened(text.slice(text.indexOf(name)).replace(/;\s*$/, ''));
    // In Swift `Problem.unknown("no")` may be a case of an enum.
    return makesError(name) || /^\p{Lu}/u.test(name) ? { name: call, text: '' } : undefined;
  }
  return name === 'T' ? undefined : { name, text: messageIn(text) };
}

/** JavaScript functions that end an operation with the error they are given. Loggers are excluded. */
export const ENDS_WITH_ERROR =
  /^this\.[#_]?(?:(?:emit|handle|on)?error|fail|emit)$|^(?:[\w$]+\.){1,3}(?:destroy|abort|reject)$/i;

/** Returns the error that an expression of JavaScript creates; undefined for other values. */
export function createdError(text: string): Pick<BodyFact, 'name' | 'text'> | undefined {
  const isMade = /^new\s+[\w.$]*(?:Error|Exception)\b/.test(text) || /^(?:[\w$]+\.)*\w*[eE]rror\(/.test(text);
  return isMade ? thrownError(`throw ${text}`) : undefined;
}

/** Whether the name of a function says that it creates an error. `task.exception()` only returns an older one. */
function makesError(name: string): boolean {
  return (
    /(?:err|exception|fail|invalid|problem)\w{0,40}$/i.test(name) && !/\.(?:error|exception)$/i.test(name)
  );
}

/** Returns the error in a variable that is thrown, from its assignment `error = new E()` or `error = createError()`. */
export function errorMade(typing = ''): Pick<BodyFact, 'name' | 'text'> | undefined {
  const type = /^=<([\w.]+)>$/.exec(typing)?.[1];
  const [, maker] = /^=([\w.]+)\(\)$/.exec(typing) ?? [];
  const made = maker === undefined || /^\p{Lu}/u.test(maker) ? maker : `${maker}(…)`;
  const name = type ?? (makesError(maker ?? '') ? made : undefined);
  return name === undefined ? undefined : { name, text: '' };
}

const MAX_TEXT = 160;

const STRING = /(["'`])((?:\\.|(?!\1)[^\\]){0,1000})\1/gs;

/**
 * Returns the longest string in a text: the message, since codes are shorter. Joins concatenated strings and
 * replaces values between them by `…`.
 */
export function messageIn(text: string): string {
  const messages: string[] = [];
  let end = 0;
  for (const { index, 0: whole, 2: body = '' } of text.matchAll(STRING)) {
    // A template inside a template ends the outer one too early.
    if (body.lastIndexOf('${') > body.lastIndexOf('}')) return '';
    messages.push(...withPiece(messages.pop(), text.slice(end, index), body));
    end = index + whole.length;
  }
  const last = messages.pop();
  if (last !== undefined) messages.push(ended(last, text.slice(end)));
  const [longest = ''] = messages.sort((one, other) => other.length - one.length);
  // A string without letters is not a message, as in `', '.join(errors)`.
  return /\p{L}/u.test(longest) ? shortened(longest) : '';
}

/** Appends a string to the previous message if the two are concatenated, else begins another message. */
function withPiece(before: string | undefined, gap: string, piece: string): string[] {
  if (before !== undefined && isConcatenation(gap))
    return [`${before}${HAS_VALUE.test(gap) ? '…' : ''}${piece}`];
  const own = CLOSES_VALUE.test(gap) ? `…${piece}` : piece;
  return before === undefined ? [own] : [ended(before, gap), own];
}

function ended(message: string, after: string): string {
  return OPENS_VALUE.test(after) ? `${message}…` : message;
}

const HAS_VALUE = /[\w$]{3}|[\w$)\]]\s{0,200}[+.<]/;
/** Matches an operator and a value after a string. A method call on the string does not match. */
const OPENS_VALUE = /^\s{0,200}(?:(?:\+|<<)\s{0,200}[\w$(]|\.\s{0,200}(?:\$|\w{1,80}::|\w{1,80}\(\$))/;
/** Matches a value and an operator before a string. */
const CLOSES_VALUE = /[\w)\]]\s{0,200}(?:\+|\.)\s{0,200}$/;

/** Whether the code between two strings concatenates them: `+ name +`, `. strlen($x, 1) .`, or only white space. */
function isConcatenation(gap: string): boolean {
  const code = gap.trim().replace(/^[\\\s]+/, '');
  if (/^[rbuf]{0,2}$/.test(code) || /^(?:\+|\.|<<)\s*[rbuf]{0,2}$/.test(code)) return true;
  return /^(?:\+|\.|<<)/.test(code) && /(?:\+|\.|<<)$/.test(code) && isOneValue(code);
}

/** Whether code is one value: its brackets are balanced, and no comma or semicolon is outside of them. */
function isOneValue(code: string): boolean {
  let depth = 0;
  for (const char of code) {
    if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth -= 1;
    else if (depth === 0 && ',;'.includes(char)) return false;
    if (depth < 0) return false;
  }
  return depth === 0;
}

export function shortened(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length > MAX_TEXT ? `${flat.slice(0, MAX_TEXT - 1)}…` : flat;
}

const ENVIRONMENT: readonly RegExp[] = [
  /\b(?:process|import\.meta)\.env(?:\.|\[\s*['"`])([A-Z_]\w*)/g,
  /\bos\.environ(?:\.(?:get|pop|setdefault)\(|\[)\s*[bruf]*['"](\w+)/g,
  /\b(?:os\.)?(?:getenv|Getenv|LookupEnv|putenv)\(\s*['"](\w+)/g,
  /\benv::var(?:_os)?\(\s*"(\w+)/g,
  /\b(?:option_)?env!\(\s*"(\w+)/g,
  /\bENV(?:\.fetch\(\s*|\[\s*)['"](\w+)/g,
  /\$_ENV\[\s*['"](\w+)/g,
  /\bGetEnvironmentVariable\(\s*"(\w+)/g,
  /\bprocessInfo\.environment\[\s*"(\w+)/g,
];

/** Whether a text may read environment variables, as a fast check before the patterns. */
export function mayReadEnvironment(text: string): boolean {
  return /env/i.test(text);
}

/** Returns the names of environment variables that a line of code reads. */
export function environmentNames(line: string): string[] {
  if (!mayReadEnvironment(line)) return [];
  return ENVIRONMENT.flatMap((pattern) => [...line.matchAll(pattern)].map(([, name = '']) => name));
}

const ADDRESS =
  /\b(?:https?|wss?|ftp|sftp|redis|rediss|postgres(?:ql)?|mysql|mongodb(?:\+srv)?|amqps?|grpc|ldaps?):\/\/[^\s"'`<>\\)}]{2,}/;

/** Matches an address whose host is a variable or reserved for examples. */
const NO_HOST =
  /:\/\/(?:[#$%{\\]|(?:[\w-]{1,60}\.){0,5}(?:example\.(?:com|org|net)|invalid|example|test)(?:[/:]|$))/;

/** Matches names of values that hold an address which the code uses, such as `apiUrl`, but not `DOCS_URL`. */
export const ADDRESS_NAME =
  /^(?!.*(?:doc|help|issue|schema|page))\w*(?:ur[li]|endpoint|host|server|address|api|base|origin|home)/i;

/** Returns the address with which a string begins. A message that only mentions an address does not use it. */
export function addressIn(text: string): string | undefined {
  const found = ADDRESS.exec(text);
  if (found === null || !/^[\w@$#]{0,3}["'`]{0,3}$/.test(text.slice(0, found.index))) return undefined;
  return NO_HOST.test(found[0]) ? undefined : found[0];
}

const LIMIT_NAME =
  /(?:^|_)(?:[Mm]ax|[Mm]in|MAX|MIN|limit|LIMIT|timeout|TIMEOUT|ttl|TTL|retry|RETRY|retries|RETRIES|capacity|CAPACITY|threshold|THRESHOLD|interval|INTERVAL|delay|DELAY|depth|DEPTH|budget|BUDGET|quota|QUOTA)(?:_|$)|(?:Max|Min|Limit|Timeout|Ttl|Retries|Capacity|Threshold|Interval|Delay|Depth|Budget|Quota)(?:[A-Z]|$)|^(?:max|min)[A-Z]/;
/** Names of sizes that are limits. Other sizes, such as `headerSize`, may be properties of a format. */
const SIZE_NAME =
  /(?:default|buffer|chunk|page|pool|batch|cache|queue|block|window)_?\w{0,20}(?:size|length)|(?:size|length)_?(?:limit|max)/i;
/** Names that are not limits: `absoluteTimeIntervalSince1970`, `GET_PAYLOAD_LENGTH_16`, `maxSizeExceeded`. */
const NO_LIMIT = /Since\d|_\d+$|(?:Exceeded|Reached|EXCEEDED|REACHED)$|Than[A-Z]/;
const NUMBER = String.raw`-?(?:0[xXbBoO][\da-fA-F_]{1,40}|\d[\d_']{0,40}(?:\.\d{1,40})?(?:[eE][-+]?\d{1,9})?)[a-zA-Z]{0,3}`;
/** Matches a name and its value: a number, or an arithmetic expression with at least one number. */
const LIMIT = new RegExp(
  String.raw`(?<![\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$]{0,80})(?:\s{0,20}:[^=\n]{1,120}=|\s{0,20}=|\s)\s{0,20}(${NUMBER}(?:\s{0,9}(?:[*+/-]|<<)\s{0,9}[\w.']{1,60}){0,9}|time\.\w{1,40}\s{0,9}\*\s{0,9}${NUMBER})\s{0,9}\)?;?$`,
  'u',
);

/** Returns a constant that is a limit by its name and has a number as its value; undefined for other code. */
export function limitIn(text: string): Pick<BodyFact, 'name' | 'text'> | undefined {
  const line = text.trim();
  if (line.length > 200 || line.includes('\n')) return undefined;
  const [, name = '', value = ''] = LIMIT.exec(line) ?? [];
  // A zero is the start of a counter, not a limit.
  const isLimit = (LIMIT_NAME.test(name) || SIZE_NAME.test(name)) && !NO_LIMIT.test(name);
  return isLimit && value !== '0' ? { name, text: value } : undefined;
}
