import {
  firstParts,
  foldersAbove,
  type ImportedModule,
  indexSymbols,
  type LanguageRule,
  type PackageNames,
  type ProjectFiles,
  wordsOf,
} from './project-files.ts';

/**
 * Creates the rule for C#. `using` imports a whole namespace. Of its files, only those are returned that
 * declare a name used in the importing file.
 */
export function openCSharp(files: ProjectFiles): LanguageRule {
  const symbols = indexSymbols(files, files.ending('.cs'), declarationsIn);
  const shared = globalUsings(files);
  return {
    resolve: ({ module }, from) => {
      const declared = symbols.inPackage(module);
      if (declared.length === 0) return symbols.filesOf(module);
      const words = wordsOf(files.text(from));
      return declared.filter(({ names }) => names.some((name) => words.has(name))).map(({ path }) => path);
    },
    // A namespace of the project is not an external package, even if none of its names is used.
    packageOf: (module) =>
      symbols.inPackage(module).length > 0
        ? undefined
        : firstParts(module, '.', module.startsWith('System') ? 1 : 2),
    hidden: (from) => [
      ...[...files.text(from).matchAll(USING)].map(([, module = '']) => ({ module, names: [] })),
      // A global `using` of an external package is skipped, because not every file needs it.
      ...shared(from).filter(({ module }) => symbols.inPackage(module).length > 0),
    ],
  };
}

const USING = /^[ \t]*(?:global[ \t]+)?using[ \t]+(?:static[ \t]+)?(?:\w+[ \t]*=[ \t]*)?([\w.]+)[ \t]*;/gm;

const GLOBAL_USING = /^[ \t]*global[ \t]+using[ \t]+(?:static[ \t]+)?([\w.]+)[ \t]*;/gm;
const PROJECT_USING = /<Using\s{1,20}Include="([\w.]{1,200})"/g;

/**
 * Returns the `using` directives for a whole project: in its project file, in a `Directory.Build.props` above
 * it, and global ones in its sources.
 */
function globalUsings(files: ProjectFiles): (from: string) => readonly ImportedModule[] {
  const projects = new Map<string, Set<string>>();
  const add = (path: string, text: string, pattern: RegExp) => {
    const project = projectOf(files, path);
    const names = projects.get(project) ?? new Set(buildProps(files, project));
    for (const [, name = ''] of text.matchAll(pattern)) names.add(name);
    projects.set(project, names);
  };
  for (const path of files.ending('.csproj')) add(path, files.text(path), PROJECT_USING);
  for (const path of files.ending('.cs')) add(path, files.text(path), GLOBAL_USING);
  return (from) => [...(projects.get(projectOf(files, from)) ?? [])].map((module) => ({ module, names: [] }));
}

function projectOf(files: ProjectFiles, path: string): string {
  const hasProject = (folder: string) => files.inFolder(folder).some((file) => file.endsWith('.csproj'));
  return foldersAbove(path).find(hasProject) ?? '.';
}

function buildProps(files: ProjectFiles, project: string): string[] {
  const above = [...new Set([project, ...foldersAbove(project)])];
  return above.flatMap((folder) => {
    const path = folder === '.' ? 'Directory.Build.props' : `${folder}/Directory.Build.props`;
    const text = files.has(path) ? files.text(path) : '';
    return [...text.matchAll(PROJECT_USING)].map(([, name = '']) => name);
  });
}

const NAMESPACE = /^[ \t]*namespace[ \t]+([\w.]+)/gm;
/** Matches declarations with at most one level of indentation. Deeper ones are members of other types. */
const DECLARED =
  /^(?: {0,4}|\t)(?:\[(?:(?!\]).)*\][ \t]*)*(?:(?:public|internal|private|protected|static|abstract|sealed|partial|readonly|ref|unsafe|new|file|record)[ \t]+)*(?:(?:class|interface|struct|enum|record)[ \t]+(?:(?:struct|class)[ \t]+)?(\w+)|delegate[ \t][^(\n]{0,200}?[ \t>?\]](\w+)[ \t]*(?:<[^()\n]{0,200}>[ \t]*)?\()/gm;

/** Returns the declarations of a file. If it has several namespaces, which is rare, each type is listed in all of them. */
function declarationsIn(text: string): PackageNames[] {
  const names = [...text.matchAll(DECLARED)].map(([, type, delegate = '']) => type ?? delegate);
  const namespaces = [...text.matchAll(NAMESPACE)].map(([, name = '']) => name);
  return [...new Set(namespaces)].map((owner) => ({ package: owner, names }));
}
