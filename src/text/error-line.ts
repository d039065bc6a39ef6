/** Words by which tools of all kinds announce a failure. */
const ERROR_WORDS =
  /(?:error|exception)s?\b|\b(?:traceback|fatal|panic(?:ked)?|critical|fail(?:ed|ures?)?)\b|[✗✖✘]/gi;

/** Phrases that name failures only to deny them. */
const DENIALS =
  /\b(?:0|no|zero|without)\s+(?:errors?|fail(?:ed|ures?)|exceptions?)\b|\b(?:errors?|fail(?:ed|ures?))\s*[:=]\s*0\b/gi;

function looksLikeError(line: string): boolean {
  return line.search(ERROR_WORDS) !== -1 && line.replace(DENIALS, '').search(ERROR_WORDS) !== -1;
}

/** The first line that announces a failure, without its terminator. */
export function firstErrorLine(text: string): string | undefined {
  const words = new RegExp(ERROR_WORDS);
  for (let found = words.exec(text); found !== null; found = words.exec(text)) {
    const newline = text.indexOf('\n', found.index);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(text.lastIndexOf('\n', found.index) + 1, end);
    if (looksLikeError(line)) return line;
    // A line of a thousand denials is read once, not a thousand times.
    words.lastIndex = end;
  }
  return undefined;
}
