import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

const COPIED = [
  'src',
  'scripts',
  'test/requirements',
  'test/requirements.ts',
  'docs/configuration.md',
  'examples',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'biome.json',
  'knip.json',
  '.jscpd.json',
  '.gitignore',
];

/** A copy of the repository's sources with these files added or replaced, gone when the test ends. */
export function plantedRepository(files: Readonly<Record<string, string>>): string {
  const copy = mkdtempSync(join(tmpdir(), 'secateur-planted-'));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  for (const path of COPIED) cpSync(join(root, path), join(copy, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    writeFileSync(join(copy, path), text);
  }
  return copy;
}
