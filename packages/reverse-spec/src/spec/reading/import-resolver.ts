import { posix } from 'node:path';
import { grouped } from '@secateur/base/runtime/grouped.ts';
import type { Dependencies, DependencyEdge, FileFacts } from './facts.ts';
import { openCSharp } from './import-resolver/csharp.ts';
import { openInclude } from './import-resolver/include.ts';
import { openJavaScript } from './import-resolver/javascript.ts';
import { openJvm } from './import-resolver/jvm.ts';
import { openPhp } from './import-resolver/php.ts';
import {
  firstParts,
  type ImportedModule,
  type LanguageRule,
  type OpenRule,
  ProjectFiles,
  within as pathWithin,
} from './import-resolver/project-files.ts';
import { openPython } from './import-resolver/python.ts';
import { openRust } from './import-resolver/rust.ts';

export type { ImportedModule };

/** A file and the imports in its outline. */
export interface Importer {
  filePath: string;
  language: string;
  imports: readonly ImportedModule[];
}

export interface ImportResolver {
  /** Returns the project files and the external packages that a file imports. */
  needsOf(importer: Importer): Needs;
  /** Returns the project files that one import refers to. */
  filesOf(imported: ImportedModule, from: Pick<Importer, 'filePath' | 'language'>): readonly string[];
}

export interface Needs {
  files: string[];
  packages: string[];
}

/** Matches imports that refer to the same package. */
const NEAR = /^(?:\.|$|(?:self|super|crate)(?:::|$))/;

/**
 * Resolves imports by the rules of each language and the manifests of the project. The rule of a language is
 * created at its first use, because it may read sources.
 */
export function createImportResolver(base: string, paths: readonly string[]): ImportResolver {
  const files = new ProjectFiles(base, paths);
  const opened = new Map<OpenRule, LanguageRule>();
  const ruleOf = (language: string): LanguageRule => {
    const open = RULES[language] ?? (() => ({ resolve: () => [], packageOf: (module: string) => module }));
    const rule = opened.get(open) ?? open(files);
    opened.set(open, rule);
    return rule;
  };
  const needsOf = ({ filePath, language, imports }: Importer): Needs => {
    const rule = ruleOf(language);
    // V8 keeps a whole text in memory as long as a slice of it is used. `structuredClone` copies the slice.
    const hidden = structuredClone(rule.hidden?.(filePath) ?? []);
    const meant = [...imports, ...hidden].map((imported) => ({
      files: rule.resolve(imported, filePath),
      package: NEAR.test(imported.module) ? undefined : rule.packageOf(imported.module),
    }));
    const found = new Set(meant.flatMap((each) => each.files));
    found.delete(filePath);
    const packages = meant.flatMap((each) => (each.files.length > 0 ? [] : (each.package ?? [])));
    return { files: [...found], packages: [...new Set(packages)] };
  };
  // Cache: a batch resolves the imports of a file once for the project and again for its module.
  const known = new Map<string, Needs>();
  return {
    filesOf: (imported, { filePath, language }) => ruleOf(language).resolve(imported, filePath),
    needsOf: (importer) => {
      const needs = known.get(importer.filePath) ?? needsOf(importer);
      known.set(importer.filePath, needs);
      return needs;
    },
  };
}

const RULES: Readonly<Record<string, OpenRule>> = {
  typescript: openJavaScript,
  tsx: openJavaScript,
  javascript: openJavaScript,
  python: openPython,
  go: openGo,
  rust: openRust,
  ruby: openRuby,
  c: openInclude,
  cpp: openInclude,
  java: openJvm,
  kotlin: openJvm,
  php: openPhp,
  csharp: openCSharp,
};

/** Resolves the imports of files to project files or external packages. Import cycles are kept. */
export function resolveDependencies(
  files: readonly FileFacts[],
  resolver: ImportResolver,
  /** Files of the target. Default: `files`. The rest of the known files belong to the project. */
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

/**
 * Returns all imports of a file, including the modules of re-exports (`export * from './x'`) and of Rust's
 * `mod x;`.
 */
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

/**
 * Creates the rule for Go. An import path is the name of a module in `go.mod` plus a folder. It refers to all
 * files in the folder except tests.
 */
function openGo(files: ProjectFiles): LanguageRule {
  const modules = files
    .named('go.mod')
    .map((path) => ({
      folder: posix.dirname(path),
      name: /^module\s+(\S+)/m.exec(files.text(path))?.[1] ?? '',
    }))
    .filter(({ name }) => name !== '')
    // Longer module names come first, because a module may be in the folder of another one.
    .sort((one, other) => other.name.length - one.name.length);
  return {
    resolve: ({ module }) => {
      const owner = modules.find(({ name }) => module === name || module.startsWith(`${name}/`));
      if (owner === undefined) return [];
      const folder = posix.join(owner.folder, module.slice(owner.name.length));
      return files.inFolder(folder).filter((path) => path.endsWith('.go') && !path.endsWith('_test.go'));
    },
    // Returns host, owner and repository. For the standard library, returns the whole path.
    packageOf: (module) => (module.split('/')[0]?.includes('.') ? firstParts(module, '/', 3) : module),
  };
}

/**
 * Creates the rule for Ruby. `require` and `autoload` search each `lib/` of the project; `require_relative`
 * searches the folder of the file.
 */
function openRuby(files: ProjectFiles): LanguageRule {
  const libraries = files.paths.flatMap((path) => /^(?:.*\/)?lib(?=\/)/.exec(path)?.[0] ?? []);
  const roots = [...new Set(libraries), '.'];
  const find = (path: string | undefined) =>
    path === undefined ? [] : [path, `${path}.rb`].filter((each) => each.endsWith('.rb') && files.has(each));
  return {
    resolve: ({ module }, from) => {
      if (
        module.startsWith('.') ||
        [`'${module}'`, `"${module}"`].some((each) => files.text(from).includes(`require_relative ${each}`))
      )
        return find(pathWithin(posix.dirname(from), module));
      for (const root of roots) {
        const found = find(pathWithin(root, module));
        if (found.length > 0) return found;
      }
      return [];
    },
    packageOf: (module) => firstParts(module, '/', 1),
    hidden: (from) =>
      [...files.text(from).matchAll(REQUIRE)].map(([, module = '']) => ({ module, names: [] })),
  };
}

const REQUIRE =
  /^[ \t]*(?:require|require_relative|load|autoload[ \t(]+:\w+[ \t]*,)[ \t(]*['"]([^'"\n#]+)['"]/gm;
