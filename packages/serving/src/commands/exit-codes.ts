export const SUCCESS = 0;
export const FAILURE = 1;
export const BAD_USAGE = 2;
export const NOT_RUNNING = 3;
/** Done, but not as well as was asked for. */
export const INCOMPLETE = 3;
export const BUG = 70;
export const INTERRUPTED = 130;

/** Exit codes of every command; `--help` and the documentation print them. */
export const exitCodeMeanings: Readonly<Record<number, string>> = {
  [SUCCESS]: 'done',
  [FAILURE]: 'the command could not do its work; standard error says why',
  [BAD_USAGE]: 'wrong arguments or a bad setting',
  [BUG]: 'a bug in secateur',
  [INTERRUPTED]: 'interrupted before the work was done',
};
