import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@redis/client';

export interface RunningRedis {
  url: string;
  port: number;
  pid: number;
  stop(): Promise<void>;
}

/** A real redis-server of our own on a free port, without persistence. */
export async function startRedis(port?: number, settings: readonly string[] = []): Promise<RunningRedis> {
  const chosen = port ?? (await freePort());
  // Data for a replica passes through a file, and a server that starts in that folder would read it.
  const folder = mkdtempSync(join(tmpdir(), 'secateur-redis-'));
  const address = ['--port', String(chosen), '--bind', '127.0.0.1'];
  const unkept = ['--save', '', '--appendonly', 'no', '--dir', folder];
  const child = spawn('redis-server', [...address, ...unkept, ...settings], { stdio: 'ignore' });
  const url = `redis://127.0.0.1:${chosen}`;
  await untilAnswering(url);
  return {
    url,
    port: chosen,
    pid: child.pid ?? 0,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function untilAnswering(url: string): Promise<void> {
  const client = createClient({ url, socket: { reconnectStrategy: () => 50 } });
  client.on('error', () => {});
  await client.connect();
  await client.ping();
  client.destroy();
}
