/** What JavaScript looks like; TypeScript shows these too. */
export const scriptMarks: readonly RegExp[] = [
  /^\s*(const|let|var)\s+[\w{[][^=\n]*=/m,
  /\brequire\(['"][^'"\n]+['"]\)/,
  /^\s*(module\.)?exports(\.\w+)?\s*=/m,
  /^\s*import\s+[^;\n]*\sfrom\s+['"]/m,
  /^\s*export\s+(default|const|function|class|async)\b/m,
  /\bfunction\s*\w*\s*\([^)\n]*\)\s*\{/,
  /=>\s*[{(]?/,
  /\bconsole\.\w+\(/,
  /===|!==/,
];

export const tagMark = /<[A-Za-z][\w.]*(\s[^<>]*)?\/>|<\/[A-Za-z][\w.]*>/;
