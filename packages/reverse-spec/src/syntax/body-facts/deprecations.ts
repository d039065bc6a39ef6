/**
 * Marks of a deprecated declaration in a language. `comment`: in the doc comment right before it (Python: its
 * doc string); `annotation`: an annotation, attribute or decorator on it; `call`: a warning that its body
 * gives. `yes` marks the declaration `old`; in `no` nothing is deprecated. Both are tests.
 */
export interface DeprecationRow {
  languages: readonly string[];
  place: 'comment' | 'annotation' | 'call';
  /** Its first group is the reason, if it has one. */
  pattern: RegExp;
  yes: string;
  no: string;
}

const SCRIPT = ['javascript', 'typescript', 'tsx'] as const;
/** A tag opens its line. */
const TAG = /(?:^|\n)[ \t]{0,80}(?:\/\*\*|\*|\/\/\/?|#)?[ \t]{0,80}[@\\]deprecated\b:?[ \t]{0,80}([^\n]*)/;

export const DEPRECATION_ROWS: readonly DeprecationRow[] = [
  {
    languages: SCRIPT,
    place: 'comment',
    // TypeScript takes a tag anywhere in a doc comment.
    pattern: /^\/\*\*(?:[^`{]|\{(?!@code))*?[\s*]@deprecated\b:?[ \t]{0,80}([^\n]*)/,
    yes: '/** Old. @deprecated use b */\nexport function old() {}',
    no: '/** Warns of `@deprecated`. */\nexport function a() {}\n// @deprecated\nfunction b() { this.deprecated = true }',
  },
  {
    languages: ['java', 'kotlin', 'c', 'cpp', 'ruby', 'php', 'swift'],
    place: 'comment',
    pattern: TAG,
    yes: 'class A {\n  /**\n   * Old.\n   * @deprecated use b\n   */\n  void old() {}\n}',
    no: 'class A {\n  /** See what {@code @deprecated} means. */\n  void a() { deprecated = true; }\n}',
  },
  {
    languages: ['java', 'kotlin'],
    place: 'annotation',
    pattern: /^@(?:java\.lang\.|kotlin\.)?Deprecated\b(?:[^"]*"([^"]*)")?/,
    yes: 'class A {\n  @Deprecated\n  void old() {}\n}',
    no: 'class A {\n  @DeprecatedSince("1")\n  void a() {}\n}',
  },
  {
    languages: ['go'],
    place: 'comment',
    pattern: /(?:^|\n)(?:\/\/|\/\*)?[ \t]*Deprecated:[ \t]*([^\n]*)/,
    yes: 'package a\n\n// Old is old.\n//\n// Deprecated: use B\nfunc old() {}',
    no: 'package a\n\n// A says which are Deprecated: none.\nfunc a() {}',
  },
  {
    languages: ['rust'],
    place: 'annotation',
    pattern: /^#\[deprecated\b(?:[^"]*(?:note\s*=\s*"|=\s*")([^"]*)")?/,
    yes: '#[deprecated(since = "1.0", note = "use b")]\npub fn old() {}',
    no: '#[allow(deprecated)]\npub fn a() {}',
  },
  {
    languages: ['csharp'],
    place: 'annotation',
    pattern: /^\[(?:System\.)?Obsolete(?:Attribute)?\b(?:[^"]*"([^"]*)")?/,
    yes: 'class A {\n  [Obsolete("use b")]\n  void old() {}\n}',
    no: 'class A {\n  [NotObsolete]\n  void a() {}\n}',
  },
  {
    languages: ['swift'],
    place: 'annotation',
    pattern: /^@available\([^)"]{0,100}\bdeprecated\b(?:[^")]{0,100}message:\s{0,9}"([^"]{0,300})")?/,
    yes: '@available(*, deprecated, message: "use b")\nfunc old() {}',
    no: '@available(iOS 13, *)\nfunc a() {}',
  },
  {
    languages: ['c', 'cpp'],
    place: 'annotation',
    pattern: /^\[\[deprecated\b(?:[^"]*"([^"]*)")?|^__attribute__\s*\(\(\s*(?:__)?deprecated/,
    yes: '[[deprecated("use b")]] void old() {}',
    no: '[[nodiscard]] int a() { return 1; }',
  },
  {
    languages: ['php'],
    place: 'annotation',
    pattern: /^#\[\\?Deprecated\b(?:[^"']*["']([^"']*)["'])?/,
    yes: '<?php\n#[\\Deprecated("use b")]\nfunction old() {}',
    no: '<?php\n#[NotDeprecated]\nfunction a() {}',
  },
  {
    languages: ['python'],
    place: 'annotation',
    pattern: /^@(?:\w+\.)?deprecated\b(?:\(\s*["']([^"']*)["'])?/,
    yes: '@deprecated("use b")\ndef old():\n    pass',
    no: '@not_deprecated\ndef a(self, deprecated=None):\n    self.deprecated = deprecated',
  },
  {
    languages: ['python'],
    place: 'comment',
    pattern: /(?:^|\n)[ \t]*\.\. deprecated::[ \t]*([^\n]*)/,
    yes: 'def old():\n    """Old.\n\n    .. deprecated:: 8.0\n    """',
    no: 'def a():\n    """Says whether x is deprecated."""',
  },
  {
    languages: ['python'],
    place: 'call',
    pattern: /^(?:warnings\.)?warn\([\s\S]*\b(?:Pending)?DeprecationWarning\b/,
    yes: 'def old():\n    warnings.warn("use b", DeprecationWarning, stacklevel=2)',
    no: 'def a():\n    warnings.warn("hot", UserWarning)',
  },
  {
    languages: ['php'],
    place: 'call',
    pattern: /^\\?@?trigger_(?:error|deprecation)\([\s\S]*(?:E_USER_DEPRECATED|trigger_deprecation)/,
    yes: "<?php\nfunction old() { trigger_error('use b', E_USER_DEPRECATED); }",
    no: "<?php\nfunction a() { trigger_error('hot', E_USER_WARNING); }",
  },
];

export interface DeprecationMark {
  place: DeprecationRow['place'];
  text: string;
}

/** Returns the reason given, which may be empty; `undefined` if the text is not a mark of the language. */
export function deprecationIn(language: string, { place, text }: DeprecationMark): string | undefined {
  for (const row of DEPRECATION_ROWS) {
    if (row.place !== place || !row.languages.includes(language)) continue;
    const match = row.pattern.exec(text);
    if (match !== null) return (match[1] ?? '').replace(/\*\/\s{0,9}$/, '').trim();
  }
  return undefined;
}
