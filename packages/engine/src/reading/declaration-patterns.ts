import { detectLanguage } from '@secateur/base/languages/languages.ts';
import {
  type DeclarationKind,
  type StructuralLine,
  structuralLines,
} from '@secateur/base/languages/structure.ts';

/** Kinds of declarations, in the words of their languages. */
export type DeclarationNoun =
  | 'function'
  | 'method'
  | 'constructor'
  | 'class'
  | 'interface'
  | 'type'
  | 'enum'
  | 'struct'
  | 'trait'
  | 'implementation'
  | 'module'
  | 'export'
  | 'table';

/** Maximum characters read per line, so that an enormous line takes no longer than others. */
const MAX_HEAD = 240;

const IMPORT = [
  String.raw`import(?:\s|\(?$|["'{*])`,
  String.raw`from\s+[\w.]+\s+import\b`,
  String.raw`export\s+(?:type\s+)?(?:\*|\{[^}]*\})\s*from\b`,
  String.raw`#\s*(?:include|import|pragma once)\b`,
  String.raw`@(?:import|use|forward)\s`,
  String.raw`(?:global\s+)?using\s+(?:static\s+)?[\w.:=][\w.:= ]*;`,
  String.raw`(?:pub(?:\([^)]*\))?\s+)?(?:use\s+[\w:\\{]|extern crate |mod\s+\w+;)`,
  String.raw`package\s+[\w.]+;?\s*$`,
  String.raw`(?:const|let|var)\s[^=]{1,120}=\s*(?:await\s+import|require)\(`,
  String.raw`(?:require|require_relative|include|include_once|require_once|load|source|library)[\s(]+['"<\w./$]`,
  String.raw`(?:alias|require|import|use)\s+[A-Z][\w.]+`,
  `["']use (?:strict|client|server)["']`,
].join('|');

const MODIFIERS = String.raw`(?:(?:export|default|declare|pub(?:\([^)]*\))?|public|private|protected|internal|static|final|abstract|sealed|open|override|virtual|partial|readonly|async|unsafe|extern(?: "C")?|const|constexpr|inline|synchronized|native|suspend|data|implicit|lazy|fileprivate|mutating|local|noncomputed)\s+)*`;
const NOT_A_CALL = String.raw`(?!(?:if|for|foreach|while|switch|catch|return|else|do|try|with|when|match|case|new|throw|await|yield|typeof|delete|assert|print|elif|until|unless|in|and|or|not|using|lock|super|require)\b)`;

