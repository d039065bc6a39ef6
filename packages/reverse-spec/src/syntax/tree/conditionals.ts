import type { Node } from 'web-tree-sitter';
import { errorsIn, type Hiding, overlaps, type Range, type Stretch } from './hiding.ts';

const DIRECTIVE = /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b/;

/**
 * `#if` where a grammar does not expect it (between the names of an enum, before a base list, inside a signature):
 * the first branch is read as if it stood there alone.
 */
export function conditionalsInTheWay(root: Node, text: string): Hiding[] {
  if (!root.hasError) return [];
  const errors = errorsIn(root);
  return conditionals(text).filter(({ blanks }) => blanks.some((blank) => isBeside(errors, blank, text)));
}

/** A trip over a directive shows on its line, the one before or the one after. */
function isBeside(errors: readonly Range[], [from, to]: Stretch, text: string): boolean {
  const near = { from: text.lastIndexOf('\n', from - 2) + 1, to: lineEnd(text, lineEnd(text, to) + 1) };
  return errors.some((error) => overlaps(error, near) && error.to - error.from <= MAX_TRIP);
}

/** An error that swallowed a page says nothing about the directives on it. */
const MAX_TRIP = 2_000;

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

interface Open {
  from: number;
  /** Start of the branch that is not read; undefined while the first one lasts. */
  otherwise: number | undefined;
  blanks: [number, number][];
}

function conditionals(text: string): Hiding[] {
  const found: Hiding[] = [];
  const open: Open[] = [];
  for (const { word, from, to } of directives(text)) {
    const block = word.startsWith('if') ? { from, otherwise: undefined, blanks: [] } : open.at(-1);
    if (block === undefined) continue;
    block.blanks.push([from, to]);
    if (word.startsWith('if')) open.push(block);
    if (word.startsWith('el')) block.otherwise ??= from;
    if (word !== 'endif') continue;
    open.pop();
    found.push(closed(block, to));
  }
  return found;
}

function closed({ from, otherwise, blanks }: Open, to: number): Hiding {
  if (otherwise === undefined) return { from, to, blanks };
  return { from, to, blanks: [...blanks, [otherwise, to]], lost: otherwise };
}

interface Directive {
  word: string;
  from: number;
  to: number;
}

/** A line that ends with a backslash goes on. */
function directives(text: string): Directive[] {
  const found: Directive[] = [];
  let at = 0;
  let isOpen = false;
  for (const line of text.split('\n')) {
    const word = DIRECTIVE.exec(line)?.[1];
    const [from, to] = [at, at + line.length];
    const last = found.at(-1);
    if (isOpen && last !== undefined) last.to = to;
    else if (word !== undefined) found.push({ word, from, to });
    isOpen = (isOpen || word !== undefined) && line.trimEnd().endsWith('\\');
    at = to + 1;
  }
  return found;
}
