import { blank } from '../../tree/parsers.ts';
/** Replaces macros that the grammar cannot parse by spaces. Signatures are cut from the original text. */
export function maskMacros(text: string): string {
  return maskLoneMacros(
    maskAttributes(maskLinkageGuards(text).replace(TYPE_CALL, withoutCall))
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

/** Macros around the type of a function: `LIB_PUBLIC(char *) f(void)`. */
const TYPE_CALL =
  /(?<=^[ \t]{0,20}(?:(?:extern|static)[ \t]{1,9})?)[A-Z][A-Z0-9_]{2,80}\([A-Za-z_][\w* \t]{0,200}\)(?=[ \t]{0,20}[A-Za-z_]\w{0,200}[ \t]{0,20}\()/gm;

/** Hides the name of a macro and its brackets, but not the text between the brackets. */
function withoutCall(call: string): string {
  const at = call.indexOf('(') + 1;
  return `${blank(call.slice(0, at))}${call.slice(at, -1)} `;
}

const CONDITION = /^[ \t]*#[ \t]*if(?:def)?\b/;
const LINKAGE_HALF = /^\s*(?:extern\s*"C"\s*\{|\})/;
const ENDIF = /^\s*#[ \t]*endif/;

/** Hides `#ifdef __cplusplus` around the two halves of an `extern "C"` block. */
function maskLinkageGuards(text: string): string {
  if (!text.includes('__cplusplus')) return text;
  const lines = text.split('\n');
  for (const at of lines.keys())
    for (const line of guardAt(lines, at)) lines[line] = blank(lines[line] ?? '');
  return lines.join('\n');
}

/** Returns the line numbers of the guard that begins at line `at`; empty if none does. */
function guardAt(lines: readonly string[], at: number): number[] {
  const line = lines[at] ?? '';
  if (!line.includes('__cplusplus') || !CONDITION.test(line)) return [];
  const half = nextWritten(lines, at + 1);
  const end = nextWritten(lines, half + 1);
  return LINKAGE_HALF.test(lines[half] ?? '') && ENDIF.test(lines[end] ?? '') ? [at, half, end] : [];
}

/** Returns the next line that is not blank. At most `MAX_BLANK_LINES` blank lines are skipped. */
function nextWritten(lines: readonly string[], from: number): number {
  let at = from;
  while (at < from + MAX_BLANK_LINES && lines[at]?.trim() === '') at++;
  return at;
}

const MAX_BLANK_LINES = 8;

/** Macros before the name of a type: `class EXPORT_MACRO Name`, `struct ALIGNED(16) Name`. */
const TYPE_MACRO =
  /(\b(?:class|struct|union)\s+)([A-Z][A-Z0-9_]{2,}(?:\([^()\n]*\))?\s+)(?=(?!final\b)[A-Za-z_]\w*\s*(?:final\b|[:{;<]|$))/gm;

/** Macros after a parameter list: `int f(void) MUST_CHECK;`. */
const TRAILING_MACRO = /(\)\s*)([A-Z][A-Z0-9_]{3,}(?:\([^()\n]*\))?)(?=\s*[;{])/g;

/** Macros after the name of a parameter: `f(int x LIB_UNUSED)`. */
const PARAMETER_MACRO =
  /(?<=[\w*&>][ \t]{1,40}(?!(?:const|return|struct|enum|class|union|typename|case|sizeof|unsigned|signed|else|new|throw|in|of)[ \t])\w{1,80}[ \t]{1,40})(?=[A-Z0-9]{1,80}_)[A-Z][A-Z0-9_]{3,80}(?=[ \t]{0,40}[,)])/g;

/** Macros before blocks: `LIB_TRY { … } LIB_CATCH(…) { … }`. */
const TRY_MACRO = /\b[A-Z][A-Z0-9_]*_(?:TRY|CATCH[ \t]*\([^()\n]*\))(?=\s*\{)/g;

/** Macros alone on a line. One with a semicolon must contain an underscore, because others may be constructors. */
const LONE_MACRO =
  /^[ \t]*(?:[A-Z][A-Z0-9_]{3,80}(?:\([^;{}]{0,500}\))?|(?=[A-Z0-9]{0,80}_)[A-Z][A-Z0-9_]{3,80}\([^;{}]{0,500}\);)[ \t]*(?:\/\/.*)?\r?$/;

/** Hides macros alone on a line, such as `Q_OBJECT` and `G_BEGIN_DECLS`, but not names of an enum. */
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

/** Returns the nearest line above that contains code, without a comment at its end. */
function codeBefore(lines: readonly string[], index: number): string {
  const above = lines.slice(Math.max(0, index - MAX_COMMENT_LINES), index).reverse();
  const line = above.find((each) => !/^\s*(?:$|\/[/*]|\*)/.test(each)) ?? '';
  const comment = line.search(/\/[/*]/);
  return (comment === -1 ? line : line.slice(0, comment)).trimEnd();
}

const MAX_COMMENT_LINES = 20;

/**
 * Hides macros for attributes and specifiers, which the grammar takes for types or names: `LIB_API int f()`,
 * `int x_ GUARDED_BY(mu_);`, `const char* absl_nonnull what()`.
 */
function maskAttributes(text: string): string {
  if (!/[A-Z]{3}|nonnull|nullable|nullability/i.test(text)) return text;
  const lines = text.split('\n');
  let isDirective = false;
  for (const [index, line] of lines.entries()) {
    isDirective ||= /^[ \t]*#/.test(line);
    if (!isDirective) lines[index] = maskLine(line);
    isDirective &&= line.trimEnd().endsWith('\\');
  }
  return lines.join('\n');
}

function maskLine(line: string): string {
  const plain = line.replace(CAPITALS, (whole, word: string, at: number) =>
    ATTRIBUTE_WORDS.test(word) && isBesideName(line, at, at + whole.length) ? blank(whole) : whole,
  );
  return maskLeading(plain.replace(NULLABILITY, blank)).replace(
    CALL_STYLE,
    (_, type: string, macro: string) => type + blank(macro),
  );
}

/** Calling conventions between the type and the name of a function: `int WINAPI f(…)`. */
const CALL_STYLE =
  /^([ \t]*(?:(?:extern|static|inline|const|unsigned)[ \t]+)*(?:int|void|char|bool|long|double|float|size_t)[* \t]+)([A-Z][A-Z0-9_]{3,})(?=[ \t]+[a-z_]\w*[ \t]*\()/;

/** Words in capital letters, with their arguments. */
const CAPITALS = /\b([A-Z][A-Z0-9_]{3,})\b(?:\([^()\n]*\))?/g;

const NULLABILITY =
  /\b(?:absl_nonnull|absl_nullable|absl_nullability_unknown|_Nonnull|_Nullable|_Null_unspecified)\b/g;

const ATTRIBUTE_WORDS =
  /ATTRIBUTE|GUARDED_BY|LIFETIME_?BOUND|MUST_USE|NODISCARD|DEPRECATED|NORETURN|NO_UNIQUE|ACQUIRED_|EXCLUSIVE_LOCK|SHARED_LOCK|LOCKS_|LOCKABLE|LOCK_FUNCTION|THREAD_SAFETY|THREAD_ANNOTATION|ALWAYS_INLINE|NOINLINE|FORCE_INLINE|FORCEINLINE|CONSTEXPR|CONSTINIT|CONSTEVAL|NOEXCEPT|MAYBE_UNUSED|WARN_UNUSED|PRINTF_|NONNULL|VISIBILITY|_UNUSED$|_INLINE$/;

/** Whether a word has a name or type next to it on its line. Attributes do; names of an enum do not. */
function isBesideName(line: string, from: number, to: number): boolean {
  const before = line.slice(0, from).trimEnd().at(-1) ?? '';
  const after = line.slice(to).trimStart()[0] ?? '';
  // An attribute alone on a line inside an enum belongs to the enumerator above it.
  const isNoEnumerator = line[to - 1] === ')' || /LIFETIME_?BOUND$/.test(line.slice(from, to));
  if (before === '' && isNoEnumerator && /[=,)]/.test(after)) return true;
  return /[A-Za-z_~[{]/.test(after) || /[\w>*&)\]]/.test(before);
}

const LEADING =
  /^[ \t]*(?:(?:extern|static|inline|constexpr|virtual|explicit|friend)[ \t]+)*([A-Z][A-Z0-9_]{3,}(?:\([^()]*\))?)[ \t]+(?=[A-Za-z_~])/;

/** Keywords that begin a declaration or belong to its type. */
const SPECIFIERS =
  /^(?:constexpr|consteval|constinit|explicit|friend|inline|static|virtual|extern|template|typedef|class|struct|union|enum|const|unsigned|signed|long|short|volatile|mutable|thread_local|typename|auto|void|bool|char|int|float|double|size_t)\b/;

/** Matches a type, a name, and a character that follows a declared name. */
const TYPE_AND_NAME =
  /^[A-Za-z_][\w:]*(?:<[^<>]*(?:<[^<>]*>[^<>]*)*>(?:::\w+)*)?[*& \t]+(?:const[*& \t]+)?(?:[A-Za-z_][\w:]*|operator[^\w(]{1,20})[ \t]*[(;=[{]/;

const DESTRUCTOR = /^~\w+[ \t]*\(/;

/** Hides a macro before a declaration, or before another such macro: `EXPORT_MACRO int f(…)`. */
function maskLeading(line: string): string {
  const match = LEADING.exec(line);
  const macro = match?.[1];
  if (match === null || macro === undefined) return line;
  const rest = line.slice(match[0].length);
  const opensDeclaration = SPECIFIERS.test(rest) || TYPE_AND_NAME.test(rest) || DESTRUCTOR.test(rest);
  if (!opensDeclaration && maskLeading(rest) === rest) return line;
  const at = line.indexOf(macro);
  return maskLeading(line.slice(0, at) + blank(macro) + line.slice(at + macro.length));
}
