import type { Deadline } from '@secateur/base/runtime/deadline.ts';
import type { Node, Parser, Tree } from 'web-tree-sitter';
import { parseTree, release } from './parsers.ts';

/** A stretch of text that reads better once parts of it are out of the parser's sight. Offsets into the text. */
export interface Hiding {
  from: number;
  to: number;
  blanks: readonly Stretch[];
  /** Start of a hidden part whose declarations are not read at all. */
  lost?: number;
}

/**
 * `comment`: becomes a comment instead of spaces, so that the text before it is still right above what
 * follows.
 */
export type Stretch = readonly [from: number, to: number, as?: 'comment'];

/** Finds parts of a first tree that prevent a better one. */
export type HidingFinder = (root: Node, text: string) => Hiding[];

interface Reading {
  tree: Tree;
  /** Text the parser saw, of equal length. */
  masked: string;
  /** Starts of hidden parts whose declarations were not read. */
  lost: number[];
}

/** Hiding a part may uncover more of its kind: a call inside a call. */
const MAX_ROUNDS = 3;

/** Parses a text, again without the parts that caused errors; undefined if the deadline passed first. */
export function parseHiding(
  parser: Parser,
  text: string,
  { find, deadline }: { find: HidingFinder | undefined; deadline: Deadline },
): Reading | undefined {
  const first = parseTree(parser, text, deadline);
  if (first === undefined) return undefined;
  let reading: Reading = { tree: first, masked: text, lost: [] };
  try {
    for (let round = 0; round < MAX_ROUNDS && find !== undefined; round += 1) {
      const better = readAgain(parser, reading, { find, deadline });
      if (better === undefined) break;
      reading.tree.delete();
      reading = better;
    }
  } catch (error) {
    release(reading.tree);
    throw error;
  }
  return reading;
}

/**
 * Undefined if there is nothing to hide, hiding does not help, or time is up: the reading at hand is kept.
 */
function readAgain(
  parser: Parser,
  { tree, masked, lost }: Reading,
  { find, deadline }: { find: HidingFinder; deadline: Deadline },
): Reading | undefined {
  const hidings = find(tree.rootNode, masked);
  if (hidings.length === 0) return undefined;
  const adopt = (better: Tree, taken: readonly Hiding[]): Reading => ({
    tree: better,
    masked: hide(masked, taken),
    lost: [...lost, ...taken.flatMap((each) => each.lost ?? [])],
  });
  const before = errorsIn(tree.rootNode);
  const trial = parseTree(parser, hide(masked, hidings), deadline);
  if (trial === undefined) return undefined;
  const errors = errorsIn(trial.rootNode);
  const good = hidings.filter((each) => count(errors, each) <= count(before, each));
  if (good.length === hidings.length) return adopt(trial, hidings);
  trial.delete();
  const again = good.length === 0 ? undefined : parseTree(parser, hide(masked, good), deadline);
  return again === undefined ? undefined : adopt(again, good);
}

export type Range = Pick<Hiding, 'from' | 'to'>;

function count(errors: readonly Range[], hiding: Hiding): number {
  return errors.filter((error) => overlaps(error, hiding)).length;
}

export function overlaps(one: Range, other: Range): boolean {
  return one.from <= other.to && other.from <= one.to;
}

/** Finds text the parser skipped or imagined, outermost first. */
export function errorsIn(root: Node): Range[] {
  if (!root.hasError) return [];
  const found: Range[] = [];
  collectErrors(root, found);
  return found;
}

const MAX_ERRORS = 1_000;

function collectErrors(node: Node, found: Range[]): void {
  if (found.length >= MAX_ERRORS) return;
  if (node.isError || node.isMissing) found.push({ from: node.startIndex, to: node.endIndex });
  for (const child of node.children) if (child.hasError || child.isMissing) collectErrors(child, found);
}

function hide(text: string, hidings: readonly Hiding[]): string {
  const blanks = hidings.flatMap((each) => each.blanks).sort(([one], [other]) => one - other);
  const parts: string[] = [];
  let at = 0;
  for (const [from, to, as] of blanks) {
    if (to <= at) continue;
    const start = Math.max(from, at);
    const hidden = blank(text.slice(start, to));
    parts.push(text.slice(at, start), as === 'comment' ? commented(hidden) : hidden);
    at = to;
  }
  return [...parts, text.slice(at)].join('');
}

/** As long as the text, with its line ends. */
export function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

/** Line ends stay where they are: the marks take places of other characters. */
function commented(hidden: string): string {
  const end = hidden.lastIndexOf('  ');
  return end < 2 ? hidden : `/*${hidden.slice(2, end)}*/${hidden.slice(end + 2)}`;
}
