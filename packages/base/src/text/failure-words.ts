// Failure words for all modules. There are several lists because a wrong guess costs more in some uses than in others.

/** Whole words, for choosing the one line that is shown. */
const ERROR_WORDS =
  /(?:error|exception)s?\b|\b(?:traceback|fatal|panic(?:ked)?|critical|fail(?:ed|ures?)?)\b|[✗✖✘]/gi;

/** Words and parts of words, for keeping lines: hiding a failure costs more than keeping ten lines. */
const PARTS = /error|exception|traceback|fatal|critical|panic|failed|failure|npm ERR!/i;
/** `FAIL` of test runners, in capitals only: in lower case the word is too common. */
const SHOUTED = /\bFAIL\b/;

/** Words with which the scorers were trained. Changing a word requires new training: the weights fit only these. */
export const LEARNED_FAILURE_WORDS = {
  /** Failure cues; whole words. */
  voice:
    'error errors err fail failed fails failure failures fatal panic panicked critical exception severe traceback aborted',
  /** Stems of words in lines about an error. */
  error:
    'error err exception traceback fatal panic panicked critical fail failed failure failing crash crashed abort aborted segfault segmentation fault unhandled uncaught undefined oops killed denied refused violation invalid illegal corrupt corrupted stacktrace',
  /** Stems of words about a run that failed. */
  failure: 'failed failure fatal panicked traceback segfault aborted errored broken unsuccessful mismatch',
} as const;

/** Counts of zero, which mean that there were no failures. */
const DENIALS =
  /\b(?:0|no|zero|without)\s+(?:errors|failed|failures|exceptions)\b|\b(?:errors|failed|failures)\s*[:=]\s*0\b(?=\s*(?:[,;)\]|]|$))/gi;

/** Returns the first line that reports a failure, without its terminator. */
export function firstErrorLine(text: string): string | undefined {
  const words = new RegExp(ERROR_WORDS);
  for (let found = words.exec(text); found !== null; found = words.exec(text)) {
    const newline = text.indexOf('\n', found.index);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(text.lastIndexOf('\n', found.index) + 1, end);
    if (line.search(ERROR_WORDS) !== -1 && line.replace(DENIALS, '').search(ERROR_WORDS) !== -1) return line;
    // Continues after the line, so that a line with a thousand denials is read only once.
    words.lastIndex = end;
  }
  return undefined;
}

/** Whether a line reports a failure, except as a count of zero. */
export function isFailure(line: string): boolean {
  return namesFailure(line) && namesFailure(line.replace(DENIALS, ''));
}

/** Whether a line contains a failure word, even in a count of zero. */
export function namesFailure(line: string): boolean {
  return PARTS.test(line) || SHOUTED.test(line);
}
