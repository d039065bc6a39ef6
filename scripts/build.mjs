import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

// packages/*/src → dist/ of each published package: bundles of programs, library exports and workers, files
// that are not code, and type declarations of what others may import. Few files load faster than many: node
// takes longer to find and compile modules than to run them.
const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Files that are started or imported by path: the path in dist/, and the module of the source if that is in
 * another package. Entries of one list share chunks.
 */
const ENGINE_WORKER = { 'worker-engine/cut-worker': 'engine' };
const PACKAGES = {
  secateur: {
    contains: ['base', 'engine', 'serving'],
    bundles: [
      // Started for every call of an agent: chunks that it shares with other programs would be more and smaller files.
      [{ 'main/hook': 'secateur' }],
      // Imported by programs of others: few files, and none that holds parts of servers.
      [{ 'library/secateur': 'engine' }],
      of('secateur', [
        'adapters/ai-sdk',
        'adapters/claude-agent-sdk',
        'adapters/langchain',
        'adapters/mcp',
        'adapters/openai-agents',
      ]),
      [
        ...of('secateur', [
          'main/secateur',
          'main/jeeves-mcp-pruner',
          'main/gateway',
          'runner/focus-run',
          'cli/replay/replay-worker',
          'cli/cut-apart/cut-printed-worker',
        ]),
        ENGINE_WORKER,
      ],
    ],
  },
  engine: { contains: ['base'], bundles: [[{ 'library/secateur': 'engine' }, ENGINE_WORKER]] },
  'reverse-spec': {
    contains: ['base', 'serving'],
    bundles: [of('reverse-spec', ['main/reverse-spec', 'main/library', 'spec/prepare/source-worker'])],
  },
};

/** Files of the repository that belong to the package `secateur`. */
const SHIPPED = [
  'README.md',
  'LICENSE',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs',
  'plugin',
  '.claude-plugin',
  'examples/grafana',
];

for (const name of Object.keys(PACKAGES)) rmSync(distOf(name), { recursive: true, force: true });
writeTypes();
compile('tsconfig.web.json');
copyPage();
for (const name of Object.keys(PACKAGES)) await buildPackage(name);
for (const path of SHIPPED) {
  const copy = join(root, 'packages/secateur', path);
  rmSync(copy, { recursive: true, force: true });
  cpSync(join(root, path), copy, { recursive: true });
}
for (const name of ['engine', 'reverse-spec'])
  cpSync(join(root, 'LICENSE'), join(root, 'packages', name, 'LICENSE'));
forwardOldPaths();

function of(name, entries) {
  return entries.map((entry) => ({ [entry]: name }));
}

function distOf(name) {
  return join(root, 'packages', name, 'dist');
}

function sourceOf(name) {
  return join(root, 'packages', name, 'src');
}

async function buildPackage(name) {
  const { contains, bundles } = PACKAGES[name];
  const dist = distOf(name);
  const entries = bundles.map((bundle) => Object.assign({}, ...bundle));
  const results = await Promise.all(entries.map((each) => bundle(name, each)));
  for (const entry of entries.flatMap(Object.keys).filter(isDeep)) forward(dist, entry);
  for (const each of [name, ...contains]) cpSync(sourceOf(each), dist, { recursive: true, filter: isNoCode });
  removeEmptyFolders(dist);
  writeLicences(
    dist,
    results.flatMap(({ metafile }) => Object.keys(metafile.inputs)),
  );
  // `npm link` points at these files; a build must not take away that they can be run.
  const { bin = {} } = manifestOf(join('packages', name));
  for (const script of Object.values(bin)) chmodSync(join(root, 'packages', name, script), 0o755);
}

