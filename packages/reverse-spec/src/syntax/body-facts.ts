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
  /** Undefined if no parser knows the language, or parsing takes longer than the deadline. */
  read(source: string, request: { path: string; deadline?: Deadline }): Promise<BodyFacts | undefined>;
  close(): Promise<void>;
}

/** Reads what the bodies of a file do: calls, errors, checks, limits, what they touch, what is owed. */
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
