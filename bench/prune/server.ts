import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';

export interface Contestant {
  readonly process: ChildProcess;
  readonly pool: Pool;
}

export const PRUNER = [
  fileURLToPath(new URL('../../packages/secateur/dist/main/secateur.js', import.meta.url)),
  'pruner',
  '--port',
  '0',
];

/** A server in a process of its own; it says on its output where it listens. */
export async function start(args: readonly string[], connections = 1): Promise<Contestant> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const url = await new Promise<string>((resolve) => {
    const look = (chunk: Buffer) => {
      const found = /http:\/\/[\d.]+:\d+/.exec(String(chunk));
      if (found !== null) resolve(found[0]);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
  });
  return { process: child, pool: new Pool(url, { connections }) };
}

export async function stop({ process, pool }: Contestant): Promise<void> {
  await pool.close();
  process.kill();
}

export function requestOf(text: string, timeoutMs: number): string {
  const options = {
    max_prune_ratio: 0.7,
    min_keep_lines: 20,
    timeout_ms: timeoutMs,
    annotate_lines: false,
    include_markers: true,
  };
  const args = { text, goal_hint: 'where does the retry policy give up?', source_type: 'code', options };
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'prune_text', arguments: args },
  });
}

/** Returns the server's response to one call. */
export async function ask({ pool }: Contestant, body: string): Promise<string> {
  const answer = await pool.request({
    path: '/rpc',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const text = await answer.body.text();
  if (!text.includes('pruned_text')) throw new Error(text.slice(0, 200));
  return text;
}
