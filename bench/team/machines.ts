import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@redis/client';

const PROGRAM = fileURLToPath(new URL('../../packages/secateur/dist/main/secateur.js', import.meta.url));
const HAPROXY_CONFIG = fileURLToPath(new URL('../../examples/team/haproxy.cfg', import.meta.url));

/** Everything behind one address, as `examples/team` runs it, with its processor time so far. */
export interface Deployment {
  readonly url: string;
  readonly redisUrl: string | undefined;
  cpuMs(): { readonly processes: number; readonly redis: number; readonly haproxy: number };
  redis(): Promise<RedisFigures>;
  close(): void;
}

export interface RedisFigures {
  /** Memory of a text and of the note about it, on average. */
  readonly bytesACut: number;
  /** In and out. */
  readonly netBytes: number;
}

/** One process that remembers by itself: what a call costs without Redis and HAProxy. */
export async function alone(): Promise<Deployment> {
  const port = await freePort();
  const child = startProcess(port, { SECATEUR_STORE: 'memory' });
  await answering(port);
  return {
    url: `http://127.0.0.1:${port}`,
    redisUrl: undefined,
    cpuMs: () => ({ processes: cpuMsOf(child), redis: 0, haproxy: 0 }),
    redis: async () => ({ bytesACut: 0, netBytes: 0 }),
    close: () => void child.kill('SIGKILL'),
  };
}

const MAX_KEYS_WEIGHED = 500;

export async function team(processes: number): Promise<Deployment> {
  const [redisPort = 0, publicPort = 0, ...ports] = await freePorts(5);
  const folder = mkdtempSync(join(tmpdir(), 'secateur-bench-'));
  const redis = quiet('redis-server', [
    ...['--port', String(redisPort), '--bind', '127.0.0.1', '--dir', folder, '--save', ''],
    ...['--appendonly', 'yes', '--appendfsync', 'everysec'],
  ]);
  const url = `redis://127.0.0.1:${redisPort}`;
  const admin = await createClient({ url, socket: { reconnectStrategy: () => 50 } })
    .on('error', () => {})
    .connect();
  const meanBytes = async (pattern: string) => {
    const keys = (await admin.keys(pattern)).slice(0, MAX_KEYS_WEIGHED);
    const sizes = await Promise.all(keys.map((key) => admin.memoryUsage(key)));
    return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0) / Math.max(1, sizes.length);
  };
  const used = ports.slice(0, processes);
  const children = used.map((port) =>
    startProcess(port, { SECATEUR_STORE: 'redis', SECATEUR_REDIS_URL: url }),
  );
  await Promise.all(used.map(answering));
  const places = Object.fromEntries(ports.map((port, index) => [`PORT_${index + 1}`, String(port)]));
  const haproxy = quiet('haproxy', ['-db', '-f', HAPROXY_CONFIG], {
    TEAM_PORT: String(publicPort),
    ...places,
  });
  await answering(publicPort);
  const all = [...children, haproxy, redis];
  return {
    url: `http://127.0.0.1:${publicPort}`,
    redisUrl: url,
    cpuMs: () => ({
      processes: children.reduce((sum, child) => sum + cpuMsOf(child), 0),
      redis: cpuMsOf(redis),
      haproxy: cpuMsOf(haproxy),
    }),
    redis: async () => {
      const info = await admin.info();
      const field = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
      return {
        bytesACut: (await meanBytes('secateur:text:prn_*')) + (await meanBytes('secateur:text:note:*')),
        netBytes: field('total_net_input_bytes') + field('total_net_output_bytes'),
      };
    },
    close: () => {
      admin.destroy();
      for (const child of all) child.kill('SIGKILL');
    },
  };
}

function startProcess(port: number, env: Readonly<Record<string, string>>): ChildProcess {
  const home = mkdtempSync(join(tmpdir(), 'secateur-bench-'));
  const common = { HOME: home, SECATEUR_LOOPBACK_USERS: 'any' };
  return quiet(process.execPath, [PROGRAM, 'pruner', '--port', String(port)], { ...common, ...env });
}

function quiet(program: string, args: string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const child = spawn(program, args, { stdio: 'ignore', env: { PATH: process.env.PATH, ...env } });
  started.push(child);
  return child;
}

/** Whatever ends the bench ends them too. */
const started: ChildProcess[] = [];
process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

function cpuMsOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function answering(port: number): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const isReady = await fetch(`http://127.0.0.1:${port}/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nobody answers at port ${port}`);
}

async function freePorts(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, () => freePort()));
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(address === null || typeof address === 'string' ? 0 : address.port));
    });
  });
}
