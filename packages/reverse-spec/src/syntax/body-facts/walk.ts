import { typesInDoc } from '../body-facts.ts';
import { isWritten, NOTHING_RETURNED } from '../run-conditions.ts';
import { mayTry, type Tried, triedIn } from './caught.ts';
import { shortened } from './code-facts.ts';
import { branchingOf, conditionsIn, exitOf, isReturn, mayBranch, mayReturn } from './conditions.ts';
import { type BodyFact, type BodyFacts, certain } from './fact.ts';
import { fileDocOf, firstSentence, functionDoc } from './file-doc.ts';
import { childrenInRunOrder, raisesWhen, runsWhen } from './literal-runs.ts';
import type { Node } from './node.ts';
import {
  annotationKinds,
  callKinds,
  commentKinds,
  constantKinds,
  ownerKinds,
  stringKinds,
  throwKinds,
  valueKinds,
} from './node-kinds.ts';
import { constructorOf, isExtension, isOfClass, isProperty, ownerOf } from './node-words.ts';
import {
  noteCall,
  noteCheck,
  noteEnvironment,
  noteName,
  noteReturn,
  noteThrow,
  noteTokens,
} from './note-calls.ts';
import { noteAnnotation, noteComment, noteLimit, noteString } from './note-words.ts';
import { copied, NOWHERE, type Place, Recorder, type Spot, WARNING, withParameters } from './recorder.ts';
import { basesOf, bindingsOf, mayBeMember, mayBind, noteVariables } from './symbols.ts';
import { mayDeclare, parametersOf, returnType, typedIn } from './typings.ts';

export interface FactSource {
  root: Node;
  /** Original text of the file. In the text that was parsed, parts may be replaced by spaces. */
  text: string;
  language: string;
}

export type TreeFactReader = (source: FactSource) => BodyFacts;

/** Creates a reader of trees. It caches what it finds out about node types. */
export function createTreeFactReader(): TreeFactReader {
  const kinds = new Map<string, KnownKinds>();
  return (source) => {
    const known = kinds.get(source.language) ?? new Map();
    kinds.set(source.language, known);
    return readTreeFacts(source, known);
  };
}

function readTreeFacts({ root, text, language }: FactSource, kinds: KnownKinds): BodyFacts {
  const recorder = new Recorder(text, language);
  new Walk(recorder, kinds).visit(root, NOWHERE);
  return {
    fileDoc: fileDocOf(root, { text, language }),
    facts: distinct(recorder.facts),
    testCalls: distinct(recorder.testCalls),
    bindings: certain(recorder.bindings),
    ...recorder.symbols.result(),
  };
}

/** Removes duplicate facts and keeps their order. A constant, for example, is noted as declaration and as declarator. */
function distinct(facts: readonly BodyFact[]): BodyFact[] {
  const key = ({ kind, startLine, name, text, when }: BodyFact) =>
    `${kind} ${startLine} ${name} ${kind === 'call' ? `${text} ${when?.join()}` : ''}`;
  const seen = new Map<string, BodyFact>();
  for (const fact of facts) {
    // Each declaration keeps one deprecation mark, if possible one with a reason.
    const mark = `deprecated ${fact.owner}`;
    const own = fact.kind === 'deprecated' && fact.name !== WARNING ? mark : key(fact);
    if (fact.kind !== 'deprecated') seen.set(own, fact);
    else if (fact.name === WARNING ? !seen.has(mark) : (seen.get(mark)?.text ?? '') === '')
      seen.set(own, fact);
  }
  return [...seen.values()];
}

/** Maximum depth that is read. Deeper nesting is generated code, and could overflow the stack. */
const MAX_DEPTH = 1_000;

class Walk {
  readonly #to: Recorder;
  readonly #kinds: KnownKinds;
  #depth = 0;
  /** Number of unnamed functions seen so far. */
  #literals = 0;
  /** Number of `return` statements seen so far in the current function. */
  #returns = 0;

