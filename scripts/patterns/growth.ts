import type { AST } from '@eslint-community/regexpp';
import { type Automaton, automatonOf, type Guard } from './automaton.ts';
import { componentsOf } from './components.ts';

export type Growth =
  | { readonly kind: 'linear' }
  | { readonly kind: 'polynomial' | 'exponential' | 'unknown'; readonly because: string };

/**
 * Returns how the time of a search grows with the text, at worst. A backtracking matcher is linear unless it
 * can read one text in ever more ways: around two loops one after the other (polynomial: Weber and Seidl's
 * IDA), or in two ways around one (exponential: EDA). Look-aheads, back references and word boundaries are
 * followed; what may fail is taken to fail.
 */
export function growthOf(source: string, flags: string): Growth {
  const automaton = automatonOf(source, flags);
  if (automaton.kind === 'unknown') return automaton;
  const steps = new Steps(automaton);
  const twice = findTwoWaysAround(steps);
  if (twice !== undefined) return { kind: 'exponential', because: `two ways around ${steps.name(twice)}` };
  const pair = findTwoLoops(steps);
  if (pair === undefined) return { kind: 'linear' };
  const [one, other] = pair;
  return { kind: 'polynomial', because: `${steps.name(one)} and ${steps.name(other)} can share a text` };
}

interface Follower {
  readonly reading: number;
  readonly guards: readonly Guard[];
}

/** Readings that can follow each reading: the automaton without its empty passages. */
class Steps {
  readonly count: number;
  private readonly followers: Follower[][];
  private readonly surelyDone: boolean[];
  private readonly known: (readonly Follower[])[] = [];
  readonly letters: readonly number[];
  /** Number of the loop that contains a reading; -1 outside of loops. */
  readonly loopOf: number[];

  private readonly automaton: Automaton;

  constructor(automaton: Automaton) {
    this.automaton = automaton;
    const { readings } = automaton;
    this.count = readings.length;
    const closures = readings.map(({ to }) => closureOf(automaton, to));
    this.followers = closures.map(({ followers }) => followers);
    this.surelyDone = closures.map(({ followers, ends }, reading) => {
      const takesAll =
        readings[reading]?.set.size === automaton.alphabet.any.size &&
        followers.some((one) => one.reading === reading && one.guards.length === 0);
      return ends === 'anywhere' || (ends === 'at the end' && takesAll);
    });
    this.letters = [...automaton.alphabet.any];
    this.loopOf = loopsOf(this.followers);
  }

  reads(reading: number, letter: number): boolean {
    return this.automaton.readings[reading]?.set.has(letter) === true;
  }

  /** The readings that can read `next` after `reading` has read `letter`; one twice where two ways lead to it. */
  after(reading: number, letter: number, next: number): number[] {
    const found = this.byNext(reading, next).filter(({ guards }) =>
      guards.every((guard) => guard.holds(letter, next)),
    );
    return found.map(({ reading: follower }) => follower);
  }

  private byNext(reading: number, next: number): readonly Follower[] {
    const at = reading * this.letters.length + next;
    const known =
      this.known[at] ?? (this.followers[reading] ?? []).filter((one) => this.reads(one.reading, next));
    this.known[at] = known;
    return known;
  }

  /** Returns the readings of `after` that are in the same loop. */
  around(reading: number, letter: number, next: number): number[] {
    const loop = this.loopOf[reading];
    return this.after(reading, letter, next).filter((follower) => this.loopOf[follower] === loop);
  }

  /** Returns the readings of `around` before a match: after a match, a failure falls back to the match. */
  aroundUnmatched(reading: number, letter: number, next: number): number[] {
    return this.around(reading, letter, next).filter((follower) => !this.endsMatch(follower));
  }

  /** Returns whether a match is certain after this reading, so that nothing is tried again. */
  endsMatch(reading: number): boolean {
    return this.surelyDone[reading] === true;
  }

  name(reading: number): string {
    const element = this.automaton.readings[reading]?.from;
    return element === undefined ? 'the search for a beginning' : `\`${outermostLoop(element).raw}\``;
  }
}

function outermostLoop(element: AST.Element): AST.Node {
  let loop: AST.Node = element;
  for (let node: AST.Node | null = element; node !== null; node = node.parent) {
    if (node.type === 'Quantifier' && node.max === Number.POSITIVE_INFINITY) return node;
    if (node.type === 'Quantifier') loop = node;
  }
  return loop;
}

interface Closure {
  readonly followers: Follower[];
  /** Positions where a match is complete without a further character. */
  readonly ends?: 'anywhere' | 'at the end' | undefined;
}

/** Returns all ways from a node over empty passages to the next readings. */
function closureOf({ nodes, accept }: Automaton, start: number): Closure {
  const followers: Follower[] = [];
  const ends: Guard[][] = [];
  const walk = (node: number, guards: readonly Guard[], seen: readonly number[]): void => {
    const isSecondTime = seen.includes(node);
    const { readings, passages } = nodes[node] as Automaton['nodes'][number];
    // Once around an outer loop without a character is a second way to what follows.
    if (isSecondTime && node !== start) return;
    for (const reading of readings) followers.push({ reading, guards });
    if (isSecondTime) return;
    if (node === accept) ends.push([...guards]);
    for (const { to, guard = [] } of passages) walk(to, guards.concat(guard), [...seen, node]);
  };
  walk(start, [], []);
  if (ends.some((guards) => guards.length === 0)) return { followers, ends: 'anywhere' };
  const atEnd = ends.some((guards) => guards.every(({ isEnd }) => isEnd));
  return { followers, ends: atEnd ? 'at the end' : undefined };
}

