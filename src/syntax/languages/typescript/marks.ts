/** What JavaScript looks like; TypeScript shows these too. */
export const scriptMarks: readonly RegExp[] = [
  /^ ?(const|let|var) [\w{[][^=\n]*=/,
  /\brequire\(['"][^'"\n]+['"]\)/,
  /^ ?(module\.)?exports(\.\w+)? ?=/,
  /^ ?import [^;\n]* from ['"]/,
  /^ ?export (default|const|function|class|async)\b/,
  /\bfunction ?\w* ?\([^()]*\) ?\{/,
  /=> ?[{(]?/,
  /\bconsole\.\w+\(/,
  /===|!==/,
];

export const tagMark = /<[A-Za-z][\w.]*(\s[^<>]*)?\/>|<\/[A-Za-z][\w.]*>/;
