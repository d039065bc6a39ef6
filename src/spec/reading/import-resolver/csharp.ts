import type { ProjectFiles } from './project-files.ts';
import { firstParts, type ImportedModule, type LanguageRule } from './rule.ts';
import { indexSymbols, type PackageNames, wordsOf } from './symbols.ts';

/** `using` names a namespace, which many files share: a file needs those of them that declare a type it names. */
export function openCSharp(files: ProjectFiles): LanguageRule {
  const symbols = indexSymbols(files, files.ending('.cs'), declarationsIn);
  return {
    resolve: ({ module }, from) => {
      const declared = symbols.inPackage(module);
      if (declared.length === 0) return symbols.filesOf(module);
      const words = wordsOf(files.text(from));
      return declared.filter(({ names }) => names.some((name) => words.has(name))).map(({ path }) => path);
    },
    packageOf: (module) => firstParts(module, '.', module.startsWith('System') ? 1 : 2),
    hidden: (from) => usingsIn(files.text(from)),
  };
}

const USING = /^[ \t]*(?:global[ \t]+)?using[ \t]+(?:static[ \t]+)?(?:\w+[ \t]*=[ \t]*)?([\w.]+)[ \t]*;/gm;

function usingsIn(text: string): ImportedModule[] {
  return [...text.matchAll(USING)].map(([, module = '']) => ({ module, names: [] }));
}

const NAMESPACE = /^[ \t]*namespace[ \t]+([\w.]+)/gm;
/** At most one step deep: what stands deeper belongs to another type. */
const DECLARED =
  /^(?: {0,4}|\t)(?:\[(?:(?!\]).)*\][ \t]*)*(?:(?:public|internal|private|protected|static|abstract|sealed|partial|readonly|ref|unsafe|new|file|record)[ \t]+)*(?:(?:class|interface|struct|enum|record)[ \t]+(?:(?:struct|class)[ \t]+)?(\w+)|delegate[ \t][^(\n]{0,200}?[ \t>?\]](\w+)[ \t]*(?:<[^()\n]{0,200}>[ \t]*)?\()/gm;

/** A file with several namespaces is rare; its types count for each of them. */
function declarationsIn(text: string): PackageNames[] {
  const names = [...text.matchAll(DECLARED)].map(([, type, delegate = '']) => type ?? delegate);
  const namespaces = [...text.matchAll(NAMESPACE)].map(([, name = '']) => name);
  return [...new Set(namespaces)].map((owner) => ({ package: owner, names }));
}
