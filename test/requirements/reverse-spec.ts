export const reverseSpecRequirements: Readonly<Record<string, string>> = {
  R10: 'prepare answers with skeletons that hold the source own text of every export, and nothing invented',
  R11: 'fourteen languages have real parsers; broken code yields what can be read; unknown languages are listed with a note',
  R12: '.gitignore counts as in git; binaries and large files are skipped and listed; deep adds function bodies',
  R13: 'the context keeps a token budget: snippets go first, the skeleton never',
  R14: 'secrets are redacted from everything that leaves, skeleton and comments included',
  R20: 'a spec has front matter, nine sections, a diagram, a file list and the baseline; targets never share a file; rewrites bump the version; writes are atomic',
  R21: 'generate answers with specPath, tokenUsage, confidence and warnings',
  R22: 'the interface section comes from the AST, never from the model',
  R24: 'no key is an error with a hint; astOnly writes a useful spec without a network',
  R40: 'a drift report has all fields, as JSON and as Markdown',
  R41: 'severities follow the kind of change; noise is counted; renames and moves are recognised; same names in different files stay apart',
  R42: 'drift needs no model and no network; a missing or damaged baseline is an error that says so',
};
