import { grouped } from '../../runtime/grouped.ts';
import type { Dependencies, DependencyEdge, FileFacts } from './facts.ts';
import type { ImportedModule, Importer, ImportResolver } from './import-resolver.ts';

export interface DependencyScope {
  /** Files of the target; what else the resolver knows is the project around it. */
  within: readonly string[];
  resolver: ImportResolver;
}

export function importerOf(facts: FileFacts): Importer {
  const { filePath, language } = facts.skeleton;
  return { filePath, language, imports: importsOf(facts) };
}

/** Who imports whom: files where an import can be followed, packages where it leaves the project. Cycles stay. */
export function resolveDependencies(
  importers: Iterable<Importer>,
  { within, resolver }: DependencyScope,
): Dependencies {
  const inside = new Set(within);
  const internal: DependencyEdge[] = [];
  const project: DependencyEdge[] = [];
  const external: [module: string, from: string][] = [];
  for (const importer of importers) {
    const { filePath: from } = importer;
    const { files, packages } = resolver.needsOf(importer);
    for (const to of files) (inside.has(to) ? internal : project).push({ from, to });
    for (const name of packages) external.push([name, from]);
  }
  const modules = [...grouped(external)].map(([module, usedBy]) => ({ module, usedBy }));
  return { internal, project, external: modules.sort(byModule) };
}

/** `export * from '../x'` needs `./x` as much as an import does, and so does Rust's `mod x;`. */
function importsOf({ skeleton, internals }: FileFacts): ImportedModule[] {
  const { imports, exports, language } = skeleton;
  const passedOn = exports
    .filter(({ kind }) => kind === 're-export')
    .flatMap(({ signature }) => /\bfrom\s*(['"])([^'"]+)\1/.exec(signature)?.[2] ?? []);
  const modules = language === 'rust' ? [...exports, ...internals].flatMap(declaredModule) : [];
  return [...imports, ...[...passedOn, ...modules].map((module) => ({ module, names: [] }))];
}

function declaredModule({ kind, signature }: { kind: string; signature: string }): string[] {
  const name = kind === 'namespace' ? /\bmod\s+(?:r#)?(\w+)$/.exec(signature)?.[1] : undefined;
  return name === undefined ? [] : [`self::${name}`];
}

function byModule(one: { module: string }, other: { module: string }): number {
  return one.module < other.module ? -1 : 1;
}
