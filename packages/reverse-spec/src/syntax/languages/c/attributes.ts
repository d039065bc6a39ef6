import { blank } from '../../tree/hiding.ts';

/**
 * Hides macros that stand for attributes and specifiers, which a grammar takes for types or names:
 * `LIB_API int f()`, `int x_ GUARDED_BY(mu_);`, `const char* absl_nonnull what()`.
 */
export function maskAttributes(text: string): string {
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

/** An attribute stands beside what it says something about; a name of an enum stands alone. */
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
