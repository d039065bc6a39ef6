import type { BodyFacts } from '../../packages/reverse-spec/src/syntax/body-facts.ts';
import { createOutliner } from '../../packages/reverse-spec/src/syntax/read-outline.ts';

export interface FactReader {
  /** Returns undefined if no parser supports the language or the text is too much for it. */
  read(source: string, request: { path: string }): Promise<BodyFacts | undefined>;
  close(): Promise<void>;
}

/**
 * Creates a reader of facts about function bodies: calls, errors, checks, limits, files, addresses and TODOs.
 */
export function createFactReader(): FactReader {
  const outliner = createOutliner();
  return {
    read: async (source, { path }) => (await outliner.outline(source, { path, withBodies: true })).bodies,
    close: () => outliner.close(),
  };
}
