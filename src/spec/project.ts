import { listFiles } from '../workspace/list-files.ts';
import { openRoot } from '../workspace/root.ts';
import type { FileFacts, TestMention } from './facts.ts';
import { createImportResolver, type ImportResolver } from './import-resolver.ts';
import { mayBeTest } from './prepare/test-names.ts';
import { indexTests } from './project/test-mentions.ts';

/** What lies around a target: files its imports may mean, tests that may name its exports. */
export interface Project {
  resolver: ImportResolver;
  testsFor(files: readonly FileFacts[]): TestMention[];
}

export interface ProjectRequest {
  base: string;
  /** Everything whose exports will be looked for. */
  files: readonly FileFacts[];
  signal?: AbortSignal;
}

export async function openProject({ base, files, signal }: ProjectRequest): Promise<Project> {
  const { paths } = await listFiles(await openRoot(base), signal === undefined ? {} : { signal });
  const tests = await indexTests(base, paths.filter(mayBeTest), files);
  return {
    resolver: createImportResolver(base, paths),
    testsFor: (wanted) => wanted.flatMap((file) => tests.mentionsOf(file)),
  };
}
