// This file lists the failure words of all modules. There are several lists, because a wrong match costs more
// in some uses than in others.

/** Whole words by which the one error line to show is chosen. */
const ERROR_WORDS =
  /(?:error|exception)s?\b|\b(?:traceback|fatal|panic(?:ked)?|critical|fail(?:ed|ures?)?)\b|[✗✖✘]/gi;

/** Words and parts of words by which lines are kept. Losing a failure costs more than keeping ten lines. */
const PARTS = /error|exception|traceback|fatal|critical|panic|failed|failure|npm ERR!/i;
/** `FAIL` as printed by test runners. Only in capitals, because in lower case the word is too common. */
const SHOUTED = /\bFAIL\b/;

/** Words with which the scorers were trained. The weights fit only these words, so a change requires new training. */
export const LEARNED_FAILURE_WORDS = {
  /** Failure cues. Each is a whole word. */
  voice:
    'error errors err fail failed fails failure failures fatal panic panicked critical exception severe traceback aborted',
  /** Stems of words in lines about an error. */
  error:
    'error err exception traceback fatal panic panicked critical fail failed failure failing crash crashed abort aborted segfault segmentation fault unhandled uncaught undefined oops killed denied refused violation invalid illegal corrupt corrupted stacktrace',
  /** Stems of words about something that failed as a whole. */
  failure: 'failed failure fatal panicked traceback segfault aborted errored broken unsuccessful mismatch',
} as const;

/** Matches counts of zero, which say that nothing failed. */
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
    // Continues on the next line. Otherwise a line with a thousand zero counts would be read a thousand
    // times.
    words.lastIndex = end;
  }
  return undefined;
}

/** Whether a line reports a failure. A count of zero, such as `0 errors`, does not. */
export function isFailure(line: string): boolean {
  return namesFailure(line) && namesFailure(line.replace(DENIALS, ''));
}

/** Whether a line contains a failure word. A count of zero, such as `0 errors`, does. */
export function namesFailure(line: string): boolean {
  return PARTS.test(line) || SHOUTED.test(line);
}
