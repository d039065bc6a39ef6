import { NOTHING_RETURNED } from '../run-conditions.ts';
import { isCaught } from './caught.ts';
import {
  calleeName,
  environmentNames,
  fileTouched,
  messageIn,
  raisedBy,
  returnedError,
  rustError,
  shortened,
  thrownError,
} from './code-facts.ts';
import type { BodyFact } from './fact.ts';
import type { Node } from './node.ts';
import { valueParents } from './node-kinds.ts';
import { fieldAssigned, isKey, isNamedOnly, isOwnMethod, mentions } from './node-words.ts';
import { deprecationIn } from './note-words.ts';
import { calleePath, pathOf } from './paths.ts';
import { type Recorder, type Spot, WARNING } from './recorder.ts';

/** Fields in which a name is declared or assigned, and not read. */
const WRITTEN_TO = /^(?:left|name|method|target|key|pattern)$/;

const CALLEE_FIELDS = ['function', 'method', 'name', 'constructor', 'type', 'macro'] as const;

export function noteCall({ to, node, place }: Spot): void {
  const whole = to.textOf(node);
  const written = calleeText(to, node);
  const name = calleeName(written);
  if (name === '') return;
  const line = node.startRow + 1;
  // An anonymous class implements its type instead of calling the constructor.
  const isImplemented = node.lastNamedChild?.type === 'class_body';
  to.add(node, place, {
    kind: 'call',
    name,
    text: (!isImplemented && calleePath(node)) || '',
    endLine: line,
  });
  noteEnvironment({ to, node, place });
  const path = fileTouched({ callee: written, whole });
  if (path !== undefined) to.add(node, place, { kind: 'file', name: shortened(written), text: path });
  noteErrorCall({ to, node, place }, { written, name, whole });
  const reason = deprecationIn(to.language, { place: 'call', text: whole });
  if (reason !== undefined)
    to.add(node, place, { kind: 'deprecated', name: WARNING, text: messageIn(whole) });
}

export function noteName({ to, node, place }: Spot): void {
  const { type, fieldName: field } = node;
  if (node.parentType === 'literal_element' && isKey(node)) return;
  if (field !== null && WRITTEN_TO.test(field)) return;
  if (valueParents.has(node.parentType)) noteUse({ to, node, place });
  // In Ruby a name alone may be a method call. Whether it is a variable is decided later by its scope.
  else if (to.language !== 'ruby' || type !== 'identifier' || /parameter|alias/.test(node.parentType)) return;
  if (to.language === 'ruby' && type === 'identifier')
    to.add(node, place, { kind: 'call', name: node.text, text: node.text });
}

/** Languages in which a field may be named like a method and `this.name` means the field. */
const WITH_OWN_FIELDS: ReadonlySet<string> = new Set(['rust', 'php', 'java', 'kotlin', 'cpp']);
const BY_REFERENCE: ReadonlySet<string> = new Set(['java', 'kotlin']);
const FIELD = /^(?:field_expression|field_access|member_access_expression|navigation_expression)$/;

/**
 * Whether a node may name a method as a value. A name alone is a call in Ruby; Java and Kotlin write
 * `this::name`.
 */
function mayNameMethod(language: string, type: string): boolean {
  if (language === 'ruby' || (WITH_OWN_FIELDS.has(language) && FIELD.test(type))) return false;
  return !BY_REFERENCE.has(language) || !/identifier$/.test(type);
}

function noteUse({ to, node, place }: Spot): void {
  if (to.language === 'csharp' && isNamedOnly(node)) return;
  const path = mayNameMethod(to.language, node.type) ? pathOf(node) : undefined;
  if (path === undefined || path.endsWith(')') || path === 'this') return;
  const name = calleeName(path);
  const own = place.function;
  if (name === '' || (own?.variables.has(path) && own.variables.get(path) !== '=this')) return;
  const into = place.type === undefined && own === undefined ? undefined : fieldAssigned(node);
  to.add(node, place, { kind: 'use', name, text: path, ...(into !== undefined && { into }) });
}

