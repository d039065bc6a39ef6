import type { Node, TreeCursor } from 'web-tree-sitter';
import { RETURNED_RUNS } from '../run-conditions.ts';
import { type Binding, bindingsOf, mayBind } from './bindings.ts';
import { limitIn, shortened } from './code-facts.ts';
import { branchingOf, conditionsIn, exitOf } from './conditions.ts';
import type { BodyFact, BodyFacts } from './fact.ts';
import { fileDocOf, functionDoc } from './file-doc.ts';
import { basesOf } from './members.ts';
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
import { noteCall, noteEnvironment, noteName, noteTokens } from './note-calls.ts';
import { noteCheck, noteReturn, noteThrow } from './note-errors.ts';
import { noteVariables } from './note-symbols.ts';
import { noteAnnotation, noteComment, noteString } from './note-words.ts';
import { NOWHERE, type Place, Recorder, type Spot, WARNING } from './recorder.ts';
import { ownerOf } from './scopes.ts';
import { parametersOf, returnType } from './typings.ts';

export interface TreeSource {
  root: Node;
  text: string;
  language: string;
}

export function readTreeFacts({ root, text, language }: TreeSource): BodyFacts {
  const recorder = new Recorder(text, language);
  const cursor = root.walk();
  new Walk(recorder).visit(cursor, NOWHERE);
  cursor.delete();
  return {
    fileDoc: fileDocOf(root, { text, language }),
    facts: distinct(recorder.facts),
    testCalls: distinct(recorder.testCalls),
    bindings: certain(recorder.bindings),
    ...recorder.symbols.result(),
  };
}

/** A name that functions import from different modules means either. */
function certain(bindings: readonly Binding[]): Binding[] {
  const first = new Map(bindings.map((each) => [each.local, each]));
  return bindings.filter((each) => {
    const other = first.get(each.local);
    return each.local === '*' || (other?.module === each.module && other.name === each.name);
  });
}

/** In the order in which the code runs, each once: a constant is a declaration and the declarator in it. */
function distinct(facts: readonly BodyFact[]): BodyFact[] {
  const key = ({ kind, startLine, name, text, when }: BodyFact) =>
    `${kind} ${startLine} ${name} ${kind === 'call' ? `${text} ${when?.join()}` : ''}`;
  const seen = new Map<string, BodyFact>();
  for (const fact of facts) {
    // A declaration is deprecated once: the mark with a reason says more than one without.
    const mark = `deprecated ${fact.owner}`;
    const own = fact.kind === 'deprecated' && fact.name !== WARNING ? mark : key(fact);
    if (fact.kind !== 'deprecated') seen.set(own, fact);
    else if (fact.name === WARNING ? !seen.has(mark) : (seen.get(mark)?.text ?? '') === '')
      seen.set(own, fact);
  }
  return [...seen.values()];
}

/** Deeper nesting is generated code; the stack is not endless. */
const MAX_DEPTH = 1_000;

class Walk {
  readonly #to: Recorder;
  #depth = 0;
  /** How many functions without a name were seen. */
  #literals = 0;

  constructor(to: Recorder) {
    this.#to = to;
  }