function loopsOf(followers: readonly (readonly Follower[])[]): number[] {
  const components = componentsOf(
    followers.map((_, reading) => reading),
    (reading) => (followers[reading] ?? []).map(({ reading: next }) => next),
  );
  const loopOf = followers.map(() => -1);
  components.forEach((members, number) => {
    const [only] = members;
    const isLoop =
      members.length > 1 || followers[only as number]?.some(({ reading }) => reading === only) === true;
    if (isLoop) for (const member of members) loopOf[member] = number;
  });
  return loopOf;
}

/** A reading of a loop from which the same text leads back to it in two ways. */
function findTwoWaysAround(steps: Steps): number | undefined {
  const looped = Array.from({ length: steps.count }, (_, reading) => reading).filter(
    (reading) => steps.loopOf[reading] !== -1,
  );
  const starts = looped.flatMap((reading) =>
    steps.letters
      .filter((letter) => steps.reads(reading, letter))
      .map((letter) => key(steps, [reading, reading], letter)),
  );
  let doubled: number | undefined;
  const next = (node: number): number[] => {
    const { readings, letter } = unkey(steps, node, 2);
    const [one = 0, two = 0] = readings;
    return steps.letters.flatMap((coming) => {
      const ones = steps.around(one, letter, coming);
      const twos = one === two ? ones : steps.around(two, letter, coming);
      if (one === two && new Set(ones).size < ones.length) doubled ??= one;
      return ones.flatMap((first) => twos.map((second) => key(steps, [first, second], coming)));
    });
  };
  const components = componentsOf(starts, next);
  if (doubled !== undefined) return doubled;
  for (const members of components) {
    const pairs = members.map((node) => unkey(steps, node, 2).readings);
    const same = pairs.find(([one, two]) => one === two);
    const apart = pairs.some(([one, two]) => one !== two);
    if (same !== undefined && apart) return same[0];
  }
  return undefined;
}

/** Two loops, the second behind the first, and a text that goes around either and leads from the one to the other. */
function findTwoLoops(steps: Steps): [number, number] | undefined {
  const looped = Array.from({ length: steps.count }, (_, reading) => reading).filter(
    (reading) => steps.loopOf[reading] !== -1,
  );
  const later = looped.filter((reading) => !steps.endsMatch(reading));
  const starts = looped.flatMap((one) =>
    later
      .filter((other) => one !== other)
      .flatMap((other) =>
        steps.letters
          .filter((letter) => steps.reads(one, letter) && steps.reads(other, letter))
          .map((letter) => key(steps, [one, other], letter)),
      ),
  );
  const around = (node: number): number[] => {
    const { readings, letter } = unkey(steps, node, 2);
    const [one = 0, other = 0] = readings;
    return steps.letters.flatMap((coming) => {
      const others = steps.aroundUnmatched(other, letter, coming);
      if (others.length === 0) return [];
      return steps
        .around(one, letter, coming)
        .flatMap((first) => others.map((second) => key(steps, [first, second], coming)));
    });
  };
  for (const members of componentsOf(starts, around)) {
    const [node = 0] = members;
    if (members.length === 1 && !around(node).includes(node)) continue;
    const { readings, letter } = unkey(steps, node, 2);
    const [one = 0, other = 0] = readings;
    // One loop read in one way: the two have met and stay together.
    if (one === other) continue;
    if (leadsOver(steps, { one, other, letter })) return [one, other];
  }
  return undefined;
}

interface TwoLoops {
  readonly one: number;
  readonly other: number;
  readonly letter: number;
}

/** Returns whether one text goes around `one`, around `other`, and from `one` to `other`. */
function leadsOver(steps: Steps, { one, other, letter }: TwoLoops): boolean {
  const goal = key(steps, [one, other, other], letter);
  const open = [key(steps, [one, one, other], letter)];
  const seen = new Set(open);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const reached = stepsOfThree(steps, node).filter((next) => !seen.has(next));
    if (reached.includes(goal)) return true;
    for (const next of reached) seen.add(next);
    open.push(...reached);
  }
  return false;
}

/** The first stays around its loop, the last around its own, the one in the middle goes where it may. */
function stepsOfThree(steps: Steps, node: number): number[] {
  const { readings, letter } = unkey(steps, node, 3);
  const [first = 0, middle = 0, last = 0] = readings;
  return steps.letters.flatMap((coming) => {
    const lasts = steps.aroundUnmatched(last, letter, coming);
    const firsts = lasts.length === 0 ? [] : steps.around(first, letter, coming);
    const middles = firsts.length === 0 ? [] : steps.after(middle, letter, coming);
    return middles.flatMap((between) =>
      firsts.flatMap((before) => lasts.map((after) => key(steps, [before, between, after], coming))),
    );
  });
}

function key(steps: Steps, readings: readonly number[], letter: number): number {
  return readings.reduce((sum, reading) => sum * steps.count + reading, letter);
}

function unkey(steps: Steps, node: number, size: number): { readings: number[]; letter: number } {
  const readings: number[] = [];
  let rest = node;
  for (let at = 0; at < size; at += 1) {
    readings.unshift(rest % steps.count);
    rest = Math.floor(rest / steps.count);
  }
  return { readings, letter: rest };
}