  constructor(to: Recorder, kinds: KnownKinds) {
    this.#to = to;
    this.#kinds = kinds;
  }

  visit(node: Node, place: Place, notes = this.#notesOf(node.type)): void {
    if (notes.isComment) return void noteComment({ to: this.#to, node, place });
    if (!notes.isCall) this.#note(notes, node, place);
    if (notes.mayReturn && isReturn(node)) this.#returns += 1;
    if (node.children.length === 0) return;
    const before = { facts: this.#to.facts.length, literals: this.#literals, returns: this.#returns };
    const inner = this.#inside(notes, node, place);
    this.#depth += 1;
    if (this.#depth < MAX_DEPTH) this.#visitChildren(notes, node, inner);
    this.#depth -= 1;
    if (inner.function !== place.function || notes.isLiteral) this.#returns = before.returns;
    if (notes.isCall) this.#noteEvaluated(before, () => this.#note(notes, node, place));
  }

  /** Moves the facts of a call into execution order: those of receiver and arguments, the call, those of functions passed to it. */
  #noteEvaluated(before: { facts: number; literals: number }, note: () => void): void {
    const { facts } = this.#to;
    const hasLiterals = before.literals !== this.#literals;
    const isLater = ({ kind }: BodyFact) => hasLiterals || kind === 'use';
    // Most calls have no facts that must be moved behind them.
    let first = before.facts;
    while (first < facts.length && facts[first]?.kind !== 'use' && !hasLiterals) first += 1;
    if (first === facts.length) return void note();
    const inner = facts.splice(first);
    facts.push(...inner.filter((fact) => !isLater(fact)));
    note();
    facts.push(...inner.filter(isLater));
  }

  #notesOf(type: string): KindNotes {
    const known = this.#kinds.get(type);
    if (known !== undefined) return known;
    const notes = kindNotes(type, this.#to.language);
    this.#kinds.set(type, notes);
    return notes;
  }

  /**
   * Visits the children of a node in execution order. Applies Rust's attributes to the next child, and `!(x)`
   * to all code after `if (x) return`.
   */
  #visitChildren({ tries }: KindNotes, parent: Node, inner: Place): void {
    let here = inner;
    let marks: Marks | undefined;
    const tried = tries ? triedIn(parent, this.#to.text, inner.clauses) : undefined;
    for (const node of childrenInRunOrder(parent)) {
      const notes = this.#notesOf(node.type);
      if (notes.isAttribute) marks = withMark(marks ?? inner, this.#to.textOf(node));
      const returns = this.#returns;
      if (!saysNothing(node, notes))
        this.visit(node, guarded(marked(branchOf(inner, node) ?? here, marks), tried, node), notes);
      here = this.#afterExit(here, node, returns);
      if (marks !== undefined && !notes.isAttribute && !notes.isComment) marks = undefined;
    }
  }

  #afterExit(place: Place, node: Node, returns: number): Place {
    const exit = exitOf(node, this.#to.text) ?? (returns === this.#returns ? '' : NOTHING_RETURNED);
    // An exit inside `#if` does not end other builds.
    if (exit === '' || this.#to.compiledIf(node).length > 0) return place;
    const after = copied(place);
    after.exits = [...place.exits, exit];
    return after;
  }

  #inside({ branches, isOwner, isLiteral }: KindNotes, node: Node, around: Place): Place {
    const place = withParameters(around, node.type === 'anonymous_initializer' ? constructorOf(node) : []);
    const branching = branches ? branchingOf(node, this.#to.text) : undefined;
    if (branching === place.branching && !isOwner && !isLiteral) return place;
    const inner = copied(place);
    inner.branching = branching;
    if (branching !== undefined) return inner;
    if (!isOwner) return isLiteral ? this.#insideLiteral(node, inner) : inner;
    return this.#insideOwner(node, inner, place);
  }

  /** Completes the context for the code inside a declaration. `place` is the context outside of it. */
  #insideOwner(node: Node, inner: Place, place: Place): Place {
    const owner = ownerOf(node);
    if (owner === undefined) return inner;
    const path = [place.owner, owner.name].filter((part) => part !== '').join('.');
    inner.owner = path;
    // In Swift and C# callers use a property like a field.
    if (node.type === 'computed_property' || node.type === 'accessor_declaration') return inner;
    if (owner.isFunction) return this.#insideFunction(node, inner);
    this.#to.symbols.addType(path, basesOf(node), this.#to.typeAt(node, place));
    if (!isExtension(node)) this.#to.symbols.markDeclared(path);
    inner.type = path;
    inner.function = undefined;
    inner.holder = holderOf(node, place);
    return inner;
  }

  /** Completes the context for the code inside a named function. */
  #insideFunction(node: Node, place: Place): Place {
    const { owner: name, isTest } = place;
    place.holder = undefined;
    const parameters = parametersOf(node);
    const { startLine, endLine } = this.#to.at(node, place);
    const comment = functionDoc(node, this.#to.text);
    const doc = firstSentence(comment);
    const said = typesInDoc(comment, this.#to.language);
    const head = {
      name,
      startLine,
      endLine,
      ...(doc !== undefined && { doc }),
      ...(isTest && { isTest: true as const }),
      ...(isProperty(node) && { isProperty: true as const }),
      ...(isOfClass(node) && { isOfClass: true as const }),
    };
    const opened = this.#to.symbols.addFunction(head, returnType(node) ?? said.returns, {
      parameters: [...parameters, ...typedIn(said, parameters)],
      receiver: node.childForFieldName('receiver'),
      language: this.#to.language,
    });
    const names = parameters.map((parameter) => parameter.name).filter((each) => !OWN.test(each));
    // A function that is declared in a branch of another function exists only in that branch, and is called there.
    place.conditions = place.function === undefined ? place.built : place.conditions.filter(isWritten);
    place.function = opened;
    place.compiled = this.#to.compiledIf(node).length;
    place.deferred = [];
    place.exits = [];
    place.clauses = [];
    place.literals = 0;
    place.parameters = new Set([...place.parameters, ...names]);
    return place;
  }

  /** Completes the context for the code inside an unnamed function. Its parameters shadow names of the enclosing function. */
  #insideLiteral(node: Node, place: Place): Place {
    this.#literals += 1;
    for (const parameter of parametersOf(node)) this.#to.symbols.addVariable(place.function, parameter);
    const runs = runsWhen(node, this.#to);
    if (runs !== undefined) place.conditions = [...place.conditions, runs];
    place.deferred = [...place.deferred, ...raisesWhen(node, this.#to)];
    place.exits = [];
    // In `const f = () => …` the unnamed function is `f` itself and not inside it.
    place.literals += ownerKinds.has(node.parentType) ? 0 : 1;
    if (!AT_ONCE.has(this.#to.language)) place.clauses = [];
    return place;
  }

  #note(notes: KindNotes, node: Node, place: Place): void {
    if (notes.isSilent) return;
    const to = this.#to;
    const spot = { to, node, place };
    notes.note?.(spot);
    if (notes.isValue) noteName(spot);
    const bound = notes.binds ? bindingsOf(node) : [];
    to.addBindings(bound, place);
    if (bound.length === 0 && notes.declares) noteVariables(spot);
    if (place.function === undefined && notes.isConstant) noteLimit(spot);
    if (notes.readsValues) noteEnvironment(spot);
  }
}

/** Returns the name of the function around an object literal in a variable, whose values it evaluates. */
function holderOf({ type }: Node, { holder, owner, function: around }: Place): string | undefined {
  if (type !== 'variable_declarator') return undefined;
  return around === undefined ? holder : owner;
}

/** Facts to read from each node type. Computed once per type. */
type KnownKinds = Map<string, KindNotes>;
type KindNotes = ReturnType<typeof kindNotes>;

function kindNotes(type: string, language: string) {
  const says = {
    note: noteOf(type, language),
    isValue: valueKinds.has(type),
    binds: mayBind(type),
    declares: mayDeclare(type) || mayBeMember(type),
    isConstant: constantKinds.has(type),
    readsValues: READS_VALUES.test(type),
  };
  return {
    isComment: commentKinds.has(type),
    isCall: callKinds.has(type),
    isAttribute: type === ATTRIBUTE,
    isSilent: Object.values(says).every((each) => each === undefined || each === false),
    branches: mayBranch(type),
    tries: mayTry(type),
    mayReturn: mayReturn(type),
    isOwner: ownerKinds.has(type),
    // Only in Ruby is a block a function.
    isLiteral: FUNCTION_LITERAL.test(type) && (type !== 'block' || language === 'ruby'),
    ...says,
  };
}

function noteOf(type: string, language: string): ((spot: Spot) => void) | undefined {
  if (callKinds.has(type)) return noteCall;
  if (throwKinds.has(type)) return noteThrow;
  if (stringKinds.has(type)) return noteString;
  if (annotationKinds[language]?.has(type)) return noteAnnotation;
  return OTHER_NOTES[type];
}

const OTHER_NOTES: Readonly<Record<string, (spot: Spot) => void>> = {
  return_statement: noteReturn,
  return_expression: noteReturn,
  assert_statement: (spot) => noteCheck(spot, 'assert'),
  token_tree: noteTokens,
};

/** Nodes in which an environment variable may be read. */
const READS_VALUES = /expression$|^(?:attribute|subscript|element_reference)$/;

/** Receivers, which are declared as parameters but not passed by callers. */
const OWN = /^(?:self|cls|this)$/;

const FUNCTION_LITERAL =
  /^(?:arrow_function|function_expression|func_literal|closure_expression|lambda|lambda_expression|lambda_literal|anonymous_function|block|do_block)$/;

/** Languages whose unnamed functions usually run immediately. */
const AT_ONCE: ReadonlySet<string> = new Set(['ruby', 'kotlin', 'swift']);

const ATTRIBUTE = 'attribute_item';

/** Attributes of tests in Rust: `#[cfg(test)]`, `#[test]`, `#[tokio::test]`, `#[bench]`. */
const TEST_ATTRIBUTE = /^#\[(?:cfg\((?:all\()?\s*test\b|(?:\w+::)*test\b|(?:\w+::)*rstest\b|bench\b)/;

type Marks = Pick<Place, 'isTest' | 'built'>;

function withMark({ isTest, built }: Marks, attribute: string): Marks {
  return {
    isTest: isTest || TEST_ATTRIBUTE.test(attribute),
    built: attribute.startsWith('#[cfg(') ? [...built, shortened(attribute.slice(2, -1))] : built,
  };
}

/** Whether a node has no facts and need not be visited. Most nodes are brackets, commas and names. */
function saysNothing({ children, isNamed }: Node, { isSilent, isComment, isCall }: KindNotes): boolean {
  return children.length === 0 && (!isNamed || (isSilent && !isComment && !isCall));
}

function marked(place: Place, marks: Marks | undefined): Place {
  if (marks === undefined) return place;
  const inner = copied(place);
  inner.isTest = marks.isTest;
  inner.built = marks.built;
  return inner;
}

function guarded(place: Place, tried: Tried | undefined, { startIndex }: Node): Place {
  if (tried === undefined || startIndex >= tried.before) return place;
  const inner = copied(place);
  inner.clauses = tried.clauses;
  return inner;
}

/** Returns the context of a child on which a condition depends; undefined for most nodes. */
function branchOf(place: Place, node: Node): Place | undefined {
  const { branching, conditions } = place;
  if (branching === undefined) return undefined;
  const inner = copied(place);
  inner.branching = undefined;
  inner.conditions = conditionsIn(branching, conditions, node);
  // A condition of the branch is enough: earlier exits are dropped.
  if (inner.conditions !== conditions) inner.exits = [];
  return inner;
}
