import type { Node, TreeCursor } from 'web-tree-sitter';
import {
  addressIn,
  type CallText,
  calleeName,
  environmentNames,
  fileTouched,
  isCheck,
  isRaisingCall,
  limitIn,
  messageIn,
  returnedError,
  shortened,
  thrownError,
} from './code-facts.ts';
import { annotationFacts, commentFacts } from './comment-facts.ts';
import type { BodyFact, BodyFacts, FunctionRange } from './fact.ts';
import { fileDocOf } from './file-doc.ts';
import {
  annotationKinds,
  callKinds,
  catchKinds,
  commentKinds,
  conditionKinds,
  constantKinds,
  ownerKinds,
  stringKinds,
  throwKinds,
} from './node-kinds.ts';
import { conditionOf, ownerOf, parametersOf } from './scopes.ts';

export function readTreeFacts(root: Node, text: string): BodyFacts {
  const walk = new Walk(text);
  const cursor = root.walk();
  walk.visit(cursor, NOWHERE);
  cursor.delete();
  return {
    fileDoc: fileDocOf(root, text),
    facts: distinct(walk.facts),
    functions: walk.functions,
  };
}

/** In the order of the lines, each once: a constant is a declaration and the declarator in it. */
function distinct(facts: readonly BodyFact[]): BodyFact[] {
  const key = ({ kind, startLine, name, text }: BodyFact) =>
    `${kind} ${startLine} ${name} ${kind === 'call' ? text : ''}`;
  const seen = new Map(facts.map((fact) => [key(fact), fact]));
  return [...seen.values()].sort((one, other) => one.startLine - other.startLine);
}

/** What surrounds a node. */
interface Place {
  owner: string;
  /** Of the functions around it. */
  parameters: ReadonlySet<string>;
  isInFunction: boolean;
  condition: string | undefined;
  /** Conditions of the branches before this one: none of them holds here. */
  failed: readonly string[];
  parentType: string;
}

const NOWHERE: Place = {
  owner: '',
  parameters: new Set(),
  isInFunction: false,
  condition: undefined,
  failed: [],
  parentType: '',
};

/** Deeper nesting is generated code; the stack is not endless. */
const MAX_DEPTH = 1_000;

