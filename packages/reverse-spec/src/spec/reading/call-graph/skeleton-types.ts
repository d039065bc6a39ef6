/** Reads types from the signatures of exports: types of fields and results, imports of scripts, extension methods. */
import { type Binding, type Typing, typesInDoc, type Variables } from '../../../syntax/body-facts.ts';
import { displayName, type Skeleton, type SkeletonExport } from '../skeleton.ts';
import { bracketGroups, topLevelParts } from '../type-text.ts';

const SCRIPT = /script$|^tsx$/;
/** Languages in which a type is written after the name and a colon. */
const COLON: ReadonlySet<string> = new Set(['typescript', 'tsx', 'kotlin', 'swift', 'rust', 'python']);
/** Languages in which a type is written before the name. */
const BEFORE: ReadonlySet<string> = new Set(['java', 'csharp', 'cpp', 'php']);
const VALUE_KINDS: ReadonlySet<string> = new Set(['property', 'constant', 'variable']);
const MAX_SIGNATURE = 400;

/** Returns the typings of fields and constants whose signature contains a type. */
export function valuesIn(exports: readonly SkeletonExport[], language: string): Variables {
  return Object.fromEntries(
    exports.flatMap((each) => {
      const typing = VALUE_KINDS.has(each.kind) ? typingOf(each, language) : undefined;
      return typing === undefined ? [] : [[each.name.replace(/^\$/, language === 'php' ? '' : '$'), typing]];
    }),
  );
}

function typingOf(each: SkeletonExport, language: string): Typing | undefined {
  const type = writtenType(each, language);
  if (type !== undefined || !SCRIPT.test(language)) return type && `:${type}`;
  const [, made, path, call] = VALUE.exec(each.signature) ?? [];
  if (made !== undefined) return `=<${made}>`;
  return path && `=${path}${call === undefined ? '' : '()'}`;
}

/** Matches a value that is a new object, a path or a call of one: `= new Box(1)`, `= Registry.box`, `= makeBox(1)`. */
const VALUE =
  /=\s{0,9}(?:new\s{1,9}([\w$.]{1,100})(?:\([^()]{0,200}\))?|([\w$.]{1,100})(\([^()]{0,200}\))?);?$/;

function writtenType({ name, signature }: SkeletonExport, language: string): string | undefined {
  const at = signature.length > MAX_SIGNATURE ? -1 : nameAt(signature, name);
  if (at === -1) return undefined;
  if (COLON.has(language)) return /^\??!?:\s*([^={;]+)/.exec(signature.slice(at + name.length))?.[1]?.trim();
  const type = BEFORE.has(language) ? typeBefore(signature.slice(0, at)) : undefined;
  return type === undefined || NO_TYPE.test(type) ? undefined : type;
}

/** Returns the type at the end of a text: `Argument` for `inline Argument &`. */
function typeBefore(text: string): string | undefined {
  let end = text.length;
  while (end > 0 && ' \t\n*&$'.includes(text[end - 1] ?? '')) end -= 1;
  const word = text.slice(0, end).split(/\s/).at(-1) ?? '';
  return end < text.length && /^[\w.:\\?]+(?:<[^()<>]*>)?(?:\[\])?$/.test(word) ? word : undefined;
}

const NO_TYPE =
  /^(?:var|auto|public|private|protected|internal|static|readonly|final|const|volatile|required|virtual|override|abstract|new|event)$/;

function nameAt(signature: string, name: string): number {
  for (let at = signature.indexOf(name); at !== -1; at = signature.indexOf(name, at + 1)) {
    const isWhole = !WORD.test(signature[at - 1] ?? '') && !WORD.test(signature[at + name.length] ?? '');
    if (isWhole) return at;
  }
  return -1;
}

const WORD = /[\w$]/;

/** Returns the names that a script or a Python module uses from other files: imports, re-exports and exported `require` calls. */
export function bindingsOf({
  language,
  exports,
  imports,
}: Pick<Skeleton, 'language' | 'exports' | 'imports'>): Binding[] {
  const imported = imports.flatMap(({ module, names }) => names.flatMap((name) => importedAs(name, module)));
  const stars = imports.filter(({ names }) => names.includes('*'));
  if (language === 'python')
    return [...imported, ...stars.map(({ module }) => ({ local: '*', module, name: '*' }))];
  if (!SCRIPT.test(language)) return [];
  return [...imported, ...exportedBindings(exports)];
}

/** Returns the names from other modules that a script exports. */
export function exportedBindings(exports: readonly SkeletonExport[]): Binding[] {
  return exports.flatMap((each) => [...requiredBy(each), ...passedOn(each)]);
}

/** Returns the binding of an imported name: `a`, `type a`, `a as b`, `* as ns`. */
function importedAs(written: string, module: string): Binding[] {
  const [, name, local = name] = /^(?:type\s+)?([\w$*]+)(?:\s+as\s+([\w$]+))?$/.exec(written) ?? [];
  return name === undefined || local === undefined || local === '*' ? [] : [{ local, module, name }];
}

/** Returns the bindings of a re-export: `export { a as b } from './a'`, `export * from './a'`. */
function passedOn({ kind, signature }: SkeletonExport): Binding[] {
  if (kind !== 're-export') return [];
  const [, list = '', module] =
    /^export\s+(?:type\s+)?(\*|\{[^}]*\})\s*from\s*["']([^"']+)["']/.exec(signature) ?? [];
  if (module === undefined) return [];
  if (list === '*') return [{ local: '*', module, name: '*' }];
  return list
    .slice(1, -1)
    .split(',')
    .flatMap((name) => importedAs(name.trim(), module));
}

