/**
 * Hides, length for length, what only the preprocessor understands and a grammar stumbles over.
 * Signatures are cut from the text itself, so nothing hidden is lost there.
 */
export function maskMacros(text: string): string {
  return maskLoneMacros(
    text
      .replace(LINKAGE_GUARD, blank)
      .replace(
        TYPE_MACRO,
        (whole, word: string, macro: string) =>
          word +
          blank(whole.slice(word.length, word.length + macro.length)) +
          whole.slice(word.length + macro.length),
      )
      .replace(LEADING_MACRO, (_, before: string, macro: string) => before + blank(macro))
      .replace(TRAILING_MACRO, (_, before: string, macro: string) => before + blank(macro)),
  );
}

/** `#ifdef __cplusplus` around the halves of an `extern "C"` block. */
const LINKAGE_GUARD =
  /^[ \t]*#[ \t]*if(?:def[ \t]+|[ \t]+defined[ \t]*\(?[ \t]*)__cplusplus[ \t]*\)?[^\n]*\n\s*(?:extern\s*"C"\s*\{|\})[^\n]*\n\s*#[ \t]*endif[^\n]*/gm;

/** `class EXPORT_MACRO Name`, `struct ALIGNED(16) Name`. */
const TYPE_MACRO =
  /(\b(?:class|struct|union)\s+)([A-Z][A-Z0-9_]{2,}(?:\([^()\n]*\))?\s+)(?=(?!final\b)[A-Za-z_]\w*\s*(?:final\b|[:{;<]|$))/gm;

/** `EXPORT_MACRO int f(…)`: a word in capitals before a type and a name. */
const LEADING_MACRO =
  /^([ \t]*(?:extern[ \t]+|static[ \t]+|inline[ \t]+)*)([A-Z][A-Z0-9_]{3,}(?:\([^()\n]*\))?[ \t]+)(?=(?:const[ \t]+|unsigned[ \t]+|static[ \t]+|inline[ \t]+|struct[ \t]+|virtual[ \t]+)*[A-Za-z_][\w:]*(?:<[^<>\n]*>)?[ \t]*[*& \t]+[A-Za-z_]\w*[ \t]*[(;=[])/gm;

/** `int f(void) MUST_CHECK;`: a word in capitals after a parameter list. */
const TRAILING_MACRO = /(\)\s*)([A-Z][A-Z0-9_]{3,}(?:\([^()\n]*\))?)(?=\s*[;{])/g;

const LONE_MACRO = /^[ \t]*[A-Z][A-Z0-9_]{3,}(?:\([^;{}]*\))?[ \t]*\r?$/;

/** `Q_OBJECT` or `G_BEGIN_DECLS` alone on a line; the last name of an enum looks alike but stands before a brace. */
function maskLoneMacros(text: string): string {
  if (!/^[ \t]*[A-Z][A-Z0-9_]{3,}(?:\([^;{}]*\))?[ \t]*\r?$/m.test(text)) return text;
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (LONE_MACRO.test(line) && !isEnumerator(lines, index)) lines[index] = blank(line);
  }
  return lines.join('\n');
}

function isEnumerator(lines: readonly string[], index: number): boolean {
  const before = lines[index - 1]?.trimEnd() ?? '';
  const after =
    lines
      .slice(index + 1, index + 4)
      .find((line) => line.trim() !== '')
      ?.trim() ?? '';
  return /[,\\(=]$/.test(before) || /^[},=(]/.test(after);
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
