import type { Node, TreeCursor } from 'web-tree-sitter';
import { checkRowOf } from './argument-checks.ts';
import { type Binding, bindingsOf, mayBind } from './bindings.ts';
import {
  addressIn,
  calleeName,
  environmentNames,
  fileTouched,
  limitIn,
  messageIn,
  raisedBy,
  returnedError,
  rustError,
  shortened,
  thrownError,
} from './code-facts.ts';
import { annotationFacts, commentFacts } from './comment-facts.ts';
import { type Branching, branchingOf, type Conditions, conditionsIn, exitOf } from './conditions.ts';
import { deprecationIn } from './deprecations.ts';
import type { BodyFact, BodyFacts } from './fact.ts';
import { fileDocOf, functionDoc } from './file-doc.ts';
import {
  annotationKinds,
  callKinds,
  commentKinds,
  constantKinds,
  ownerKinds,
  stringKinds,
  throwKinds,
  valueKinds,
  valueParents,
} from './node-kinds.ts';
import { declaredName, fieldAssigned, isKey, markLine, mentions } from './node-words.ts';
import { calleePath, pathOf } from './paths.ts';
import { ownerOf } from './scopes.ts';
import { type OpenFunction, Symbols } from './symbols.ts';
import {
  basesOf,
  declaredBy,
  embeddedType,
  FIELD_KINDS,
  fieldsOf,
  mayDeclare,
  mixedIn,
  parametersOf,
  returnType,
} from './typings.ts';

export interface TreeSource {
  root: Node;
  text: string;
  language: string;
}

