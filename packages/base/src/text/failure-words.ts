// Failure words for all modules. The lists differ in the cost of a wrong guess, not in the name of failure.

/** For picking the one line to show: a word on its own, and not one that is denied. */
const ERROR_WORDS =
  /(?:error|exception)s?\b|\b(?:traceback|fatal|panic(?:ked)?|critical|fail(?:ed|ures?)?)\b|[✗✖✘]/gi;

/** For keeping lines: also inside of words, since hiding a failure costs more than keeping ten lines. */
const PARTS = /error|exception|traceback|fatal|critical|panic|failed|failure|npm ERR!/i;
/** Capital letters of test runners; in small letters the word is too common. */
const SHOUTED = /\bFAIL\b/;

/** Words the scorers were trained with. A changed word requires new training: the weights fit only these. */
export const LEARNED_FAILURE_WORDS = {
  /** Failure cues, whole words. */
  voice:
    'error errors err fail failed fails failure failures fatal panic panicked critical exception severe traceback aborted',
  /** A line about an error, stems. */
  error:
    'error err exception traceback fatal panic panicked critical fail failed failure failing crash crashed abort aborted segfault segmentation fault unhandled uncaught undefined oops killed denied refused violation invalid illegal corrupt corrupted stacktrace',
  /** A run that came to a bad end, stems. */
  failure: 'failed failure fatal panicked traceback segfault aborted errored broken unsuccessful mismatch',
} as const;

/** Phrases that name failures only to deny them. */
const DENIALS =
  /\b(?:0|no|zero|without)\s+(?:errors|failed|failures|exceptions)\b|\b(?:errors|failed|failures)\s*[:=]\s*0\b(?=\s*(?:[,;)\]|]|$))/gi;

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

/** Whether a line mentions a failure, other than to deny it. */
export function isFailure(line: string): boolean {
  return namesFailure(line) && namesFailure(line.replace(DENIALS, ''));
}

/** Returns whether a line contains a word of failure, whatever it says about it. */
export function namesFailure(line: string): boolean {
  return PARTS.test(line) || SHOUTED.test(line);
}
