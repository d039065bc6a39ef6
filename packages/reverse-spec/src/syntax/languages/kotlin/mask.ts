/**
 * Hides `actual` and `expect`, which the grammar does not know everywhere and then takes for names. Signatures keep them:
 * they are cut from the text itself.
 */
export function maskActual(text: string): string {
  return text.replace(PLATFORM_WORD, '      ');
}

const PLATFORM_WORD =
  /\b(?:actual|expect)(?=\s+(?:public|private|internal|protected|open|abstract|final|sealed|data|inline|value|inner|enum|annotation|override|lateinit|const|suspend|operator|infix|tailrec|external|companion|class|interface|object|fun|val|var|typealias|constructor)\b)/g;
