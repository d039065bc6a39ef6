import type { Dependencies, DependencyEdge, FileFacts } from './facts.ts';
import type { ImportResolver } from './import-resolver.ts';
import type { Skeleton } from './skeleton.ts';

export interface DependencyScope {
  /** Files of the target; what else the resolver knows is the project around it. */
  within: readonly string[];
  resolver: ImportResolver;
}

/** A file, and every module it imports or passes on, as written. */
export interface Importer {
  filePath: string;
  language: string;
  modules: readonly string[];
}

export function importerOf({ skeleton }: FileFacts): Importer {
  return { filePath: skeleton.filePath, language: skeleton.language, modules: modulesOf(skeleton) };
}

/** Who imports whom: files where an import can be followed, module names where it leaves the project. */
export function resolveDependencies(
  importers: Iterable<Importer>,
  { within, resolver }: DependencyScope,
): Dependencies {
  const inside = new Set(within);
  const edges = new Map<string, DependencyEdge>();
  const external = new Map<string, Set<string>>();
  for (const importer of importers) {
    const { filePath: from } = importer;
    for (const module of importer.modules) {
      const found = resolver.resolve(module, importer);
      for (const to of found) edges.set(`${from}\0${to}`, { from, to });
      if (found.length > 0 || isRelative(module)) continue;
      const users = external.get(module) ?? new Set();
      external.set(module, users.add(from));
    }
  }
  const distinct = [...edges.values()].filter(({ from, to }) => from !== to);
  return {
    internal: distinct.filter(({ to }) => inside.has(to)),
    project: distinct.filter(({ to }) => !inside.has(to)),
    external: [...external].map(([module, users]) => ({ module, usedBy: [...users] })).sort(byModule),
  };
}

/** `export * from './x'` needs `./x` as much as an import does. */
function modulesOf({ imports, exports }: Skeleton): string[] {
  const reExported = exports
    .filter(({ kind }) => kind === 're-export')
    .flatMap(({ signature }) => /\bfrom\s*(['"])([^'"]+)\1/.exec(signature)?.[2] ?? []);
  return [...imports.map(({ module }) => module), ...reExported];
}

function isRelative(module: string): boolean {
  return module.startsWith('./') || module.startsWith('../');
}

function byModule(one: { module: string }, other: { module: string }): number {
  return one.module < other.module ? -1 : 1;
}
