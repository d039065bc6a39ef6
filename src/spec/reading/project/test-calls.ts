import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { grouped } from '../../../runtime/grouped.ts';
import type { FactReader } from '../../../syntax/body-facts.ts';
import { detectLanguage } from '../../../syntax/languages.ts';

/** A test file: where it first uses each of the names looked for (an import is no use), and where it calls them. */
export interface TestFile {
  path: string;
  text: string;
  words: Map<string, number[]>;
  calls: Map<string, number[]>;
  /** Names of files it was asked for, and whether its text holds them: a long text is searched once per name. */
  stems: Map<string, boolean>;
}

export interface Search {
  names: ReadonlySet<string>;
  /** Its parsers are loaded once for all files. */
  reader: FactReader;
}

const MAX_FILE_BYTES = 512 * 1024;
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;

export async function readTestFiles(
  base: string,
  paths: readonly string[],
  { names, reader }: Search,
): Promise<TestFile[]> {
  const tests: TestFile[] = [];
  let total = 0;
  for (const path of paths) {
    if (total > MAX_TOTAL_BYTES) break;
    if (names.size === 0 || detectLanguage({ path }) === undefined) continue;
    const text = await readSmall(join(base, path));
    total += text.length;
    const words = findNames(text, names);
    if (words.size > 0)
      tests.push({
        path,
        text,
        words,
        calls: await callsIn(text, path, { names, reader }),
        stems: new Map(),
      });
  }
  return tests;
}

async function callsIn(
  text: string,
  path: string,
  { names, reader }: Search,
): Promise<Map<string, number[]>> {
  const { facts = [] } = (await reader.read(text, { path })) ?? {};
  const calls = facts.filter(({ kind, name }) => kind === 'call' && names.has(name));
  return grouped(calls.map(({ name, startLine }) => [name, startLine]));
}

async function readSmall(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || found.size > MAX_FILE_BYTES) return '';
  return readFile(file, 'utf8').catch(() => '');
}

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

function findNames(text: string, names: ReadonlySet<string>): Map<string, number[]> {
  const lines = new Map<string, number[]>();
  for (const [word] of text.matchAll(WORD)) if (names.has(word)) lines.set(word, []);
  for (const [at, line] of withoutImports(text).split('\n').entries()) {
    for (const [word] of line.matchAll(WORD)) if (lines.get(word)?.length === 0) lines.set(word, [at + 1]);
  }
  return lines;
}

const IMPORT = /^[ \t]{0,40}(?:(?:import|from|using|use)\s|require\b|#include\b)/;

/** The same lines, those of imports empty: one goes on until its bracket is closed. */
function withoutImports(text: string): string {
  let end: string | undefined;
  const shown = text.split('\n').map((line) => {
    if (end === undefined && !IMPORT.test(line)) return line;
    end ??= BRACKETS.find(([opening]) => line.includes(opening))?.[1];
    if (end !== undefined && line.includes(end)) end = undefined;
    return '';
  });
  return shown.join('\n');
}

const BRACKETS = [
  ['{', '}'],
  ['(', ')'],
] as const;
