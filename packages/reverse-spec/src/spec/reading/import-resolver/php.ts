import { posix } from 'node:path';
import { isFields } from '@secateur/base/text/json.ts';
import {
  declaredName,
  firstParts,
  type LanguageRule,
  type ProjectFiles,
  readJson,
  within,
} from './project-files.ts';

/** Creates the rule for PHP. A class is in the folder that `composer.json` names for its namespace, else in any file that declares it. */
export function openPhp(files: ProjectFiles): LanguageRule {
  const folders = namespaceFolders(files);
  let declared: Map<string, string> | undefined;
  const classFile = (name: string): string | undefined => {
    for (const { prefix, folder } of folders) {
      if (!name.startsWith(prefix)) continue;
      const path = within(folder, `${name.slice(prefix.length).replaceAll('\\', '/')}.php`);
      if (path !== undefined && files.has(path)) return path;
    }
    declared ??= declarations(files);
    return declared.get(name);
  };
  return {
    resolve: ({ module, names }, from) => {
      if (/['"]/.test(module)) return required(files, module, from);
      const all = names.length === 0 ? [module] : names.map((name) => `${module}\\${declaredName(name)}`);
      return all.flatMap((name) => classFile(name.replace(/^\\/, '')) ?? []);
    },
    packageOf: (module) => firstParts(module.replace(/^\\/, ''), '\\', 2),
  };
}

interface NamespaceFolder {
  prefix: string;
  folder: string;
}

function namespaceFolders(files: ProjectFiles): NamespaceFolder[] {
  return files
    .named('composer.json')
    .flatMap((path) => {
      const manifest = readJson(files.text(path));
      return ['autoload', 'autoload-dev'].flatMap((key) => foldersIn(manifest[key], posix.dirname(path)));
    })
    .sort((one, other) => other.prefix.length - one.prefix.length);
}

function foldersIn(autoload: unknown, base: string): NamespaceFolder[] {
  const rules = isFields(autoload) ? autoload['psr-4'] : undefined;
  if (!isFields(rules)) return [];
  return Object.entries(rules).flatMap(([prefix, where]) =>
    [where].flat().flatMap((folder) => {
      const path = typeof folder === 'string' ? within(base, folder) : undefined;
      return path === undefined ? [] : [{ prefix, folder: path }];
    }),
  );
}

const NAMESPACE = /^[ \t]*namespace[ \t]+([\w\\]+)[ \t]*[;{]/m;
const DECLARED =
  /^[ \t]*(?:(?:abstract|final|readonly)[ \t]+)*(?:class|interface|trait|enum|function)[ \t]+&?(\w+)/gm;

/** Returns the files of declarations by name, for classes that Composer does not load by namespace. */
function declarations(files: ProjectFiles): Map<string, string> {
  const found = new Map<string, string>();
  for (const path of files.ending('.php')) {
    const text = files.text(path);
    const namespace = NAMESPACE.exec(text)?.[1];
    for (const [, name = ''] of text.matchAll(DECLARED)) {
      const whole = namespace === undefined ? name : `${namespace}\\${name}`;
      if (!found.has(whole)) found.set(whole, path);
    }
  }
  return found;
}

/** Returns the files that `require 'a.php'` or `require __DIR__ . '/a.php'` may refer to. */
function required(files: ProjectFiles, module: string, from: string): string[] {
  const name = /['"]([^'"]+)['"]/.exec(module)?.[1] ?? '';
  const path = within(posix.dirname(from), name.replace(/^\//, ''));
  return path !== undefined && files.has(path) ? [path] : [];
}
