import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Growth, growthOf } from './patterns/growth.ts';
import type { FoundPattern, PatternList } from './patterns/list-patterns.ts';

/** Files that make patterns while they run, and why no input can slow those down. */
const MADE_LATER: Readonly<Record<string, string>> = {
  'packages/base/src/text/failure-words.ts': 'copies a literal of the same file',
  'packages/base/src/tools/schema-check.ts':
    'compiles the schemas of our own tools, whose patterns are proven as texts',
  'packages/base/src/tools/schema-check/scalar.ts':
    'compiles the schemas of our own tools, whose patterns are proven as texts',
};

/** Every regular expression of the packages takes time in step with its text, whatever the text is. */
export async function checkPatterns(root: string): Promise<string[]> {
  const { patterns, madeLater } = await listPatterns(root);
  const proofs = new Proofs(root);
  const slow = patterns.flatMap((pattern) => complaint(pattern, proofs.growthOf(pattern)));
  proofs.save();
  const unknown = madeLater.filter((file) => MADE_LATER[file] === undefined);
  const gone = Object.keys(MADE_LATER).filter((file) => !madeLater.includes(file));
  return [
    ...slow,
    ...unknown.map((file) => `${file} makes patterns while it runs: what of?`),
    ...gone.map((file) => `${file} makes no patterns any more: strike it off MADE_LATER`),
  ];
}

/** In a process of its own: it replaces `RegExp` and loads everything. */
async function listPatterns(root: string): Promise<PatternList> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', join(root, 'scripts/patterns/list-patterns.ts')],
    { cwd: root, maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(stdout) as PatternList;
}

function complaint({ file, source, flags }: FoundPattern, growth: Growth): string[] {
  return growth.kind === 'linear'
    ? []
    : [`${file}: /${source}/${flags} is ${growth.kind}: ${growth.because}`];
}

/** What was proven once is proven, as long as the prover is the same. */
class Proofs {
  private readonly file: string;
  private readonly prover: string;
  private readonly known: Record<string, Growth>;

  constructor(root: string) {
    const parts = ['alphabet', 'automaton', 'components', 'growth'].map((name) =>
      readFileSync(join(root, `scripts/patterns/${name}.ts`)),
    );
    this.prover = createHash('sha256').update(Buffer.concat(parts)).digest('hex').slice(0, 16);
    const folder = join(root, 'node_modules/.cache/secateur');
    mkdirSync(folder, { recursive: true });
    this.file = join(folder, `patterns-${this.prover}.json`);
    this.known = existsSync(this.file) ? JSON.parse(readFileSync(this.file, 'utf8')) : {};
  }

  growthOf({ source, flags }: FoundPattern): Growth {
    const key = `${flags}/${source}`;
    this.known[key] ??= growthOf(source, flags);
    return this.known[key];
  }

  save(): void {
    writeFileSync(this.file, JSON.stringify(this.known));
  }
}
