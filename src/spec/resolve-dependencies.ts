import type { Dependencies, DependencyEdge, FileFacts } from './facts.ts';
import type { ImportResolver } from './import-resolver.ts';
import type { Skeleton } from './skeleton.ts';

export interface DependencyScope {
  /** Files of the target; what else the resolver knows is the project around it. */
  within: readonly string[];
  resolver: ImportResolver;
}

/** Who imports whom: files where an import can be followed, module names where it leaves the project. */
export function resolveDependencies(
  files: readonly FileFacts[],
  { within, resolver }: DependencyScope,
): Dependencies {
  const inside = new Set(within);
  const edges = new Map<string, DependencyEdge>();
  const external = new Map<string, Set<string>>();
  for (const { skeleton } of files) {
    for (const { module } of importedModules(skeleton)) {
      const found = resolver.resolve(module, skeleton);
      for (const to of found) edges.set(`${skeleton.filePath}\0${to}`, { from: skeleton.filePath, to });
      if (found.length > 0 || isRelative(module)) continue;
      const users = external.get(module) ?? new Set();
      external.set(module, users.add(skeleton.filePath));
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
function importedModules({ imports, exports }: Skeleton): { module: string }[] {
  const reExports = exports
    .filter(({ kind }) => kind === 're-export')
    .flatMap(({ signature }) => {
      const module = /\bfrom\s*(['"])([^'"]+)\1/.exec(signature)?.[2];
      return module === undefined ? [] : [{ module }];
    });
  return [...imports, ...reExports];
}

function isRelative(module: string): boolean {
  return module.startsWith('./') || module.startsWith('../');
}

function byModule(one: { module: string }, other: { module: string }): number {
  return one.module < other.module ? -1 : 1;
}