/** Notes calls in the arguments of a Rust macro, which are only tokens: `foo(` and `a.foo(`. */
export function noteTokens({ to, node, place }: Spot): void {
  if (node.parentType !== 'macro_invocation') return;
  const text = to.textOf(node);
  for (const match of text.matchAll(/(?<![\w.:])([A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*){0,8})\(/g)) {
    const path = match[1]?.replaceAll('::', '.').replace(/^(?:self|Self)(?=\.|$)/, 'this') ?? '';
    const line = node.startRow + text.slice(0, match.index).split('\n').length;
    to.add(node, place, {
      kind: 'call',
      name: calleeName(path),
      text: path,
      startLine: line,
      endLine: line,
    });
  }
}

export function noteEnvironment({ to, node, place }: Spot): void {
  if (!to.mayReadEnvironment || node.endIndex - node.startIndex > 300) return;
  const names = environmentNames(to.textOf(node));
  const line = names.length === 0 ? 0 : node.startRow + 1;
  for (const name of names) {
    const isKnown = to.facts.some(
      (fact) => fact.kind === 'environment' && fact.name === name && fact.startLine === line,
    );
    if (!isKnown) to.add(node, place, { kind: 'environment', name, text: '' });
  }
}

function calleeText(to: Recorder, node: Node): string {
  const field = CALLEE_FIELDS.map((name) => node.childForFieldName(name)).find((found) => found != null);
  const callee = field ?? node.firstNamedChild;
  if (callee == null) return '';
  const receiver = node.childForFieldName('object') ?? node.childForFieldName('receiver');
  const scope = node.childForFieldName('scope');
  const own = to.textOf(callee);
  if (scope !== null && callee !== scope) return `${to.textOf(scope)}::${own}`;
  return receiver == null || callee === receiver ? own : `${to.textOf(receiver)}.${own}`;
}

const MAX_EXITS = 3;
const SCRIPT: ReadonlySet<string> = new Set(['javascript', 'typescript', 'tsx']);

function noteErrorCall(
  { to, node, place }: Spot,
  call: { written: string; name: string; whole: string },
): void {
  const { written, name, whole } = call;
  const callee = node.type === 'macro_invocation' ? `${written}!` : written;
  const found = checkRowOf(to.language, callee.replace(/\s+/g, ''));
  const row = found !== undefined && isOwnMethod(node, name) ? undefined : found;
  const returned = to.language === 'rust' && written === 'Err' ? rustError(whole) : undefined;
  if (row?.kind === 'check') noteCheck({ to, node, place }, name);
  else if (row?.kind === 'raise' && !/^(?:raise|fail)[\s(]+@?[a-z_]\w*\)?$/.test(whole))
    noteError({ to, node, place }, { name: raisedBy(whole, name), text: messageIn(whole) });
  else if (returned !== undefined) noteError({ to, node, place }, returned);
  else if (SCRIPT.has(to.language)) noteErrorPassed({ to, node, place }, written);
}

/**
 * Notes errors that JavaScript passes to a callback: `next(new Error('no'))`, `reject(createError(415))`,
 * `Promise.reject(new Error())`.
 */
function noteErrorPassed({ to, node, place }: Spot, callee: string): void {
  if (callee !== 'Promise.reject' && !place.parameters.has(callee) && !isLocal(place, callee)) return;
  const first = node.childForFieldName('arguments')?.firstNamedChild;
  const text = first == null ? '' : to.textOf(first);
  const isMade = /^new\s+[\w.$]*(?:Error|Exception)\b/.test(text) || /^(?:[\w$]+\.)*\w*[eE]rror\(/.test(text);
  if (isMade) noteError({ to, node, place }, { ...thrownError(`throw ${text}`), passedTo: callee });
}

/** Whether a name is a local variable without a known type, such as a parameter of an unnamed function. */
function isLocal({ function: around }: Spot['place'], name: string): boolean {
  return around?.variables.get(name) === '';
}

/** Notes a check of an argument. A check of other values is not a rule for callers. */
export function noteCheck({ to, node, place }: Spot, name: string): void {
  const text = shortened(to.textOf(node));
  if (mentions(place.parameters, text)) to.add(node, place, { kind: 'assert', name, text });
}

export function noteThrow({ to, node, place }: Spot): void {
  const text = to.textOf(node);
  if (!/^(?:throw|raise)\b/.test(text)) return;
  // An error that is only passed on is reported where it is created.
  const [isPassedOn, name = ''] =
    /^(?:throw|raise)(?:\s+(\$?[a-z_$][\w.$]*(?:\[[^\]]*\])?))?\s*;?$/.exec(text) ?? [];
  const said =
    isPassedOn === undefined
      ? thrownError(text)
      : errorMade(place.function?.variables.get(name.replace(/^\$/, to.language === 'php' ? '' : '$')));
  if (said !== undefined) noteError({ to, node, place }, said);
}

/**
 * Returns the error that a thrown variable contains, after `const error = new E()` or `error =
 * createError()`.
 */
function errorMade(typing = ''): Pick<BodyFact, 'name' | 'text'> | undefined {
  const type = /^=<([\w.]+)>$/.exec(typing)?.[1];
  const made = /^=([\w.]+)\(\)$/.exec(typing)?.[1];
  const maker = /error|exception/i.test(made?.split('.').at(-1) ?? '') ? made : undefined;
  const name = type ?? (maker === undefined || /^\p{Lu}/u.test(maker) ? maker : `${maker}(…)`);
  return name === undefined ? undefined : { name, text: '' };
}

export function noteReturn({ to, node, place }: Spot): void {
  if (SCRIPT.has(to.language) || to.language === 'php') noteResult(node, place);
  if (to.language !== 'go') return;
  const text = to.textOf(node);
  // The errors of a returned function are in its own `return` statements.
  const found = /^return\s+func\b/.test(text) ? undefined : returnedError(text);
  if (found !== undefined) noteError({ to, node, place }, found);
}

/**
 * Notes the type that a `return` creates, as in `return new Box()`, for functions without a declared return
 * type.
 */
function noteResult(node: Node, { function: around, literals }: Spot['place']): void {
  if (around === undefined || literals > 0) return;
  const made = /^<([\w$.\\]+)>$/.exec(pathOf(node.firstNamedChild) ?? '')?.[1];
  around.made.add(made);
}

/** Notes an error. If it depends on an argument, it is a check of that argument. */
function noteError({ to, node, place }: Spot, said: Pick<BodyFact, 'name' | 'text' | 'passedTo'>): void {
  // An unnamed function at the top level raises when it is called, not when the file is loaded.
  if (place.owner === '' && place.literals > 0) return;
  if (place.clauses.length > 0 && isCaught({ name: said.name, language: to.language }, place.clauses)) return;
  // After `if (x) return` in the same block, `x` is false.
  const known = place.exits.filter((each) => each !== NOTHING_RETURNED);
  const rest = known.length < place.exits.length ? [NOTHING_RETURNED] : [];
  const exits = [...known.slice(-MAX_EXITS), ...rest];
  const conditions = [...place.conditions, ...exits];
  const isChecked = conditions.some((condition) => mentions(place.parameters, condition));
  to.add(node, { ...place, conditions }, { kind: isChecked ? 'check' : 'raise', ...said });
}

/**
 * Calls that check or raise, by language, because names differ in meaning: `require` is an import in CommonJS
 * and a check in Kotlin. `yes` is code in which the row applies, `no` code in which it does not; both are
 * tests.
 */
interface CheckRow {
  languages: readonly string[];
  kind: 'check' | 'raise';
  /** Pattern of the whole callee, including the `!` of a macro. */
  callee: RegExp;
  yes: string;
  no: string;
}

const SCRIPTS = ['javascript', 'typescript', 'tsx'] as const;

export const CHECK_ROWS: readonly CheckRow[] = [
  {
    languages: SCRIPTS,
    kind: 'check',
    callee: /^(?:assert|assert\.\w+|invariant|tiny?Invariant)$/,
    yes: 'function f(a) { assert(a > 0, "a is small") }',
    no: "function f(a) { const b = require('./b'); check(a); assertNotStarted(a) }",
  },
  {
    languages: ['java'],
    kind: 'check',
    callee: /^(?:Objects\.)?(?:requireNonNull|requireNonNullElse|checkIndex|checkFromToIndex)$/,
    yes: 'class A { void f(String a) { Objects.requireNonNull(a, "a == null"); } }',
    no: 'class A { void f(String a) { validator.require(a); check(a); } }',
  },
  {
    languages: ['java', 'kotlin'],
    kind: 'check',
    callee: /^(?:Preconditions\.)?check(?:NotNull|Argument|State|ElementIndex|PositionIndex)$/,
    yes: 'class A { void f(int a) { checkArgument(a > 0, "a is small"); } }',
    no: 'class A { void f(int a) { checkIn(a); checker.checkState(a); } }',
  },
  {
    languages: ['kotlin'],
    kind: 'check',
    callee: /^(?:require|requireNotNull|check|checkNotNull)$/,
    yes: 'fun f(a: Int) { require(a > 0) { "a is small" } }',
    no: 'fun f(a: Int) { door.check(a); required(a) }',
  },
  {
    languages: ['kotlin'],
    kind: 'raise',
    callee: /^(?:error|TODO)$/,
    yes: 'fun f(a: Int) { error("no way") }',
    no: 'fun f(a: Int) { log.error("no way") }',
  },
  {
    languages: ['rust'],
    kind: 'check',
    callee: /^(?:debug_)?assert(?:_eq|_ne)?!$|^ensure!$/,
    yes: 'fn f(a: usize) { assert!(a > 0, "a is small"); }',
    no: 'fn f(a: usize) { assert_send(a); matches!(a, 1); }',
  },
  {
    languages: ['rust'],
    kind: 'raise',
    callee: /^(?:panic|unreachable|todo|unimplemented|bail)!$/,
    yes: 'fn f() { panic!("no way") }',
    no: 'fn f() { panic_handler("no way") }',
  },
  {
    languages: ['go'],
    kind: 'raise',
    callee: /^(?:panic|log\.(?:Fatal|Panic)(?:f|ln)?)$/,
    yes: 'package a\nfunc f() { panic("no way") }',
    no: 'package a\nfunc f(t T) { t.Fatal("no way"); recoverPanic() }',
  },
  {
    languages: ['c', 'cpp'],
    kind: 'check',
    callee: /^assert$/,
    yes: 'void f(int a) { assert(a > 0); }',
    no: 'void f(int a) { assert_equal(a); check(a); }',
  },
  {
    languages: ['c', 'cpp'],
    kind: 'raise',
    callee: /^(?:abort|std::abort|std::terminate)$/,
    yes: 'void f(int a) { abort(); }',
    no: 'void f(struct c *c) { c->abort(); }',
  },
  {
    languages: ['csharp'],
    kind: 'check',
    callee:
      /^(?:ArgumentNullException|ArgumentException|ArgumentOutOfRangeException|ObjectDisposedException)\.ThrowIf\w+$|^Debug\.Assert$/,
    yes: 'class A { void F(string a) { ArgumentNullException.ThrowIfNull(a); } }',
    no: 'class A { void F(string a) { Assert(a); ThrowIfNull(a); } }',
  },
  {
    languages: ['swift'],
    kind: 'check',
    callee: /^(?:precondition|assert)$/,
    yes: 'func f(a: Int) { precondition(a > 0, "a is small") }',
    no: 'func f(a: Int) { a.precondition(1); XCTAssert(a) }',
  },
  {
    languages: ['swift'],
    kind: 'raise',
    callee: /^(?:fatalError|preconditionFailure|assertionFailure)$/,
    yes: 'func f() { fatalError("no way") }',
    no: 'func f() { log.fatalError("no way") }',
  },
  {
    languages: ['php'],
    kind: 'check',
    callee: /^assert$|^Assert::\w+$/,
    yes: '<?php function f($a) { Assert::notNull($a); }',
    no: '<?php function f($a) { $this->assert($a); check($a); }',
  },
  {
    languages: ['ruby'],
    kind: 'raise',
    callee: /^(?:raise|fail)$/,
    yes: 'def f(a)\n  raise ArgumentError, "no way"\nend',
    no: 'def f(a)\n  hand.raise("no way")\nend',
  },
];

function checkRowOf(language: string, callee: string): CheckRow | undefined {
  return CHECK_ROWS.find((row) => row.languages.includes(language) && row.callee.test(callee));
}
