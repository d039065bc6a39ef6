import { mayReadEnvironment } from './code-facts.ts';
import type { Branching } from './conditions.ts';
import type { Binding, BodyFact, BodyFacts, Conditions, FunctionFact, Typing } from './fact.ts';
import type { Node } from './node.ts';
import { addVariable, UNSET, type Variable } from './typings.ts';

/** A function whose body is being read. */
interface OpenFunction {
  name: string;
  variables: Map<string, Typing>;
  /** Types of the objects that its `return` statements create; `undefined` for one that returns something else. */
  made: Set<string | undefined>;
}

interface Head {
  parameters: readonly Variable[];
  /** Receiver of the function, if it is a Go method. */
  receiver: Node | null;
  language: string;
}

interface OpenType {
  bases: Set<string>;
  fields: Map<string, Typing>;
  range: { startLine: number; endLine: number };
  /** Whether a block declares the type. Swift extensions only add members to it. */
  isDeclared: boolean;
}

const NO_LINES = { startLine: 0, endLine: 0 };

/** Collects the functions, types and variables of a file. */
class Symbols {
  readonly #functions: (Omit<FunctionFact, 'variables'> & OpenFunction)[] = [];
  readonly #types = new Map<string, OpenType>();
  readonly #variables = new Map<string, Typing>();

  addFunction(
    head: Omit<FunctionFact, 'variables' | 'returns'>,
    returns: string | undefined,
    { parameters, receiver, language }: Head,
  ): OpenFunction {
    const variables = new Map<string, Typing>();
    const own = receiver?.namedChildren[0]?.childForFieldName('name')?.text;
    if (own !== undefined) variables.set(own, '=this');
    for (const [at, parameter] of parameters.entries()) {
      const isSelf = at === 0 && language === 'python' && /^(?:self|cls)$/.test(parameter.name);
      addVariable(variables, isSelf ? { ...parameter, typing: '=this' } : parameter);
    }
    const made = new Set<string | undefined>();
    const opened = { variables, made, ...head, ...(returns !== undefined && { returns }) };
    this.#functions.push(opened);
    return opened;
  }

  /** Adds a type. If several blocks declare it, its lines are those of the longest block. */
  addType(name: string, bases: readonly string[], range = NO_LINES): void {
    const type = this.#type(name);
    if (
      range.endLine - range.startLine >= type.range.endLine - type.range.startLine ||
      type.range === NO_LINES
    )
      type.range = range === NO_LINES ? type.range : range;
    for (const base of bases) type.bases.add(base);
  }

  /** Puts mixins before the other base types. */
  addMixins(name: string, mixins: readonly string[]): void {
    const type = this.#type(name);
    type.bases = new Set([...mixins, ...type.bases]);
  }

  /** Marks a type as declared in this file, not only extended. */
  markDeclared(name: string): void {
    this.#type(name).isDeclared = true;
  }

  addField(type: string, field: Variable): void {
    addVariable(this.#type(type).fields, field);
  }

  /** Adds a variable. `this.x = …` becomes a field of the type of the method, or of the constructor function. */
  addVariable(at: OpenFunction | undefined, variable: Variable): void {
    if (!variable.name.startsWith('this.')) addVariable(at?.variables ?? this.#variables, variable);
    if (!variable.name.startsWith('this.') || at === undefined) return;
    const owner = at.name.includes('.') ? at.name.slice(0, at.name.lastIndexOf('.')) : at.name;
    const typing = seenFromOutside(variable.typing, at.variables);
    this.addField(owner, { name: variable.name.slice('this.'.length), typing });
  }

  result(): Pick<BodyFacts, 'functions' | 'types' | 'variables'> {
    return {
      functions: this.#functions.map(({ made, variables, ...each }) => {
        const [created] = made.size === 1 ? made : [];
        const known = created === undefined ? {} : { returns: created };
        return { variables: record(variables), ...known, ...each };
      }),
      types: [...this.#types].map(([name, { bases, fields, range, isDeclared }]) => ({
        name,
        ...(!isDeclared && range !== NO_LINES && { isExtension: true as const }),
        ...range,
        bases: [...bases],
        fields: record(fields),
      })),
      variables: record(this.#variables),
    };
  }

  #type(name: string): OpenType {
    const known = this.#types.get(name) ?? {
      bases: new Set(),
      fields: new Map(),
      range: NO_LINES,
      isDeclared: false,
    };
    this.#types.set(name, known);
    return known;
  }
}

