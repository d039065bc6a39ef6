import { blank } from '../../tree/parsers.ts';
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

/** Finds the next line that is not blank; skips only a few blank ones. */
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

/** A macro with a semicolon needs an underscore: else it may be a constructor. */
const LONE_MACRO =
  /^[ \t]*(?:[A-Z][A-Z0-9_]{3,80}(?:\([^;{}]{0,500}\))?|(?=[A-Z0-9]{0,80}_)[A-Z][A-Z0-9_]{3,80}\([^;{}]{0,500}\);)[ \t]*(?:\/\/.*)?\r?$/;

/**
 * `Q_OBJECT` or `G_BEGIN_DECLS` alone on a line; the last name of an enum looks alike but is before a brace.
 */
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

/**
 * Hides macros for attributes and specifiers, which a grammar takes for types or names:
 * `LIB_API int f()`, `int x_ GUARDED_BY(mu_);`, `const char* absl_nonnull what()`.
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

/** `int WINAPI f(…)`: how a function is called, between its type and its name. */
const CALL_STYLE =
  /^([ \t]*(?:(?:extern|static|inline|const|unsigned)[ \t]+)*(?:int|void|char|bool|long|double|float|size_t)[* \t]+)([A-Z][A-Z0-9_]{3,})(?=[ \t]+[a-z_]\w*[ \t]*\()/;

/** A word in capitals, with its arguments. */
const CAPITALS = /\b([A-Z][A-Z0-9_]{3,})\b(?:\([^()\n]*\))?/g;

const NULLABILITY =
  /\b(?:absl_nonnull|absl_nullable|absl_nullability_unknown|_Nonnull|_Nullable|_Null_unspecified)\b/g;

const ATTRIBUTE_WORDS =
  /ATTRIBUTE|GUARDED_BY|LIFETIME_?BOUND|MUST_USE|NODISCARD|DEPRECATED|NORETURN|NO_UNIQUE|ACQUIRED_|EXCLUSIVE_LOCK|SHARED_LOCK|LOCKS_|LOCKABLE|LOCK_FUNCTION|THREAD_SAFETY|THREAD_ANNOTATION|ALWAYS_INLINE|NOINLINE|FORCE_INLINE|FORCEINLINE|CONSTEXPR|CONSTINIT|CONSTEVAL|NOEXCEPT|MAYBE_UNUSED|WARN_UNUSED|PRINTF_|NONNULL|VISIBILITY|_UNUSED$|_INLINE$/;

/** An attribute is beside what it describes; a name of an enum is alone. */
function isBesideName(line: string, from: number, to: number): boolean {
  const before = line.slice(0, from).trimEnd().at(-1) ?? '';
  const after = line.slice(to).trimStart()[0] ?? '';
  // On a line of its own it goes with the name above.
  const isNoEnumerator = line[to - 1] === ')' || /LIFETIME_?BOUND$/.test(line.slice(from, to));
  if (before === '' && isNoEnumerator && /[=,)]/.test(after)) return true;
  return /[A-Za-z_~[{]/.test(after) || /[\w>*&)\]]/.test(before);
}

const LEADING =
  /^[ \t]*(?:(?:extern|static|inline|constexpr|virtual|explicit|friend)[ \t]+)*([A-Z][A-Z0-9_]{3,}(?:\([^()]*\))?)[ \t]+(?=[A-Za-z_~])/;

/** Words that open a declaration, or belong to its type. */
const SPECIFIERS =
  /^(?:constexpr|consteval|constinit|explicit|friend|inline|static|virtual|extern|template|typedef|class|struct|union|enum|const|unsigned|signed|long|short|volatile|mutable|thread_local|typename|auto|void|bool|char|int|float|double|size_t)\b/;

/** A type, what parts it from its name, the name, and what follows a declared name. */
const TYPE_AND_NAME =
  /^[A-Za-z_][\w:]*(?:<[^<>]*(?:<[^<>]*>[^<>]*)*>(?:::\w+)*)?[*& \t]+(?:const[*& \t]+)?(?:[A-Za-z_][\w:]*|operator[^\w(]{1,20})[ \t]*[(;=[{]/;

const DESTRUCTOR = /^~\w+[ \t]*\(/;

/** `EXPORT_MACRO int f(…)`: a word in capitals before a type and a name, or before another such word. */
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
