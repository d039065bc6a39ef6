import { indentOf } from '../text/lines.ts';
import { drawTogether, type LinePattern } from './languages/language.ts';
import { guessLanguage, type LanguageId, languageById } from './languages.ts';

export type DeclarationKind =
  | 'function'
  | 'class'
  | 'interface'
  | 'type'
  | 'enum'
  | 'constant'
  | 'variable'
  | 'namespace'
  | 'struct'
  | 'trait'
  | 'impl'
  | 'macro'
  | 'method'
  | 'constructor'
  | 'property'
  | 'case'
  | 're-export'
  | 'default';

export interface StructuralLine {
  /** Line number, 1-based. */
  line: number;
  role: 'import' | 'declaration';
  kind: DeclarationKind | 'import';
  /** Declared name. Empty for imports and for declarations without a name. */
  name: string;
  /** Columns of leading white space; a tab counts as four. */
  indent: number;
}

/**
 * Returns the lines that import or declare something. Uses line patterns instead of a parser, which takes
 * about 1 ms per thousand lines. If `language` is missing, it is guessed; if that fails, keywords of many
 * languages are used.
 */
export function structuralLines(lines: readonly string[], language?: LanguageId): StructuralLine[] {
  const known = languageById(language ?? guessLanguage(lines.slice(0, 400).join('\n')) ?? '');
  return matchingLines(lines, known?.patterns ?? FALLBACK);
}

/** Keywords that begin a declaration or an import in most languages. */
const FALLBACK: readonly LinePattern[] = [
  {
    kind: 'import',
    match:
      /^ ?(?:import [\w"'{*.<(]|from [\w.]+ import\b|# ?include\b|using [\w.:]+;|use [\w:\\]+|require(?:_relative|_once)?[ (]+['"])/,
  },
  {
    kind: {
      class: 'class',
      interface: 'interface',
      enum: 'enum',
      struct: 'struct',
      trait: 'trait',
      protocol: 'interface',
      namespace: 'namespace',
      module: 'namespace',
      impl: 'impl',
    },
    match:
      /^ ?(?:(?:export|default|public|private|protected|internal|abstract|final|sealed|static|pub(?:\([^)]*\))?|open|data|partial) )*(?<word>class|interface|enum|struct|trait|protocol|namespace|module|impl) (?<name>[A-Za-z_](?:[\w.:]*\w)?)/,
  },
  {
    kind: 'function',
    match:
      /^ ?(?:(?:export|default|public|private|protected|internal|static|async|pub(?:\([^)]*\))?|override|suspend|unsafe|const|inline) )*(?:function|func|fun|fn|def|sub) (?:\([^)]*\) ?)?(?<name>[A-Za-z_][\w.:?!]*)/,
  },
];

const MAX_LINE = 400;

/** Matches blank lines and comments of C-like languages, which declare nothing. */
const IDLE_LINE = /^\s*(?:$|\/\/|\/\*|\*\s|\*$|\*\/)/;

export function matchingLines(lines: readonly string[], patterns: readonly LinePattern[]): StructuralLine[] {
  const found: StructuralLine[] = [];
  for (let index = 0; index < lines.length; index++) {
    if (IDLE_LINE.test(lines[index] ?? '')) continue;
    const match = firstMatch(lines, index, patterns);
    if (match === undefined) continue;
    const role = match.kind === 'import' ? 'import' : 'declaration';
    found.push({ line: index + 1, role, ...match, indent: indentOf(lines[index] ?? '') });
  }
  return found;
}

function firstMatch(lines: readonly string[], index: number, patterns: readonly LinePattern[]) {
  const written = lines[index] ?? '';
  const line = drawTogether(written.slice(0, MAX_LINE));
  const depth = indentOf(written);
  for (const { kind, match, closes, indent = depth } of patterns) {
    const groups = indent === depth ? match.exec(line) : null;
    if (groups === null || (closes !== undefined && !closes.test(lineAfterList(lines, index)))) continue;
    const { name = '', word = '' } = groups.groups ?? {};
    return { kind: typeof kind === 'string' ? kind : (kind[word] ?? 'class'), name };
  }
  return undefined;
}

const MAX_LIST = 40;

/** Returns the next line that is not indented more deeply than the line at `index`. After a list, that line closes it. */
function lineAfterList(lines: readonly string[], index: number): string {
  const indent = indentOf(lines[index] ?? '');
  const end = Math.min(index + MAX_LIST, lines.length);
  for (let next = index + 1; next < end; next++) {
    const line = lines[next] ?? '';
    if (indentOf(line) <= indent && line.trim() !== '') return drawTogether(line.slice(0, MAX_LINE));
  }
  return '';
}
