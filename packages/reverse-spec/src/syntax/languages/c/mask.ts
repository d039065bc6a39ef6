import { blank } from '../../tree/hiding.ts';
import { maskAttributes } from './attributes.ts';

/**
 * Hides, length for length, what only the preprocessor understands and a grammar stumbles over.
 * Signatures are cut from the text itself, so nothing hidden is lost there.
 */
export function maskMacros(text: string): string {
  return maskLoneMacros(
    maskAttributes(maskLinkageGuards(text))
      .replace(
        TYPE_MACRO,
        (whole, word: string, macro: string) =>
          word +
          blank(whole.slice(word.length, word.length + macro.length)) +
          whole.slice(word.length + macro.length),
      )
      .replace(TRAILING_MACRO, (_, before: string, macro: string) => before + blank(macro))
      .replace(PARAMETER_MACRO, blank)
      .replace(TRY_MACRO, blank),
  );
}

const CONDITION = /^[ \t]*#[ \t]*if(?:def)?\b/;
const LINKAGE_HALF = /^\s*(?:extern\s*"C"\s*\{|\})/;
const ENDIF = /^\s*#[ \t]*endif/;

/** `#ifdef __cplusplus` around the halves of an `extern "C"` block. */
function maskLinkageGuards(text: string): string {
  if (!text.includes('__cplusplus')) return text;
  const lines = text.split('\n');
  for (const at of lines.keys())
    for (const line of guardAt(lines, at)) lines[line] = blank(lines[line] ?? '');
  return lines.join('\n');
}

/** The three lines of a guard that opens at `at`; none when none does. */
function guardAt(lines: readonly string[], at: number): number[] {
  if (!isGuard(lines[at] ?? '')) return [];
  const half = nextWritten(lines, at + 1);
  const end = nextWritten(lines, half + 1);
  return LINKAGE_HALF.test(lines[half] ?? '') && ENDIF.test(lines[end] ?? '') ? [at, half, end] : [];
}

function isGuard(line: string): boolean {
  return line.includes('__cplusplus') && CONDITION.test(line);
}

/** Where the next line with something on it is; a few blank ones may stand before it. */
function nextWritten(lines: readonly string[], from: number): number {
  let at = from;
  while (at < from + MAX_BLANK_LINES && lines[at]?.trim() === '') at++;
  return at;
}

const MAX_BLANK_LINES = 8;

/** `class EXPORT_MACRO Name`, `struct ALIGNED(16) Name`. */
const TYPE_MACRO =
  /(\b(?:class|struct|union)\s+)([A-Z][A-Z0-9_]{2,}(?:\([^()\n]*\))?\s+)(?=(?!final\b)[A-Za-z_]\w*\s*(?:final\b|[:{;<]|$))/gm;

/** `int f(void) MUST_CHECK;`: a word in capitals after a parameter list. */
const TRAILING_MACRO = /(\)\s*)([A-Z][A-Z0-9_]{3,}(?:\([^()\n]*\))?)(?=\s*[;{])/g;

/** `f(int x LIB_UNUSED)`: a word in capitals after a parameter's name. */
const PARAMETER_MACRO =
  /(?<=[\w*&>][ \t]{1,40}(?!(?:const|return|struct|enum|class|union|typename|case|sizeof|unsigned|signed|else|new|throw|in|of)[ \t])\w{1,80}[ \t]{1,40})(?=[A-Z0-9]{1,80}_)[A-Z][A-Z0-9_]{3,80}(?=[ \t]{0,40}[,)])/g;

/** `LIB_TRY { … } LIB_CATCH(…) { … }`: the blocks are enough. */
const TRY_MACRO = /\b[A-Z][A-Z0-9_]*_(?:TRY|CATCH[ \t]*\([^()\n]*\))(?=\s*\{)/g;

/** With its semicolon only where an underscore tells it from a constructor. */
const LONE_MACRO =
  /^[ \t]*(?:[A-Z][A-Z0-9_]{3,80}(?:\([^;{}]{0,500}\))?|(?=[A-Z0-9]{0,80}_)[A-Z][A-Z0-9_]{3,80}\([^;{}]{0,500}\);)[ \t]*(?:\/\/.*)?\r?$/;

/** `Q_OBJECT` or `G_BEGIN_DECLS` alone on a line; the last name of an enum looks alike but stands before a brace. */
function maskLoneMacros(text: string): string {
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (LONE_MACRO.test(line) && !isEnumerator(lines, index)) lines[index] = line.replace(/^[^;/]+/, blank);
  }
  return lines.join('\n');
}

function isEnumerator(lines: readonly string[], index: number): boolean {
  const before = codeBefore(lines, index);
  const after =
    lines
      .slice(index + 1, index + 4)
      .find((line) => line.trim() !== '')
      ?.trim() ?? '';
  return /[,\\(=]$/.test(before) || /^[,=(]/.test(after) || (before.endsWith('{') && after.startsWith('}'));
}

/** The nearest line above with code on it, without the comment it ends with. */
function codeBefore(lines: readonly string[], index: number): string {
  const above = lines.slice(Math.max(0, index - MAX_COMMENT_LINES), index).reverse();
  const line = above.find((each) => !/^\s*(?:$|\/[/*]|\*)/.test(each)) ?? '';
  const comment = line.search(/\/[/*]/);
  return (comment === -1 ? line : line.slice(0, comment)).trimEnd();
}

const MAX_COMMENT_LINES = 20;
