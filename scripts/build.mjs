import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// src/ → dist/: compiled code, files that are no code, and type declarations of what others may import.
const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
compile('tsconfig.build.json');
compile('tsconfig.types.json');
compile('tsconfig.web.json');
copyPage();
cpSync(join(root, 'src'), dist, { recursive: true, filter: (path) => !path.endsWith('.ts') });
// `npm link` points at these files; a build must not take away that they can be run.
for (const script of readdirSync(join(dist, 'main'))) chmodSync(join(dist, 'main', script), 0o755);

function compile(project) {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', project], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** The page's own files and the chart library beside its compiled code. */
function copyPage() {
  const page = join(root, 'web');
  cpSync(page, join(dist, 'web'), { recursive: true, filter: (path) => !path.endsWith('.ts') });
  const library = join(root, 'node_modules', 'uplot', 'dist');
  cpSync(join(library, 'uPlot.esm.js'), join(dist, 'web', 'uplot.js'));
  cpSync(join(library, 'uPlot.min.css'), join(dist, 'web', 'uplot.css'));
}
