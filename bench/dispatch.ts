/**
 * CPU a call costs the server: ours beside the official SDK and beside a bare node:http server that only reads the body
 * and answers a constant. Each server is a process of its own; the client's work is not counted.
 *
 *   npx tsx bench/dispatch.ts
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { type ServerKind, serverKinds } from './dispatch/servers.ts';

const ROUNDS = 5;
const payloads = [
  { name: 'echo of 20 characters', text: 'x'.repeat(20), calls: 3000 },
  { name: 'echo of 100 kB', text: 'line of text\n'.repeat(8000), calls: 200 },
];

interface Contestant {
  readonly kind: ServerKind;
  readonly process: ChildProcess;
  readonly pool: Pool;
}

const contestants = await Promise.all(serverKinds.map(start));
for (const payload of payloads) {
  const best = new Map<ServerKind, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const contestant of contestants) {
      const cpuMs = await measure(contestant, payload);
      best.set(contestant.kind, Math.min(cpuMs, best.get(contestant.kind) ?? Number.POSITIVE_INFINITY));
    }
  }
  report(payload.name, best);
}
for (const { process, pool } of contestants) {
  await pool.close();
  process.disconnect();
}

async function start(kind: ServerKind): Promise<Contestant> {
  const child = fork(fileURLToPath(new URL('./dispatch/server-process.ts', import.meta.url)), [kind], {
    execArgv: ['--import', 'tsx'],
  });
  const { port } = await answerTo<{ port: number }>(child);
  return { kind, process: child, pool: new Pool(`http://127.0.0.1:${port}`, { connections: 1 }) };
}

async function measure(
  { process, pool }: Contestant,
  { text, calls }: { text: string; calls: number },
): Promise<number> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'echo', arguments: { text } },
  });
  const before = await cpuOf(process);
  for (let call = 0; call < calls; call += 1) {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const answer = await pool.request({ path: '/mcp', method: 'POST', headers, body });
    const answered = await answer.body.text();
    if (answer.statusCode !== 200 || !answered.includes('result')) throw new Error(answered);
  }
  return ((await cpuOf(process)) - before) / calls;
}

async function cpuOf(child: ChildProcess): Promise<number> {
  const answered = answerTo<{ cpuMs: number }>(child);
  child.send('cpu');
  return (await answered).cpuMs;
}

function answerTo<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve) => {
    child.once('message', (message) => resolve(message as Message));
  });
}

function report(title: string, cpuMs: ReadonlyMap<ServerKind, number>): void {
  const floor = cpuMs.get('bare node:http') ?? Number.NaN;
  console.log(`\n${title} (best of ${ROUNDS} rounds)`);
  for (const [kind, cost] of cpuMs) {
    console.log(
      `  ${kind.padEnd(16)} ${cost.toFixed(3)} ms CPU a call   ${(cost / floor).toFixed(2)} × bare node:http`,
    );
  }
}
