import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ownProgram } from '../../../packages/secateur/src/cli/own-program.ts';
import { temporaryFolder } from '../../support/secateur-cli.ts';

/** An installed copy, and a folder with a link to it. */
function installed(folder: string): { script: string; bin: string } {
  const root = temporaryFolder();
  const script = join(root, 'secateur.js');
  const bin = join(root, folder);
  writeFileSync(script, '');
  mkdirSync(bin, { recursive: true });
  symlinkSync(script, join(bin, 'secateur'));
  return { script, bin };
}

function wordsFor(script: string, PATH: string): readonly string[] {
  const origin = { env: { PATH }, cwd: '/', platform: 'linux', homeDir: '/' } as const;
  return ownProgram({ origin, self: ['/usr/bin/node', script] });
}

it('[A21] connect writes the name of secateur if every shell finds it', () => {
  const { script, bin } = installed('bin');
  expect(wordsFor(script, `/nowhere:${bin}`)).toEqual(['secateur']);
});

it('[A21] connect writes the path of secateur if only npx finds it, because clients lack node_modules/.bin', () => {
  const { script, bin } = installed('node_modules/.bin');
  for (const PATH of [bin, `${bin}/:/nowhere`])
    expect(wordsFor(script, PATH)).toEqual(['/usr/bin/node', script]);
});

it('[A21] connect writes the path of secateur if a shell finds another copy', () => {
  const other = installed('bin');
  expect(wordsFor(installed('bin').script, other.bin)[0]).toBe('/usr/bin/node');
});

it('[A14] hooks name secateur if a shell finds a short script that starts this copy', () => {
  const { script } = installed('bin');
  const bin = temporaryFolder();
  writeFileSync(join(bin, 'secateur'), `#!/bin/sh\nexec node '${script}' "$@"\n`);
  expect(wordsFor(script, bin)).toEqual(['secateur']);
  writeFileSync(join(bin, 'secateur'), '#!/bin/sh\nexec node /elsewhere/secateur.js "$@"\n');
  expect(wordsFor(script, bin)[0]).toBe('/usr/bin/node');
});
