import { NOTHING_RETURNED } from '../run-conditions.ts';
import { isCaught } from './caught.ts';
import { checkRowOf } from './check-rows.ts';
import {
  calleeName,
  createdError,
  ENDS_WITH_ERROR,
  environmentNames,
  errorMade,
  fileTouched,
  messageIn,
  raisedBy,
  returnedError,
  rustError,
  shortened,
  thrownError,
} from './code-facts.ts';
import { isFailureOfGo, isLastCall } from './conditions.ts';
import type { BodyFact } from './fact.ts';
import type { Node } from './node.ts';
import { scriptLanguages, valueParents } from './node-kinds.ts';
import { fieldAssigned, isKey, isNamedOnly, mentions } from './node-words.ts';
import { deprecationIn } from './note-words.ts';
import { calleePath, pathOf } from './paths.ts';
import { copied, type Recorder, type Spot, WARNING } from './recorder.ts';

/** Fields whose name is declared or assigned, not read. */
const WRITTEN_TO = /^(?:left|name|method|target|key|pattern)$/;

export function noteCall({ to, node, place }: Spot): void {
  if (node.type === 'yield') {
    if (to.language === 'ruby') to.add(node, place, { kind: 'call', name: 'yield', text: 'yield' });
    return;
  }
  const whole = to.textOf(node);
  const written = calleeText(to, node);
  const name = calleeName(written);
  // Swift's grammar parses `values[key]` as a call.
  if (name === '' || (to.language === 'swift' && whole.startsWith(`${written}[`))) return;
  const line = node.startRow + 1;
  // `new Type() { … }` with a class body declares an anonymous class; it is not a call of the constructor.
  const isImplemented = node.lastNamedChild?.type === 'class_body';
  const text = (!isImplemented && calleePath(node)) || '';
  const ends = place.conditions.length > 0 && isLastCall(node) && { ends: true as const };
  to.add(node, place, {
    kind: 'call',
    name,
    text: text && `${text}${setterMark(node, to.language)}`,
    endLine: line,
    ...ends,
  });
  noteEnvironment({ to, node, place });
  const path = fileTouched(written, name, whole);
  if (path !== undefined) to.add(node, place, { kind: 'file', name: shortened(written), text: path });
  noteErrorCall({ to, node, place }, { written, name, whole });
  const reason = deprecationIn(to.language, 'call', whole);
  if (reason !== undefined)
    to.add(node, place, { kind: 'deprecated', name: WARNING, text: messageIn(whole) });
}

/** Returns the `=` at the end of the method name that `self.key = value` calls in Ruby. */
function setterMark({ fieldName, parentType }: Node, language: string): string {
  return language === 'ruby' && fieldName === 'left' && parentType === 'assignment' ? '=' : '';
}

export function noteName({ to, node, place }: Spot): void {
  const { type, fieldName: field } = node;
  if (node.parentType === 'literal_element' && isKey(node)) return;
  if (field !== null && WRITTEN_TO.test(field)) return;
  if (valueParents.has(node.parentType)) noteUse({ to, node, place });
  // In Ruby a bare name may be a method call. The variables in scope decide that later.
  else if (to.language !== 'ruby' || type !== 'identifier' || /parameter|alias/.test(node.parentType)) return;
  if (to.language === 'ruby' && type === 'identifier')
    to.add(node, place, { kind: 'call', name: node.text, text: node.text });
}

/** Languages in which a field and a method may share a name, and `this.name` means the field. */
const WITH_OWN_FIELDS: ReadonlySet<string> = new Set(['rust', 'php', 'java', 'kotlin', 'cpp']);
const BY_REFERENCE: ReadonlySet<string> = new Set(['java', 'kotlin']);
const FIELD = /^(?:field_expression|field_access|member_access_expression|navigation_expression)$/;

