import { extensionOf } from '@secateur/base/text/file-kinds.ts';
import { type Program, pipelinesOf } from '@secateur/base/text/shell-words.ts';

/**
 * The file that a command line only shows: `cat a.ts`, `cd src && nl -ba a.py | sed -n '1,80p'`, `git show HEAD:a.py`. Several
 * files of one kind, shown one after the other, count as one.
 */
export function shownFile(command: string): string | undefined {
  const shown: string[] = [];
  for (const [first = [], ...filters] of pipelinesOf(command)) {
    if (filters.length === 0 && QUIET.has(first[0] ?? '')) continue;
    const files = filesShown(first);
    if (files.length === 0 || !filters.every(passesOn)) return undefined;
    shown.push(...files);
  }
  return new Set(shown.map(extensionOf)).size === 1 ? shown[0] : undefined;
}

/** Programs that print nothing, or a heading. */
const QUIET = new Set(['cd', 'export', 'source', 'set', 'echo', 'printf', 'true', 'pwd']);
const SHOWS = new Set(['cat', 'bat', 'batcat', 'head', 'tail', 'nl', 'sed', 'less', 'more', 'awk']);
/** Their first word that is not an option is a script. */
const SCRIPTED = new Set(['sed', 'awk']);
const PASSES_ON = new Set(['head', 'tail', 'cat', 'nl', 'less', 'more', 'awk']);
/** Options that take the next word. */
const TAKES_WORD: Readonly<Record<string, string>> = {
  head: 'nc',
  tail: 'nc',
  sed: 'e',
  awk: 'Fv',
  nl: 'bwsv',
};

function passesOn([name = '', ...words]: Program): boolean {
  return PASSES_ON.has(name) || (name === 'sed' && words.includes('-n'));
}

function filesShown([path = '', ...words]: Program): string[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === 'git') return words.includes('show') ? words.flatMap(revisionFile) : [];
  if (!SHOWS.has(name) || words.some((word) => name === 'sed' && /^-[A-Za-z]*i|^--in-place/.test(word)))
    return [];
  const taking = TAKES_WORD[name] ?? '';
  const takesNext = (word = '') => /^-.$/.test(word) && taking.includes(word.charAt(1));
  const plain = words.filter((word, at) => !/^[-+]./.test(word) && !takesNext(words[at - 1]));
  const files = SCRIPTED.has(name) && !words.includes('-e') ? plain.slice(1) : plain;
  return files.every((file) => !/[*?]$|\/$/.test(file)) ? files : [];
}

/** `git show REVISION:FILE`. */
function revisionFile(word: string): string[] {
  const file = /^[^-:][^:]*:(.+)$/.exec(word)?.[1];
  return file === undefined ? [] : [file];
}