const DECLARATIONS: readonly { noun: DeclarationNoun; pattern: RegExp }[] = [
  {
    noun: 'class',
    pattern: new RegExp(
      `^\\s*${MODIFIERS}(?:class|record|object|companion object|case class)\\s+([A-Za-z_$][\\w$]*)`,
    ),
  },
  {
    noun: 'type',
    pattern: new RegExp(
      `^\\s*${MODIFIERS}(?:interface|enum(?: class| struct)?|struct|trait|protocol|extension|union|typedef|namespace|module|mod|mixin|actor|annotation class)\\s+([A-Za-z_$](?:[\\w$.:]*[\\w$])?)`,
    ),
  },
  { noun: 'type', pattern: new RegExp(`^\\s*${MODIFIERS}type\\s+([A-Za-z_]\\w*)`) },
  {
    noun: 'type',
    pattern:
      /^\s*(?:unsafe\s+)?impl(?:<[^>]*>)?\s+([\w:<>&'][\w:<>&' ,]{0,200}?)\s{0,20}(?:where\b.*|\{?\s*)$/,
  },
  {
    noun: 'function',
    pattern: new RegExp(
      `^\\s*${MODIFIERS}(?:def|defp|defmacro|defmodule|fn|func|fun|function\\*?|sub|proc|procedure)\\s+(?:\\([^)]*\\)\\s*)?(?:self\\.)?([A-Za-z_$][\\w$.?!:]*)`,
    ),
  },
  {
    noun: 'function',
    pattern:
      /^\s*(?:export\s+)?(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*(?::[^=]{1,120})?=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*(?::[^=]{1,80})?=>|[\w$]+\s*=>|\($)/,
  },
  { noun: 'function', pattern: /^\s*(?:module\.)?exports(?:\.([\w$]+))?\s*=\s*(?:async\s+)?(?:function|\()/ },
  // JavaScript: a function assigned to a member (`List.prototype.map = function (each) {`) or to a key of an object.
  {
    noun: 'method',
    pattern:
      /^\s*(?:(?:[A-Za-z_$][\w$]{0,80}\.){1,4}([A-Za-z_$][\w$]{0,80})\s?=|["']?([\w$][\w$, .-]{0,80})["']?:)\s?(?:async )?(?:function\b|\([^()]{0,120}\) ?=> ?\{|[\w$]{1,80} => \{)/,
  },
  { noun: 'type', pattern: /^\s*template\s*(<)/ },
  { noun: 'function', pattern: /^\s*macro_rules!\s*(\w+)/ },
  { noun: 'function', pattern: /^([A-Za-z_]\w*)\s*\(\)\s*\{/ },
  // A method: its name, its parameters, then an opening brace or the end of the line.
  {
    noun: 'method',
    pattern: new RegExp(
      `^\\s+${MODIFIERS}(?:get\\s+|set\\s+|\\*\\s*)?${NOT_A_CALL}([#A-Za-z_$][\\w$]*)\\s*(?:<[^<>()]*>)?\\([^()]*(?:\\([^()]*\\)[^()]*)*\\)\\s*(?::\\s*[^={;]{1,80})?\\{\\s*$`,
    ),
  },
  // Java, C#, C++: modifiers or a return type before the name.
  {
    noun: 'method',
    pattern: new RegExp(
      `^\\s*(?:public|private|protected|internal|static|final|abstract|override|virtual|async|synchronized|native|default)\\s+(?:[\\w<>\\[\\],.?*&:]+\\s+)*${NOT_A_CALL}([A-Za-z_~]\\w*)\\s*\\(`,
    ),
  },
  {
    noun: 'function',
    pattern: new RegExp(
      `^${NOT_A_CALL}(?:[A-Za-z_][\\w:<>,*&]*\\s+)+[*&]*([A-Za-z_~][\\w:~]*)\\s*\\([^;={}]*(?:\\{\\s*)?$`,
    ),
  },
];
/** The only pattern that ignores case. It is tried first, because its matches look like functions of C. */
const SQL =
  /^\s*CREATE\s+(?:OR\s+REPLACE\s+)?(?:TEMP(?:ORARY)?\s+)?(TABLE|VIEW|FUNCTION|PROCEDURE|TRIGGER|INDEX|TYPE)\s+(?:IF\s+NOT\s+EXISTS\s+)?["`[]?([\w.]+)/i;
const SQL_NOUNS: Readonly<Record<string, DeclarationNoun>> = {
  FUNCTION: 'function',
  PROCEDURE: 'function',
  TRIGGER: 'function',
  TYPE: 'type',
};
/** All other patterns combined. It excludes most lines, in half the time of trying each pattern. */
const ANY_DECLARATION = new RegExp(DECLARATIONS.map(({ pattern }) => pattern.source).join('|'));
const IMPORT_LINE = new RegExp(`^\\s*(?:${IMPORT})`);

export interface DeclarationLine {
  noun: DeclarationNoun;
  name: string;
}

/** Returns what a source line seems to be, in any supported language: an import or a declaration. */
export function structureAt(line: string): 'import' | DeclarationLine | undefined {
  const head = headOf(line);
  if (!/[A-Za-z]/.test(head)) return undefined;
  return IMPORT_LINE.test(head) ? 'import' : declarationAt(head);
}

/** Returns the beginning of a line with at most one leading space. Patterns are tried again after each space. */
function headOf(line: string): string {
  const indent = line.length - line.trimStart().length;
  return line.slice(Math.max(0, indent - 1), MAX_HEAD);
}

function declarationAt(head: string): DeclarationLine | undefined {
  const [created, word = '', table = ''] = SQL.exec(head) ?? [];
  if (created !== undefined) return { noun: SQL_NOUNS[word.toUpperCase()] ?? 'table', name: table };
  if (!ANY_DECLARATION.test(head)) return undefined;
  for (const { noun, pattern } of DECLARATIONS) {
    const found = pattern.exec(head);
    if (found !== null) return { noun, name: (found[1] ?? found[2] ?? '').trim() };
  }
  return undefined;
}

/** A declaration and its 0-based line. `name` is empty if the declaration has none. */
export interface Declared extends DeclarationLine {
  readonly index: number;
}

/**
 * Finds declarations, in order. Uses the patterns of the text's language and those of all languages, because
 * the language of a fragment is often misjudged.
 */
export function readDeclarations(lines: readonly string[], fileName?: string): Declared[] {
  const language = fileName === undefined ? undefined : detectLanguage({ path: fileName });
  const own = new Map(structuralLines(lines, language).map((line) => [line.line - 1, line]));
  return lines.flatMap((line, index) => {
    const found = line === '' ? undefined : (ownStructure(own.get(index), line) ?? structureAt(line));
    return found === undefined || found === 'import' ? [] : [{ index, ...found }];
  });
}

function ownStructure(line: StructuralLine | undefined, text: string): ReturnType<typeof structureAt> {
  // An argument that is a call looks like a method.
  if (line === undefined || text.endsWith('),')) return undefined;
  if (line.kind === 'import' || line.kind === 're-export') return 'import';
  const noun = NOUNS[line.kind];
  return noun === undefined ? undefined : { noun, name: line.name };
}

/** Kinds of declarations that become units. Constants, macros, variables, properties and cases do not. */
const NOUNS: Partial<Record<DeclarationKind, DeclarationNoun>> = {
  function: 'function',
  method: 'method',
  constructor: 'constructor',
  class: 'class',
  interface: 'interface',
  type: 'type',
  enum: 'enum',
  struct: 'struct',
  trait: 'trait',
  impl: 'implementation',
  namespace: 'module',
  default: 'export',
};
