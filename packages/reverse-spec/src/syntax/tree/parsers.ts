import { readFile } from 'node:fs/promises';
import v8 from 'node:v8';
import { brotliDecompressSync } from 'node:zlib';
import type { Deadline } from '@secateur/base/runtime/deadline.ts';
import type { Parser, Tree } from 'web-tree-sitter';

/** Parsers by the name of their grammar in `grammars/`, each loaded when first asked for and kept. */
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
 * Left to the garbage collector, a parser or tree of an aborted WebAssembly instance would throw from there,
 * where it cannot be caught.
 */
export function release(held: Parser | Tree): void {
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

async function readGrammar(grammar: string): Promise<Uint8Array> {
  const file = new URL(`../../../grammars/tree-sitter-${grammar}.wasm.br`, import.meta.url);
  return brotliDecompressSync(await readFile(file));
}

/** Returns a tree for the caller to delete; undefined after the deadline. */
export function parseTree(parser: Parser, text: string, deadline: Deadline): Tree | undefined {
  const progressCallback = () => deadline.passed();
  const tree = parser.parse(text, null, Number.isFinite(deadline.remainingMs()) ? { progressCallback } : {});
  if (tree !== null) return tree;
  parser.reset();
  return undefined;
}
