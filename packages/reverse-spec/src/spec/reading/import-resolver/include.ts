import { posix } from 'node:path';
import { type LanguageRule, type ProjectFiles, within } from './project-files.ts';

/** Folders in which compilers search headers by convention. */
const INCLUDE_FOLDER = /^(?:\.|.*\/?(?:include|inc|src|lib))$/;

/** Creates the rule for C and C++. A header is searched next to the file and then in include folders; the nearest match is used. */
export function openInclude(files: ProjectFiles): LanguageRule {
  const told = foldersOfBuildFiles(files);
  return {
    resolve: ({ module }, from) => {
      const isSystem = module.startsWith('<');
      const name = module.replace(/^["<]|[">]$/g, '');
      const beside = within(posix.dirname(from), name);
      if (!isSystem && beside !== undefined && files.has(beside)) return [beside];
      const candidates = files.named(posix.basename(name)).filter((path) => {
        if (path !== name && !path.endsWith(`/${name}`)) return false;
        const root = path === name ? '.' : path.slice(0, -name.length - 1);
        return told.has(root) || INCLUDE_FOLDER.test(root) || (name.includes('/') && !isSystem);
      });
      return nearest(candidates, from);
    },
    packageOf: (module) => module.replace(/^["<]|[">]$/g, ''),
  };
}

const BUILD_FILES = ['CMakeLists.txt', 'meson.build', 'Makefile'];

function foldersOfBuildFiles(files: ProjectFiles): ReadonlySet<string> {
  const folders = BUILD_FILES.flatMap((name) => files.named(name)).flatMap((path) =>
    [...files.text(path).matchAll(/include_directories\s{0,20}\(([^)]{0,1000})\)/gi)].flatMap(
      ([, list = '']) => list.split(/[\s"]+/).flatMap((word) => folderNamed(word, posix.dirname(path)) ?? []),
    ),
  );
  return new Set(folders);
}

function folderNamed(word: string, base: string): string | undefined {
  const plain = word.replace(/\$\{(?:CMAKE_(?:CURRENT_)?SOURCE_DIR|PROJECT_SOURCE_DIR)\}\/?/g, '');
  return plain.includes('$') ? undefined : within(base, plain);
}

function nearest(candidates: readonly string[], from: string): string[] {
  const [best] = [...candidates].sort((one, other) => shared(other, from) - shared(one, from));
  return best === undefined ? [] : [best];
}

/** Returns the number of leading segments that two paths have in common. */
function shared(one: string, other: string): number {
  const [left, right] = [one.split('/'), other.split('/')];
  const differ = left.findIndex((part, at) => part !== right[at]);
  return differ === -1 ? left.length : differ;
}
