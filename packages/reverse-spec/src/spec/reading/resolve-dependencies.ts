import { grouped } from '@secateur/base/runtime/grouped.ts';
import type { Dependencies, DependencyEdge, FileFacts } from './facts.ts';
import type { ImportedModule, ImportResolver } from './import-resolver.ts';

/** Resolves imports: to files where possible, to packages where they leave the project. Cycles stay. */
export function resolveDependencies(
  files: readonly FileFacts[],
  resolver: ImportResolver,
  /** Files of the target; what else the resolver knows is the project around it. */
  within: readonly string[] = files.map(({ skeleton }) => skeleton.filePath),
): Dependencies {
  const inside = new Set(within);
  const internal: DependencyEdge[] = [];
  const project: DependencyEdge[] = [];
  const external: [module: string, from: string][] = [];
  for (const file of files) {
    const { filePath: from, language } = file.skeleton;
    const needs = resolver.needsOf({ filePath: from, language, imports: importsOf(file) });
    for (const to of needs.files) (inside.has(to) ? internal : project).push({ from, to });
    for (const name of needs.packages) external.push([name, from]);
  }
  const modules = [...grouped(external)].map(([module, usedBy]) => ({ module, usedBy }));
  modules.sort((one, other) => (one.module < other.module ? -1 : 1));
  return { internal, project, external: modules };
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
