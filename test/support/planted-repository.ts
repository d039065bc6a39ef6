import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const packages = readdirSync(join(root, 'packages'));

const COPIED = [
  ...packages.flatMap((name) => [`packages/${name}/src`, `packages/${name}/package.json`]),
  'scripts',
  'test/requirements',
  'test/requirements.ts',
  'docs/configuration.md',
  'examples',
  'package.json',
  'tsconfig.json',
  'biome.json',
  'knip.json',
  '.jscpd.json',
  '.gitignore',
];

/** Makes a copy of the repository's sources with these files added or replaced; it is deleted when the test ends. */
export function plantedRepository(files: Readonly<Record<string, string>>): string {
  const copy = mkdtempSync(join(tmpdir(), 'secateur-planted-'));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  for (const path of COPIED) cpSync(join(root, path), join(copy, path), { recursive: true });
  linkModules(copy);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), text);
  }
  return copy;
}

/** Links the installed packages; ours are those of the copy. */
function linkModules(copy: string): void {
  const installed = readdirSync(join(root, 'node_modules')).filter(
    (name) => !packages.includes(name) && name !== '@secateur' && name !== '.cache',
  );
  mkdirSync(join(copy, 'node_modules/@secateur'), { recursive: true });
  for (const name of installed)
    symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  for (const name of packages) {
    const scoped = ['base', 'engine', 'serving'].includes(name) ? `@secateur/${name}` : name;
    symlinkSync(join(copy, 'packages', name), join(copy, 'node_modules', scoped));
  }
}
