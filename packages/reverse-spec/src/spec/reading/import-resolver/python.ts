import { posix } from 'node:path';
import {
  declaredName,
  firstParts,
  type ImportedModule,
  type LanguageRule,
  type ProjectFiles,
  within,
} from './project-files.ts';

const MANIFESTS = ['pyproject.toml', 'setup.py', 'setup.cfg'];

/**
 * Creates the rule for Python. `a.b.c` is a path relative to a source root: the project, the folder of a
 * manifest, or `src/` in that folder.
 */
export function openPython(files: ProjectFiles): LanguageRule {
  const roots = sourceRoots(files);
  return {
    resolve: (imported, from) => {
      const [, dots = '', rest = ''] = /^(\.*)(.*)/.exec(imported.module) ?? [];
      const path = rest.replaceAll('.', '/');
      if (dots === '')
        return fromRoots(files, [...roots, ...scriptFolder(files, from)], { ...imported, path });
      const up = within(posix.dirname(from), '../'.repeat(dots.length - 1), path);
      return up === undefined ? [] : moduleAt(files, up, imported.names);
    },
    packageOf: (module) => firstParts(module, '.', 1),
    hidden: (from) => insideFunctions(files.text(from)),
  };
}

/** Returns the folder of a script: scripts can import files beside them. Empty for modules of a package, which cannot. */
function scriptFolder(files: ProjectFiles, from: string): string[] {
  const folder = posix.dirname(from);
  return files.has(posix.join(folder, '__init__.py')) ? [] : [folder];
}

function fromRoots(
  files: ProjectFiles,
  roots: readonly string[],
  { path, names }: { path: string; names: readonly string[] },
): string[] {
  for (const root of roots) {
    const found = moduleAt(files, posix.join(root, path), names);
    if (found.length > 0) return found;
  }
  return [];
}

function sourceRoots(files: ProjectFiles): string[] {
  const folders = MANIFESTS.flatMap((name) => files.named(name)).map((path) => posix.dirname(path));
  return [...new Set(['.', 'src', ...folders.flatMap((each) => [each, posix.join(each, 'src')])])];
}

/** Returns the files of imported names. A name may be a submodule of a package; other names are declared in the file of the package. */
function moduleAt(files: ProjectFiles, path: string, names: readonly string[]): string[] {
  const own = fileAt(files, path);
  const submodules = names.map((name) => fileAt(files, posix.join(path, declaredName(name))));
  const found = submodules.map((each) => each ?? own);
  return [...new Set(names.length === 0 ? [own] : found)].flatMap((each) => each ?? []);
}

function fileAt(files: ProjectFiles, path: string): string | undefined {
  return [`${path}.py`, `${path}/__init__.py`, `${path}.pyi`, `${path}/__init__.pyi`].find((each) =>
    files.has(posix.normalize(each)),
  );
}

/** Matches doc strings. They are removed first, because examples in them may contain imports. */
const QUOTED = /("""|''')[\s\S]*?(?:\1|$)/g;
const INDENTED =
  /^[ \t]+(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(?:\(([^()]*)\)|([^\n#]*))|import[ \t]+([^\n#]*))/gm;

function insideFunctions(text: string): ImportedModule[] {
  return [...text.replace(QUOTED, '').matchAll(INDENTED)].flatMap(([, module, listed, plain, whole]) => {
    if (module !== undefined) return [{ module, names: namesIn(listed ?? plain ?? '') }];
    return namesIn(whole ?? '').map((name) => ({ module: declaredName(name), names: [] }));
  });
}

function namesIn(list: string): string[] {
  return list.split(',').flatMap((name) => /^\s*([\w.*]+)/.exec(name)?.[1] ?? []);
}
