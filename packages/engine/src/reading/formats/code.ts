/** Source code: units by declarations, brackets and indentation, in any of the usual languages. No parser. */
import { detectLanguage, guessLanguage } from '@secateur/base/languages/languages.ts';
import { blockAt, bracketsAt } from '../code/blocks.ts';
import { type CodeLandmark, readLandmarks } from '../code/declarations.ts';
import { licenceHeader } from '../code/licence-header.ts';
import { lexicalRulesOf, type ScannedSource, scanSource } from '../code/scan-source.ts';
import type { DeclarationNoun } from '../declaration-patterns.ts';
import type { Format, ReadingHints, Unit, UnitKind } from '../document.ts';
import { nestUnits } from '../nest-units.ts';

const CODE_LINE =
  /[;{}]\s*$|^\s*(?:return|if|for|while|else|elif|try|except)\b.*[:{(;]|^\s+[\w.$]+\s*(?:=|\()|=>|::/;
const MIN_CODE_SHARE = 0.3;

export const codeFormat: Format = {
  name: 'code',
  recognise: (sample) =>
    sample.filter((line) => CODE_LINE.test(line)).length > MIN_CODE_SHARE * sample.length,
  units: codeUnits,
  examples: {
    is: [
      'export function add(a: number, b: number): number {\n  const sum = a + b;\n  return sum;\n}\n',
      'def add(a, b):\n    total = a + b\n    if total > 3:\n        return 3\n    return total\n',
    ],
    isNot: ['A plain sentence, then another one.\nNothing here is code at all.\n'],
  },
};

function codeUnits(lines: readonly string[], { fileName }: ReadingHints): Unit[] {
  const language = languageOf(lines, fileName);
  const source = scanSource(lines, lexicalRulesOf(language));
  const declared = readLandmarks(lines, fileName).filter(({ role }) => role === 'declaration');
  const landmarks = withTests(lines, declared);
  const units = landmarks.flatMap((landmark) => unitAt(lines, source, landmark) ?? []);
  const literals = literalUnits(lines, source);
  return [...licenceHeader(lines), ...nestUnits([...units, ...literals])];
}

function languageOf(lines: readonly string[], fileName: string | undefined): string | undefined {
  const named = fileName === undefined ? undefined : detectLanguage({ path: fileName });
  return named ?? guessLanguage(lines.slice(0, 400).join('\n'));
}

type Landmark = Pick<CodeLandmark, 'index' | 'name'> & { kind: UnitKind };

const TEST_CASE =
  /^\s*(?:it|test|describe|context|suite|specify|bench)(?:\.\w{1,20}){0,3}\(\s*["'`]([^"'`]{0,120})["'`]/;

/** Declarations, and the blocks of test frameworks that describe a case in words. */
function withTests(lines: readonly string[], declared: readonly CodeLandmark[]): Landmark[] {
  const byLine = new Map<number, Landmark>();
  for (const { index, noun, name } of declared) {
    const kind: UnitKind = KINDS[noun] ?? 'type';
    byLine.set(index, { index, name, kind });
  }
  for (const [index, line] of lines.entries()) {
    const test = TEST_CASE.exec(line.slice(0, 240));
    if (test !== null) byLine.set(index, { index, name: test[1] ?? '', kind: 'test' });
  }
  return [...byLine.values()].sort((a, b) => a.index - b.index);
}

const KINDS: Partial<Record<DeclarationNoun, UnitKind>> = {
  constructor: 'method',
  function: 'function',
  method: 'method',
  class: 'class',
  module: 'module',
  implementation: 'module',
  export: 'function',
};

/** Shorter bodies are cheaper to show than to mark. */
const MIN_BODY_LINES = 4;
const MIN_TYPE_LINES = 40;

function unitAt(
  lines: readonly string[],
  source: ScannedSource,
  { index, name, kind }: Landmark,
): Unit | undefined {
  if (source.continues[index] === 1) return undefined;
  const block = blockAt(lines, source, index);
  if (block === undefined) return undefined;
  const bodyLines = block.end - block.head;
  const isRemovable =
    kind === 'type' ? bodyLines >= MIN_TYPE_LINES : FOLDING.has(kind) && bodyLines >= MIN_BODY_LINES;
  const rule = isRemovable ? { rule: 'unrelated-units' as const } : {};
  return { kind, name, start: index + 1, head: block.head + 1, end: block.end + 1, ...rule };
}

const FOLDING: ReadonlySet<UnitKind> = new Set<UnitKind>(['function', 'method', 'test']);

const ASSIGNED =
  /^\s*(?:(?:export|pub|public|private|static|final|const|let|var|readonly|val)\s+){0,5}([A-Za-z_$][\w$]{0,80})\s*(?::[^=]{1,120})?=\s*[^=].{0,120}[[{(]\s*$/;
const MIN_LITERAL_LINES = 40;

/** Long lists and tables that are assigned to a name. */
function literalUnits(lines: readonly string[], source: ScannedSource): Unit[] {
  const units: Unit[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const name =
      source.continues[index] === 1 ? undefined : ASSIGNED.exec((lines[index] ?? '').slice(0, 300))?.[1];
    if (name === undefined) continue;
    const block = bracketsAt(lines, source, index);
    if (block === undefined || block.end - index < MIN_LITERAL_LINES) continue;
    units.push({
      kind: 'literal',
      name,
      start: index + 1,
      head: block.head + 1,
      end: block.end + 1,
      rule: 'unrelated-units',
    });
  }
  return units;
}
