/**
 * CPU time of one hook event through the script that `connect` installs, while the session's server runs (Linux). It
 * counts the shell, curl and the server. Aims: nothing to cut ≤ 1 × `node -e 0`, 30 kB ≤ 1.5 ×; eight events at the same
 * time ≤ 1.5 × eight in a row [A24].
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { hookScript, installedProgram } from '../packages/secateur/src/cli/connect/scripts.ts';

const ROUNDS = 6;
/** Events in each round: the kernel counts CPU time in steps of 10 ms. */
const EVENTS = 16;
const TOGETHER = 8;
/** V8 compiles the engine during the first calls of a server's life. */
const WARMING = 40;
const MS_PER_TICK = 10;
const program = fileURLToPath(new URL('../packages/secateur/dist/main/secateur.js', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'secateur-bench-hook-'));
const env = { PATH: process.env.PATH, HOME: home };
const script = join(home, 'hook.sh');
const output = readFileSync(new URL('../examples/failing-test-run.txt', import.meta.url), 'utf8');

writeFileSync(script, hookScript(installedProgram([process.execPath, program])));
const small = eventOf('a\nb\nc\n');
const large = eventOf(output.slice(0, 30_000));
const server = spawn(process.execPath, [program, 'mcp', 'focus'], {
  cwd: home,
  env,
  stdio: ['pipe', 'ignore', 'ignore'],
});

try {
  await listening(join(home, '.local/share/secateur/sockets'));
  cpuOf(inARow(hook(large), WARMING));
  const rows = {
    'node -e 0': () => cpuOf(inARow(`'${process.execPath}' -e 0`, EVENTS)) / EVENTS,
    'nothing to cut': () => cpuOf(inARow(hook(small), EVENTS)) / EVENTS,
    '30 kB': () => cpuOf(inARow(hook(large), EVENTS)) / EVENTS,
    'nothing to cut, without the server': () => cpuOf(inARow(alone(small), TOGETHER)) / TOGETHER,
    'eight of 30 kB in a row [A24]': () => cpuOf(inARow(hook(large), TOGETHER)),
    'eight of 30 kB at the same time [A24]': () => cpuOf(concurrently(hook(large), TOGETHER)),
  };
  const times = Object.fromEntries(Object.keys(rows).map((name) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, measure] of Object.entries(rows)) times[name]?.push(measure());
  print(times);
} finally {
  server.stdin.end();
  await once(server, 'close');
  rmSync(home, { recursive: true, force: true });
}

function eventOf(stdout: string): string {
  const path = join(home, `${stdout.length}.json`);
  const event = {
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    cwd: home,
    tool_input: { command: 'python -m unittest', description: 'Find out why the tests fail' },
    tool_response: { stdout, stderr: '', interrupted: false, isImage: false },
  };
  writeFileSync(path, JSON.stringify(event));
  return path;
}

/** Starts it by a shell, as a client does. */
function hook(event: string): string {
  return `sh -c "sh '${script}' claude-code || echo {}" <'${event}' >/dev/null`;
}

function alone(event: string): string {
  return `SECATEUR_HOOK_LOG=file ${hook(event)}`;
}

function inARow(line: string, count: number): string {
  return `${`${line}\n`.repeat(count)}times`;
}

function concurrently(line: string, count: number): string {
  return `${`${line} &\n`.repeat(count)}wait\ntimes`;
}

/** CPU time in ms of the programs that a shell starts, and of the server in the meantime. */
function cpuOf(commands: string): number {
  const before = serverMs();
  const { stdout, status, stderr } = spawnSync('sh', ['-c', commands], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`ended with ${status}: ${stderr}`);
  const children = stdout.trim().split('\n').at(-1) ?? '';
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(([, m, s]) => Number(m) * 60 + Number(s));
  return seconds.reduce((sum, value) => sum + value, 0) * 1000 + serverMs() - before;
}

function serverMs(): number {
  const stat = readFileSync(`/proc/${server.pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

function print(times: Record<string, number[]>): void {
  const bare = median(times['node -e 0'] ?? []);
  console.log('| CPU time of one event | median | of `node -e 0` | least |\n|---|--:|--:|--:|');
  for (const [name, values] of Object.entries(times))
    console.log(
      `| ${name} | ${median(values).toFixed(1)} ms | ${(median(values) / bare).toFixed(2)} × | ${Math.min(...values).toFixed(1)} ms |`,
    );
  const [row = [], together = []] = Object.entries(times)
    .filter(([name]) => name.includes('[A24]'))
    .map(([, values]) => values);
  console.log(`\nat the same time / in a row: ${(median(together) / median(row)).toFixed(2)} ×`);
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

async function listening(folder: string): Promise<void> {
  while (!existsSync(folder) || readdirSync(folder).length === 0) await setTimeout(20);
}
