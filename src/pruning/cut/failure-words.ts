const FAILURE = /error|exception|traceback|fatal|critical|panic|failed|failure|npm ERR!/i;
/** What test runners shout; in small letters the word is too common. */
const SHOUTED = /\bFAIL\b/;

/** Whether a log line speaks of a failure. Deliberately wide: hiding one costs more than keeping ten. */
export function isFailure(line: string): boolean {
  return FAILURE.test(line) || SHOUTED.test(line);
}
