import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

// src/ → dist/: bundles of programs, library exports and workers, files that are no code, and type declarations of what
// others may import. Few files load faster than many: node takes longer to find and compile modules than to run them.
const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

/** Modules that are started or imported by their path. Entries of one list share chunks. */
const BUNDLES = [
  // Started for every call of an agent: chunks that it shares with other programs would be more and smaller files.
  ['main/hook'],
  // Imported by programs of others: few files, and none that holds parts of servers.
  ['library/secateur'],
  ['library/ai-sdk', 'library/claude-agent-sdk', 'library/langchain', 'library/mcp', 'library/openai-agents'],
  [
    'main/secateur',
    'main/jeeves-mcp-pruner',
    'main/reverse-spec',
    'main/reverse-spec-library',
    'main/gateway',
    'runner/focus-run',
    'engine/worker-engine/cut-worker',
    'spec/prepare/source-worker',
    'cli/replay/replay-worker',
    'cli/cut-apart/cut-printed-worker',
  ],
];

const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

rmSync(dist, { recursive: true, force: true });
compile('tsconfig.types.json');
compile('tsconfig.web.json');
copyPage();
const results = await Promise.all(BUNDLES.map(bundle));
for (const entry of BUNDLES.flat().filter(isDeep)) forward(entry);
cpSync(join(root, 'src'), dist, { recursive: true, filter: isNoCode });
writeLicences(results.flatMap(({ metafile }) => Object.keys(metafile.inputs)));
// `npm link` points at these files; a build must not take away that they can be run.
for (const script of readdirSync(join(dist, 'main'))) chmodSync(join(dist, 'main', script), 0o755);

/** Packages that users install stay outside; the others become part of the bundle. */
function bundle(entries) {
  return build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(entries.map((entry) => [placeOf(entry), `src/${entry}.ts`])),
    outdir: 'dist',
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    metafile: true,
    minifySyntax: true,
    minifyWhitespace: true,
    external: Object.keys({ ...dependencies, ...peerDependencies }),
    plugins: [
      { name: 'own-places', setup: keepOwnPlaces },
      { name: 'hook-apart', setup: keepHookApart },
    ],
  });
}

/** Bundles of modules in sub-folders are in dist/workers; a file in the module's own place forwards to each. */
function placeOf(entry) {
  return isDeep(entry) ? `workers/${entry.split('/').at(-1)}` : entry;
}

function isDeep(entry) {
  return entry.split('/').length > 2;
}

/**
 * `import.meta.url` of a bundled module is that of its chunk. Every chunk is in a folder directly below dist/, so a module
 * can tell where it would be by itself, and the addresses of workers and files beside it stay right.
 */
function keepOwnPlaces({ onLoad }) {
  onLoad({ filter: /[/\\]src[/\\].*[.]ts$/ }, ({ path }) => {
    const source = readFileSync(path, 'utf8');
    if (!source.includes('import.meta.url')) return undefined;
    const place = `../${relative(join(root, 'src'), path)
      .replaceAll('\\', '/')
      .replace(/[.]ts$/, '.js')}`;
    return {
      loader: 'ts',
      contents: source.replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`),
    };
  });
}

/** `secateur` starts the bundle of the hook; it does not contain the hook a second time. */
function keepHookApart({ onResolve }) {
  onResolve({ filter: /^[.]\/hook[.]ts$/ }, ({ importer }) =>
    relative(root, importer) === join('src', 'main', 'start.ts')
      ? { path: '../main/hook.js', external: true }
      : undefined,
  );
}

function forward(entry) {
  const file = join(dist, `${entry}.js`);
  mkdirSync(dirname(file), { recursive: true });
  const target = relative(dirname(file), join(dist, `${placeOf(entry)}.js`)).replaceAll('\\', '/');
  writeFileSync(file, `export * from '${target}';\n`);
}

/** The licence of every package that is part of a bundle. */
function writeLicences(inputs) {
  const packages = new Set(inputs.flatMap((path) => path.match(/^node_modules\/(?:@[^/]+\/)?[^/]+/) ?? []));
  const texts = [...packages].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const file = readdirSync(join(root, folder)).find((each) => /^licen[cs]e/i.test(each));
    const text = file === undefined ? license : readFileSync(join(root, folder, file), 'utf8');
    return `${name} ${version}\n\n${text.trim()}\n`;
  });
  writeFileSync(join(dist, 'LICENCES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
}

function isNoCode(path) {
  return !path.endsWith('.ts');
}

function compile(project) {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', project], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** The page's own files and the chart library beside its compiled code. */
function copyPage() {
  const page = join(root, 'web');
  cpSync(page, join(dist, 'web'), { recursive: true, filter: isNoCode });
  const library = join(root, 'node_modules', 'uplot', 'dist');
  cpSync(join(library, 'uPlot.esm.js'), join(dist, 'web', 'uplot.js'));
  cpSync(join(library, 'uPlot.min.css'), join(dist, 'web', 'uplot.css'));
}
