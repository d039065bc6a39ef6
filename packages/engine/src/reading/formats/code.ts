import { detectLanguage, guessLanguage } from '@secateur/base/languages/languages.ts';
import { indentOf } from '@secateur/base/text/lines.ts';
import { lexicalRulesOf, type ScannedSource, scanSource } from '../code/scan-source.ts';
import { type DeclarationNoun, type Declared, readDeclarations } from '../declaration-patterns.ts';
import { type Format, nestUnits, type ReadingHints, type Unit, type UnitKind } from '../document.ts';

/** Source code in any supported language. Units are found by declarations, brackets and indentation, without a parser. */

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
  const landmarks = withTests(lines, readDeclarations(lines, fileName));
  const units = landmarks.flatMap((landmark) => unitAt(lines, source, landmark) ?? []);
  const literals = literalUnits(lines, source);
  return [...licenceHeader(lines), ...nestUnits([...units, ...literals])];
}

function languageOf(lines: readonly string[], fileName: string | undefined): string | undefined {
  const named = fileName === undefined ? undefined : detectLanguage({ path: fileName });
  return named ?? guessLanguage(lines.slice(0, 400).join('\n'));
}

type Landmark = Pick<Declared, 'index' | 'name'> & { kind: UnitKind };

const TEST_CASE =
  /^\s*(?:it|test|describe|context|suite|specify|bench)(?:\.\w{1,20}){0,3}\(\s*["'`]([^"'`]{0,120})["'`]/;

/** Returns declarations, and the blocks in which test frameworks describe a case in words. */
function withTests(lines: readonly string[], declared: readonly Declared[]): Landmark[] {
  const byLine = new Map<number, Landmark>();
  for (const { index, noun, name } of declared)
    byLine.set(index, { index, name, kind: KINDS[noun] ?? 'type' });
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

/** Minimum lines of a body. A shorter one costs less than a marker. */
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

/** Returns units for long lists and tables that are assigned to a name. */
function literalUnits(lines: readonly string[], source: ScannedSource): Unit[] {
  return lines.flatMap((line, index) => {
    const name = source.continues[index] === 1 ? undefined : ASSIGNED.exec(line.slice(0, 300))?.[1];
    const block = name === undefined ? undefined : bracketsAt(lines, source, index);
    if (name === undefined || block === undefined || block.end - index < MIN_LITERAL_LINES) return [];
    const range = { start: index + 1, head: block.head + 1, end: block.end + 1 };
    return [{ kind: 'literal' as const, name, ...range, rule: 'unrelated-units' as const }];
  });
}

/** The block of a declaration is not used if brackets and indentation disagree about its end. */

/** Last line of the signature and last line of the body, 0-based and inclusive. */
interface Block {
  readonly head: number;
  readonly end: number;
}

const MAX_SIGNATURE_LINES = 20;
const MAX_LINE_CHARS = 500;

/** Returns the block of the declaration at `index`; `undefined` if its ends are uncertain. */
function blockAt(lines: readonly string[], source: ScannedSource, index: number): Block | undefined {
  const outer = index === 0 ? 0 : (source.depth[index - 1] as number);
  const last = Math.min(lines.length - 1, index + MAX_SIGNATURE_LINES);
  for (let head = index; head <= last; head += 1) {
    const step = signatureStep(lines, source, { head, outer });
    if (step === 'brackets') return bracketBlock(lines, source, { index, head, outer });
    if (step === 'indentation') return indentedBlock(lines, source, { index, head });
    if (step === 'end keyword') return endKeywordBlock(lines, source, { index, head });
    if (step === 'no body') return undefined;
  }
  return undefined;
}

type SignatureStep = 'brackets' | 'indentation' | 'end keyword' | 'no body' | 'goes on';

/** Returns how the body begins after this line of a signature; `undefined` if it does not begin there. */
function signatureStep(
  lines: readonly string[],
  source: ScannedSource,
  { head, outer }: { head: number; outer: number },
): SignatureStep {
  const depth = source.depth[head] as number;
  const line = codeOf((lines[head] ?? '').slice(0, MAX_LINE_CHARS));
  if (depth > outer)
    return opensBody(line, depth - outer, source.inBraces[head] === 1) ? 'brackets' : 'goes on';
  if (depth < outer) return 'no body';
  if (COLON_END.test(line)) return 'indentation';
  if (STATEMENT_END.test(line)) return 'no body';
  return continuesBelow(lines, head) ? 'goes on' : 'end keyword';
}

interface Opening {
  readonly index: number;
  readonly head: number;
}

const COLON_END = /:$/;
const STATEMENT_END = /[;}]$/;
/** `({` begins an argument, not a body. */
const BODY_END = /(?:[)\]\w>"'?*&]|^)\s{0,9}\{$/;

/** Returns a line without trailing comment and whitespace. Block parameters of Ruby and Rust count as trailing. */
function codeOf(line: string): string {
  const comment = line.search(/\s(?:\/\/|#|\/\*)/);
  const code = (comment < 0 ? line : line.slice(0, comment)).trimEnd();
  return code.endsWith('|') ? code.slice(0, code.indexOf('|')).trimEnd() : code;
}

function opensBody(line: string, opened: number, isInBraces: boolean): boolean {
  return isInBraces && (opened === 1 || BODY_END.test(line));
}

/** Returns the range of a list or table whose bracket is the last character of a line. */
function bracketsAt(lines: readonly string[], source: ScannedSource, index: number): Block | undefined {
  const outer = index === 0 ? 0 : (source.depth[index - 1] as number);
  return (source.depth[index] as number) > outer
    ? bracketBlock(lines, source, { index, head: index, outer })
    : undefined;
}

/** Whether the next line continues a signature: with an opening brace, a clause or parameters. */
function continuesBelow(lines: readonly string[], head: number): boolean {
  const next = (lines[head + 1] ?? '').trim();
  return (
    next.startsWith('{') ||
    /^(?:where|throws|extends|implements|requires|:|->|=>|noexcept|const|override)\b|^[:=-]/.test(next) ||
    /^(?:\w[\w<>,:& ]*,|\S.*,)$/.test(next)
  );
}

/** Returns the block up to the closing bracket, which must be indented like the declaration. */
function bracketBlock(
  lines: readonly string[],
  source: ScannedSource,
  { index, head, outer }: Opening & { outer: number },
): Block | undefined {
  const indent = indentOf(lines[index]);
  for (let end = head + 1; end < lines.length; end += 1) {
    if ((source.depth[end] as number) > outer) continue;
    const isAligned = indentOf(lines[end]) === indent && /^\s*[)\]}]/.test(lines[end] ?? '');
    return isAligned ? { head, end } : undefined;
  }
  return undefined;
}

/** For Python, returns the deeper lines up to the last one that is not blank. */
function indentedBlock(
  lines: readonly string[],
  source: ScannedSource,
  { index, head }: Opening,
): Block | undefined {
  const indent = indentOf(lines[index]);
  let end = head;
  for (let at = head + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const isInside =
      source.continues[at] === 1 ||
      (at > 0 && (source.depth[at - 1] as number) > (source.depth[head] as number));
    if (line.trim() === '' && !isInside) continue;
    if (!isInside && indentOf(line) <= indent) break;
    end = at;
  }
  return end > head ? { head, end } : undefined;
}

const END_KEYWORD = /^\s*(?:end|fi|done|esac)\b/;

/** For Ruby, Lua, Elixir and shell, returns the deeper lines up to an `end` that is indented like the declaration. */
function endKeywordBlock(
  lines: readonly string[],
  source: ScannedSource,
  { index, head }: Opening,
): Block | undefined {
  const indent = indentOf(lines[index]);
  for (let at = head + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || source.continues[at] === 1 || indentOf(line) > indent) continue;
    return indentOf(line) === indent && END_KEYWORD.test(line) ? { head, end: at } : undefined;
  }
  return undefined;
}

const COMMENT = /^\s*(?:#(?!!)|\/\/|\/?\*|--|;|%|<!--|"""|''')|^\s*$/;
const LICENCE =
  /\b(?:licen[cs]ed?|copyright|SPDX-License-Identifier|all rights reserved|warrant(?:y|ies))\b/i;
const MIN_LINES = 5;
const MAX_LINES = 60;

/** Returns the licence at the beginning of a source file, if it is longer than a marker. */
function licenceHeader(lines: readonly string[]): Unit[] {
  const first = lines.findIndex((line) => line.trim() !== '' && !/^#!|^\s*<\?php/.test(line));
  if (first < 0 || !COMMENT.test(lines[first] ?? '')) return [];
  const comment = lines.slice(first, first + MAX_LINES).map((line) => line.slice(0, 200));
  const count = commentLength(comment);
  const isLicence = comment.slice(0, count).some((line) => LICENCE.test(line));
  if (!isLicence || count < MIN_LINES) return [];
  const end = first + count;
  return [{ kind: 'licence', name: '', start: first + 1, head: first, end, rule: 'licence-header', count }];
}

/** Returns the number of lines of a block comment, or of line comments up to the first blank line. */
function commentLength(lines: readonly string[]): number {
  const isBlock = /^\s*\/\*/.test(lines[0] ?? '');
  const end = isBlock
    ? lines.findIndex((line) => line.trimEnd().endsWith('*/')) + 1
    : lines.findIndex((line) => line.trim() === '' || !COMMENT.test(line));
  return end < 0 ? lines.length : end;
}
