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

  async close(): Promise<void> {
    await Promise.allSettled(this.#parsers.values());
    this.#parsers.clear();
    for (const parser of this.#loaded.splice(0)) letGo(parser);
  }
}

/** Left to the garbage collector, a parser or a tree of a broken machine would throw from there, where nobody can catch it. */
export function letGo(held: Parser | Tree): void {
  try {
    held.delete();
  } catch {
    // It has been struck from the collector's list first, which is all that is wanted.
  }
}

type Library = typeof import('web-tree-sitter');

async function loadLibrary(): Promise<Library> {
  // V8 re-optimises hot WebAssembly functions, and a grammar's lexer is one huge function: the first load after Swift
  // stalls for seconds. Unoptimised grammars parse 7-10 % slower and never stall.
  v8.setFlagsFromString('--wasm-tiering-budget=2000000000');
  const library = await import('web-tree-sitter');
  // It says on stderr that it is broken; the outline says so where it matters.
  await library.Parser.init({ printErr: () => {} });
  return library;
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
