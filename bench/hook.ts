/**
 * Time that a hook adds to a tool call of 30 kB: a process of its own beside `node -e 0`, alone and beside a
 * server, and over HTTP.
 */
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startSecateur } from '../test/support/secateur-process.ts';

const ROUNDS = 15;
/** Calls over HTTP take little: more of them make a median that holds still. */
const HTTP_ROUNDS = 100;
/** V8 compiles the engine for real during the first thirty calls of a server's life. */
const WARMING = 40;
const BYTES = 30_000;
const program = fileURLToPath(new URL('../packages/secateur/dist/main/secateur.js', import.meta.url));
const text = readFileSync(new URL('../examples/failing-test-run.txt', import.meta.url), 'utf8').slice(
  0,
  BYTES,
);
const event = JSON.stringify({
  hook_event_name: 'PostToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'python -m unittest', description: 'Find out why the tests fail' },
  tool_response: { stdout: text, stderr: '', interrupted: false, isImage: false },
});
const dataDir = mkdtempSync(join(tmpdir(), 'secateur-bench-hook-'));
const sessionDir = mkdtempSync(join(tmpdir(), 'secateur-bench-hook-'));
const server = await startSecateur(['pruner', '--store', 'embedded']);

try {
  // Certificates that the environment names are read by every Node before it begins: they would hide what is ours.
  const { NODE_EXTRA_CA_CERTS: _, ...bareEnv } = process.env;
  const env = { ...bareEnv, SECATEUR_DATA_DIR: dataDir };
  const sessionEnv = { ...bareEnv, SECATEUR_DATA_DIR: sessionDir };
  const session = spawn(process.execPath, [program, 'mcp', 'focus'], { env: sessionEnv });
  await listening(sessionDir);
  const runHook = (env: NodeJS.ProcessEnv) =>
    timed(() => spawnSync(process.execPath, [program, 'hook', 'claude-code'], { input: event, env }));
  const first = runHook(sessionEnv);
  for (let round = 0; round < WARMING; round += 1) runHook(sessionEnv);
  const bare: number[] = [];
  const hook: number[] = [];
  const beside: number[] = [];
  const http: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(timed(() => spawnSync(process.execPath, ['-e', '0'], { env })));
    hook.push(runHook(env));
    beside.push(runHook(sessionEnv));
  }
  session.stdin.end();
  await once(session, 'close');
  // Apart from the processes: waiting for them, this one would let its connection lapse.
  for (let round = 0; round < WARMING; round += 1) await overHttp();
  for (let round = 0; round < HTTP_ROUNDS; round += 1) {
    const started = performance.now();
    await overHttp();
    http.push(performance.now() - started);
  }
  console.log(
    `${text.length} characters of a test run, ${ROUNDS} of each, ${HTTP_ROUNDS} over HTTP     median     least`,
  );
  console.log(row('node -e 0', bare, bare));
  console.log(row('secateur hook claude-code', hook, bare));
  console.log(row('…, a session’s server running', beside, bare));
  console.log(row('… (its first call)', [first], bare));
  console.log(row('POST /hooks/claude-code', http, bare));
} finally {
  await server.stop();
  for (const folder of [dataDir, sessionDir]) rmSync(folder, { recursive: true, force: true });
}

async function listening(folder: string): Promise<void> {
  while (!existsSync(join(folder, 'sockets')) || readdirSync(join(folder, 'sockets')).length === 0)
    await setTimeout(20);
}

async function overHttp(): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${server.url}/hooks/claude-code`, { method: 'POST', headers, body: event });
  if (!(await answer.text()).includes('prn_')) throw new Error('nothing was cut');
}

function timed(work: () => SpawnSyncReturns<Buffer>): number {
  const started = performance.now();
  const { status } = work();
  if (status !== 0) throw new Error(`ended with ${status}`);
  return performance.now() - started;
}

function row(name: string, times: readonly number[], beside: readonly number[]): string {
  const cell = (of: (values: readonly number[]) => number) =>
    `${of(times).toFixed(1).padStart(8)} ms ${(of(times) / of(beside)).toFixed(2)} ×`;
  return `${name.padEnd(38)}${cell(median)}${cell((values) => Math.min(...values))}`;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
