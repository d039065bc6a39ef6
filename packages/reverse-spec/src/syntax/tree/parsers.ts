import { readFile } from 'node:fs/promises';
import v8 from 'node:v8';
import { brotliDecompressSync } from 'node:zlib';
import { endOfLine } from '@secateur/base/text/lines.ts';
import type { Node, Parser, Tree } from 'web-tree-sitter';

/** Tree-sitter parsers by the name of their grammar in `grammars/`. Each is loaded at its first use and then kept. */
export class TreeParsers {
  readonly #parsers = new Map<string, Promise<Parser>>();
  #library: Promise<Library> | undefined;

  async parserFor(grammar: string): Promise<Parser> {
    const parser = this.#parsers.get(grammar) ?? this.#load(grammar);
    this.#parsers.set(grammar, parser);
    return parser;
  }

  async #load(grammar: string): Promise<Parser> {
    this.#library ??= loadLibrary();
    const { Parser, Language } = await this.#library;
    const parser = new Parser();
    parser.setLanguage(await Language.load(await readGrammar(grammar)));
    return parser;
  }

  async close(): Promise<void> {
    const parsers = await Promise.allSettled(this.#parsers.values());
    this.#parsers.clear();
    for (const parser of parsers) if (parser.status === 'fulfilled') release(parser.value);
  }
}

/**
 * Frees a parser or tree. After WebAssembly has crashed, `delete` throws; the garbage collector would throw
 * too, where nothing can catch it.
 */
function release(held: Parser | Tree): void {
  try {
    held.delete();
  } catch {
    // `delete` removes the object from the garbage collector's list before it throws, so the error can be
    // ignored.
  }
}

type Library = typeof import('web-tree-sitter');

async function loadLibrary(): Promise<Library> {
  // Prevents V8 from re-optimising hot WebAssembly functions. The lexer of a grammar is one huge function, so
  // the first load after Swift's would stall for seconds. Unoptimised grammars parse 7-10 % slower.
  v8.setFlagsFromString('--wasm-tiering-budget=2000000000');
  const library = await import('web-tree-sitter');
  // Discards the messages that the library would print to stderr. The outline reports the errors that matter.
  await library.Parser.init({ printErr: () => {} });
  return library;
}

async function readGrammar(grammar: string): Promise<Uint8Array> {
  const file = new URL(`../../../grammars/tree-sitter-${grammar}.wasm.br`, import.meta.url);
  return brotliDecompressSync(await readFile(file));
}

/**
 * Minimum limit of progress reports per text; the parser sends one per 100 steps. Ordinary code needs 2 to 25
 * reports per 1,000 characters, and texts built to be slow up to 100.
 */
const MIN_REPORTS = 2_000;
const REPORTS_A_CHARACTER = 0.25;

/**
 * Parses a text; undefined if it takes too many steps. The caller must delete the tree. Counts steps instead
 * of time, so that the result is the same on every machine under any load.
 */
export function parseTree(parser: Parser, text: string): Tree | undefined {
  let left = MIN_REPORTS + REPORTS_A_CHARACTER * text.length;
  const tree = parser.parse(text, null, { progressCallback: () => --left < 0 });
  if (tree !== null) return tree;
  parser.reset();
  return undefined;
}

/** A range of text that parses better if parts of it are hidden. `from`, `to` and `lost` are offsets. */
export interface Hiding {
  from: number;
  to: number;
  blanks: readonly Stretch[];
  /** Start of a hidden part whose declarations will be missing. */
  lost?: number;
}

/** A range to replace by spaces. `comment`: by a comment, so that the text above still touches the text below. */
export type Stretch = readonly [from: number, to: number, as?: 'comment'];

/** Finds text to hide in a parsed file, so that another parse gives a better tree. */
export type HidingFinder = (root: Node, text: string) => Hiding[];

interface Reading {
  tree: Tree;
  /** Text that was parsed, with hidden parts replaced. As long as the original. */
  masked: string;
  /** Starts of hidden parts whose declarations are missing in the tree. */
  lost: number[];
}

/** Maximum number of further parses. Hiding one part may reveal another, such as a call inside a call. */
const MAX_ROUNDS = 3;

/** Parses a text, hides what caused errors and parses it again. Undefined if the text takes too many steps. */
export function parseHiding(
  parser: Parser,
  text: string,
  find: HidingFinder | undefined,
): Reading | undefined {
  const first = parseTree(parser, text);
  if (first === undefined) return undefined;
  let reading: Reading = { tree: first, masked: text, lost: [] };
  try {
    for (let round = 0; round < MAX_ROUNDS && find !== undefined; round += 1) {
      const better = readAgain(parser, reading, find);
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

/** Hides text and parses again. Undefined if there is nothing to hide or the tree does not get better. */
function readAgain(parser: Parser, { tree, masked, lost }: Reading, find: HidingFinder): Reading | undefined {
  const hidings = find(tree.rootNode, masked);
  if (hidings.length === 0) return undefined;
  const adopt = (better: Tree, taken: readonly Hiding[]): Reading => ({
    tree: better,
    masked: hide(masked, taken),
    lost: [...lost, ...taken.flatMap((each) => each.lost ?? [])],
  });
  const before = errorsIn(tree.rootNode);
  const trial = parseTree(parser, hide(masked, hidings));
  if (trial === undefined) return undefined;
  const errors = errorsIn(trial.rootNode);
  const good = hidings.filter((each) => count(errors, each) <= count(before, each));
  if (good.length === hidings.length) return adopt(trial, hidings);
  trial.delete();
  const again = good.length === 0 ? undefined : parseTree(parser, hide(masked, good));
  return again && adopt(again, good);
}

export type Range = Pick<Hiding, 'from' | 'to'>;

function count(errors: readonly Range[], hiding: Hiding): number {
  return errors.filter((error) => overlaps(error, hiding)).length;
}

function overlaps(one: Range, other: Range): boolean {
  return one.from <= other.to && other.from <= one.to;
}

/** Returns the ranges that the parser skipped and the tokens that it inserted, outermost first. */
function errorsIn(root: Node): Range[] {
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

/** Replaces all characters by spaces, except line breaks. */
export function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

/** Turns spaces into a comment of the same length with the same line breaks. */
function commented(hidden: string): string {
  const end = hidden.lastIndexOf('  ');
  return end < 2 ? hidden : `/*${hidden.slice(2, end)}*/${hidden.slice(end + 2)}`;
}

const DIRECTIVE = /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b/;

/** Finds `#if` blocks in places where the grammar does not allow them, as in an enum. All branches but the first are hidden. */
export function conditionalsInTheWay(root: Node, text: string): Hiding[] {
  if (!root.hasError) return [];
  const errors = errorsIn(root);
  return conditionals(text).filter(({ blanks }) => blanks.some((blank) => isBeside(errors, blank, text)));
}

/** Whether a directive probably caused an error: there is one on its line or on an adjacent line. */
function isBeside(errors: readonly Range[], [from, to]: Stretch, text: string): boolean {
  const near = { from: text.lastIndexOf('\n', from - 2) + 1, to: endOfLine(text, endOfLine(text, to) + 1) };
  return errors.some((error) => overlaps(error, near) && error.to - error.from <= MAX_TRIP);
}

/** Maximum length in characters of an error that is attributed to a directive. */
const MAX_TRIP = 2_000;

interface Open {
  from: number;
  /** Start of the second branch. Undefined until a branch after the first has begun. It is hidden. */
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

/** Finds the conditional directives of a text. A directive continues on the next line after a backslash. */
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