/** Packages that users install stay outside; the others become part of the bundle. */
function bundle(name, entries) {
  const { dependencies, peerDependencies } = manifestOf(join('packages', name));
  return build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(
      Object.entries(entries).map(([entry, owner]) => [placeOf(entry), moduleOf(entry, owner)]),
    ),
    outdir: distOf(name),
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    conditions: ['secateur-source'],
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

/** The engine's public module is its first file; every other entry is in the place that its path says. */
function moduleOf(entry, owner) {
  return join(sourceOf(owner), `${entry === 'library/secateur' ? 'secateur' : entry}.ts`);
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
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
  onLoad({ filter: /[/\\]packages[/\\][^/\\]+[/\\]src[/\\].*[.]ts$/ }, ({ path }) => {
    const source = readFileSync(path, 'utf8');
    if (!source.includes('import.meta.url')) return undefined;
    const place = relative(root, path)
      .replaceAll('\\', '/')
      .replace(/^packages\/[^/]+\/src\//, '../')
      .replace(/[.]ts$/, '.js');
    return {
      loader: 'ts',
      contents: source.replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`),
    };
  });
}

/** `secateur` starts the bundle of the hook; it does not contain the hook a second time. */
function keepHookApart({ onResolve }) {
  onResolve({ filter: /^[.]\/hook[.]ts$/ }, ({ importer }) =>
    relative(sourceOf('secateur'), importer) === join('main', 'start.ts')
      ? { path: '../main/hook.js', external: true }
      : undefined,
  );
}

function forward(dist, entry) {
  const file = join(dist, `${entry}.js`);
  mkdirSync(dirname(file), { recursive: true });
  const target = relative(dirname(file), join(dist, `${placeOf(entry)}.js`)).replaceAll('\\', '/');
  writeFileSync(file, `export * from '${target}';\n`);
}

/** Hook entries and links of an earlier version name dist/main/ of the clone. */
function forwardOldPaths() {
  const folder = join(root, 'dist/main');
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [program, path] of Object.entries(manifestOf('.').bin)) {
    const file = join(folder, `${program}.js`);
    writeFileSync(file, `#!/usr/bin/env node\nimport '../../${path}';\n`);
    chmodSync(file, 0o755);
  }
}

/**
 * Each package gets the declarations that its exports need. The private packages are not published, so imports by package
 * name become relative ones.
 */
function writeTypes() {
  const built = join(root, 'node_modules/.cache/secateur-types');
  rmSync(built, { recursive: true, force: true });
  compile('tsconfig.types.json');
  for (const name of Object.keys(PACKAGES)) {
    const entries = Object.values(manifestOf(join('packages', name)).exports).flatMap(
      ({ types = [] }) => types,
    );
    const needed = new Set(entries.map((path) => path.replace('./dist/types/', '')));
    for (const file of needed) {
      const text = readFileSync(join(built, file), 'utf8').replace(
        /(?<=['"])[@.][^'"]+[.]ts(?=['"])/g,
        (path) => {
          const [, own] = /^@secateur\/(.+)$/.exec(path) ?? [];
          const module = own?.replace('/', '/src/') ?? join(dirname(file), path);
          needed.add(module.replace(/[.]ts$/, '.d.ts'));
          return relativeTo(dirname(file), module.replace(/[.]ts$/, '.js'));
        },
      );
      const target = join(distOf(name), 'types', file);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
  }
}

function relativeTo(folder, file) {
  const path = relative(folder, file).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}

/** The licence of every package that is part of a bundle. */
function writeLicences(dist, inputs) {
  const packages = new Set(inputs.flatMap((path) => path.match(/^node_modules\/(?:@[^/]+\/)?[^/]+/) ?? []));
  const texts = [...packages].sort().map((folder) => {
    const { name, version, license } = manifestOf(folder);
    const file = readdirSync(join(root, folder)).find((each) => /^licen[cs]e/i.test(each));
    const text = file === undefined ? license : readFileSync(join(root, folder, file), 'utf8');
    return `${name} ${version}\n\n${text.trim()}\n`;
  });
  writeFileSync(join(dist, 'LICENCES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
}

function removeEmptyFolders(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    removeEmptyFolders(path);
    if (readdirSync(path).length === 0) rmSync(path, { recursive: true });
  }
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
  const target = join(distOf('secateur'), 'web');
  cpSync(page, target, { recursive: true, filter: isNoCode });
  const library = join(root, 'node_modules', 'uplot', 'dist');
  cpSync(join(library, 'uPlot.esm.js'), join(target, 'uplot.js'));
  cpSync(join(library, 'uPlot.min.css'), join(target, 'uplot.css'));
}
