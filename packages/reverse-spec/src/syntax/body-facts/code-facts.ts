import type { BodyFact } from './fact.ts';

/** A call as it is written: `os.environ.get`, and what follows in brackets. */
interface CallText {
  callee: string;
  whole: string;
}

/** The last word of what is called: `c.Root().Execute` is `Execute`. */
export function calleeName(callee: string): string {
  const bare = callee.replace(/(?:::)?<[^<>]*>$/, '').replace(/[!?]$/, '');
  return /(?<![\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$]*)$/u.exec(bare)?.[1] ?? '';
}

const FILE_CALLS =
  /^(?:open|fopen|readFile(?:Sync)?|writeFile(?:Sync)?|appendFile(?:Sync)?|createReadStream|createWriteStream|mkdir(?:Sync)?|unlink(?:Sync)?|rename(?:Sync)?|ReadFile|WriteFile|Open|OpenFile|Create|read_text|write_text|read_bytes|write_bytes|file_get_contents|file_put_contents|read_to_string|File|FileReader|FileWriter|FileInputStream|FileOutputStream|ReadAllText|WriteAllText|ifstream|ofstream|Path)$/;
const FILE_RECEIVER =
  /(?:^|[.:])(?:fs|os|io|ioutil|File|Files|Paths?|pathlib|IO|Dir|FileUtils|tokio::fs|std::fs)(?:[.:]|$)/;

/** Functions of Kotlin that raise, and what. */
const RAISED_BY: Readonly<Record<string, string>> = {
  error: 'IllegalStateException',
  TODO: 'NotImplementedError',
};

