import { calleeName, environmentNames, fileTouched, messageIn, shortened } from './code-facts.ts';
import { deprecationIn } from './deprecations.ts';
import type { Node } from './node.ts';
import { valueParents } from './node-kinds.ts';
import { fieldAssigned, isKey } from './node-words.ts';
import { noteErrorCall } from './note-errors.ts';
import { calleePath, pathOf } from './paths.ts';
import { type Recorder, type Spot, WARNING } from './recorder.ts';

/** Fields in which a name is declared or assigned, not read. */
const WRITTEN_TO = /^(?:left|name|method|target|key|pattern)$/;

const CALLEE_FIELDS = ['function', 'method', 'name', 'constructor', 'type', 'macro'] as const;

export function noteCall({ to, node, place }: Spot): void {
  const whole = to.textOf(node);
  const written = calleeText(to, node);
  const name = calleeName(written);
  if (name === '') return;
  const line = node.startRow + 1;
  // A class without a name implements its type.
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
  // Ruby calls a method without brackets: whether it is a variable, its scope says.
  else if (to.language !== 'ruby' || type !== 'identifier' || /parameter|alias/.test(node.parentType)) return;
  if (to.language === 'ruby' && type === 'identifier')
    to.add(node, place, { kind: 'call', name: node.text, text: node.text });
}

/** Languages in which a field may be named like a method and `this.name` means the field. */
const WITH_OWN_FIELDS: ReadonlySet<string> = new Set(['rust', 'php', 'java', 'kotlin', 'cpp']);
const BY_REFERENCE: ReadonlySet<string> = new Set(['java', 'kotlin']);
const FIELD = /^(?:field_expression|field_access|member_access_expression|navigation_expression)$/;

/** A name alone is a call in Ruby; Java and Kotlin write `this::name` for a method. */
function mayNameMethod(language: string, type: string): boolean {
  if (language === 'ruby' || (WITH_OWN_FIELDS.has(language) && FIELD.test(type))) return false;
  return !BY_REFERENCE.has(language) || !/identifier$/.test(type);
}

function noteUse({ to, node, place }: Spot): void {
  const path = mayNameMethod(to.language, node.type) ? pathOf(node) : undefined;
  if (path === undefined || path.endsWith(')') || path === 'this') return;
  const name = calleeName(path);
  const own = place.function;
  if (name === '' || (own?.variables.has(path) && own.variables.get(path) !== '=this')) return;
  const into = place.type === undefined && own === undefined ? undefined : fieldAssigned(node);
  to.add(node, place, { kind: 'use', name, text: path, ...(into !== undefined && { into }) });
}

/** Rust: what a macro is given is tokens; `foo(` and `a.foo(` among them are calls. */
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
