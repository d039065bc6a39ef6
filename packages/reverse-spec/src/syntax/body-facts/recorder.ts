import type { Binding } from './bindings.ts';
import { mayReadEnvironment } from './code-facts.ts';
import type { Branching, Conditions } from './conditions.ts';
import type { BodyFact } from './fact.ts';
import type { Node } from './node.ts';
import { type OpenFunction, Symbols } from './symbols.ts';

/** A deprecation that a body warns of: one function may warn of several. */
export const WARNING = 'warning';

/** What surrounds a node. */
export interface Place {
  owner: string;
  /** Names of the parameters of the functions around it. */
  parameters: ReadonlySet<string>;
  function: OpenFunction | undefined;
  /** The type whose members are read here. */
  type: string | undefined;
  conditions: Conditions;
  /** Platforms and features a declaration of Rust is compiled for: `cfg(unix)`. */
  built: Conditions;
  branching: Branching | undefined;
  /** Conditions under which the function has returned before: they do not hold here. */
  exits: Conditions;
  isTest: boolean;
}

export const NOWHERE: Place = {
  owner: '',
  parameters: new Set(),
  function: undefined,
  type: undefined,
  conditions: [],
  built: [],
  branching: undefined,
  exits: [],
  isTest: false,
};

/** A node, what surrounds it, and where its facts go. */
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

  constructor(text: string, language: string) {
    this.text = text;
    this.mayReadEnvironment = mayReadEnvironment(text);
    this.language = language;
  }

  /** Tests inside a source give calls and nothing else. */
  add(node: Node, place: Place, said: Pick<BodyFact, 'kind' | 'name' | 'text'> & Partial<BodyFact>): void {
    const { conditions } = place;
    const fact = { ...this.at(node, place), ...said, ...(conditions.length > 0 && { when: conditions }) };
    if (!place.isTest) this.facts.push(fact);
    else if (said.kind === 'call' || said.kind === 'use') this.testCalls.push(fact);
  }

  at(node: Node, { owner }: Place): Pick<BodyFact, 'owner' | 'startLine' | 'endLine'> {
    return { owner, startLine: node.startRow + 1, endLine: node.endRow + 1 };
  }

  textOf(node: Node): string {
    return this.text.slice(node.startIndex, node.endIndex);
  }
}
