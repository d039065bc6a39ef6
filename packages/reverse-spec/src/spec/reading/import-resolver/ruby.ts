import { posix } from 'node:path';
import {
  firstParts,
  type ImportedModule,
  type LanguageRule,
  type ProjectFiles,
  within,
} from './project-files.ts';

/** `require` and `autoload` look below every `lib/` of the project, `require_relative` beside the file. */
export function openRuby(files: ProjectFiles): LanguageRule {
  const libraries = files.paths.flatMap((path) => /^(?:.*\/)?lib(?=\/)/.exec(path)?.[0] ?? []);
  const roots = [...new Set(libraries), '.'];
  const find = (path: string | undefined) =>
    path === undefined ? [] : [path, `${path}.rb`].filter((each) => each.endsWith('.rb') && files.has(each));
  return {
    resolve: ({ module }, from) => {
      if (module.startsWith('.') || isRelative(files.text(from), module))
        return find(within(posix.dirname(from), module));
      for (const root of roots) {
        const found = find(within(root, module));
        if (found.length > 0) return found;
      }
      return [];
    },
    packageOf: (module) => firstParts(module, '/', 1),
    hidden: (from) => requiresIn(files.text(from)),
  };
}

const REQUIRE =
  /^[ \t]*(?:require|require_relative|load|autoload[ \t(]+:\w+[ \t]*,)[ \t(]*['"]([^'"\n#]+)['"]/gm;

function requiresIn(text: string): ImportedModule[] {
  return [...text.matchAll(REQUIRE)].map(([, module = '']) => ({ module, names: [] }));
}

function isRelative(text: string, module: string): boolean {
  return text.includes(`require_relative '${module}'`) || text.includes(`require_relative "${module}"`);
}
