import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

// src/ → dist/: compiled code, files that are no code, and type declarations of what others may import.
const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
compile('tsconfig.build.json');
compile('tsconfig.types.json');
cpSync(join(root, 'src'), dist, { recursive: true, filter: (path) => !path.endsWith('.ts') });
// `npm link` points at these files; a build must not take away that they can be run.
for (const script of readdirSync(join(dist, 'main'))) chmodSync(join(dist, 'main', script), 0o755);
// Every thread loads this anew: one file takes 15 ms where eighty take 40.
await intoOneFile(join(dist, 'spec', 'prepare', 'source-worker.js'));
await keepParserCode();

function compile(project) {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', project], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

async function intoOneFile(path) {
  await build({
    ...{ entryPoints: [path], outfile: path, allowOverwrite: true, logLevel: 'warning' },
    ...{ bundle: true, packages: 'external', platform: 'node', format: 'esm', target: 'node20' },
    plugins: [{ name: 'own places', setup: (parts) => parts.onLoad({ filter: /\.js$/ }, keepPlace) }],
  });

  /** A module looks for its files from where it stands, and goes on doing so from where it ends up. */
  function keepPlace({ path: module }) {
    const place = JSON.stringify(relative(dirname(path), module).split(sep).join('/'));
    const text = readFileSync(module, 'utf8');
    return { contents: text.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`) };
  }
}

/** The engine compiles two megabytes of parser in every thread anew, unless it finds them compiled by one like itself. */
async function keepParserCode() {
  const { optimiseLater } = await import(pathToFileURL(join(dist, 'spec/prepare/source-reader.js')));
  const { parserCode } = await import(pathToFileURL(join(dist, 'syntax/languages/typescript/compiler.js')));
  const { createTsReader } = await import(pathToFileURL(join(dist, 'syntax/languages/typescript/read.js')));
  // As threads run: what was compiled under other flags is refused.
  optimiseLater();
  const code = parserCode((parser) => {
    const read = createTsReader(parser);
    for (const path of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
      if (!path.endsWith('.ts')) continue;
      const text = readFileSync(join(root, 'src', path), 'utf8');
      read({ text, dialect: 'ts', isDeclarationFile: false });
    }
  });
  if (code !== undefined) writeFileSync(join(dist, 'syntax/languages/typescript/parser.code'), code);
}
