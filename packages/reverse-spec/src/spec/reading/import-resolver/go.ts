import { posix } from 'node:path';
import { firstParts, type LanguageRule, type ProjectFiles } from './project-files.ts';

/** An import path is a module of a `go.mod` and a folder below it: it means every file of that folder but its tests. */
export function openGo(files: ProjectFiles): LanguageRule {
  const modules = files
    .named('go.mod')
    .map((path) => ({
      folder: posix.dirname(path),
      name: /^module\s+(\S+)/m.exec(files.text(path))?.[1] ?? '',
    }))
    .filter(({ name }) => name !== '')
    // A module inside another one is its own.
    .sort((one, other) => other.name.length - one.name.length);
  return {
    resolve: ({ module }) => {
      const owner = modules.find(({ name }) => module === name || module.startsWith(`${name}/`));
      if (owner === undefined) return [];
      const folder = posix.join(owner.folder, module.slice(owner.name.length));
      return files.inFolder(folder).filter((path) => path.endsWith('.go') && !path.endsWith('_test.go'));
    },
    // The host, the owner and the repository; of the standard library all of it.
    packageOf: (module) => (module.split('/')[0]?.includes('.') ? firstParts(module, '/', 3) : module),
  };
}
