import { codeTokens, plainName, type SkeletonExport } from '../reading/skeleton.ts';

/** Returns a signature in a form that can be compared: one spelling for equivalent types, no `export` before it. */
export function comparable({ signature }: Pick<SkeletonExport, 'signature'>, language: string): string {
  const tokens = codeTokens(signature, language);
  return (SPELLINGS[language]?.(tokens) ?? tokens).join(' ').replace(/^export (?:default )?(?!\{|\*|=)/, '');
}

/** Returns an export as text without its name. If two exports have the same text, one may be the other renamed. */
export function shapeOf(symbol: SkeletonExport, language: string): string {
  const name = plainName(symbol.name);
  const signature = comparable(symbol, language)
    .split(' ')
    .map((token) => (token === name ? '\u0000' : token))
    .join(' ');
  const members = (symbol.members ?? [])
    .map((member) => `${member.name}:${shapeOf(member, language)}`)
    .sort();
  return JSON.stringify([symbol.kind, signature, members]);
}

/** Functions by language that rewrite equivalent types to one spelling: `Optional[str]` to `str | None`, `Array<T>` to `T[]`. */
const SPELLINGS: Readonly<Record<string, (tokens: string[]) => string[]>> = {
  python: pythonSpelling,
  typescript: arraySpelling,
  tsx: arraySpelling,
  go: (tokens) => replaced(tokens, ['interface', '{', '}'], ['any']),
  php: (tokens) => nullableSpelling(tokens.filter((token) => token !== '\\')),
  csharp: csharpSpelling,
};

const TYPING_MODULE = /^(?:t|te|tx|typing|typing_extensions|cabc|abc|collections|contextlib)$/;
const TYPING_NAME =
  /^(?:Any|AnyStr|AbstractAsyncContextManager|AbstractContextManager|Annotated|AsyncContextManager|AsyncGenerator|AsyncIterable|AsyncIterator|Awaitable|BinaryIO|ByteString|Callable|ClassVar|Collection|Concatenate|Container|ContextManager|Coroutine|DefaultDict|Deque|Dict|Final|FrozenSet|Generator|Generic|Hashable|IO|Iterable|Iterator|List|Literal|Mapping|MutableMapping|MutableSequence|MutableSet|NamedTuple|NoReturn|Never|NewType|Optional|OrderedDict|ParamSpec|Protocol|Reversible|Self|Sequence|Set|Sized|SupportsFloat|SupportsInt|Text|TextIO|Tuple|Type|TypeAlias|TypeGuard|TypeVar|TypedDict|Union|Unpack|abc|cast|final|overload)$/;
/** Types of Python's `typing` that have had built-in equivalents since Python 3.9. */
const BUILTIN: ReadonlyMap<string, string> = new Map([
  ['AbstractAsyncContextManager', 'AsyncContextManager'],
  ['AbstractContextManager', 'ContextManager'],
  ['DefaultDict', 'defaultdict'],
  ['Deque', 'deque'],
  ['Dict', 'dict'],
  ['FrozenSet', 'frozenset'],
  ['List', 'list'],
  ['Set', 'set'],
  ['Text', 'str'],
  ['Tuple', 'tuple'],
  ['Type', 'type'],
]);

/** Rewrites the types in all annotations of a signature, which may contain several overloads. */
function pythonSpelling(tokens: string[]): string[] {
  const row = withoutTypingModules(tokens);
  const open = row.indexOf('(', row.indexOf('def'));
  if (!row.includes('def') || open === -1) return spellDeclaration(row);
  const close = closingOf(row, open);
  const next = row.findIndex((token, at) => at > close && (token === 'def' || token.startsWith('@')));
  const end = next === -1 ? row.length : next;
  const parameters = splitAtCommas(row.slice(open + 1, close)).map((each) =>
    spellDeclaration(each).join(' '),
  );
  const result =
    row[close + 1] === '->' ? [')', '->', spellType(row.slice(close + 2, end))] : row.slice(close, end);
  const rest = next === -1 ? [] : pythonSpelling(row.slice(next));
  return [...row.slice(0, open + 1), parameters.join(' , '), ...result, ...rest];
}

/** Rewrites the types in `name: type = value`. Each part may be missing, and the value may be a type. */
function spellDeclaration(tokens: readonly string[]): string[] {
  const equals = topLevelIndex(tokens, '=');
  const [declared, value] =
    equals === -1 ? [tokens, []] : [tokens.slice(0, equals), tokens.slice(equals + 1)];
  const colon = topLevelIndex(declared, ':');
  const name =
    colon === -1 ? declared : [...declared.slice(0, colon + 1), spellType(declared.slice(colon + 1))];
  if (equals === -1) return [...name];
  if (value[0] === 'TypeVar' && value.at(-1) === ')') {
    const bounds = splitAtCommas(value.slice(2, -1)).map((each) =>
      (each[0] === 'bound' ? ['bound', '=', spellType(each.slice(2))] : each).join(' '),
    );
    return [...name, '=', 'TypeVar', '(', bounds.join(' , '), ')'];
  }
  return [
    ...name,
    '=',
    ...(value.some((token, at) => (GENERIC.test(token) || BUILTIN.has(token)) && value[at + 1] === '[')
      ? [spellType(value)]
      : value),
  ];
}

const GENERIC = /^(?:Optional|Union|Callable|list|dict|tuple|set|type)$/;

function topLevelIndex(tokens: readonly string[], wanted: string): number {
  let depth = 0;
  return tokens.findIndex((token) => {
    depth += depthOf(token);
    return depth === 0 && token === wanted;
  });
}

function spellType(tokens: readonly string[]): string {
  return unionOf(tokens.at(-1) === ':' ? tokens.slice(0, -1) : tokens).join(' | ');
}

/** Returns 1 for an opening bracket, -1 for a closing one. */
function depthOf(token: string): number {
  if (token === '(' || token === '[' || token === '{') return 1;
  return token === ')' || token === ']' || token === '}' ? -1 : 0;
}

function depthWithAngles(token: string): number {
  if (token === '<') return 1;
  return token === '>' ? -1 : depthOf(token);
}

/** Removes module prefixes: `t.Optional` becomes `Optional`, `collections.abc.Callable` becomes `Callable`. */
function withoutTypingModules(tokens: readonly string[]): string[] {
  const kept: string[] = [];
  for (const token of tokens) {
    while (TYPING_NAME.test(token) && kept.at(-1) === '.' && TYPING_MODULE.test(kept.at(-2) ?? ''))
      kept.splice(-2);
    kept.push(token);
  }
  return kept;
}

/** Returns the members of a union type, sorted and without duplicates. */
function unionOf(tokens: readonly string[]): string[] {
  const members = splitAt(tokens, '|').flatMap((member) => membersOf(member));
  return [...new Set(members)].sort();
}

function membersOf(tokens: readonly string[]): string[] {
  const [first = ''] = tokens;
  if (tokens.length === 1) return first.startsWith('"') ? quotedType(first) : [BUILTIN.get(first) ?? first];
  const open = tokens.indexOf('[');
  if (first === '(' && closingOf(tokens, 0) === tokens.length - 1) return unionOf(tokens.slice(1, -1));
  if (open === -1 || closingOf(tokens, open) !== tokens.length - 1) return [tokens.join(' ')];
  const args = splitAtCommas(tokens.slice(open + 1, -1));
  const head = tokens.slice(0, open);
  const name = head.join(' ');
  if (name === 'Optional') return [...args.flatMap(unionOf), 'None'];
  if (name === 'Union') return args.flatMap(unionOf);
  if (name === 'Literal') return args.map((arg) => `Literal [ ${arg.join(' ')} ]`);
  const spelled = args.map((arg) => unionOf(arg).join(' | ')).join(' , ');
  return [`${head.map((token) => BUILTIN.get(token) ?? token).join(' ')} [ ${spelled} ]`];
}

/** Returns the tokens of a type in quotes. The quotes only delay its evaluation. */
function quotedType(token: string): string[] {
  const inner = withoutTypingModules(codeTokens(token.slice(1, -1), 'python'));
  return inner.length === 0 || inner[0]?.startsWith('"') ? [token] : unionOf(inner);
}

/** Splits tokens at a separator outside of brackets. */
function splitAt(tokens: readonly string[], separator: string, bracketDepth = depthOf): string[][] {
  const parts: string[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    depth += bracketDepth(token);
    if (token === separator && depth === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** Rewrites `Array<T>` to `T[]` and `ReadonlyArray<T>` to `readonly T[]`. */
function arraySpelling(tokens: string[]): string[] {
  const at = tokens.findIndex(
    (token, place) => (token === 'Array' || token === 'ReadonlyArray') && tokens[place + 1] === '<',
  );
  if (at === -1 || tokens[at - 1] === '.' || tokens[at - 1] === 'extends') return tokens;
  const close = closingAngle(tokens, at + 1);
  if (close === -1) return tokens;
  const item = arraySpelling(tokens.slice(at + 2, close));
  const isSimple = !item.some((token) => token === '|' || token === '&' || token === '=>' || token === '?');
  const shown = isSimple ? item : ['(', ...item, ')'];
  const prefix = tokens[at] === 'ReadonlyArray' ? ['readonly'] : [];
  return [...tokens.slice(0, at), ...prefix, ...shown, '[', ']', ...arraySpelling(tokens.slice(close + 1))];
}

function closingAngle(tokens: readonly string[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at += 1) {
    if (tokens[at] === '<') depth += 1;
    if (tokens[at] === '>') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

/** For PHP: rewrites `?T` to `T | null` and sorts unions, whose order has no meaning. */
function nullableSpelling(tokens: readonly string[]): string[] {
  const spelled: string[] = [];
  for (let at = 0; at < tokens.length; ) {
    const end = unionEnd(tokens, tokens[at] === '?' ? at + 1 : at);
    const union = tokens.slice(at, end).filter((token) => token !== '|');
    const members = union[0] === '?' && union.length > 1 ? [...union.slice(1), 'null'] : union;
    spelled.push([...new Set(members)].sort().join(' | '));
    at = end;
  }
  return spelled;
}

function unionEnd(tokens: readonly string[], start: number): number {
  let end = start + 1;
  while (tokens[end] === '|' && /^\w+$/.test(tokens[end + 1] ?? '')) end += 2;
  return end;
}

/** Keywords of C# and the types of `System` that they stand for. */
const CSHARP_KEYWORDS: ReadonlyMap<string, string> = new Map(
  'Boolean bool|Byte byte|Char char|Decimal decimal|Double double|Int16 short|Int32 int|Int64 long|Object object|SByte sbyte|Single float|String string|UInt16 ushort|UInt32 uint|UInt64 ulong'
    .split('|')
    .map((pair) => pair.split(' ') as [string, string]),
);

function csharpSpelling(tokens: readonly string[]): string[] {
  const kept: string[] = [];
  for (const token of tokens) {
    const keyword = CSHARP_KEYWORDS.get(token);
    if (keyword !== undefined && kept.at(-1) === '.' && kept.at(-2) === 'System') kept.splice(-2);
    kept.push(kept.at(-1) === '.' ? token : (keyword ?? token));
  }
  return kept;
}

function replaced(tokens: readonly string[], from: readonly string[], to: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const isFound = from.every((token, offset) => tokens[at + offset] === token);
    kept.push(...(isFound ? to : [tokens[at] ?? '']));
    if (isFound) at += from.length - 1;
  }
  return kept;
}

/** Returns the index of the bracket that closes the one at `start`; the last index if none does. */
export function closingOf(tokens: readonly string[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at += 1) {
    depth += depthOf(tokens[at] ?? '');
    if (depth === 0) return at;
  }
  return tokens.length - 1;
}

/** Splits a list at the commas outside of brackets. */
export function splitAtCommas(tokens: readonly string[]): string[][] {
  return splitAt(tokens, ',', depthWithAngles);
}
