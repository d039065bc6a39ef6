/** Words of trouble and of results: a line with one of them is never removed as noise. */

const FAILURES =
  "errors?|err|fail(?:s|ed|ure|ures|ing)?|fatal|panic(?:ked)?|exceptions?|traceback|critical|severe|abort(?:ed)?|crash(?:ed)?|segfault|killed|denied|refused|cannot|unable|invalid|conflicts?|mismatch|timed out|timeout|unresolved|undefined|unsupported|not found|could not|can't|couldn't|no such|expected|but got";
/** As words of their own; `libgpg-error0` and `error-chain v0.12` name packages. */
const FAILURE = new RegExp(
  [
    String.raw`(?<![\w./@-])(?:${FAILURES})(?![\w/-]|\.\w)`,
    String.raw`\w(?:Error|Exception)\b|npm ERR!|\[E\d{4}\]|[✗✖✘]`,
  ].join('|'),
  'i',
);
/** Most lines hold none of the words; without a look behind each place this is found out several times faster. */
const MAYBE_FAILURE = new RegExp(`${FAILURES}|\\[E\\d|[✗✖✘]`, 'i');
const WARNING = /(?<![\w./@-])(?:warn(?:ing|ings)?|deprecat(?:ed|ion)|missing)(?![\w/-]|\.\w)/i;
const MAYBE_WARNING = /warn|deprecat|missing/i;
/** Counts of zero: they deny trouble. */
const DENIED =
  /\b(?:0|no|zero|without) (?:errors?|fail(?:ed|ures?)|warnings?|exceptions?|conflicts?|problems?|vulnerabilities)\b|\b(?:errors?|failures?|failed|warnings?): ?0\b/gi;

/** Totals, results and exit states. */
const VERDICT = new RegExp(
  [
    String.raw`\b\d+ (?:tests?|specs?|examples?|suites?|assertions|passed|passing|failed|failing|pending|skipped|errors?|warnings?|problems?|vulnerabilities|packages? (?:are|in))\b`,
    String.raw`\b(?:tests?|specs?|assertions?|passed|failed|failures?|errors?|skipped|pending)(?: run| passed)? ?[:=] ?\d`,
    String.raw`\btest result:|\bBUILD (?:SUCCESS|FAIL)|\b(?:(?<!remote: )total|summary|exit(?:ed)? (?:code|status)|exited with|successfully (?:installed|built|tagged))\b`,
    String.raw`^\W*(?:finished|done in)\b|^OK\b`,
  ].join('|'),
  'i',
);

const MAX_LINE = 500;

/** Whether a line mentions a failure or a warning, other than to deny it. */
export function namesTrouble(whole: string): boolean {
  return namesWarning(whole) || namesFailure(whole);
}

export function namesFailure(whole: string): boolean {
  const line = whole.slice(0, MAX_LINE);
  return MAYBE_FAILURE.test(line) && FAILURE.test(line) && FAILURE.test(line.replace(DENIED, ''));
}

export function namesWarning(whole: string): boolean {
  const line = whole.slice(0, MAX_LINE);
  return MAYBE_WARNING.test(line) && WARNING.test(line) && WARNING.test(line.replace(DENIED, ''));
}

/** Whether a line states a total or a result. */
export function statesResult(whole: string): boolean {
  return VERDICT.test(whole.slice(0, MAX_LINE));
}
