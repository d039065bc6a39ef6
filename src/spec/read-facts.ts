import type { FileFacts } from './facts.ts';
import { readStored } from './prepare/read-stored.ts';
import { factsOf } from './prepare/stored-facts.ts';
import type { ReadingParts } from './reading-parts.ts';
import type { Target } from './target.ts';

export interface FactsReading {
  files: FileFacts[];
  /** Why a file that was listed gave no facts. */
  notes: Record<string, string>;
}

/** Facts of every path as objects, in the order given. */
export async function readFacts(
  target: Target,
  paths: readonly string[],
  parts: ReadingParts,
): Promise<FactsReading> {
  const { files, notes, close } = await readStored(target, paths, parts);
  try {
    return { files: Array.from(files, factsOf), notes };
  } finally {
    close();
  }
}
