import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';
import { expect, it } from 'vitest';
import { checkPatterns } from '../../scripts/check-patterns.ts';
import { growthOf } from '../../scripts/patterns/growth.ts';
import { sourceFiles } from '../../scripts/source-files.ts';
import { slowInput } from '../support/pattern-attack.ts';
import { temporaryFolder } from '../support/secateur-cli.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('[X1] no test input makes a regular expression of the sources slow', { timeout: 180_000 }, () => {
  const slow = sourceFiles(root).flatMap((file) => {
    return slowPatternsIn(readFileSync(join(root, file), 'utf8')).map(
      ({ pattern, input }) => `${file}: ${pattern} takes ever longer on ${JSON.stringify(input)}`,
    );
  });
  expect(slow).toEqual([]);
});

it('[X1] slowPatternsIn finds exponential and quadratic regular expressions', () => {
  const planted = String.raw`export const planted = [/^(?:\w+<?\w*>?\s*)+;$/, /\s+$/, /^\s*\d+$/];`;
  expect(slowPatternsIn(planted).map(({ pattern }) => pattern.source)).toEqual([
    String.raw`^(?:\w+<?\w*>?\s*)+;$`,
    String.raw`\s+$`,
  ]);
});

it('[X1] checkPatterns proves that every regular expression of the sources is linear', {
  timeout: 180_000,
}, async () => {
  expect(await checkPatterns(root)).toEqual([]);
});

/** Source files before and after a change that makes one pattern slow. */
const CHANGES: Readonly<Record<string, readonly [file: string, before: string, after: string]>> = {
  'whose literal changed': ['a.ts', 'export const a = /^x+$/;\n', 'export const a = /x+$/;\n'],
  'whose flags changed': ['a.ts', 'export const a = /^\\s*x/;\n', 'export const a = /^\\s*x/m;\n'],
  'made of a text in another file that changed': [
    'part.ts',
    "export const PART = '^x+$';\n",
    "export const PART = 'x+$';\n",
  ],
  'made of a data file that changed': ['part.json', '"^x+$"\n', '"x+$"\n'],
};

it.each(Object.entries(CHANGES))(
  '[X1] checkPatterns finds a slow pattern in spite of cached results: a pattern %s',
  async (_, change) => {
    const [file, before, after] = change;
    const folder = temporaryFolder();
    const planted = join(folder, 'packages/planted/src');
    mkdirSync(planted, { recursive: true });
    const write = (name: string, text: string) => writeFileSync(join(planted, name), text);
    write('part.ts', "export const PART = '^y$';\n");
    write('part.json', '"^z$"\n');
    write('made.ts', "import { PART } from './part.ts';\nexport const made = new RegExp(PART);\n");
    write(
      'loaded.ts',
      "import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';\nconst text = readFileSync(new URL('part.json', import.meta.url), 'utf8');\nexport const loaded = new RegExp(JSON.parse(text));\n",
    );
    write(file, before);
    const slow = async () => (await checkPatterns(folder)).filter((each) => each.includes('is polynomial'));
    expect(await slow()).toEqual([]);
    expect(await slow()).toEqual([]);
    write(file, after);
    expect(await slow()).toEqual([expect.stringContaining('packages/planted/src/')]);
    // The finding is not lost in the cache, and a damaged cache is not used.
    expect(await slow()).toHaveLength(1);
    const cache = join(folder, 'node_modules/.cache/secateur');
    for (const name of readdirSync(cache)) writeFileSync(join(cache, name), '{"listed": {"dig');
    expect(await slow()).toHaveLength(1);
  },
);

it.each([
  [/^(?:\w+<?\w*>?\s*)+;$/, 'exponential'],
  [/^(?:a|a)*$/, 'exponential'],
  [/^(?:a*)*b/, 'exponential'],
  [/\s+$/, 'polynomial'],
  [/<[^>]*>/, 'polynomial'],
  [/^\s*\[/m, 'polynomial'],
  [/^.*-.*-.*$/, 'polynomial'],
  [/^a*(?=a*b)/, 'polynomial'],
  [/(["'])[\s\S]*?\1/, 'polynomial'],
  [/^\w+\d+$/, 'polynomial'],
  [/(?<!\s)\s+$/, 'linear'],
  [/\b\w+:/, 'linear'],
  [/<[^<>]*>/, 'linear'],
  [/^[ \t]*\[/m, 'linear'],
  [/^\s*\[/, 'linear'],
  [/TODO.*/, 'linear'],
  [/\s+$/y, 'linear'],
  [/"(?:[^"\\]|\\.)*"?/, 'linear'],
  [/\/\*[\s\S]*?(?:\*\/|$)/g, 'linear'],
  [/[\w.-]{1,64}@/, 'linear'],
] as const)('[X1] growthOf reports that %s is %s', (pattern, kind) => {
  expect(growthOf(pattern.source, pattern.flags).kind).toBe(kind);
});

it('[X1] growthOf reports "unknown" for a look-behind of unlimited length', () => {
  expect(growthOf('(?<=a.*)b', '').kind).toBe('unknown');
});

interface SlowPattern {
  readonly pattern: RegExp;
  /** Beginning of an input on which the pattern is slow. */
  readonly input: string;
}

function slowPatternsIn(code: string): SlowPattern[] {
  const program = parseSync(code, { syntax: 'typescript', target: 'es2022' });
  return [...literalsIn(program)].flatMap(({ pattern: source, flags }) => {
    const pattern = new RegExp(source, flags);
    const input = slowInput(pattern);
    return input === undefined ? [] : [{ pattern, input }];
  });
}

interface Literal {
  readonly pattern: string;
  readonly flags: string;
}

function* literalsIn(node: unknown): Generator<Literal> {
  if (typeof node !== 'object' || node === null) return;
  if ((node as { type?: unknown }).type === 'RegExpLiteral') yield node as unknown as Literal;
  for (const inner of Object.values(node)) yield* literalsIn(inner);
}
