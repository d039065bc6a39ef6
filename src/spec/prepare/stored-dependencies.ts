import type { LayoutRequest } from '../context.ts';
import type { ImportResolver } from '../import-resolver.ts';
import { type Importer, resolveDependencies } from '../resolve-dependencies.ts';
import { needsOf, type StoredFiles } from './stored-facts.ts';

/** Who imports whom, found out when somebody asks. */
export function storedDependencies(
  files: StoredFiles,
  within: readonly string[],
  openResolver: () => ImportResolver,
): LayoutRequest['dependencies'] {
  const all = () => resolveDependencies(importersIn(files), { within, resolver: openResolver() });
  return {
    all,
    exist: () => {
      // A module that is not near is a dependency wherever it leads.
      for (const { modules } of importersIn(files))
        if (modules.some((module) => !module.startsWith('.'))) return true;
      const { internal, project, external } = all();
      return internal.length + project.length + external.length > 0;
    },
  };
}

function* importersIn(files: StoredFiles): Generator<Importer> {
  for (const file of files)
    yield { filePath: file.path, language: file.brief.language, modules: needsOf(file).modules };
}
