import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { type Alphabet, alphabetOf, type CharacterSet } from './alphabet.ts';

/** A step that reads one character; `from` is the element of the pattern it comes from. */
export interface Reading {
  readonly set: CharacterSet;
  readonly to: number;
  readonly from: AST.Element | undefined;
}

/** Condition of a passage that reads no character. */
export interface Guard {
  /** `previous` and `next` are classes of the alphabet; undefined at either end of the text. */
  holds(previous: number | undefined, next: number | undefined): boolean;
  /** Holds at the end of every text, if nowhere else. */
  readonly isEnd?: true;
}

interface Passage {
  readonly to: number;
  readonly guard?: Guard;
}

interface Node {
  readonly passages: Passage[];
  readonly readings: number[];
}

/** A pattern as what a backtracking matcher may try: places, passages between them, and steps that read. */
export interface Automaton {
  readonly kind: 'automaton';
  readonly alphabet: Alphabet;
  readonly nodes: readonly Node[];
  readonly readings: readonly Reading[];
  readonly start: number;
  readonly accept: number;
}

/** Counts up to this are kept inside a loop; what is counted higher is taken for unbounded there. */
const COUNTED_IN_LOOP = 12;
/** Higher counts are treated as unbounded. */
const UNBOUNDED = 1_100;

/** Unknown where a pattern uses what cannot be judged: a look behind that has no longest text. */
export function automatonOf(
  source: string,
  flags: string,
): Automaton | { readonly kind: 'unknown'; readonly because: string } {
  const parsed = new RegExpParser().parsePattern(source, 0, source.length, { unicode: flags.includes('u') });
  const endless = endlessLookBehind(parsed);
  if (endless !== undefined) return { kind: 'unknown', because: `${endless.raw} looks back without end` };
  return new Builder(alphabetOf(parsed, flags), flags).build(parsed);
}

class Builder {
  private readonly nodes: Node[] = [];
  private readonly readings: Reading[] = [];
  private readonly alphabet: Alphabet;
  private readonly flags: string;
  private loops = 0;

  constructor(alphabet: Alphabet, flags: string) {
    this.alphabet = alphabet;
    this.flags = flags;
  }

  build(pattern: AST.Pattern): Automaton {
    const start = this.node();
    const accept = this.node();
    const begin = this.flags.includes('y') ? start : this.searchFrom(start);
    this.alternatives(pattern.alternatives, begin, accept);
    const { alphabet, nodes, readings } = this;
    return { kind: 'automaton', alphabet, nodes, readings, start, accept };
  }

  /** A search tries every place of the text: any character may come before. */
  private searchFrom(start: number): number {
    const begin = this.node();
    this.pass(start, begin);
    this.read({ from: start, to: begin, set: this.alphabet.any });
    this.read({ from: begin, to: begin, set: this.alphabet.any });
    return begin;
  }

  private alternatives(alternatives: readonly AST.Alternative[], from: number, to: number): void {
    for (const { elements } of alternatives) {
      let at = from;
      for (const element of elements) {
        const next = this.node();
        this.element(element, at, next);
        at = next;
      }
      this.pass(at, to);
    }
  }

