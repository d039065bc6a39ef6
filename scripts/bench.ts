/**
 * `npm run bench` runs every bench in turn, `npm run bench -- gateway masking` those named; what follows a `--` goes to the bench.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../bench/', import.meta.url);
const known = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -'.ts'.length))
  .sort();

const given = process.argv.slice(2);
const split = given.indexOf('--');
const names = split === -1 ? given : given.slice(0, split);
const rest = split === -1 ? [] : given.slice(split + 1);

const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`bench: no bench named ${unknown.join(', ')}; there are ${known.join(', ')}`);
  process.exit(2);
}

let failures = 0;
for (const name of names.length > 0 ? names : known) {
  console.log(`\n# ${name}\n`);
  const script = fileURLToPath(new URL(`${name}.ts`, folder));
  const { status } = spawnSync(process.execPath, ['--expose-gc', '--import', 'tsx', script, ...rest], {
    stdio: 'inherit',
  });
  if (status !== 0) failures += 1;
}
process.exitCode = failures > 0 ? 1 : 0;