  visit(cursor: TreeCursor, place: Place): void {
    if (commentKinds.has(cursor.nodeType)) {
      noteComment({ to: this.#to, node: cursor.currentNode, place });
      return;
    }
    const isCall = callKinds.has(cursor.nodeType);
    if (!isCall) this.#note(cursor, place);
    const inner = this.#inside(cursor, place);
    const before = { facts: this.#to.facts.length, literals: this.#literals };
    this.#depth += 1;
    if (this.#depth < MAX_DEPTH && cursor.gotoFirstChild()) {
      this.#visitSiblings(cursor, inner);
      cursor.gotoParent();
    }
    this.#depth -= 1;
    if (isCall) this.#noteEvaluated(cursor, place, before);
  }

  /** A call happens after those in its receiver and arguments; functions it is given run later. */
  #noteEvaluated(cursor: TreeCursor, place: Place, before: { facts: number; literals: number }): void {
    const { facts } = this.#to;
    const inner = facts.splice(before.facts);
    const isLater = ({ kind }: BodyFact) => before.literals !== this.#literals || kind === 'use';
    facts.push(...inner.filter((fact) => !isLater(fact)));
    this.#note(cursor, place);
    facts.push(...inner.filter(isLater));
  }

  /** Attributes of Rust mark what follows them; after `if (x) return`, `x` does not hold. */
  #visitSiblings(cursor: TreeCursor, inner: Place): void {
    const unmarked: Marks = { isTest: inner.isTest, built: inner.built };
    let marks = unmarked;
    let exits = inner.exits;
    do {
      const type = cursor.nodeType;
      const exit = type === 'if_statement' ? exitOf(cursor.currentNode, this.#to.text) : undefined;
      if (type === 'attribute_item') marks = withMark(marks, this.#to.textOf(cursor.currentNode));
      this.visit(cursor, { ...branchOf(inner, cursor), exits, ...marks });
      if (exit !== undefined) exits = [...exits, exit];
      if (type !== 'attribute_item' && !commentKinds.has(type)) marks = unmarked;
    } while (cursor.gotoNextSibling());
  }

  #inside(cursor: TreeCursor, place: Place): Place {
    const type = cursor.nodeType;
    const named = { ...place, parentType: type, branching: undefined };
    const branching = branchingOf(type, () => cursor.currentNode, this.#to.text);
    if (branching !== undefined) return { ...named, branching };
    if (!ownerKinds.has(type))
      return FUNCTION_LITERAL.test(type) ? this.#insideLiteral(cursor.currentNode, named) : named;
    const node = cursor.currentNode;
    const owner = ownerOf(node);
    if (owner === undefined) return named;
    const path = [place.owner, owner.name].filter((part) => part !== '').join('.');
    if (owner.isFunction) return this.#insideFunction(node, { ...named, owner: path });
    this.#to.symbols.addType(path, basesOf(node), this.#to.at(node, place));
    return { ...named, owner: path, type: path, function: undefined };
  }

  #insideFunction(node: Node, place: Place): Place {
    const { owner: name, isTest } = place;
    const parameters = parametersOf(node);
    const { startLine, endLine } = this.#to.at(node, place);
    const doc = functionDoc(node, this.#to.text);
    const head = {
      name,
      startLine,
      endLine,
      ...(doc !== undefined && { doc }),
      ...(isTest && { isTest: true as const }),
    };
    const opened = this.#to.symbols.addFunction(head, returnType(node), {
      parameters,
      receiver: node.childForFieldName('receiver'),
      language: this.#to.language,
    });
    const names = parameters.map((parameter) => parameter.name).filter((each) => !OWN.test(each));
    return {
      ...place,
      function: opened,
      conditions: place.built,
      exits: [],
      parameters: new Set([...place.parameters, ...names]),
    };
  }

  /** Parameters of a function without a name hide names of the function around it. */
  #insideLiteral(node: Node, place: Place): Place {
    // A block is a function in Ruby alone.
    if (this.#to.language === 'ruby' || node.type !== 'block') this.#literals += 1;
    const holder = node.parent?.type === 'expression_list' ? node.parent.parent : node.parent;
    const isReturned = holder?.type === 'return_statement';
    for (const parameter of parametersOf(node)) this.#to.symbols.addVariable(place.function, parameter);
    return isReturned ? { ...place, conditions: [...place.conditions, RETURNED_RUNS] } : place;
  }

  #note(cursor: TreeCursor, place: Place): void {
    const to = this.#to;
    const type = cursor.nodeType;
    const note = noteOf(type, to.language);
    note?.({ to, node: cursor.currentNode, place });
    if (valueKinds.has(type)) noteName(to, cursor, place);
    const bound = mayBind(type) ? bindingsOf(cursor.currentNode) : [];
    to.bindings.push(...bound);
    if (bound.length === 0) noteVariables(to, cursor, place);
    if (place.function === undefined && constantKinds.has(type))
      noteLimit({ to, node: cursor.currentNode, place });
    if (READS_VALUES.test(type)) noteEnvironment({ to, node: cursor.currentNode, place });
  }
}

/** What a node of this kind may say. */
function noteOf(type: string, language: string): ((spot: Spot) => void) | undefined {
  if (callKinds.has(type)) return noteCall;
  if (throwKinds.has(type)) return noteThrow;
  if (stringKinds.has(type)) return noteString;
  if (annotationKinds[language]?.has(type)) return noteAnnotation;
  return OTHER_NOTES[type];
}

const OTHER_NOTES: Readonly<Record<string, (spot: Spot) => void>> = {
  return_statement: noteReturn,
  assert_statement: (spot) => noteCheck(spot, 'assert'),
  token_tree: noteTokens,
};

function noteLimit({ to, node, place }: Spot): void {
  const found = place.isTest ? undefined : limitIn(to.textOf(node));
  if (found !== undefined) to.add(node, place, { kind: 'limit', ...found });
}

/** Where a variable of the environment may be read. */
const READS_VALUES = /expression$|^(?:attribute|subscript|element_reference)$/;

/** The object itself is no argument of a caller. */
const OWN = /^(?:self|cls|this)$/;

const FUNCTION_LITERAL =
  /^(?:arrow_function|function_expression|func_literal|closure_expression|lambda|lambda_expression|lambda_literal|anonymous_function|block|do_block)$/;

/** `#[cfg(test)]`, `#[test]`, `#[tokio::test]`, `#[bench]`. */
const TEST_ATTRIBUTE = /^#\[(?:cfg\((?:all\()?\s*test\b|(?:\w+::)*test\b|(?:\w+::)*rstest\b|bench\b)/;

type Marks = Pick<Place, 'isTest' | 'built'>;

/** What an attribute says about the declaration after it. */
function withMark({ isTest, built }: Marks, attribute: string): Marks {
  return {
    isTest: isTest || TEST_ATTRIBUTE.test(attribute),
    built: attribute.startsWith('#[cfg(') ? [...built, shortened(attribute.slice(2, -1))] : built,
  };
}

function branchOf(place: Place, cursor: TreeCursor): Place {
  const { branching, conditions } = place;
  if (branching === undefined) return place;
  return { ...place, branching: undefined, conditions: conditionsIn(branching, conditions, cursor) };
}
