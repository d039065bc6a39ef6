import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import v8 from 'node:v8';
import { brotliDecompressSync } from 'node:zlib';
import type { Parser, Tree } from 'web-tree-sitter';
import type { Deadline } from '../../runtime/deadline.ts';

/** Where a grammar's WebAssembly lies: in the grammar package, or in our own `grammars/` folder. */
export type Grammar = { package: string } | { vendored: string };

/** Parsers by grammar, each loaded when first asked for and kept. */
export class TreeParsers {
  readonly #parsers = new Map<string, Promise<Parser>>();
  readonly #loaded: Parser[] = [];
  #library: Promise<Library> | undefined;

  async parserFor(grammar: Grammar): Promise<Parser> {
    const key = JSON.stringify(grammar);
    const known = this.#parsers.get(key);
    if (known !== undefined) return known;
    const loading = this.#load(grammar);
    this.#parsers.set(key, loading);
    return loading;
  }

  async #load(grammar: Grammar): Promise<Parser> {
    this.#library ??= loadLibrary();
    const { Parser, Language } = await this.#library;
    const parser = new Parser();
    parser.setLanguage(await Language.load(await readGrammar(grammar)));
    this.#loaded.push(parser);
    return parser;
  }

  /**
   * Some files break the machine that the parsers run in: out of memory, a jump to nowhere. From then on it fails for every
   * other file; the next one gets a new machine.
   */
  async startAgain(): Promise<void> {
    if (this.#library !== undefined) BROKEN.add(await this.#library);
    this.#library = undefined;
    await this.close();
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#parsers.values());
    this.#parsers.clear();
    for (const parser of this.#loaded.splice(0)) letGo(parser);
  }
}

/** Left to the garbage collector, a parser of a broken machine would throw from there, where nobody can catch it. */
function letGo(parser: Parser): void {
  try {
    parser.delete();
  } catch {
    // It has been struck from the collector's list first, which is all that is wanted.
  }
}

type Library = typeof import('web-tree-sitter');

/** The library keeps its machine in its module, for all of a thread: what is known of one must be known to all. */
const BROKEN = new WeakSet<Library>();

async function loadLibrary(): Promise<Library> {
  // V8 re-optimises hot WebAssembly functions, and a grammar's lexer is one huge function: the first load after Swift
  // stalls for seconds. Unoptimised grammars parse 7-10 % slower and never stall.
  v8.setFlagsFromString('--wasm-tiering-budget=2000000000');
  let library: Library = await import('web-tree-sitter');
  for (let instance = 1; BROKEN.has(library); instance += 1) library = await anotherInstance(instance);
  // It says on stderr that it is broken; the outline says so where it matters.
  await library.Parser.init({ printErr: () => {} });
  return library;
}

/** Only another module has another machine. */
async function anotherInstance(number: number): Promise<Library> {
  return (await import(`${import.meta.resolve('web-tree-sitter')}?instance=${number}`)) as Library;
}

async function readGrammar(grammar: Grammar): Promise<Uint8Array> {
  if ('package' in grammar) {
    const require = createRequire(import.meta.url);
    return readFile(require.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar.package}.wasm`));
  }
  const file = new URL(`../../../grammars/tree-sitter-${grammar.vendored}.wasm.br`, import.meta.url);
  return brotliDecompressSync(await readFile(file));
}

/** The tree, which the caller deletes; nothing when the deadline passed first. */
export function parseTree(parser: Parser, text: string, deadline: Deadline): Tree | undefined {
  const progressCallback = () => deadline.passed();
  const tree = parser.parse(text, null, Number.isFinite(deadline.remainingMs()) ? { progressCallback } : {});
  if (tree !== null) return tree;
  parser.reset();
  return undefined;
}