/** Returns the binding of an exported `require` call: `exports.json = require('./json')` or `exports.a = require('./b').a`. */
function requiredBy({ name: local, signature }: SkeletonExport): Binding[] {
  const [, module, name = '*'] =
    /\brequire\(\s*["']([^"']+)["']\s*\)(?:\.([\w$]+))?\s*;?$/.exec(signature) ?? [];
  return module === undefined ? [] : [{ local, module, name }];
}

/** A method that is declared outside of its type. */
export interface Extension {
  name: string;
  /** Type as written in the source. */
  type: string;
  path: string;
  /** Full name under which the file lists the function. */
  declared: string;
}

/** Returns extension methods: `static T Null<T>(this IGuard guard, …)` in C#, `fun Route.get(…)` in Kotlin. */
export function extensionsIn({ filePath: path, language, exports }: Skeleton): Extension[] {
  if (language === 'kotlin')
    return exports.flatMap(({ name, kind, signature }) => {
      const type = kind === 'function' ? KOTLIN_RECEIVER.exec(signature)?.[1] : undefined;
      return type === undefined ? [] : [{ name, type, path, declared: name }];
    });
  if (language !== 'csharp') return [];
  return exports.flatMap((holder) =>
    (holder.members ?? []).flatMap(({ name, signature }) => {
      const type = /\(\s*this\s+(?:(?:in|ref|scoped)\s+)*([\w.]+)/.exec(signature)?.[1];
      return type === undefined ? [] : [{ name, type, path, declared: `${displayName(holder)}.${name}` }];
    }),
  );
}

const KOTLIN_RECEIVER = /\bfun\s+(?:<[^>]{0,200}>\s*)?([\w.]+)(?:<[^>]{0,200}>)?\??\.\w+\s*\(/;

/** Patterns by language that find the result type after the parameters: `: Foo`, `-> Foo`, or the type alone. */
const RESULT: Readonly<Record<string, RegExp>> = {
  go: /^(\*?[\w.]+)$/,
  rust: /^->(.+)$/s,
  python: /^->([^:]+)/,
  typescript: /^:([^=]+)$/,
  tsx: /^:([^=]+)$/,
  php: /^:(.+)$/,
  kotlin: /^:([^={]+)/,
  swift: /^(?:async |throws |rethrows )*->(.+)$/s,
};

export function returnsIn(
  { signature, kind, name, jsDoc }: SkeletonExport,
  language: string,
): string | undefined {
  if (kind === 'constructor') return undefined;
  const { before, last, after } = parameterLists(signature);
  if (language === 'java' || language === 'csharp') {
    const [own, type] = before.trim().split(/\s+/).reverse();
    return own === name ? type : undefined;
  }
  if (language === 'cpp') return cppResult(before.trimEnd());
  // A Go function with several results is typed by the first.
  if (language === 'go' && after === '' && last !== '') return topLevelParts(last)[0]?.split(/\s+/).at(-1);
  const type = RESULT[language]
    ?.exec(after)?.[1]
    ?.split(/\swhere\s/)[0]
    ?.trim();
  if (type === undefined) return typesInDoc(jsDoc, language).returns;
  return type.length > 200 ? undefined : type;
}

/** Returns the result type of a C++ function, as in `Argument &add(…)`. Undefined for `auto`, whose type is after the parameters. */
function cppResult(before: string): string | undefined {
  const type = typeBefore(before.replace(/[\w:~]{1,200}$/, ''));
  return type === 'auto' || type === 'void' ? undefined : type;
}

/**
 * Splits a signature into the text before the first brackets, the content of the last brackets if they
 * contain results, and the text after the last brackets.
 */
function parameterLists(signature: string): { before: string; last: string; after: string } {
  const groups = bracketGroups(signature);
  const [first, final] = [groups[0], groups.at(-1)];
  const isResult = groups.length > (signature.startsWith('func (') ? 2 : 1);
  return {
    before: signature.slice(0, first?.[0] ?? 0),
    last: isResult && final !== undefined ? signature.slice(final[0] + 1, final[1]) : '',
    after: final === undefined ? '' : signature.slice(final[1] + 1).trim(),
  };
}
