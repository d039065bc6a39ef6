import { grouped } from '../../runtime/grouped.ts';
import { type BodyFacts, createFactReader } from '../../syntax/body-facts.ts';
import { listFiles } from '../../workspace/list-files.ts';
import { openRoot } from '../../workspace/root.ts';
import { roleOf } from '../prepare/scope.ts';
import { mayBeTest } from '../prepare/test-names.ts';
import type { ReadingParts } from '../reading-parts.ts';
import { buildCallGraph, type CallGraph, packageOf, resolveCallsOf } from './call-graph.ts';
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
  /** Calls inside the module and to exports of the rest of the project. */
  callsOf(files: readonly FileFacts[], bodies: ReadonlyMap<string, BodyFacts>): CallGraph;
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
  const byPath = new Map(files.map((file) => [file.skeleton.filePath, file]));
  const packages = grouped([...byPath.keys()].map((path) => [packageOf(path), path]));
  const resolver = createImportResolver(base, paths);
  const around = {
    fileAt: (path: string) => byPath.get(path),
    inPackage: (name: string) => packages.get(name) ?? [],
    resolver,
  };
  const mentionsOf = await indexTests(base, paths.filter(isTestOrExample), {
    files,
    reader,
    resolve: resolveCallsOf({ files, bodies: new Map(), ...around }),
  });
  return {
    resolver,
    testsFor: (wanted) => wanted.flatMap(mentionsOf),
    bodiesOf: (wanted) => readBodies(base, wanted, { clock, reader }),
    callsOf: (wanted, bodies) => buildCallGraph({ files: wanted, bodies, ...around }),
    close: () => reader.close(),
  };
}

function isTestOrExample(path: string): boolean {
  const role = roleOf(path);
  return mayBeTest(path) || role === 'test' || role === 'example';
}
