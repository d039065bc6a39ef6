import { join } from 'node:path';
import { detectLanguage } from '@secateur/base/languages/languages.ts';
import { listFiles } from '@secateur/serving/workspace/list-files.ts';
import { openRoot } from '@secateur/serving/workspace/root.ts';
import { type BodyFacts, createFactReader, type FactReader } from '../../syntax/body-facts.ts';
import { roleOf } from '../prepare/scope.ts';
import { mayBeTest } from '../prepare/test-names.ts';
import type { ReadingParts } from '../reading-parts.ts';
import { buildCallGraph, type CallGraph, resolveCallsOf, surroundingsOf } from './call-graph.ts';
import type { FileFacts, TestMention } from './facts.ts';
import { createImportResolver, type ImportResolver } from './import-resolver.ts';
import { unpackBodies } from './packed-bodies.ts';
import { indexTests } from './project/test-mentions.ts';
import { readBodies } from './read-bodies.ts';
import { readFacts } from './read-facts.ts';

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
  parts: ReadingParts,
): Promise<Project> {
  const { clock, signal } = parts;
  // One for the whole run: a grammar takes longer to load than hundreds of files to read.
  const reader = createFactReader();
  const { paths } = await listFiles(await openRoot(base), { ...(signal && { signal }) });
  const resolver = createImportResolver(base, paths);
  const around = surroundingsOf(files, resolver);
  const testPaths = paths.filter(isTestOrExample);
  const mentionsOf = await indexTests(base, testPaths, {
    files,
    reader: await readTests(base, testPaths, { files, reader, parts }),
    resolve: resolveCallsOf({ files, bodies: new Map(), ...around }),
  });
  const mentions = new Map<FileFacts, TestMention[]>();
  return {
    resolver,
    testsFor: (wanted) =>
      wanted.flatMap((file) => {
        const known = mentions.get(file) ?? mentionsOf(file);
        mentions.set(file, known);
        return known;
      }),
    bodiesOf: (wanted) => readBodies(base, wanted, { clock, reader }),
    callsOf: (wanted, bodies) => buildCallGraph({ files: wanted, bodies, ...around }),
    close: () => reader.close(),
  };
}

function isTestOrExample(path: string): boolean {
  const role = roleOf(path);
  const isWanted = mayBeTest(path) || role === 'test' || role === 'example';
  return isWanted && detectLanguage({ path }) !== undefined;
}

/** Reads the tests as the sources were read, in threads and from the cache, and answers from that. Sources may contain tests, too. */
async function readTests(
  base: string,
  paths: readonly string[],
  { files, reader, parts }: { files: readonly FileFacts[]; reader: FactReader; parts: ReadingParts },
): Promise<FactReader> {
  const target = { absolute: join(base, '#tests'), base, path: '.', label: 'tests', scope: 'tree' as const };
  const tests = await readFacts(target, paths, { ...parts, withBodies: true });
  const known = new Map(
    [...files, ...tests.files].map(({ skeleton, packedBodies }) => [skeleton.filePath, packedBodies]),
  );
  return {
    read: async (source, request) => {
      const packed = known.get(request.path);
      return packed === undefined ? reader.read(source, request) : unpackBodies(packed);
    },
    close: () => reader.close(),
  };
}
