/**
 * Errors and their conditions of Python sources, beside Python's own `ast`. Usage: tsx bench/accuracy-raises.ts FOLDER … [--examples]
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { roleOf } from '../packages/reverse-spec/src/spec/prepare/scope.ts';
import { listFiles } from '../packages/serving/src/workspace/list-files.ts';
import { openRoot } from '../packages/serving/src/workspace/root.ts';
import { createFactReader } from '../test/support/fact-reader.ts';

interface Raise {
  path: string;
  line: number;
  name: string;
  conditions: string[];
}

const reader = createFactReader();
for (const folder of process.argv.slice(2).filter((each) => !each.startsWith('--'))) {
  const base = resolve(folder);
  const { paths } = await listFiles(await openRoot(base), {});
  const sources = paths.filter((path) => path.endsWith('.py') && roleOf(path) === 'source');
  const theirs = new Map(referenceRaises(base, sources).map((each) => [`${each.path}:${each.line}`, each]));
  const wrong: string[] = [];
  let count = 0;
  for (const path of sources) {
    const { facts = [] } = (await reader.read(readFileSync(join(base, path), 'utf8'), { path })) ?? {};
    for (const fact of facts.filter(({ kind }) => kind === 'raise' || kind === 'check')) {
      const known = theirs.get(`${path}:${fact.startLine}`);
      if (known === undefined) continue;
      count += 1;
      const ours = (fact.when ?? []).map(shortForm);
      const isSame = ours.join('\n') === known.conditions.map(shortForm).join('\n');
      if (!isSame || !fact.name.startsWith(known.name))
        wrong.push(
          `${path}:${fact.startLine} ${fact.name} [${ours.join(' & ')}] REFERENCE ${known.name} [${known.conditions.join(' & ')}]`,
        );
    }
  }
  console.log(`${base}: ${count} errors compared of ${theirs.size}, wrong ${wrong.length}`);
  if (process.argv.includes('--examples')) console.log(wrong.join('\n'));
}
await reader.close();

function referenceRaises(base: string, paths: readonly string[]): Raise[] {
  const script = fileURLToPath(new URL('accuracy/raises_reference.py', import.meta.url));
  const { stdout } = spawnSync('python3', [script, base], {
    input: paths.join('\n'),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Raise);
}

/** Brackets around a condition and the words of a clause are written differently; long ones are shortened. */
function shortForm(condition: string): string {
  if (/^(?:except|switch|match|case)/.test(condition))
    return condition.startsWith('except') ? 'except' : 'case';
  return condition.replace(/[\s()]/g, '').slice(0, 100);
}