/**
 * Whether a node may name a method without calling it. In Ruby a bare name is a call; in Java and Kotlin a
 * method is named by `this::name`.
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

/** Notes calls in the arguments of a Rust macro. The grammar leaves them as tokens: `foo(` and `a.foo(`. */
export function noteTokens({ to, node, place }: Spot): void {
  if (node.parentType !== 'macro_invocation') return;
  const text = to
    .textOf(node)
    .replace(/"(?:[^"\\]|\\.){0,1000}"/g, (string) => string.replace(/[^\n]/g, ' '));
  for (const match of text.matchAll(/(?<![\w.:])([A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*){0,8})\(/g)) {
    const path = match[1]?.replaceAll('::', '.').replace(/^(?:self|Self)(?=\.|$)/, 'this') ?? '';
    const line = node.startRow + text.slice(0, match.index).split('\n').length;
    const at = { startLine: line, endLine: line };
    to.add(node, place, { kind: 'call', name: calleeName(path), text: path, ...at });
  }
}

export function noteEnvironment({ to, node, place }: Spot): void {
  if (!to.mayReadEnvironment || node.endIndex - node.startIndex > 300) return;
  const names = environmentNames(to.textOf(node));
  if (names.length === 0) return;
  const [startLine, endLine] = [node.startRow + 1, node.endRow + 1];
  for (const name of names) {
    const known = to.facts.find(
      (fact) =>
        fact.kind === 'environment' &&
        fact.name === name &&
        fact.startLine <= endLine &&
        startLine <= fact.endLine,
    );
    if (known === undefined) to.add(node, place, { kind: 'environment', name, text: '' });
    // The innermost of nested expressions gives the lines.
    else if (known.startLine <= startLine && endLine <= known.endLine)
      Object.assign(known, { startLine, endLine });
  }
}

function calleeText(to: Recorder, node: Node): string {
  if (node.type === 'type_conversion_expression' && node.firstNamedChild?.type !== 'generic_type') return '';
  const callee =
    node.firstField('function', 'method', 'name', 'constructor', 'type', 'macro') ?? node.firstNamedChild;
  if (callee === null) return '';
  const receiver = node.firstField('object', 'receiver');
  const scope = node.childForFieldName('scope');
  const own = to.textOf(callee);
  if (scope !== null && callee !== scope) return `${to.textOf(scope)}::${own}`;
  return receiver === null || callee === receiver ? own : `${to.textOf(receiver)}.${own}`;
}

const MAX_EXITS = 3;

