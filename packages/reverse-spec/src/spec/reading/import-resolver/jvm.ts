import {
  declaredName,
  firstParts,
  indexSymbols,
  type LanguageRule,
  type PackageNames,
  type ProjectFiles,
  type Symbols,
  wordsOf,
} from './project-files.ts';

/**
 * Creates the rule for Java and Kotlin, which can import each other. Files are found by their declarations,
 * because Kotlin's folders may differ from its packages.
 */
export function openJvm(files: ProjectFiles): LanguageRule {
  const symbols = indexSymbols(files, files.ending('.java', '.kt', '.kts'), declarationsIn);
  const meant = (name: string, from: string) => {
    if (!name.endsWith('.*')) return declaring(name, symbols);
    // `a.*` imports the names of a package, of which only those used in the file count, or all members of a
    // type.
    const owner = name.slice(0, -2);
    const declared = symbols.inPackage(owner);
    if (declared.length === 0) return declaring(owner, symbols);
    const words = wordsOf(files.text(from));
    return declared.filter(({ names }) => names.some((each) => words.has(each))).map(({ path }) => path);
  };
  return {
    resolve: ({ module, names }, from) => {
      const wanted = names.length === 0 ? [module] : names.map((name) => `${module}.${declaredName(name)}`);
      return [...new Set(wanted.flatMap((name) => ofSourceSet(meant(name, from), from)))];
    },
    packageOf: (module) =>
      firstParts(module, '.', module.startsWith('java') || module.startsWith('kotlin') ? 2 : 3),
  };
}

/** Returns the files that declare a name, or that declare the type which contains it as a nested type or static member. */
function declaring(name: string, symbols: Symbols): readonly string[] {
  for (let at = name; at.includes('.'); at = at.slice(0, at.lastIndexOf('.'))) {
    const found = symbols.filesOf(at);
    if (found.length > 0) return found;
  }
  return [];
}

const SOURCE_SET = /(?:^|\/)src\/([^/]+)\//;

/**
 * Selects the files that the importing file can see. A multiplatform project may declare a name once per
 * platform: a file sees its own source set and the common one.
 */
function ofSourceSet(paths: readonly string[], from: string): readonly string[] {
  if (paths.length < 2) return paths;
  const own = SOURCE_SET.exec(from)?.[1];
  const sets = paths.map((path) => SOURCE_SET.exec(path)?.[1]);
  const isSeen = (set: string | undefined) => set === own || set === 'main' || set === 'commonMain';
  const seen = paths.filter((_path, at) => isSeen(sets[at]));
  return seen.length > 0 ? seen : paths;
}

const PACKAGE = /^[ \t]*package[ \t]+([\w.`]+)/m;
/** Matches declarations without indentation. Indented ones are inside another declaration. */
const DECLARED =
  /^(?:@[\w.:]+(?:\((?:(?![()]).)*\))?[ \t]+)*(?:(?:public|private|internal|protected|abstract|final|sealed|open|static|strictfp|expect|actual|data|inline|value|annotation|enum|inner|suspend|infix|operator|tailrec|external|const|lateinit|override|fun|non-sealed)[ \t]+)*(?:class|interface|@interface|enum|record|object|fun|val|var|typealias)[ \t]+(?:<(?:(?!>).)*>[ \t]*)?(?:[\w.<>?, ]{0,200}[\w>?]\.)?`?(\w+)/gm;

function declarationsIn(text: string): PackageNames[] {
  const owner = PACKAGE.exec(text)?.[1]?.replaceAll('`', '') ?? '';
  return [{ package: owner, names: [...text.matchAll(DECLARED)].map(([, name = '']) => name) }];
}
