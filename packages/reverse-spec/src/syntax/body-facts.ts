import { detectLanguage, type KnownLanguage, languageById } from '@secateur/base/languages/languages.ts';
import { type Deadline, noDeadline } from '@secateur/base/runtime/time.ts';
import type { BodyFacts } from './body-facts/fact.ts';
import { createTreeFactReader } from './body-facts/walk.ts';
import { readers } from './languages/readers.ts';
import { parseTree, TreeParsers } from './tree/parsers.ts';

export type {
  Binding,
  BodyFact,
  BodyFactKind,
  BodyFacts,
  FunctionFact,
  TypeFact,
  Typing,
  Variables,
} from './body-facts/fact.ts';

export interface FactReader {
  /** Undefined if no parser knows the language, or parsing takes longer than the deadline. */
  read(source: string, request: { path: string; deadline?: Deadline }): Promise<BodyFacts | undefined>;
  close(): Promise<void>;
}

/** Reads what the bodies of a file do: calls, errors, checks, limits, what they touch, what is owed. */
export function createFactReader(): FactReader {
  const parsers = new TreeParsers();
  const readTreeFacts = createTreeFactReader();
  return {
    read: async (source, { path, deadline = noDeadline }) => {
      const language = languageById(detectLanguage({ path, source }) ?? '');
      if (language === undefined) return undefined;
      try {
        const parsed = await masked(source, language);
        const tree = parseTree(await parsers.parserFor(grammarOf(language)), parsed, deadline);
        if (tree === undefined) return undefined;
        try {
          return readTreeFacts({ root: tree.rootNode, parsed, text: source, language: language.id });
        } finally {
          tree.delete();
        }
      } catch (error) {
        if (isParserFailure(error)) return undefined;
        throw error;
      }
    },
    close: () => parsers.close(),
  };
}

/** Code nested beyond any stack, or a text that aborts the WebAssembly instance of the parsers: the document says less. */
function isParserFailure(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof Error && error.name === 'RuntimeError');
}

/** Bodies are read with tree-sitter in every language; small gaps in a grammar cost a fact, not a file. */
function grammarOf({ id }: KnownLanguage): string {
  const reader = readers[id];
  return reader.kind === 'tree-sitter' ? reader.grammar : id;
}

async function masked(source: string, { id }: KnownLanguage): Promise<string> {
  const reader = readers[id];
  if (reader.kind !== 'tree-sitter') return source;
  const { mask } = await reader.load();
  return mask?.(source) ?? source;
}
