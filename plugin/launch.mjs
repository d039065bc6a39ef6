// Starts secateur for the plugin: the copy beside this folder, else the one on PATH. Events of tools go through hook.sh.
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const beside = fileURLToPath(new URL('../dist/main/secateur.js', import.meta.url));
const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
const script = [beside, ...folders.map((folder) => join(folder, 'secateur'))].find((path) =>
  existsSync(path),
);

if (script === undefined) sayMissing();
else {
  process.argv[1] = realpathSync(script);
  await import(pathToFileURL(process.argv[1]).href);
}

/** A hook changes nothing; at the start of a session, which this file answers, the user is informed. */
function sayMissing() {
  const advice = 'secateur is not installed: npm install && npm link in a clone of its repository';
  if (process.argv[2] === 'hook') {
    process.stdout.write(JSON.stringify({ systemMessage: advice }));
    return;
  }
  process.stderr.write(`${advice}\n`);
  process.exitCode = 1;
}