function noteErrorCall({ to, node, place }: Spot, call: { written: string; name: string; whole: string }) {
  const { written, name, whole } = call;
  const callee = node.type === 'macro_invocation' ? `${written}!` : written;
  const plain = callee.replace(/\s+/g, '');
  const row = place.parameters.has(plain) ? undefined : checkRowOf(to.language, plain, node);
  const returned = to.language === 'rust' && written === 'Err' ? rustError(whole) : undefined;
  if (row?.kind === 'check') noteCheck({ to, node, place }, name);
  else if (row?.kind === 'raise' && !/^(?:raise|fail)[\s(]+@?[a-z_]/.test(whole))
    noteError({ to, node, place }, { name: raisedBy(whole, name), text: messageIn(whole) });
  else if (returned !== undefined) noteError({ to, node, place }, returned);
  else if (to.language === 'cpp' && THROWING_MACRO.test(written)) noteThrown({ to, node, place }, whole);
  else if (scriptLanguages.includes(to.language)) noteErrorPassed({ to, node, place }, written);
}

/** Matches macros of C++ that throw their argument: `BOX_THROW(Error("no"))`. */
const THROWING_MACRO = /^(?:[A-Z\d]+_)*THROW$/;

function noteThrown({ to, node, place }: Spot, call: string): void {
  const [, type] = /\(\s*([\w:]+)\s*[({]/.exec(call) ?? [];
  if (type !== undefined) noteError({ to, node, place }, { name: type, text: messageIn(call) });
}

/**
 * Notes errors that JavaScript passes to a callback or a function for errors: `next(new Error('no'))`,
 * `this._error(createError(415))`, `Promise.reject(new Error())`.
 */
function noteErrorPassed({ to, node, place }: Spot, callee: string): void {
  // A local variable of unknown type, such as a parameter of an unnamed function, may be a callback.
  const isLocal = place.function?.variables.get(callee) === '';
  if (!ENDS_WITH_ERROR.test(callee) && !place.parameters.has(callee) && !isLocal) return;
  const [first, second] = node.childForFieldName('arguments')?.namedChildren ?? [];
  const passed = first?.text.slice(1, -1) === 'error' ? second : first;
  const error = passed == null ? undefined : createdError(to.textOf(passed));
  if (error !== undefined) noteError({ to, node, place }, { ...error, passedTo: callee });
}

/** Notes a call that checks an argument. Checks of other values are not rules for callers. */
export function noteCheck({ to, node, place }: Spot, name: string): void {
  const whole = to.textOf(node);
  const text = shortened(whole);
  if (mentions(place.parameters, text)) return void to.add(node, place, { kind: 'assert', name, text });
  const error = STATE_ERRORS[`${to.language} ${name}`];
  const failing = error === undefined ? undefined : failingIn(whole, name);
  if (error === undefined || failing === undefined) return;
  // In Kotlin the message is in a block after the call.
  const outer = to.language === 'kotlin' && node.parentType === 'call_expression' ? node.parent : null;
  const message = messageIn(outer === null ? whole : to.textOf(outer));
  const conditions = [...place.conditions, failing];
  noteError({ to, node, place: { ...place, conditions } }, { name: error, text: message });
}

/** Errors raised by calls that check the state of an object and no argument. */
const STATE_ERRORS: Readonly<Record<string, string>> = {
  'rust assert': 'panic',
  'rust assert_eq': 'panic',
  'rust assert_ne': 'panic',
  'kotlin check': 'IllegalStateException',
  'kotlin checkNotNull': 'IllegalStateException',
  'java checkState': 'IllegalStateException',
};

/** Returns the condition under which a check fails: `!(a)` for `check(a) { "no" }`, `a != b` for `assert_eq!(a, b)`. */
function failingIn(call: string, name: string): string | undefined {
  const [first, second] = argumentsIn(call);
  if (first === undefined) return undefined;
  if (name === 'checkNotNull') return `${first} == null`;
  if (name === 'assert_eq') return `${first} != ${second}`;
  return name === 'assert_ne' ? `${first} == ${second}` : `!(${first})`;
}

const DEPTHS: Readonly<Record<string, number>> = { '(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1 };

/** Returns the arguments of a call as texts. Commas inside brackets and strings do not separate arguments. */
function argumentsIn(call: string): string[] {
  const parts = [''];
  let depth = 1;
  for (const token of call.slice(call.indexOf('(') + 1).match(/"(?:[^"\\]|\\.){0,1000}"|[^"]/gs) ?? []) {
    depth += DEPTHS[token] ?? 0;
    if (depth === 0) break;
    if (depth === 1 && token === ',') parts.push('');
    else parts[parts.length - 1] += token;
  }
  return parts.map(shortened).filter((part) => part !== '');
}

export function noteThrow({ to, node, place }: Spot): void {
  const whole = to.textOf(node);
  if (!/^(?:throw|raise)\b/.test(whole)) return void noteExit({ to, node, place });
  const cause = node.childForFieldName('cause')?.startIndex;
  const text =
    cause === undefined ? whole : whole.slice(0, whole.lastIndexOf('from', cause - node.startIndex)).trim();
  // An error that is only rethrown is reported where it is created.
  const [isPassedOn, name = ''] =
    /^(?:throw|raise)(?:\s+(\$?[a-z_$][\w.$]*(?:\[[^\]]*\])?))?\s*;?$/.exec(text) ?? [];
  const said =
    isPassedOn === undefined
      ? thrownError(text)
      : errorMade(place.function?.variables.get(name.replace(/^\$/, to.language === 'php' ? '' : '$')));
  if (said === undefined) return;
  const message = said.text === '' ? messageBefore(to.text.slice(0, node.startIndex), text) : said.text;
  noteError({ to, node, place }, { ...said, text: message });
}

const MAX_DISTANCE = 800;

/** Returns the message from the variable with which an error is created: `msg = "…"` before `raise E(msg)`. */
function messageBefore(before: string, raised: string): string {
  const variable = /\(\s{0,20}([A-Za-z_]\w{0,80})\s{0,20}[,)]/.exec(raised)?.[1];
  const near = before.slice(-MAX_DISTANCE);
  const at = variable === undefined ? -1 : near.lastIndexOf(` ${variable} = `);
  const value = at === -1 ? '' : near.slice(at + ` ${variable} = `.length);
  return /^[frbu]{0,2}["'`(]/.test(value) ? messageIn(value) : '';
}

export function noteReturn({ to, node, place }: Spot): void {
  if (scriptLanguages.includes(to.language) || to.language === 'php') noteResult(node, place);
  const found = to.language === 'go' ? returnedError(withoutFunctions(to, node)) : undefined;
  if (found === undefined) noteExit({ to, node, place });
  else noteError({ to, node, place }, found);
}

const WITH_EXITS: ReadonlySet<string> = new Set(['go', 'java', 'kotlin', 'csharp', 'c', 'cpp', 'rust']);
const MAX_VALUE = 60;

/** Notes a `return` under a condition, except one that only passes an error of Go on. */
function noteExit({ to, node, place }: Spot): void {
  const last = place.conditions.at(-1);
  if (last === undefined || !WITH_EXITS.has(to.language) || place.literals > 0 || isFailureOfGo(last)) return;
  const text = to.textOf(node);
  if (!/^return\b/.test(text) || place.function === undefined) return;
  const value = text.slice('return'.length).replace(/;$/, '').trim();
  to.add(node, place, { kind: 'exit', name: '', text: value.length > MAX_VALUE ? '' : shortened(value) });
}

/** Returns the text of a `return` without the functions in it, whose errors are in their own `return` statements. */
function withoutFunctions(to: Recorder, node: Node): string {
  let text = to.textOf(node);
  for (const { startIndex, endIndex } of node.ofTypes(GO_FUNCTIONS).reverse())
    text = text.slice(0, startIndex - node.startIndex) + text.slice(endIndex - node.startIndex);
  return text;
}

const GO_FUNCTIONS: ReadonlySet<string> = new Set(['func_literal']);

/** Notes the type of the object in `return new Box()`, if the function declares no return type. */
function noteResult(node: Node, { function: around, literals }: Spot['place']): void {
  if (around === undefined || literals > 0) return;
  const made = /^<([\w$.\\]+)>$/.exec(pathOf(node.firstNamedChild) ?? '')?.[1];
  around.made.add(made);
}

/** Notes an error, as a `check` if its conditions mention a parameter. */
function noteError({ to, node, place }: Spot, said: Pick<BodyFact, 'name' | 'text' | 'passedTo'>): void {
  if (said.name === '') return;
  // An unnamed function at the top level raises its errors when it is called, not when the file is loaded.
  if (place.owner === '' && place.literals > 0) return;
  if (place.clauses.length > 0 && isCaught(said.name, to.language, place.clauses)) return;
  // After `if (x) return` in the same block, `x` is false.
  const known = place.exits.filter((each) => each !== NOTHING_RETURNED);
  const rest = known.length < place.exits.length ? [NOTHING_RETURNED] : [];
  const exits = [...known.slice(-MAX_EXITS), ...rest];
  const conditions = [
    ...to.compiledIf(node).slice(place.compiled),
    ...place.conditions,
    ...place.deferred,
    ...exits,
  ];
  const isChecked = conditions.some((condition) => mentions(place.parameters, condition));
  const inner = copied(place);
  inner.conditions = conditions;
  to.add(node, inner, { kind: isChecked ? 'check' : 'raise', ...said });
}
