import { type BodyFacts, createFactReader } from '../../syntax/body-facts.ts';
import { listFiles } from '../../workspace/list-files.ts';
import { openRoot } from '../../workspace/root.ts';
import { mayBeTest } from '../prepare/test-names.ts';
import type { ReadingParts } from '../reading-parts.ts';
import type { FileFacts, TestMention } from './facts.ts';
import { createImportResolver, type ImportResolver } from './import-resolver.ts';
import { indexTests } from './project/test-mentions.ts';
import { readBodies } from './read-bodies.ts';

/** What lies around a target: files its imports may mean, tests that may name its exports. */
export interface Project {
  resolver: ImportResolver;
  testsFor(files: readonly FileFacts[]): TestMention[];
  /** What the bodies of the files do. */
  bodiesOf(files: readonly FileFacts[]): Promise<Map<string, BodyFacts>>;
  /** Frees the parsers. */
  close(): Promise<void>;
}

/** `files`: everything whose exports will be looked for. */
export async function openProject(
  base: string,
  files: readonly FileFacts[],
  { clock, signal }: Pick<ReadingParts, 'clock' | 'signal'>,
): Promise<Project> {
  // One for the whole run: a grammar takes longer to load than hundreds of files to read.
  const reader = createFactReader();
  const { paths } = await listFiles(await openRoot(base), { ...(signal && { signal }) });
  const mentionsOf = await indexTests(base, paths.filter(mayBeTest), { files, reader });
  return {
    resolver: createImportResolver(base, paths),
    testsFor: (wanted) => wanted.flatMap(mentionsOf),
    bodiesOf: (wanted) => readBodies(base, wanted, { clock, reader }),
    close: () => reader.close(),
  };
}
