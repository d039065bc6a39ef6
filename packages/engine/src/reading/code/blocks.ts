/**
 * Finds where the body of a declaration begins and ends. Brackets and indentation must agree; otherwise no
 * block is found.
 */
import { indentOf } from '@secateur/base/text/lines.ts';
import type { ScannedSource } from './scan-source.ts';

/** 0-based, inclusive: the last line of the signature, and the last line of the body. */
export interface Block {
  readonly head: number;
  readonly end: number;
}

const MAX_SIGNATURE_LINES = 20;
const MAX_LINE_CHARS = 500;

/** Returns the block that the declaration at `index` opens, if its ends are certain. */
export function blockAt(lines: readonly string[], source: ScannedSource, index: number): Block | undefined {
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

/** Returns how the body begins behind this line of a signature, if it does. */
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
/** `({` opens an argument, not a body. */
const BODY_END = /(?:[)\]\w>"'?*&]|^)\s{0,9}\{$/;

/** A line without the comment and the white space at its end; block parameters of Ruby and Rust count as its end. */
function codeOf(line: string): string {
  const comment = line.search(/\s(?:\/\/|#|\/\*)/);
  const code = (comment < 0 ? line : line.slice(0, comment)).trimEnd();
  return code.endsWith('|') ? code.slice(0, code.indexOf('|')).trimEnd() : code;
}

function opensBody(line: string, opened: number, isInBraces: boolean): boolean {
  return isInBraces && (opened === 1 || BODY_END.test(line));
}

/** The brackets that the last character of a line opens, up to where they close: a list or a table. */
export function bracketsAt(
  lines: readonly string[],
  source: ScannedSource,
  index: number,
): Block | undefined {
  const outer = index === 0 ? 0 : (source.depth[index - 1] as number);
  return (source.depth[index] as number) > outer
    ? bracketBlock(lines, source, { index, head: index, outer })
    : undefined;
}

/** The next line goes on with the signature: a brace of its own, a clause, a parameter list. */
function continuesBelow(lines: readonly string[], head: number): boolean {
  const next = (lines[head + 1] ?? '').trim();
  return (
    next.startsWith('{') ||
    /^(?:where|throws|extends|implements|requires|:|->|=>|noexcept|const|override)\b|^[:=-]/.test(next) ||
    /^(?:\w[\w<>,:& ]*,|\S.*,)$/.test(next)
  );
}

/** Ends where the brackets do, on a line that is indented as the declaration is. */
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

/** Python: deeper lines, up to the last that is not blank. */
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

/** Ruby, Lua, Elixir, shell: deeper lines, up to an `end` that is indented as the declaration is. */
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
