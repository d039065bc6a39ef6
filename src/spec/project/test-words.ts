import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { detectLanguage } from '../../syntax/languages.ts';

/** A test file and where it first uses each of the names looked for. */
export interface TestWords {
  path: string;
  text: string;
  lines: Map<string, number>;
}

const MAX_FILE_BYTES = 512 * 1024;
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;

export async function readTestWords(
  base: string,
  paths: readonly string[],
  names: ReadonlySet<string>,
): Promise<TestWords[]> {
  const tests: TestWords[] = [];
  let total = 0;
  for (const path of paths) {
    if (total > MAX_TOTAL_BYTES) break;
    if (names.size === 0 || detectLanguage({ path }) === undefined) continue;
    const text = await readSmall(join(base, path));
    total += text.length;
    const lines = findNames(text, names);
    if (lines.size > 0) tests.push({ path, text, lines });
  }
  return tests;
}

async function readSmall(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || found.size > MAX_FILE_BYTES) return '';
  return readFile(file, 'utf8').catch(() => '');
}

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

function findNames(text: string, names: ReadonlySet<string>): Map<string, number> {
  const lines = new Map<string, number>();
  for (const [at, line] of text.split('\n').entries()) {
    for (const [word] of line.matchAll(WORD)) {
      if (names.has(word) && !lines.has(word)) lines.set(word, at + 1);
    }
  }
  return lines;
}
