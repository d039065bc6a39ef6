import { importGraph } from './import-graph.ts';

/** Modules whose files are all private, or all public; modules of the engine are private to it. */
const NOT_CHECKED =
  /^packages\/([^/]+\/src\/(main|cli|config|commands|adapters|server)|engine\/src\/(?!recovery)\w[\w-]*)\//;
/** Exported by a package: its importers are not in this repository. */
const EXPORTED = new Set(['packages/secateur/src/runner/focus-run.ts', 'packages/engine/src/secateur.ts']);

/** Files that are started or loaded by their path. */
const STARTED = /-worker\.ts$|^packages\/[^/]+\/src\/main\//;

/** The files directly in a module's folder are what others may import; one that no other module imports belongs in a sub-folder. */
export function checkModuleFiles(root: string): string[] {
  const graph = importGraph(root);
  const importers = new Map<string, Set<string>>();
  for (const [file, imported] of graph) {
    for (const target of imported)
      importers.set(target, (importers.get(target) ?? new Set()).add(moduleOf(file)));
  }
  const unused = [...graph.keys()]
    .filter((file) => !importers.has(file) && !STARTED.test(file) && !isExported(file))
    .map((file) => `no file imports ${file}`);
  const inner = [...graph.keys()]
    .filter((file) => isPublic(file) && !NOT_CHECKED.test(file) && !isExported(file))
    .filter((file) => ![...(importers.get(file) ?? [])].some((module) => module !== moduleOf(file)))
    .map((file) => `no other module imports ${file}: it belongs in a sub-folder`);
  return [...unused, ...inner];
}

function isExported(file: string): boolean {
  return EXPORTED.has(file) || file.startsWith('packages/secateur/src/adapters/');
}

function isPublic(file: string): boolean {
  return file.split('/').length <= 5;
}

/** Servers are modules of their own. The files directly in a package's `src/` are one module, with the folders they own. */
function moduleOf(file: string): string {
  const [, name = '', , module = '', ...rest] = file.split('/');
  if (rest.length === 0) return `${name}/`;
  if (name === 'engine' && !ENGINE_MODULES.has(module)) return `${name}/`;
  return module === 'servers' && rest.length > 1 ? `${name}/servers/${rest[0]}` : `${name}/${module}`;
}

const ENGINE_MODULES = new Set(['reading', 'policy', 'ranking', 'cutting', 'recovery']);