class Walk {
  readonly facts: BodyFact[] = [];
  readonly functions: FunctionRange[] = [];
  readonly #text: string;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  visit(cursor: TreeCursor, place: Place): void {
    const type = cursor.nodeType;
    if (commentKinds.has(type)) {
      const node = cursor.currentNode;
      this.facts.push(...commentFacts(this.#textOf(node), this.#at(node, place)));
      return;
    }
    this.#note(type, cursor, place);
    const inner = this.#inside(type, cursor, place);
    this.#depth += 1;
    if (this.#depth < MAX_DEPTH && cursor.gotoFirstChild()) {
      do this.visit(cursor, branchOf(inner, cursor));
      while (cursor.gotoNextSibling());
      cursor.gotoParent();
    }
    this.#depth -= 1;
  }

  #inside(type: string, cursor: TreeCursor, place: Place): Place {
    const named = { ...place, parentType: type };
    if (conditionKinds.has(type)) {
      const condition = conditionOf(cursor.currentNode, this.#text);
      return condition === undefined ? named : { ...named, condition };
    }
    if (catchKinds.has(type)) return { ...named, condition: catchClauseOf(this.#textOf(cursor.currentNode)) };
    if (!ownerKinds.has(type)) return named;
    const owner = ownerOf(cursor.currentNode);
    if (owner === undefined) return named;
    const path = [place.owner, owner.name].filter((part) => part !== '').join('.');
    if (!owner.isFunction) return { ...named, owner: path };
    const { startLine, endLine } = this.#at(cursor.currentNode, place);
    this.functions.push({ name: path, startLine, endLine });
    const parameters = new Set([...place.parameters, ...parametersOf(cursor.currentNode)]);
    return { ...named, owner: path, isInFunction: true, condition: undefined, failed: [], parameters };
  }

  #note(type: string, cursor: TreeCursor, place: Place): void {
    if (callKinds.has(type)) this.#noteCall(cursor.currentNode, place);
    else if (throwKinds.has(type)) this.#noteThrow(cursor.currentNode, place);
    else if (type === 'return_statement' || type === 'return_expression')
      this.#noteReturn(cursor.currentNode, place);
    else if (type === 'assert_statement') {
      const text = shortened(this.#textOf(cursor.currentNode));
      this.#add(cursor.currentNode, place, { kind: 'check', name: 'assert', text });
    } else if (stringKinds.has(type)) this.#noteString(cursor.currentNode, place);
    else if (annotationKinds.has(type)) {
      const node = cursor.currentNode;
      this.facts.push(...annotationFacts(this.#textOf(node), this.#at(node, place)));
    }
    if (!place.isInFunction && constantKinds.has(type)) {
      const found = limitIn(this.#textOf(cursor.currentNode));
      if (found !== undefined) this.#add(cursor.currentNode, place, { kind: 'limit', ...found });
    }
    if (READS_VALUES.test(type)) this.#noteEnvironment(cursor.currentNode, place);
  }

  #noteCall(node: Node, place: Place): void {
    const whole = this.#textOf(node);
    const call: CallText = { callee: this.#callee(node), whole };
    const name = calleeName(call.callee);
    if (name === '') return;
    const callee = shortened(call.callee);
    const line = node.startPosition.row + 1;
    this.#add(node, place, { kind: 'call', name, text: callee, endLine: line });
    this.#noteEnvironment(node, place);
    const path = fileTouched(call);
    if (path !== undefined) this.#add(node, place, { kind: 'file', name: callee, text: path });
    if (isCheck(call)) this.#add(node, place, { kind: 'check', name, text: shortened(whole) });
    else if (isRaisingCall(call))
      this.#noteError(node, place, { name: raisedBy(whole, name), text: messageIn(whole) });
    else if (name === 'warn' && /DeprecationWarning/.test(whole))
      this.#add(node, place, { kind: 'deprecated', name: 'DeprecationWarning', text: messageIn(whole) });
  }

  #noteThrow(node: Node, place: Place): void {
    const text = this.#textOf(node);
    // What is passed on was told where it was made.
    if (!/^(?:throw|raise)\b/.test(text) || /^(?:throw|raise)(?:\s+[a-z_$][\w.$]*)?\s*;?$/.test(text)) return;
    this.#noteError(node, place, thrownError(text));
  }

  #noteReturn(node: Node, place: Place): void {
    const text = this.#textOf(node);
    // A function that is returned fails when it is called: its own returns say so.
    const found = /^return\s+func\b/.test(text) ? undefined : returnedError(text);
    if (found !== undefined) this.#noteError(node, place, found);
  }

  /** An error that depends on an argument is a check of it. */
  #noteError(node: Node, place: Place, said: Pick<BodyFact, 'name' | 'text'>): void {
    const { condition, parameters } = place;
    const words = condition?.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
    const kind = words.some((word) => parameters.has(word)) ? 'check' : 'raise';
    this.#add(node, place, { kind, ...said, ...(condition !== undefined && { when: condition }) });
  }

  #noteString(node: Node, place: Place): void {
    // Words, not a value, when a string is all of a statement.
    if (place.parentType === 'expression_statement') {
      this.facts.push(...commentFacts(this.#textOf(node), this.#at(node, place)));
      return;
    }
    const address = addressIn(this.#textOf(node));
    if (address !== undefined)
      this.#add(node, place, { kind: 'address', name: shortened(address), text: '' });
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

  #add(
    node: Node,
    place: Place,
    said: Pick<BodyFact, 'kind' | 'name' | 'text' | 'when'> & Partial<BodyFact>,
  ): void {
    this.facts.push({ ...this.#at(node, place), ...said });
  }

  #callee(node: Node): string {
    const field = CALLEE_FIELDS.map((name) => node.childForFieldName(name)).find((found) => found != null);
    const callee = field ?? node.firstNamedChild;
    if (callee == null) return '';
    const receiver = node.childForFieldName('object') ?? node.childForFieldName('receiver');
    const own = this.#textOf(callee);
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

const CALLEE_FIELDS = ['function', 'method', 'name', 'constructor', 'type', 'macro'] as const;

/** `raise ArgumentError, "no"` and `panic("no")`. */
function raisedBy(call: string, name: string): string {
  return /^(?:raise|fail)\s*(?:\(\s*)?([A-Z][\w:]*)/.exec(call)?.[1] ?? name;
}

/** In the other branch no condition of the branches before it holds. */
function branchOf(place: Place, cursor: TreeCursor): Place {
  const { condition, failed, parentType } = place;
  if (condition === undefined || !conditionKinds.has(parentType)) return place;
  if (cursor.currentFieldName !== 'alternative') return { ...place, failed: [] };
  const before = [...failed, condition, ...conditionsBefore(cursor.currentNode)];
  return { ...place, condition: `!(${before.join(' / ')})`, failed: before };
}

/** Python: `elif` and `else` are side by side. */
function conditionsBefore(branch: Node): string[] {
  const siblings = branch.parent?.namedChildren ?? [];
  return siblings.flatMap((node) => {
    const isBefore = node?.type === 'elif_clause' && node.startIndex < branch.startIndex;
    return isBefore ? [node.childForFieldName('condition')?.text ?? ''] : [];
  });
}

/** `except (ValueError, OSError)` of what may go on for lines. */
function catchClauseOf(clause: string): string {
  const [head = ''] = clause.split(/[{\n]/, 1);
  const words = shortened(head);
  return words.endsWith(':') ? words.slice(0, -1) : words;
}
