import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Growth, growthOf } from './patterns/growth.ts';
import type { FoundPattern, PatternList } from './patterns/list-patterns.ts';
import { packageFolders } from './source-files.ts';

/** Files that make patterns while they run, and why no input can slow those down. */
const MADE_LATER: Readonly<Record<string, string>> = {
  'packages/base/src/text/failure-words.ts': 'copies a literal of the same file',
  'packages/base/src/tools/schema-check.ts':
    'compiles the schemas of our own tools, whose patterns are proven as texts',
};

/** Every regular expression of the packages takes time in step with its text, whatever the text is. */
export async function checkPatterns(root: string): Promise<string[]> {
  const cache = new Cache(root);
  const { patterns, madeLater } = await cache.list(digestOf(sources(root)), () => listPatterns(root));
  const slow = patterns.flatMap((pattern) => complaint(pattern, cache.growthOf(pattern)));
  cache.save();
  const unknown = madeLater.filter((file) => MADE_LATER[file] === undefined);
  const gone = Object.keys(MADE_LATER).filter((file) => !madeLater.includes(file));
  return [
    ...slow,
    ...unknown.map((file) => `${file} makes patterns while it runs: what of?`),
    ...gone.map((file) => `${file} makes no patterns any more: strike it off MADE_LATER`),
  ];
}

const SCRIPTS = fileURLToPath(new URL('.', import.meta.url));

/** Lists the patterns in a process of its own: it replaces `RegExp` and loads everything. */
async function listPatterns(root: string): Promise<PatternList> {
  const loader = ['--conditions=secateur-source', '--import', import.meta.resolve('tsx')];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...loader, join(SCRIPTS, 'patterns/list-patterns.ts'), root],
    { cwd: root, maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(stdout) as PatternList;
}

function complaint({ file, source, flags }: FoundPattern, growth: Growth): string[] {
  return growth.kind === 'linear'
    ? []
    : [`${file}: /${source}/${flags} is ${growth.kind}: ${growth.because}`];
}

/** Every file of the packages: patterns are put together from names in other modules and from data files too. */
function sources(root: string): string[] {
  return packageFolders(root)
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/**
 * Returns the files that decide how a pattern is found and checked: our own prover, and the packages it uses.
 */
function proverFiles(): string[] {
  const packages = ['@eslint-community/regexpp', '@swc/core', 'tsx'];
  return [
    ...['alphabet', 'automaton', 'components', 'growth', 'list-patterns'].map((name) =>
      join(SCRIPTS, `patterns/${name}.ts`),
    ),
    join(SCRIPTS, 'source-files.ts'),
    ...packages.map((name) => join(SCRIPTS, '../node_modules', name, 'package.json')),
  ];
}

function digestOf(files: readonly string[]): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of files) {
    const text = readFileSync(file);
    hash.update(`\n${file} ${text.length}\n`).update(text);
  }
  return hash.digest('hex');
}

interface Cached {
  /** The patterns of the sources with this digest. */
  listed?: { readonly digest: string; readonly list: PatternList };
  readonly proofs: Record<string, Growth>;
}

/**
 * Cache of lists and proofs by content: a changed source is listed again, a changed pattern is proven again.
 */
class Cache {
  readonly #file: string;
  readonly #cached: Cached;

  constructor(root: string) {
    const folder = join(root, 'node_modules/.cache/secateur');
    mkdirSync(folder, { recursive: true });
    this.#file = join(folder, `patterns-${digestOf(proverFiles()).slice(0, 16)}.json`);
    this.#cached = readCache(this.#file);
  }

  async list(digest: string, find: () => Promise<PatternList>): Promise<PatternList> {
    const { listed } = this.#cached;
    if (listed?.digest === digest) return listed.list;
    const list = await find();
    this.#cached.listed = { digest, list };
    return list;
  }

  growthOf({ source, flags }: FoundPattern): Growth {
    const key = `${flags}/${source}`;
    const known = Object.hasOwn(this.#cached.proofs, key) ? this.#cached.proofs[key] : undefined;
    const growth = known ?? growthOf(source, flags);
    this.#cached.proofs[key] = growth;
    return growth;
  }

  /** Replaces the file as a whole: checks that run at the same time never read half of one. */
  save(): void {
    const written = `${this.#file}.${process.pid}`;
    writeFileSync(written, JSON.stringify(this.#cached));
    renameSync(written, this.#file);
  }
}

/** Returns an empty cache if the file is missing or damaged. */
function readCache(file: string): Cached {
  try {
    const { listed, proofs } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Cached>;
    return { ...(listed && { listed }), proofs: proofs ?? {} };
  } catch {
    return { proofs: {} };
  }
}