  private element(element: AST.Element, from: number, to: number): void {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        this.alternatives(element.alternatives, from, to);
        break;
      case 'Quantifier':
        this.repeat(element, from, to);
        break;
      case 'Assertion':
        this.assertion(element, from, to);
        break;
      case 'Backreference':
        this.again(element, from, to);
        break;
      default:
        this.read({ from, to, set: this.alphabet.setOf(element), element });
    }
  }

  /** A back reference reads anything its group may match, and may still fail. */
  private again({ resolved }: AST.Backreference, from: number, to: number): void {
    const group = Array.isArray(resolved) ? resolved[0] : resolved;
    const end = this.node();
    this.alternatives((group as AST.CapturingGroup).alternatives, from, end);
    this.mayFail(end, to);
  }

  private repeat({ element, min, max }: AST.Quantifier, from: number, to: number): void {
    const { least, most } = this.loops > 0 ? countsInLoop(min, max) : counts(min, max);
    let at = from;
    for (let done = 0; done < least; done += 1) at = this.once(element, at);
    if (most === Number.POSITIVE_INFINITY) {
      this.loop(element, at, to);
      return;
    }
    for (let done = least; done < most; done += 1) {
      this.pass(at, to);
      at = this.once(element, at);
    }
    this.pass(at, to);
  }

  private once(element: AST.Element, from: number): number {
    const next = this.node();
    this.element(element, from, next);
    return next;
  }

  private loop(element: AST.Element, from: number, to: number): void {
    const begin = this.node();
    this.pass(from, begin);
    this.loops += 1;
    this.element(element, begin, begin);
    this.loops -= 1;
    this.pass(begin, to);
  }

  private assertion(assertion: AST.Assertion, from: number, to: number): void {
    if (assertion.kind === 'lookahead') this.lookAhead(assertion, from, to);
    else if (assertion.kind === 'lookbehind') this.lookBehind(assertion, from, to);
    else this.pass(from, to, this.guardOf(assertion));
  }

  private guardOf(assertion: AST.BoundaryAssertion): Guard {
    const { alphabet } = this;
    const isBreak = (letter: number) => this.flags.includes('m') && alphabet.lineBreak.has(letter);
    if (assertion.kind === 'start')
      return { holds: (previous) => previous === undefined || isBreak(previous) };
    if (assertion.kind === 'end')
      return { holds: (_, next) => next === undefined || isBreak(next), isEnd: true };
    const { negate } = assertion as AST.WordBoundaryAssertion;
    return {
      holds: (previous, next) => (alphabet.isWord(previous) !== alphabet.isWord(next)) !== negate,
    };
  }

  /** A look-ahead is tried as a dead end; then the match goes on, if it may. */
  private lookAhead(assertion: AST.LookaroundAssertion, from: number, to: number): void {
    const set = this.singleSet(assertion);
    if (set !== undefined) {
      this.pass(from, to, {
        holds: (_, next) => (next !== undefined && set.has(next)) !== assertion.negate,
      });
      return;
    }
    this.alternatives(assertion.alternatives, from, this.node());
    this.mayFail(from, to);
  }

  private lookBehind(assertion: AST.LookaroundAssertion, from: number, to: number): void {
    const set = this.singleSet(assertion);
    if (set !== undefined) {
      this.pass(from, to, {
        holds: (previous) => (previous !== undefined && set.has(previous)) !== assertion.negate,
      });
      return;
    }
    this.mayFail(from, to);
  }

  private singleSet({ alternatives }: AST.LookaroundAssertion): CharacterSet | undefined {
    if (!isSingle({ alternatives })) return;
    const sets = alternatives.map(({ elements: [only] }) => this.alphabet.setOf(only as AST.Element));
    return new Set(sets.flatMap((set) => [...set]));
  }

  /** A passage that is taken and, for all we know, was not there: nothing behind it is sure to be reached. */
  private mayFail(from: number, to: number): void {
    this.pass(from, to, { holds: () => true });
  }

  private node(): number {
    return this.nodes.push({ passages: [], readings: [] }) - 1;
  }

  private pass(from: number, to: number, guard?: Guard): void {
    this.nodes[from]?.passages.push(guard === undefined ? { to } : { to, guard });
  }

  private read({
    from,
    to,
    set,
    element,
  }: {
    from: number;
    to: number;
    set: CharacterSet;
    element?: AST.Element;
  }): void {
    this.nodes[from]?.readings.push(this.readings.push({ set, to, from: element }) - 1);
  }
}

/** Outside every loop a count changes how long a match takes by a factor, not how that grows. */
function counts(min: number, max: number): { least: number; most: number } {
  if (max >= UNBOUNDED) return { least: Math.min(min, 2), most: Number.POSITIVE_INFINITY };
  const least = Math.min(min, 2);
  return { least, most: Math.max(least, Math.min(max, 3)) };
}

function countsInLoop(min: number, max: number): { least: number; most: number } {
  if (max <= COUNTED_IN_LOOP) return { least: min, most: max };
  return { least: Math.min(min, 2), most: Number.POSITIVE_INFINITY };
}

function isSingle({ alternatives }: Pick<AST.LookaroundAssertion, 'alternatives'>): boolean {
  return alternatives.every(({ elements: [only, ...more] }) => more.length === 0 && isCharacter(only));
}

function isCharacter(element: AST.Element | undefined): boolean {
  return element !== undefined && /^(?:Character|CharacterClass|CharacterSet)$/.test(element.type);
}

function endlessLookBehind(pattern: AST.Pattern): AST.LookaroundAssertion | undefined {
  let found: AST.LookaroundAssertion | undefined;
  visitRegExpAST(pattern, {
    onAssertionEnter: (assertion) => {
      const isEndless =
        assertion.kind === 'lookbehind' && !isSingle(assertion) && !isBounded(assertion.alternatives);
      if (isEndless) found ??= assertion;
    },
  });
  return found;
}

function isBounded(alternatives: readonly AST.Alternative[]): boolean {
  return alternatives.every(({ elements }) => elements.every(isBoundedElement));
}

function isBoundedElement(element: AST.Element): boolean {
  if (element.type === 'Quantifier') return element.max < UNBOUNDED && isBoundedElement(element.element);
  return !('alternatives' in element) || isBounded(element.alternatives);
}
