/** Hides, length for length, words newer than the grammar: macro calls, `sending`, `nonisolated(unsafe)`. */
export function maskNewWords(text: string): string {
  return text
    .replace(MACRO_CALL, ' ')
    .replace(SENDING, (_, before: string, word: string) => before + ' '.repeat(word.length))
    .replace(UNSAFE, (word) => ' '.repeat(word.length));
}

/** `#expect(…)` reads as the call `expect(…)`; directives and the macros the grammar knows stay. */
const MACRO_CALL =
  /#(?=(?!(?:if|elseif|else|endif|available|unavailable|selector|keyPath|file|fileID|filePath|line|column|function|dsohandle|sourceLocation|error|warning|colorLiteral|fileLiteral|imageLiteral|externalMacro)\b)[a-zA-Z]\w*\s*[(<{])/g;

const SENDING = /([:>]\s*)(sending\s+)(?=[\w@([])/g;

const UNSAFE = /(?<=\bnonisolated)\(unsafe\)/g;
