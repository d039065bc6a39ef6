import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pieces } from './pieces.ts';

/**
 * A tree of plausible TypeScript modules, the same for the same count. Sizes and shape follow real code bases:
 * playwright's packages have 231 lines and 8.8 KB a file, 61 % of it in function bodies; zod 268 lines, 9.1 KB, 74 %;
 * n8n 122 lines, 3.9 KB, 44 %; nest 57 lines, 1.6 KB, 55 %. Here: about 170 lines, 5.8 KB, 60 %, from a few lines
 * of re-exports to a thousand lines, fifty files a folder.
 */
export function makeTree(root: string, count: number): number {
  let bytes = 0;
  const old = new Date(Date.now() - 60_000);
  for (let at = 0; at < count; at += 1) {
    const path = join(root, fileName(at));
    mkdirSync(dirname(path), { recursive: true });
    const text = source(at);
    writeFileSync(path, text);
    // As a checkout would be: not written in the same second as it is read.
    utimesSync(path, old, old);
    bytes += text.length;
  }
  return bytes;
}

const FILES_A_FOLDER = 50;

function fileName(at: number): string {
  return at % FILES_A_FOLDER === 0
    ? `${folder(at)}/index.ts`
    : `${folder(at)}/part-${at % FILES_A_FOLDER}.ts`;
}

function folder(at: number): string {
  return `area-${Math.floor(at / FILES_A_FOLDER)}`;
}

function source(at: number): string {
  if (at % FILES_A_FOLDER === 0) return index(at);
  const random = randomFrom(at);
  const wanted = pieceCount(random());
  const chosen = Array.from({ length: wanted }, (_, step) => {
    const piece = pieces[Math.floor(random() * pieces.length)] ?? pieces[0];
    return piece({ at, step, random });
  });
  return `${imports(at, random)}\n${chosen.join('\n')}`;
}

/** Most files are short, some are long: the median is well below the mean, as it does in real trees. */
function pieceCount(chance: number): number {
  return Math.round(2 + 4 * chance + 16 * chance ** 8);
}

function index(at: number): string {
  const parts = Array.from({ length: 12 }, (_, step) => `export * from './part-${step + 1}.ts';`);
  return `/** What area ${Math.floor(at / FILES_A_FOLDER)} offers. */\n${parts.join('\n')}\n`;
}

/** From half as far down, a third, …: real trees are wide, and a chain of ten thousand imports overflows ts-morph. */
function imports(at: number, random: () => number): string {
  const area = Math.floor(at / FILES_A_FOLDER);
  const neighbours = Array.from({ length: 2 + Math.floor(random() * 4) }, (_, step) => {
    const part = 1 + Math.floor((at % FILES_A_FOLDER) / (step + 2));
    const from = step === 0 ? '.' : `../area-${Math.floor(area / (step + 1))}`;
    return `import { type Options${step}, run${part}, type Result${step} } from '${from}/part-${part}.ts';`;
  });
  return [
    "import { readFile, stat } from 'node:fs/promises';",
    "import { basename, join } from 'node:path';",
    ...neighbours,
    '',
  ].join('\n');
}

/** Mulberry32: small, and the same on every machine. */
function randomFrom(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