/** Copies a map to an object without prototype. V8 then adds names without creating a hidden class for each. */
function record(variables: ReadonlyMap<string, Typing>): Record<string, Typing> {
  const all: Record<string, Typing> = Object.create(null);
  for (const [name, typing] of variables) all[name] = typing === UNSET ? '' : typing;
  return all;
}

/** Returns the typing of a field, with local variables replaced by their own typing. */
function seenFromOutside(typing: Typing, locals: ReadonlyMap<string, Typing>): Typing {
  if (!typing.startsWith('=')) return typing;
  const [, head = '', rest = ''] = /^=([^.(]+)(.*)$/s.exec(typing) ?? [];
  const local = locals.get(head);
  if (local === undefined || head === 'this') return typing;
  if (local.startsWith(':')) return rest === '' ? local : `=<${local.slice(1)}>${rest}`;
  return local.startsWith('=') ? `${local}${rest}` : '';
}

/** Marks a deprecation that comes from a warning in a function body. A function may have several. */
export const WARNING = 'warning';

/** Context in which a node is read. */
export interface Place {
  owner: string;
  /** For members of an object literal in a function: the name of that function. */
  holder: string | undefined;
  /** Names of the parameters of all enclosing functions. */
  parameters: ReadonlySet<string>;
  function: OpenFunction | undefined;
  /** Name of the type whose members are being read. */
  type: string | undefined;
  conditions: Conditions;
  /** Conditions under which a Rust declaration is compiled: `cfg(unix)`. */
  built: Conditions;
  /** Number of `#if` conditions under which the whole function is compiled. */
  compiled: number;
  branching: Branching | undefined;
  /** Conditions under which the enclosing unnamed functions raise errors: the calls they are passed to. */
  deferred: Conditions;
  /** Conditions that hold because earlier code would otherwise have left the block. */
  exits: Conditions;
  /** Source text of the catch clauses that apply here. */
  clauses: readonly string[];
  /** Number of unnamed functions around this place, inside the named function. */
  literals: number;
  isTest: boolean;
}

export const NOWHERE: Place = copied({
  owner: '',
  holder: undefined,
  parameters: new Set(),
  function: undefined,
  type: undefined,
  conditions: [],
  built: [],
  compiled: 0,
  branching: undefined,
  deferred: [],
  exits: [],
  clauses: [],
  literals: 0,
  isTest: false,
});

/** Returns a copy whose fields may be changed. Copies by spread syntax would have several hidden classes in V8, which are slow to read. */
export function copied(place: Place): Place {
  return {
    owner: place.owner,
    holder: place.holder,
    parameters: place.parameters,
    function: place.function,
    type: place.type,
    conditions: place.conditions,
    built: place.built,
    compiled: place.compiled,
    branching: place.branching,
    deferred: place.deferred,
    exits: place.exits,
    clauses: place.clauses,
    literals: place.literals,
    isTest: place.isTest,
  };
}

/** Returns a context with more parameters. */
export function withParameters(place: Place, names: readonly string[]): Place {
  if (names.length === 0) return place;
  const inner = copied(place);
  inner.parameters = new Set([...place.parameters, ...names]);
  return inner;
}

/** A node, its context, and the recorder for its facts. */
export interface Spot {
  to: Recorder;
  node: Node;
  place: Place;
}

/** Collects the facts of one file. */
export class Recorder {
  readonly facts: BodyFact[] = [];
  readonly testCalls: BodyFact[] = [];
  readonly bindings: Binding[] = [];
  readonly symbols = new Symbols();
  readonly text: string;
  readonly language: string;
  readonly mayReadEnvironment: boolean;

  /** Conditions of `#if` around each line, by line number. */
  readonly #compiled: ReadonlyMap<number, Conditions>;

  constructor(text: string, language: string) {
    this.text = text;
    this.mayReadEnvironment = mayReadEnvironment(text);
    this.language = language;
    this.#compiled = compileConditions(text, language);
  }

  /** Returns the conditions under which the code of a node is compiled. */
  compiledIf(node: Node): Conditions {
    return this.#compiled.get(node.startRow) ?? [];
  }

  /** Adds a fact. If the code is a test inside a source file, adds only calls and uses, and adds them to `testCalls`. */
  add(node: Node, place: Place, said: Pick<BodyFact, 'kind' | 'name' | 'text'> & Partial<BodyFact>): void {
    const { kind, name, text, into, passedTo, ends } = said;
    const { startLine = node.startRow + 1, endLine = node.endRow + 1 } = said;
    const fact: BodyFact = { owner: place.holder ?? place.owner, startLine, endLine, kind, name, text };
    if (into !== undefined) fact.into = into;
    if (passedTo !== undefined) fact.passedTo = passedTo;
    if (ends !== undefined) fact.ends = ends;
    if (place.conditions.length > 0) fact.when = place.conditions;
    if (!place.isTest) this.facts.push(fact);
    else if (kind === 'call' || kind === 'use') this.testCalls.push(fact);
  }

  at(node: Node, { owner, holder }: Place): Pick<BodyFact, 'owner' | 'startLine' | 'endLine'> {
    return { owner: holder ?? owner, startLine: node.startRow + 1, endLine: node.endRow + 1 };
  }

  /** Adds imported names. An import inside a function is also stored with the name of that function. */
  addBindings(bound: readonly Binding[], { function: around }: Place): void {
    this.bindings.push(...bound);
    if (around !== undefined)
      this.bindings.push(...bound.map((each) => ({ ...each, local: `${around.name}:${each.local}` })));
  }

  /** Returns the lines of a type. In Rust the lines of an `impl` block do not count. */
  typeAt(node: Node, place: Place): ReturnType<Recorder['at']> | undefined {
    return node.type === 'impl_item' ? undefined : this.at(node, place);
  }

  textOf(node: Node): string {
    return this.text.slice(node.startIndex, node.endIndex);
  }
}

/** Languages in which `#if` selects a platform. In C it is mostly an include guard. */
const WITH_IF: ReadonlySet<string> = new Set(['swift', 'csharp']);

/** Returns the conditions of `#if`, `#elseif` and `#else` by row, for the rows that have any. */
function compileConditions(text: string, language: string): ReadonlyMap<number, Conditions> {
  const rows = new Map<number, Conditions>();
  if (!WITH_IF.has(language) || !/^[ \t]*#if\b/m.test(text)) return rows;
  let open: readonly string[] = [];
  for (const [row, line] of text.split('\n').entries()) {
    open = after(open, line);
    if (open.length > 0) rows.set(row, open);
  }
  return rows;
}

/** Returns the conditions after a line: changed if it is a directive, else as before. */
function after(open: readonly string[], line: string): readonly string[] {
  const [, word, condition = ''] = /^[ \t]*#(if|elseif|elif|else|endif)\b[ \t]*(.*)/.exec(line) ?? [];
  if (word === undefined) return open;
  const around = open.slice(0, -1);
  if (word === 'if') return [...open, `#if ${condition.trim()}`];
  if (word === 'endif') return around;
  return [...around, word === 'else' ? `!(${open.at(-1) ?? ''})` : `#if ${condition.trim()}`];
}