export function readTreeFacts({ root, text, language }: TreeSource): BodyFacts {
  const walk = new Walk(text, language);
  const cursor = root.walk();
  walk.visit(cursor, NOWHERE);
  cursor.delete();
  const { functions, types, variables } = walk.symbols.result();
  return {
    fileDoc: fileDocOf(root, { text, language }),
    facts: distinct(walk.facts),
    testCalls: distinct(walk.testCalls),
    functions,
    types,
    bindings: certain(walk.bindings),
    variables,
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

/** A deprecation that a body warns of: one function may warn of several. */
const WARNING = 'warning';

/** In the order of the lines, each once: a constant is a declaration and the declarator in it. */
function distinct(facts: readonly BodyFact[]): BodyFact[] {
  const key = ({ kind, startLine, name, text }: BodyFact) =>
    `${kind} ${startLine} ${name} ${kind === 'call' ? text : ''}`;
  const seen = new Map<string, BodyFact>();
  for (const fact of facts) {
    // A declaration is deprecated once: the mark with a reason says more than one without.
    const mark = `deprecated ${fact.owner}`;
    const own = fact.kind === 'deprecated' && fact.name !== WARNING ? mark : key(fact);
    if (fact.kind !== 'deprecated') seen.set(own, fact);
    else if (fact.name === WARNING ? !seen.has(mark) : (seen.get(mark)?.text ?? '') === '')
      seen.set(own, fact);
  }
  return [...seen.values()].sort((one, other) => one.startLine - other.startLine);
}

/** What surrounds a node. */
interface Place {
  owner: string;
  /** Names of the parameters of the functions around it. */
  parameters: ReadonlySet<string>;
  function: OpenFunction | undefined;
  /** The type whose members are read here. */
  type: string | undefined;
  conditions: Conditions;
  branching: Branching | undefined;
  /** Conditions under which the function has returned before: they do not hold here. */
  exits: Conditions;
  parentType: string;
  isTest: boolean;
}

const NOWHERE: Place = {
  owner: '',
  parameters: new Set(),
  function: undefined,
  type: undefined,
  conditions: [],
  branching: undefined,
  exits: [],
  parentType: '',
  isTest: false,
};

/** Deeper nesting is generated code; the stack is not endless. */
const MAX_DEPTH = 1_000;

class Walk {
  readonly facts: BodyFact[] = [];
  readonly testCalls: BodyFact[] = [];
  readonly bindings: Binding[] = [];
  readonly symbols = new Symbols();
  readonly #text: string;
  readonly #language: string;
  #depth = 0;

  constructor(text: string, language: string) {
    this.#text = text;
    this.#language = language;
  }

  visit(cursor: TreeCursor, place: Place): void {
    const type = cursor.nodeType;
    if (commentKinds.has(type)) return this.#noteComment(cursor.currentNode, place);
    this.#note(type, cursor, place);
    const inner = this.#inside(type, cursor, place);
    this.#depth += 1;
    if (this.#depth < MAX_DEPTH && cursor.gotoFirstChild()) {
      let isMarked = false;
      let exits = inner.exits;
      do {
        const child = cursor.nodeType;
        const childPlace = { ...branchOf(inner, cursor), exits };
        const exit = child === 'if_statement' ? exitOf(cursor.currentNode, this.#text) : undefined;
        if (exit !== undefined) exits = [...exits, exit];
        if (child === 'attribute_item') isMarked ||= TEST_ATTRIBUTE.test(this.#textOf(cursor.currentNode));
        this.visit(cursor, isMarked ? { ...childPlace, isTest: true } : childPlace);
        if (child !== 'attribute_item' && !commentKinds.has(child)) isMarked = false;
      } while (cursor.gotoNextSibling());
      cursor.gotoParent();
    }
    this.#depth -= 1;
  }

  #inside(type: string, cursor: TreeCursor, place: Place): Place {
    const named = { ...place, parentType: type, branching: undefined };
    const branching = branchingOf(type, () => cursor.currentNode, this.#text);
    if (branching !== undefined) return { ...named, branching };
    if (!ownerKinds.has(type))
      return FUNCTION_LITERAL.test(type) ? this.#insideLiteral(cursor.currentNode, named) : named;
    const node = cursor.currentNode;
    const owner = ownerOf(node);
    if (owner === undefined) return named;
    const path = [place.owner, owner.name].filter((part) => part !== '').join('.');
    if (!owner.isFunction) {
      this.symbols.addType(path, basesOf(node), this.#at(node, place));
      return { ...named, owner: path, type: path, function: undefined };
    }
    const parameters = parametersOf(node);
    const { startLine, endLine } = this.#at(node, place);
    const doc = functionDoc(node, this.#text);
    const opened = this.symbols.addFunction(
      {
        name: path,
        startLine,
        endLine,
        ...(doc !== undefined && { doc }),
        ...(place.isTest && { isTest: true as const }),
      },
      returnType(node),
      { parameters, receiver: node.childForFieldName('receiver'), language: this.#language },
    );
    return {
      ...named,
      owner: path,
      function: opened,
      conditions: [],
      exits: [],
      parameters: new Set([
        ...place.parameters,
        ...parameters.map(({ name }) => name).filter((name) => !OWN.test(name)),
      ]),
    };
  }

  /** Parameters of a function without a name hide names of the function around it. */
  #insideLiteral(node: Node, place: Place): Place {
    for (const parameter of parametersOf(node)) this.symbols.addVariable(place.function, parameter);
    return place;
  }

  #note(type: string, cursor: TreeCursor, place: Place): void {
    if (callKinds.has(type)) this.#noteCall(cursor.currentNode, place);
    else if (throwKinds.has(type)) this.#noteThrow(cursor.currentNode, place);
    else if (type === 'return_statement') this.#noteReturn(cursor.currentNode, place);
    else if (type === 'assert_statement') this.#noteCheck(cursor.currentNode, place, 'assert');
    else if (stringKinds.has(type)) this.#noteString(cursor.currentNode, place);
    else if (annotationKinds[this.#language]?.has(type)) this.#noteAnnotation(cursor.currentNode, place);
    else if (type === 'token_tree') this.#noteTokens(cursor.currentNode, place);
    if (valueKinds.has(type)) this.#noteName(type, cursor, place);
    const bound = mayBind(type) ? bindingsOf(cursor.currentNode) : [];
    this.bindings.push(...bound);
    if (bound.length === 0) this.#noteVariables(type, cursor, place);
    if (place.function === undefined && constantKinds.has(type) && !place.isTest) {
      const found = limitIn(this.#textOf(cursor.currentNode));
      if (found !== undefined) this.#add(cursor.currentNode, place, { kind: 'limit', ...found });
    }
    if (READS_VALUES.test(type)) this.#noteEnvironment(cursor.currentNode, place);
  }

  #noteVariables(type: string, cursor: TreeCursor, place: Place): void {
    if (place.type !== undefined && this.#noteMember(type, cursor, place.type, place)) return;
    if (!mayDeclare(type)) return;
    for (const variable of declaredBy(cursor.currentNode)) {
      if (place.function === undefined && place.type !== undefined)
        this.symbols.addField(place.type, variable);
      else this.symbols.addVariable(place.function, variable);
    }
  }

  /** Fields, embedded types and mixins of the type around; says whether the node was one of them. */
  #noteMember(type: string, cursor: TreeCursor, owner: string, place: Place): boolean {
    if (place.function === undefined && (type === 'use_declaration' || type === 'call')) {
      this.symbols.addType(owner, mixedIn(cursor.currentNode));
      return false;
    }
    if (!FIELD_KINDS.has(type) && type !== 'type_elem') return false;
    const node = cursor.currentNode;
    if (type === 'required_parameter' && node.firstNamedChild?.type !== 'accessibility_modifier')
      return false;
    if (place.function !== undefined && !type.endsWith('parameter')) return false;
    const embedded = embeddedType(node);
    if (embedded !== undefined) this.symbols.addType(owner, [embedded]);
    const fields = embedded === undefined ? fieldsOf(node) : [];
    for (const field of fields) this.symbols.addField(owner, field);
    return fields.length > 0;
  }

  #noteCall(node: Node, place: Place): void {
    const whole = this.#textOf(node);
    const written = this.#callee(node);
    const name = calleeName(written);
    if (name === '') return;
    const line = node.startPosition.row + 1;
    // A class without a name implements its type.
    const isImplemented = node.lastNamedChild?.type === 'class_body';
    this.#add(node, place, {
      kind: 'call',
      name,
      text: (!isImplemented && calleePath(node)) || '',
      endLine: line,
    });
    this.#noteEnvironment(node, place);
    const path = fileTouched({ callee: written, whole });
    if (path !== undefined) this.#add(node, place, { kind: 'file', name: shortened(written), text: path });
    this.#noteErrorCall(node, place, { written, name, whole });
    const reason = deprecationIn(this.#language, { place: 'call', text: whole });
    if (reason !== undefined)
      this.#add(node, place, { kind: 'deprecated', name: WARNING, text: messageIn(whole) });
  }

  #noteErrorCall(node: Node, place: Place, call: { written: string; name: string; whole: string }): void {
    const { written, name, whole } = call;
    const callee = node.type === 'macro_invocation' ? `${written}!` : written;
    const row = checkRowOf(this.#language, callee.replace(/\s+/g, ''));
    const returned = this.#language === 'rust' && written === 'Err' ? rustError(whole) : undefined;
    if (row?.kind === 'check') this.#noteCheck(node, place, name);
    else if (row?.kind === 'raise')
      this.#noteError(node, place, { name: raisedBy(whole, name), text: messageIn(whole) });
    else if (returned !== undefined) this.#noteError(node, place, returned);
  }

  /** A check of an argument; one of the function's own values is not a rule for its callers. */
  #noteCheck(node: Node, place: Place, name: string): void {
    const text = shortened(this.#textOf(node));
    if (mentions(place.parameters, text)) this.#add(node, place, { kind: 'assert', name, text });
  }

  #noteThrow(node: Node, place: Place): void {
    const text = this.#textOf(node);
    // An error that is passed on is reported where it was made.
    if (!/^(?:throw|raise)\b/.test(text) || /^(?:throw|raise)(?:\s+[a-z_$][\w.$]*)?\s*;?$/.test(text)) return;
    this.#noteError(node, place, thrownError(text));
  }

  #noteReturn(node: Node, place: Place): void {
    if (this.#language !== 'go') return;
    const text = this.#textOf(node);
    // A function that is returned fails when it is called: its own returns say so.
    const found = /^return\s+func\b/.test(text) ? undefined : returnedError(text);
    if (found !== undefined) this.#noteError(node, place, found);
  }

  /** An error that depends on an argument is a check of it. */
  #noteError(node: Node, place: Place, said: Pick<BodyFact, 'name' | 'text'>): void {
    // An error without a condition of its own depends on the returns before it.
    const conditions = place.conditions.length > 0 ? place.conditions : place.exits.slice(-MAX_EXITS);
    const isChecked = conditions.some((condition) => mentions(place.parameters, condition));
    this.#add(node, { ...place, conditions }, { kind: isChecked ? 'check' : 'raise', ...said });
  }

  #noteName(type: string, cursor: TreeCursor, place: Place): void {
    const field = cursor.currentFieldName;
    if (place.parentType === 'literal_element' && isKey(cursor.currentNode)) return;
    if (field !== null && WRITTEN_TO.test(field)) return;
    if (valueParents.has(place.parentType)) this.#noteUse(cursor.currentNode, place);
    // Ruby calls a method without brackets: whether it is a variable, its scope says.
    else if (this.#language !== 'ruby' || type !== 'identifier' || /parameter|alias/.test(place.parentType))
      return;
    const node = cursor.currentNode;
    if (this.#language === 'ruby' && type === 'identifier')
      this.#add(node, place, { kind: 'call', name: node.text, text: node.text });
  }

  #noteUse(node: Node, place: Place): void {
    const path = pathOf(node);
    if (path === undefined || path.endsWith(')') || path === 'this') return;
    const name = calleeName(path);
    const own = place.function;
    if (name === '' || (own?.variables.has(path) && own.variables.get(path) !== '=this')) return;
    const into = place.type === undefined && own === undefined ? undefined : fieldAssigned(node);
    this.#add(node, place, { kind: 'use', name, text: path, ...(into !== undefined && { into }) });
  }

  /** Rust: what a macro is given is tokens; `foo(` and `a.foo(` among them are calls. */
  #noteTokens(node: Node, place: Place): void {
    if (place.parentType !== 'macro_invocation') return;
    const text = this.#textOf(node);
    for (const match of text.matchAll(/(?<![\w.:])([A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*){0,8})\(/g)) {
      const path = match[1]?.replaceAll('::', '.').replace(/^(?:self|Self)(?=\.|$)/, 'this') ?? '';
      const line = node.startPosition.row + text.slice(0, match.index).split('\n').length;
      this.#add(node, place, {
        kind: 'call',
        name: calleeName(path),
        text: path,
        startLine: line,
        endLine: line,
      });
    }
  }

  #noteString(node: Node, place: Place): void {
    // A string that is all of a statement is words, not a value.
    if (place.parentType === 'expression_statement') {
      this.#noteWords(node, place, place.owner);
      return;
    }
    const address = addressIn(this.#textOf(node));
    if (address !== undefined)
      this.#add(node, place, { kind: 'address', name: shortened(address), text: '' });
  }

  #noteComment(node: Node, place: Place): void {
    this.#noteWords(node, place, this.#declaredBelow(node, place));
  }

  #noteWords(node: Node, place: Place, declared: string | undefined): void {
    const text = this.#textOf(node);
    const at = this.#at(node, place);
    if (!place.isTest) this.facts.push(...commentFacts(text, at));
    const reason = deprecationIn(this.#language, { place: 'comment', text });
    if (reason !== undefined && declared !== undefined && declared !== '' && !place.isTest)
      this.facts.push({
        ...at,
        ...markLine(text, at),
        owner: declared,
        kind: 'deprecated',
        name: 'deprecated',
        text: reason,
      });
  }

  #noteAnnotation(node: Node, place: Place): void {
    const text = this.#textOf(node);
    const at = this.#at(node, place);
    if (!place.isTest) this.facts.push(...annotationFacts(text, at));
    const reason = deprecationIn(this.#language, { place: 'annotation', text });
    if (reason === undefined) return;
    const isInside = ownerKinds.has(place.parentType) && place.parentType !== 'class_definition';
    const declared = isInside ? place.owner : (this.#declaredBelow(node, place) ?? place.owner);
    this.#add(node, { ...place, owner: declared }, { kind: 'deprecated', name: 'deprecated', text: reason });
  }

  /** The declaration that follows a comment or an annotation, or that contains its modifiers. */
  #declaredBelow(node: Node, place: Place): string | undefined {
    let next =
      node.parent?.type === 'modifiers' || node.parent?.type === 'decorated_definition'
        ? node.parent
        : node.nextNamedSibling;
    while (
      next !== null &&
      (commentKinds.has(next.type) ||
        /^(?:attribute_item|decorator|modifiers|attribute_list|marker_annotation|annotation)$/.test(
          next.type,
        ))
    )
      next = next.type === 'modifiers' ? next.parent : next.nextNamedSibling;
    if (next === null) return undefined;
    const name = declaredName(next);
    return name === undefined
      ? undefined
      : [place.owner, name]
          .filter((part) => part !== '')
          .join('.')
          .replace(/^(.+)\.\1\./, '$1.');
  }

  #noteEnvironment(node: Node, place: Place): void {
    if (node.endIndex - node.startIndex > 300) return;
    const line = node.startPosition.row + 1;
    for (const name of environmentNames(this.#textOf(node))) {
      const isKnown = this.facts.some(
        (fact) => fact.kind === 'environment' && fact.name === name && fact.startLine === line,
      );
      if (!isKnown) this.#add(node, place, { kind: 'environment', name, text: '' });
    }
  }

  /** Tests inside a source give calls and nothing else. */
  #add(node: Node, place: Place, said: Pick<BodyFact, 'kind' | 'name' | 'text'> & Partial<BodyFact>): void {
    const { conditions } = place;
    const fact = { ...this.#at(node, place), ...said, ...(conditions.length > 0 && { when: conditions }) };
    if (!place.isTest) this.facts.push(fact);
    else if (said.kind === 'call' || said.kind === 'use') this.testCalls.push(fact);
  }

  #callee(node: Node): string {
    const field = CALLEE_FIELDS.map((name) => node.childForFieldName(name)).find((found) => found != null);
    const callee = field ?? node.firstNamedChild;
    if (callee == null) return '';
    const receiver = node.childForFieldName('object') ?? node.childForFieldName('receiver');
    const scope = node.childForFieldName('scope');
    const own = this.#textOf(callee);
    if (scope !== null && !callee.equals(scope)) return `${this.#textOf(scope)}::${own}`;
    return receiver == null || callee.equals(receiver) ? own : `${this.#textOf(receiver)}.${own}`;
  }

  #at(node: Node, { owner }: Place): Pick<BodyFact, 'owner' | 'startLine' | 'endLine'> {
    return { owner, startLine: node.startPosition.row + 1, endLine: node.endPosition.row + 1 };
  }

  #textOf(node: Node): string {
    return this.#text.slice(node.startIndex, node.endIndex);
  }
}

/** Where a variable of the environment may be read. */
const READS_VALUES = /expression$|^(?:attribute|subscript|element_reference)$/;

/** Fields in which a name is declared or assigned, not read. */
const WRITTEN_TO = /^(?:left|name|method|target|key|pattern)$/;

/** The object itself is no argument of a caller. */
const OWN = /^(?:self|cls|this)$/;

const MAX_EXITS = 3;

const CALLEE_FIELDS = ['function', 'method', 'name', 'constructor', 'type', 'macro'] as const;

const FUNCTION_LITERAL =
  /^(?:arrow_function|function_expression|func_literal|closure_expression|lambda|lambda_expression|lambda_literal|anonymous_function|block|do_block)$/;

/** `#[cfg(test)]`, `#[test]`, `#[tokio::test]`, `#[bench]`. */
const TEST_ATTRIBUTE = /^#\[(?:cfg\((?:all\()?\s*test\b|(?:\w+::)*test\b|(?:\w+::)*rstest\b|bench\b)/;

function branchOf(place: Place, cursor: TreeCursor): Place {
  const { branching, conditions } = place;
  if (branching === undefined) return place;
  return { ...place, branching: undefined, conditions: conditionsIn(branching, conditions, cursor) };
}
