import { extensionOf } from '../../text/file-kinds.ts';
import { type Program, pipelinesOf } from './shell-words.ts';

/**
 * Whether a command line prints a diff or what git says of a change. A git command that only prepares (`git checkout x && npm test`) does
 * not count beside others: their output is what was asked for.
 */
export function printsDiff(command: string): boolean {
  const programs = pipelinesOf(command).flat().map(parsedProgram);
  const printing = programs.filter(({ name }) => !SILENT.has(name));
  if (printing.some((program) => isDiff(program))) return true;
  const others = printing.filter((program) => !PREPARING.has(program.subcommand));
  return others.length === 0 && printing.some(({ subcommand }) => PREPARING.has(subcommand));
}

/**
 * The file that a command only shows: `cat a.ts`, `cd src && nl -ba a.py | sed -n '1,80p'`, `git show HEAD:a.py`, `grep -n x a.py`. Several
 * files of one kind, shown one after the other, are as good as one.
 */
export function shownFile(command: string): string | undefined {
  const shown: string[] = [];
  for (const [first = [], ...filters] of pipelinesOf(command)) {
    const program = withoutPrefix(first);
    if (filters.length === 0 && QUIET.has(program[0] ?? '')) continue;
    const files = filesShown(program);
    if (files.length === 0 || !filters.every(passesOn)) return undefined;
    shown.push(...files);
  }
  return new Set(shown.map(extensionOf)).size === 1 ? shown[0] : undefined;
}

/** Programs that print nothing, or a heading. */
const QUIET = new Set(['cd', 'export', 'source', 'set', 'echo', 'printf', 'true', 'pwd']);
const SHOWS = new Set(['cat', 'bat', 'batcat', 'head', 'tail', 'nl', 'sed', 'less', 'more', 'awk', 'grep']);
/** Their first word that is no option is no file. */
const SCRIPTED = new Set(['sed', 'awk', 'grep']);
const PASSES_ON = new Set(['head', 'tail', 'cat', 'nl', 'grep', 'less', 'more', 'awk']);
/** Options of programs that then write a file, or read whole folders. */
const SHOWS_NO_FILE: Readonly<Record<string, RegExp>> = {
  sed: /^-[A-Za-z]*i|^--in-place/,
  grep: /^-[A-Za-z]*[rR]|^--(?:dereference-)?recursive$/,
};
/** Options that take the next word. */
const TAKE_WORD: Readonly<Record<string, string>> = {
  head: 'nc',
  tail: 'nc',
  grep: 'ABCmef',
  sed: 'e',
  awk: 'Fv',
  nl: 'bwsv',
};

function passesOn([name = '', ...words]: Program): boolean {
  return PASSES_ON.has(name) || (name === 'sed' && words.includes('-n'));
}

function filesShown([path = '', ...words]: Program): string[] {
  const name = nameOf(path);
  if (name === 'git') return revisionFile(words);
  if (!SHOWS.has(name) || words.some((word) => SHOWS_NO_FILE[name]?.test(word))) return [];
  const scripted = SCRIPTED.has(name) && !words.includes('-e');
  const taking = TAKE_WORD[name] ?? '';
  const takesNext = (word = '') => /^-.$/.test(word) && taking.includes(word.charAt(1));
  const plain = words.filter((word, at) => !/^[-+]./.test(word) && !takesNext(words[at - 1]));
  const files = scripted ? plain.slice(1) : plain;
  return files.every((file) => !/[*?]$|\/$/.test(file)) ? files : [];
}

/** `git show REVISION:FILE`. */
function revisionFile(words: Program): string[] {
  if (!words.includes('show')) return [];
  return words.flatMap((word) => /^[^-:][^:]*:(.+)$/.exec(word)?.[1] ?? []);
}

interface ParsedProgram {
  name: string;
  /** `diff` for `git -C x diff`; empty for programs that are no version control. */
  subcommand: string;
  words: Program;
}

const PREFIX = new Set('sudo env time command exec nice nohup then do else if !'.split(' '));

function withoutPrefix(program: Program): Program {
  const start = program.findIndex((word) => !PREFIX.has(word) && !/^\w+=/.test(word));
  return start <= 0 ? program : program.slice(start);
}

function parsedProgram(program: Program): ParsedProgram {
  const [path = '', ...words] = withoutPrefix(program);
  const name = nameOf(path);
  if (!VERSION_CONTROL.has(name)) return { name, subcommand: '', words };
  const at = words.findIndex(
    (word, index) => !word.startsWith('-') && !TAKES_VALUE.has(words[index - 1] ?? ''),
  );
  return { name, subcommand: words[at] ?? '', words: words.slice(at + 1) };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const VERSION_CONTROL = new Set(['git', 'hg', 'svn', 'jj']);
const TAKES_VALUE = new Set(['-C', '-c', '--git-dir', '--work-tree', '-R']);
const DIFF_PROGRAMS = new Set(['diff', 'colordiff', 'sdiff', 'delta', 'difft', 'cmp']);
/** What version control says of a change, a state or a line: read to the letter. A history without patches and lists of names are not. */
const ABOUT_CHANGES = new Set(
  'diff show status blame annotate cat-file format-patch range-diff whatchanged'.split(' '),
);
const HISTORY = new Set(['log', 'stash', 'reflog']);
const WITH_PATCH = /^(?:-p|-u|--patch|-U\d+|--unified|-c|--cc|-L.*)$/;
/** Their few words are the whole answer, where nothing else prints. */
const PREPARING = new Set(
  'add commit pull push fetch merge rebase checkout switch restore reset revert cherry-pick clean apply am init clone worktree'.split(
    ' ',
  ),
);
/** Programs that print nothing of their own. */
const SILENT = new Set([...QUIET, '.', 'mkdir', 'cat', 'head', 'tail', 'less', 'more', 'fi', 'done']);

function isDiff({ name, subcommand, words }: ParsedProgram): boolean {
  if (DIFF_PROGRAMS.has(name)) return true;
  if (HISTORY.has(subcommand)) return words.some((word) => WITH_PATCH.test(word));
  return ABOUT_CHANGES.has(subcommand) && revisionFile([subcommand, ...words]).length === 0;
}
