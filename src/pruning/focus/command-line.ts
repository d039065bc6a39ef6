/**
 * Whether a command line prints a diff or what git says. A git command that only prepares (`git checkout x && npm test`) does
 * not count beside others: their output is what was asked for. Read for its words only, never run.
 */
export function printsDiffOrGit(command: string): boolean {
  const programs = simpleCommands(command).map(programOf);
  const printing = programs.filter(({ name }) => !SILENT.has(name));
  if (printing.some((program) => isDiff(program) || READING.has(program.subcommand))) return true;
  return printing.length > 0 && printing.every(({ name }) => VERSION_CONTROL.has(name));
}

/** The file that a command only shows: `cat a.ts`, `cd src && nl -ba a.py | sed -n '1,80p'`, `grep -n x a.py`. */
export function shownFile(command: string): string | undefined {
  const [first = '', ...filters] = lastCommand(command).split('|');
  if (!filters.every((filter) => PASSES_ON.test(filter))) return undefined;
  return SHOWS_FILE.exec(first)?.[1];
}

function lastCommand(command: string): string {
  const parts = command.split(/&&|;/);
  const before = parts.slice(0, -1).every((part) => /^\s*(?:cd|export|source|set)\b/.test(part));
  return before ? (parts.at(-1) ?? '') : '';
}

const SHOWS_FILE =
  /^\s*(?:cat|bat|head|tail|nl|sed|less|more|grep|awk)\s+(?:-\S+\s+|'[^']*'\s+|"[^"]*"\s+|\d+\s+)*([^\s'"|;&<>]+)\s*$/;
const PASSES_ON = /^\s*(?:sed\s+-n|head|tail|cat|nl|grep|less|more|awk)\b/;

interface Program {
  name: string;
  /** `diff` for `git -C x diff`; empty for programs that are no version control. */
  subcommand: string;
}

/** What is quoted is data, and what is substituted does not print: `cd $(git rev-parse --show-toplevel) && npm test`. */
function simpleCommands(command: string): string[] {
  return command
    .replace(/'[^']*'|"[^"]*"|\$\([^()]*\)|`[^`]*`/g, 'x')
    .split(/&&|\|\||[;|&\n(){}]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

const PREFIX = /^(?:(?:sudo|env|time|command|exec|nice|nohup|then|do|else|if|!)\s+|\w+=\S*\s+)+/;

function programOf(command: string): Program {
  const [program = '', ...words] = command.replace(PREFIX, '').split(/\s+/);
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (!VERSION_CONTROL.has(name)) return { name, subcommand: '' };
  const subcommand = words.find(
    (word, index) => !word.startsWith('-') && !TAKES_VALUE.has(words[index - 1] ?? ''),
  );
  return { name, subcommand: subcommand ?? '' };
}

const VERSION_CONTROL = new Set(['git', 'hg', 'svn', 'jj']);
const TAKES_VALUE = new Set(['-C', '-c', '--git-dir', '--work-tree', '-R']);
const DIFF_PROGRAMS = new Set(['diff', 'colordiff', 'sdiff', 'delta', 'difft', 'cmp']);
const READING = new Set(
  'diff log show status blame annotate grep ls-files ls-tree reflog shortlog branch tag cat-file format-patch range-diff whatchanged'.split(
    ' ',
  ),
);
/** Programs that print nothing of their own. */
const SILENT = new Set([
  'cd',
  'export',
  'set',
  'source',
  '.',
  'true',
  'mkdir',
  'cat',
  'head',
  'tail',
  'less',
  'more',
  'fi',
  'done',
]);

function isDiff({ name }: Program): boolean {
  return DIFF_PROGRAMS.has(name);
}
