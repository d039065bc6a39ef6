import { detectLanguage } from '@secateur/base/languages/languages.ts';
import {
  type DeclarationKind,
  type StructuralLine,
  structuralLines,
} from '@secateur/base/languages/structure.ts';
import { type DeclarationNoun, structureAt } from '../declaration-patterns.ts';

/** A line that says where code belongs. 0-based. */
export interface CodeLandmark {
  index: number;
  role: 'import' | 'declaration';
  /** Kind of the declaration; the name is empty when it has none. */
  noun: DeclarationNoun;
  name: string;
  indent: number;
}

/**
 * Imports and declarations, in order: what the patterns of the text's own language find, and what the patterns of
 * all languages add. A fragment is easily taken for another language, and the two together miss next to nothing.
 */
export function readLandmarks(lines: readonly string[], fileName?: string): CodeLandmark[] {
  const language = fileName === undefined ? undefined : detectLanguage({ path: fileName });
  const own = new Map(structuralLines(lines, language).map((line) => [line.line - 1, line]));
  const landmarks: CodeLandmark[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (line === '') continue;
    const landmark = ownLandmark(own.get(index), line) ?? anyLandmark(line);
    if (landmark !== undefined) landmarks.push({ index, ...landmark, indent: indentOf(line) });
  }
  return landmarks;
}

type Landmark = Pick<CodeLandmark, 'role' | 'noun' | 'name'>;

const AN_IMPORT: Landmark = { role: 'import', noun: 'module', name: '' };

function ownLandmark(line: StructuralLine | undefined, text: string): Landmark | undefined {
  // An argument that is a call looks like a method.
  if (line === undefined || text.endsWith('),')) return undefined;
  if (line.kind === 'import' || line.kind === 're-export') return AN_IMPORT;
  const noun = NOUNS[line.kind];
  return noun === undefined ? undefined : { role: 'declaration', noun, name: line.name };
}

/** Constants, macros, variables, properties and cases are code like any other: they may go. */
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

function anyLandmark(line: string): Landmark | undefined {
  const found = structureAt(line);
  if (found === undefined) return undefined;
  return found === 'import' ? AN_IMPORT : { role: 'declaration', ...found };
}

function indentOf(line: string): number {
  return line.slice(0, 200).search(/\S|$/);
}
