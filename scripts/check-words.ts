import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceFiles } from './source-files.ts';

interface WordHabit {
  readonly name: string;
  readonly pattern: RegExp;
  /** Number of hits in the repository. It may only fall: a change that removes hits lowers it. */
  readonly ceiling: number;
}

/** Words and habits that make comments, test titles and pages hard to read. CONTRIBUTING.md says what to write instead. */
export const WORD_HABITS: readonly WordHabit[] = [
  { name: 'whoever, nobody, somebody', pattern: /\b(?:whoever|(?:no|some|any|every)body)\b/gi, ceiling: 2 },
  { name: 'stands, lies (say: is)', pattern: /\b(?:stands|lies)\b/gi, ceiling: 1 },
  { name: 'is no X (say: is not a)', pattern: /\b(?:is|are) (?:no|none)\b/gi, ceiling: 15 },
  { name: 'told, tells', pattern: /\b(?:told|tells)\b/gi, ceiling: 3 },
  { name: 'nothing where', pattern: /\bnothing (?:where|when|for|unless)\b/gi, ceiling: 1 },
  { name: 'at once', pattern: /\bat once\b/gi, ceiling: 1 },
  {
    name: 'asked back, passes whole, way back',
    pattern: /\bask(?:s|ed)? back\b|\bpass(?:es|ed)? whole\b|\bway back\b/gi,
    ceiling: 2,
  },
  { name: 'room, hall, arrow', pattern: /\b(?:rooms?|halls?|arrows?)\b/gi, ceiling: 2 },
  {
    name: 'opens with What, Who, Where, How, The same, Of, Told',
    pattern: /^(?:What|Who|Where|How|Which|The same|Of|Told)\b/g,
    ceiling: 22,
  },
];

/** Compares the number of hits of each habit with its ceiling. */
export function checkWords(root: string, habits: readonly WordHabit[] = WORD_HABITS): string[] {
  const texts = textsOf(root);
  return habits.flatMap(({ name, pattern, ceiling }) => {
    const hits = texts.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(() => path));
    if (hits.length < ceiling - MAX_SLACK)
      return [`${name}: lower the ceiling from ${ceiling} to ${hits.length}`];
    if (hits.length <= ceiling) return [];
    return [`${name}: ${hits.length} hits, at most ${ceiling} allowed; most in ${worstOf(hits).join(', ')}`];
  });
}

/** A ceiling may be this much too high, so that branches which each remove some hits can be merged. */
const MAX_SLACK = 20;
const MAX_NAMED = 5;

function worstOf(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(path, (counts.get(path) ?? 0) + 1);
  const sorted = [...counts].sort(([, left], [, right]) => right - left);
  return sorted.slice(0, MAX_NAMED).map(([path, count]) => `${path} (${count})`);
}

interface Text {
  readonly path: string;
  readonly text: string;
}

/** Returns every comment, test title and line of a page. Fixtures are data and generated pages follow their sources. */
function textsOf(root: string): Text[] {
  const folders = FOLDERS.filter((folder) => existsSync(join(root, folder)));
  const code = [...sourceFiles(root), ...folders.flatMap((folder) => sourceFiles(root, folder))];
  const pages = ['.', 'docs', 'docs/contracts'].flatMap((folder) => pagesIn(root, folder));
  return [
    ...code.filter((path) => !EXCEPT.test(path)).flatMap((path) => wordsOfCode(root, path)),
    ...pages.flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .map((line) => ({ path, text: line.replace(/^[#*\-| ]+/, '') })),
    ),
  ];
}

const FOLDERS = ['test', 'scripts', 'web', 'bench'];
const EXCEPT = /node_modules|^test\/(fixtures|outside)\/|check-words/;

function pagesIn(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

const COMMENT = /\/\*\*([^*]*(?:\*(?!\/)[^*]*)*)\*\/|^[ \t]*\/\/(.*)$/gm;
const TITLE = /\b(?:it|test|describe)(?:\.each)?\(\s*(['"`])(.{0,400}?)\1/g;

function wordsOfCode(root: string, path: string): Text[] {
  const code = readFileSync(join(root, path), 'utf8');
  const comments = [...code.matchAll(COMMENT)].map(([, block, line]) => block ?? line ?? '');
  const titles = [...code.matchAll(TITLE)].map(([, , title = '']) => title);
  return [...comments, ...titles].map((text) => ({ path, text: text.replace(/\s*\n\s*\* ?/g, ' ').trim() }));
}
