import type { Deadline } from '@secateur/base/runtime/time.ts';
import type { BodyFacts } from './body-facts/fact.ts';
import { createOutliner } from './read-outline.ts';

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
  /** Returns undefined if no parser supports the language or the deadline passes during parsing. */
  read(source: string, request: { path: string; deadline?: Deadline }): Promise<BodyFacts | undefined>;
  close(): Promise<void>;
}

/**
 * Creates a reader of facts about function bodies: calls, errors, checks, limits, files, addresses and TODOs.
 */
export function createFactReader(): FactReader {
  const outliner = createOutliner();
  return {
    read: async (source, { path, deadline }) => {
      const limit = deadline && { deadline: () => deadline };
      const { bodies } = await outliner.outline(source, { path, withBodies: true, ...limit });
      return bodies;
    },
    close: () => outliner.close(),
  };
}
