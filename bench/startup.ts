/**
 * Time from spawn to the first healthy answer of each server, and to the end of a program that imports the library, beside a node process that does nothing and a bare
 * node:http server. Contestants take turns, so that a busy moment hits all of them; the median counts.
 *
 *   npm run build && npx tsx bench/startup.ts [rounds]
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { loadedFiles } from '../test/support/loaded-files.ts';

const rounds = Number(process.argv[2] ?? 9);
const secateur = fileURLToPath(new URL('../packages/secateur/dist/main/secateur.js', import.meta.url));
/** Libraries by the name they are imported by. */
const LIBRARIES: Readonly<Record<string, string>> = {
  secateur: fileURLToPath(new URL('../packages/secateur/dist/library/secateur.js', import.meta.url)),
  '@secateur/engine': fileURLToPath(new URL('../packages/engine/dist/library/secateur.js', import.meta.url)),
};
const home = mkdtempSync(join(tmpdir(), 'secateur-startup-'));

const BARE = `require('node:http').createServer((q, s) => s.end('{}')).listen(0, '127.0.0.1', function () { console.log('http://127.0.0.1:' + this.address().port) })`;

const FREE_PORTS = ['pruner', 'focus', 'gateway'].flatMap((name) => [`--${name}-port`, '0']);

const module = (script: string) => ['--input-type=module', '-e', script];

interface Contestant {
  readonly name: string;
  readonly args: readonly string[];
  ready(child: ChildProcess): Promise<void>;
}

const contestants: readonly Contestant[] = [
  { name: 'node -e 0', args: ['-e', '0'], ready: ended },
  { name: 'empty module', args: module('0'), ready: ended },
  ...Object.entries(LIBRARIES).map(([name, file]) => ({
    name: `import ${name}`,
    args: module(`import '${pathToFileURL(file)}'`),
    ready: ended,
  })),
  { name: 'bare node:http', args: ['-e', BARE], ready: answersAt('/') },
  { name: 'pruner', args: [secateur, 'pruner', '--port', '0'], ready: answersAt('/health') },
  { name: 'focus', args: [secateur, 'focus', '--port', '0', '--root', '.'], ready: answersAt('/healthz') },
  {
    name: 'gateway',
    args: [secateur, 'gateway', '--port', '0'],
    ready: answersAt('/api/mcp-gateway/servers'),
  },
  { name: 'up (all of them)', args: [secateur, 'up', ...FREE_PORTS], ready: allAnswer },
  { name: 'mcp pruner (stdio)', args: [secateur, 'mcp', 'pruner'], ready: answersPing },
  { name: 'mcp focus (stdio)', args: [secateur, 'mcp', 'focus', '--root', '.'], ready: answersPing },
];

const times = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));
for (let round = 0; round < rounds; round += 1) {
  for (const contestant of contestants) times.get(contestant.name)?.push(await timeOf(contestant));
}
report();
for (const [name, file] of Object.entries(LIBRARIES)) reportImport(name, file);
rmSync(home, { recursive: true, force: true });

async function timeOf({ args, ready }: Contestant): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const gone = exited(child);
  const started = await Promise.race([ready(child).then(() => true), gone.then(() => false)]);
  const elapsed = performance.now() - start;
  child.kill('SIGTERM');
  await gone;
  return started ? elapsed : Number.NaN;
}

/** Earlier than `exited`, which also waits for the streams. */
function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

function exited(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.once('close', () => resolve()));
}

function answersAt(path: string): Contestant['ready'] {
  return async (child) => {
    const port = await announcedPort(child);
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    await answer.text();
  };
}

function announcedPort(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const read = (chunk: Buffer) => {
      text += chunk;
      const port = /http:\/\/127\.0\.0\.1:(\d+)|"port":(\d+)/.exec(text);
      if (port !== null) resolve(port[1] ?? port[2] ?? '');
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
  });
}

/** `up` prints every address it serves, then what to do next. */
async function allAnswer(child: ChildProcess): Promise<void> {
  const said = await new Promise<string>((resolve) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk;
      if (text.includes('\nNext')) resolve(text.slice(0, text.indexOf('\nNext')));
    });
  });
  const answers = [...said.matchAll(/http:\/\/\S+/g)].map(async ([url]) => (await fetch(url)).arrayBuffer());
  await Promise.all(answers);
}

function answersPing(child: ChildProcess): Promise<void> {
  child.stdin?.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  return new Promise((resolve) => child.stdout?.once('data', () => resolve()));
}

function report(): void {
  const floor = median(times.get('node -e 0') ?? []);
  console.log(`start-up, median of ${rounds} runs`);
  for (const [name, measured] of times) {
    const value = median(measured);
    if (Number.isNaN(value)) {
      console.log(`  ${name.padEnd(20)} did not start`);
      continue;
    }
    console.log(
      `  ${name.padEnd(20)} ${value.toFixed(0).padStart(5)} ms   ${(value / floor).toFixed(2)} × node -e 0`,
    );
  }
}

/** Measures what importing a library costs beyond an empty module (L2: 30 ms, 10 MB). */
function reportImport(name: string, library: string): void {
  const [empty, imported] = ['empty module', `import ${name}`].map((each) => median(times.get(each) ?? []));
  const files = [...loadedFiles(library)];
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  const cost = ((imported ?? 0) - (empty ?? 0)).toFixed(0);
  const memory = ((memoryOf(`await import('${pathToFileURL(library)}');`) - memoryOf('')) / 1e6).toFixed(1);
  console.log(
    `importing ${name}: +${cost} ms, +${memory} MB, ${files.length} files, ${(bytes / 1000).toFixed(0)} kB`,
  );
}

/** Returns the resident memory of a process after a script, in bytes. */
function memoryOf(script: string): number {
  const measured = Array.from({ length: rounds }, () => {
    const print = `${script} console.log(process.memoryUsage.rss());`;
    return Number(spawnSync(process.execPath, module(print), { encoding: 'utf8' }).stdout);
  });
  return median(measured);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