/** Returns what `raise ArgumentError, "no"` raises; `panic("no")` has no type. */
export function raisedBy(call: string, name: string): string {
  const [, type, quote] = /^(?:raise|fail)\s*(?:\(\s*)?(?:([A-Z][\w:]*)|(["']))/.exec(call) ?? [];
  // Ruby: words alone are a `RuntimeError`.
  return type ?? (quote === undefined ? (RAISED_BY[name] ?? name) : 'RuntimeError');
}

/** Go returns its errors: `return nil, errors.New("…")`, `return ErrClosed`. */
export function returnedError(text: string): Pick<BodyFact, 'name' | 'text'> | undefined {
  const made = /\b(errors\.New|fmt\.Errorf|errors\.Errorf|errors\.Wrapf?)\s*\(/.exec(text)?.[1];
  if (made !== undefined) return { name: made, text: messageIn(text) };
  const known = /(?:^return|,)\s*((?:\w+\.)?Err[A-Z]\w*)\s*$/.exec(text)?.[1];
  return known === undefined ? undefined : { name: known, text: '' };
}

/** Rust: `Err(Error::TooLong)`; an error that is only passed on (`Err(err)`, `Err(e.into())`) was made elsewhere. */
export function rustError(call: string): Pick<BodyFact, 'name' | 'text'> | undefined {
  const [, name] = /^Err\(\s*((?:\w+::)*\w+!?)/.exec(call) ?? [];
  if (name === undefined || /^[a-z_]\w*$/.test(name)) return undefined;
  return { name: name.replace(/::(?:new|from|custom)$/, ''), text: messageIn(call) };
}

/** `open('x')`, `os.Open("x")`, `new File("x")`: with the path when it is written out. */
export function fileTouched({ callee, whole }: CallText): string | undefined {
  const name = calleeName(callee);
  const isOnFiles = FILE_RECEIVER.test(callee.slice(0, -name.length));
  if (!FILE_CALLS.test(name) && !(isOnFiles && READS_OR_WRITES.test(name))) return undefined;
  const path = /\(\s*[rbuf]?(["'])([^"'\n]{1,200})\1/.exec(whole)?.[2];
  if (path === undefined) return isOnFiles ? '' : undefined;
  return /[./\\~]/.test(path) && !/^(?:https?:|(?:\\[nrt0])+$)/.test(path) ? path : undefined;
}

const READS_OR_WRITES = /^(?:read|write|binread|readlines|delete)/;

export function thrownError(text: string): Pick<BodyFact, 'name' | 'text'> {
  // `throw given ?? new Error("no")`: what the function makes itself.
  const [, made] = /(?:\?\?|\|\||\bor)\s+(?:new\s+)?(\\?\p{Lu}[\p{L}\p{N}_.$:\\]*)\(/u.exec(text) ?? [];
  if (made !== undefined) return { name: made, text: messageIn(text) };
  const name = /\b(?:throw|raise)\s+(?:new\s+)?([\p{L}_$\\][\p{L}\p{N}_.$:\\]*)/u.exec(text)?.[1] ?? '';
  // A function that makes the error: its name alone would pass for a type.
  if (/^(?:[^:]*\.)?_?\p{Ll}[\p{L}\p{N}_$]*$/u.test(name) && text.includes(`${name}(`))
    return { name: shortened(text.slice(text.indexOf(name)).replace(/;\s*$/, '')), text: '' };
  return { name, text: messageIn(text) };
}

const MAX_TEXT = 160;

const STRING = /(["'`])((?:\\.|(?!\1)[^\\]){0,1000})\1/gs;

/** The longest text in quotes: a message is longer than a code. Pieces side by side are joined, values between them are `…`. */
export function messageIn(text: string): string {
  const messages: string[] = [];
  let end = 0;
  for (const { index, 0: whole, 2: body = '' } of text.matchAll(STRING)) {
    messages.push(...withPiece(messages.pop(), text.slice(end, index), body));
    end = index + whole.length;
  }
  const last = messages.pop();
  if (last !== undefined) messages.push(ended(last, text.slice(end)));
  return shortened(messages.sort((one, other) => other.length - one.length)[0] ?? '');
}

/** Adds a piece to the message before it, or begins another one. */
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
/** After a piece: an operator and a value; a method of the piece is not one. */
const OPENS_VALUE = /^\s{0,200}(?:(?:\+|<<)\s{0,200}[\w$(]|\.\s{0,200}(?:\$|\w{1,80}::|\w{1,80}\(\$))/;
/** Before a piece: a value and an operator. */
const CLOSES_VALUE = /[\w)\]]\s{0,200}(?:\+|\.)\s{0,200}$/;

/** Whether code between two strings joins them to one: `+ name +`, `. strlen($x, 1) .`, or nothing but spaces. */
function isConcatenation(gap: string): boolean {
  const code = gap.trim().replace(/^[\\\s]+/, '');
  if (/^[rbuf]{0,2}$/.test(code) || /^(?:\+|\.|<<)\s*[rbuf]{0,2}$/.test(code)) return true;
  return /^(?:\+|\.|<<)/.test(code) && /(?:\+|\.|<<)$/.test(code) && isOneValue(code);
}

/** Closes what it opens, and no comma or other operator is outside of brackets. */
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

/** Whether any of these patterns may match. */
export function mayReadEnvironment(text: string): boolean {
  return /env/i.test(text);
}

/** Names of environment variables a line of code reads. */
export function environmentNames(line: string): string[] {
  if (!mayReadEnvironment(line)) return [];
  return ENVIRONMENT.flatMap((pattern) => [...line.matchAll(pattern)].map(([, name = '']) => name));
}

const ADDRESS =
  /\b(?:https?|wss?|ftp|sftp|redis|rediss|postgres(?:ql)?|mysql|mongodb(?:\+srv)?|amqps?|grpc|ldaps?):\/\/[^\s"'`<>\\)}]{2,}/;

/** The address a string is or begins with: a message that mentions one does not use it. */
export function addressIn(text: string): string | undefined {
  const found = ADDRESS.exec(text);
  return found !== null && /^[\w@$#]{0,3}["'`]{0,3}$/.test(text.slice(0, found.index)) ? found[0] : undefined;
}

const LIMIT_NAME =
  /(?:^|_)(?:[Mm]ax|[Mm]in|MAX|MIN|limit|LIMIT|timeout|TIMEOUT|ttl|TTL|retry|RETRY|retries|RETRIES|capacity|CAPACITY|threshold|THRESHOLD|interval|INTERVAL|delay|DELAY|depth|DEPTH|budget|BUDGET|quota|QUOTA)(?:_|$)|(?:Max|Min|Limit|Timeout|Ttl|Retries|Capacity|Threshold|Interval|Delay|Depth|Budget|Quota)(?:[A-Z]|$)|^(?:max|min)[A-Z]/;
/** A size is a limit if its name says of what: a `headerSize` is a fact of a format. */
const SIZE_NAME =
  /(?:default|buffer|chunk|page|pool|batch|cache|queue|block|window)_?\w{0,20}(?:size|length)|(?:size|length)_?(?:limit|max)/i;
/** `absoluteTimeIntervalSince1970`, `GET_PAYLOAD_LENGTH_16`. */
const NO_LIMIT = /Since\d|_\d+$/;
const NUMBER = String.raw`-?(?:0[xXbBoO][\da-fA-F_]{1,40}|\d[\d_']{0,40}(?:\.\d{1,40})?(?:[eE][-+]?\d{1,9})?)[a-zA-Z]{0,3}`;
/** A product or a sum of numbers and named constants, one of which is a number. */
const LIMIT = new RegExp(
  String.raw`(?<![\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$]{0,80})(?:\s{0,20}:[^=\n]{1,120}=|\s{0,20}=|\s)\s{0,20}(${NUMBER}(?:\s{0,9}(?:[*+/-]|<<)\s{0,9}[\w.']{1,60}){0,9}|time\.\w{1,40}\s{0,9}\*\s{0,9}${NUMBER})\s{0,9}\)?;?$`,
  'u',
);

/** A constant whose name says limit and whose value is a number. */
export function limitIn(text: string): Pick<BodyFact, 'name' | 'text'> | undefined {
  const line = text.trim();
  if (line.length > 200 || line.includes('\n')) return undefined;
  const [, name = '', value = ''] = LIMIT.exec(line) ?? [];
  // Nought is where a counter begins.
  const isLimit = (LIMIT_NAME.test(name) || SIZE_NAME.test(name)) && !NO_LIMIT.test(name);
  return isLimit && value !== '0' ? { name, text: value } : undefined;
}
