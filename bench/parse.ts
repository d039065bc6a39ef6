/**
 * Outlines a second, one thread, beside ts-morph on the same files: `npx tsx bench/parse.ts`.
 * Each side runs in its own process, so that its peak memory and its start are its own.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = fileURLToPath(new URL('../node_modules/', import.meta.url));
const SOURCES = [
  'zod',
  'hono',
  '@anthropic-ai/sdk',
  '@redis/client',
  'knip',
  'ajv',
  'gpt-tokenizer',
  'typebox',
];
const COUNT = Number(process.argv[3] ?? 1_000);

const ROOTS: Readonly<Record<string, { roots: readonly string[]; ends: RegExp }>> = {
  typescript: { roots: SOURCES.map((name) => join(PACKAGES, name)), ends: /\.[cm]?ts$/ },
  python: {
    roots: ['/usr/local/lib/python3.11', '/usr/lib/python3.11', '/usr/lib/python3.12'],
    ends: /\.py$/,
  },
  c: { roots: ['/usr/include'], ends: /\.h$/ },
};

interface Measure {
  files: number;
  megabytes: number;
  seconds: number;
  cpuSeconds: number;
  peakMegabytes: number;
  declarations: number;
}

const side = process.argv[2] ?? 'compare';
if (side === 'compare') compare();
else console.log(JSON.stringify(await measure(side)));

function compare(): void {
  console.log('| reader | language | files | MB | files/s | files/CPU s | MB/CPU s | peak MB |');
  console.log('|---|---|---|---|---|---|---|---|');
  const ours = run('typescript');
  const theirs = run('ts-morph');
  print('secateur', 'TypeScript', ours);
  print('ts-morph', 'TypeScript', theirs);
  console.log(
    `| ratio | | | | ${(rate(ours) / rate(theirs)).toFixed(1)} × | ${(cpuRate(ours) / cpuRate(theirs)).toFixed(1)} × | | ${(theirs.peakMegabytes / ours.peakMegabytes).toFixed(1)} × |`,
  );
  for (const language of ['python', 'c'])
    if (filesOf(language).length > 0) print('secateur', language, run(language));
}

function run(part: string): Measure {
  const { stdout } = spawnSync(
    process.execPath,
    ['--import', 'tsx', fileURLToPath(import.meta.url), part, String(COUNT)],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  return JSON.parse(stdout) as Measure;
}

function rate({ files, seconds }: Measure): number {
  return files / seconds;
}

/** CPU time is fairer than wall time on a machine that does other work too. */
function cpuRate({ files, cpuSeconds }: Measure): number {
  return files / cpuSeconds;
}

function print(reader: string, language: string, measure: Measure): void {
  const { files, megabytes, cpuSeconds, peakMegabytes } = measure;
  const speed = `${rate(measure).toFixed(0)} | ${cpuRate(measure).toFixed(0)} | ${(megabytes / cpuSeconds).toFixed(1)}`;
  console.log(
    `| ${reader} | ${language} | ${files} | ${megabytes.toFixed(1)} | ${speed} | ${peakMegabytes.toFixed(0)} |`,
  );
}

async function measure(part: string): Promise<Measure> {
  const paths = filesOf(part === 'ts-morph' ? 'typescript' : part);
  const bytes = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  const cpu = process.cpuUsage();
  const started = performance.now();
  const declarations = part === 'ts-morph' ? await readWithTsMorph(paths) : await readWithOurs(paths);
  const { user, system } = process.cpuUsage(cpu);
  return {
    files: paths.length,
    megabytes: bytes / 1e6,
    seconds: (performance.now() - started) / 1_000,
    cpuSeconds: (user + system) / 1e6,
    peakMegabytes: process.resourceUsage().maxRSS / 1_024,
    declarations,
  };
}

async function readWithOurs(paths: readonly string[]): Promise<number> {
  const { createOutliner } = await import('../packages/reverse-spec/src/syntax/read-outline.ts');
  const outliner = createOutliner();
  let declarations = 0;
  for (const path of paths)
    declarations += (await outliner.outline(readFileSync(path, 'utf8'), { path })).declarations.length;
  await outliner.close();
  return declarations;
}

/** The way ts-morph is used for the same end: add files, ask for what they export, take each signature's text. */
async function readWithTsMorph(paths: readonly string[]): Promise<number> {
  const { Project } = await import('ts-morph');
  const project = new Project({ skipAddingFilesFromTsConfig: true, skipFileDependencyResolution: true });
  let declarations = 0;
  for (const path of paths) project.addSourceFileAtPath(path);
  for (const file of project.getSourceFiles()) {
    for (const exported of file.getExportedDeclarations().values()) {
      for (const declaration of exported) declarations += declaration.getText().length > 0 ? 1 : 0;
    }
  }
  return declarations;
}

function filesOf(language: string): string[] {
  const { roots = [], ends = /^$/ } = ROOTS[language] ?? {};
  const files = roots
    .filter((root) => existsSync(root))
    .flatMap((root) =>
      readdirSync(root, { recursive: true, encoding: 'utf8' })
        .filter((file) => ends.test(file) && !file.includes('node_modules'))
        .map((file) => join(root, file)),
    );
  return files
    .filter((file) => existsSync(file) && statSync(file).isFile() && statSync(file).size < 400_000)
    .slice(0, COUNT);
}
