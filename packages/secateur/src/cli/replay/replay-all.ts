import { readdir, stat } from 'node:fs/promises';
import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';
import { WorkerPool, workerBeside } from '@secateur/base/runtime/worker-pool.ts';
import type { CutterSettings } from '../../replay/product-cutter.ts';
import type { AssumedIntegration, ReplayedSession } from './replay-session.ts';

/** One session file to be replayed by a worker. */
export interface ReplayJob extends Pick<ReplayAllOptions, 'sinceMs' | 'settings' | 'assumed'> {
  path: string;
  /** Number of bytes read, for one progress bar. All workers share it. */
  bytesRead: BigInt64Array;
}

interface ReplayAllOptions {
  sinceMs: number;
  settings: CutterSettings;
  assumed: AssumedIntegration;
  /** Called regularly with the number of bytes read so far. */
  progress(bytesRead: number): void;
}

const MAX_WORKERS = 8;
const MAX_REPLAY_MS = 86_400_000;
const PROGRESS_EVERY_MS = 200;

/** Replays all session files in worker threads. Sessions do not depend on each other. */
export async function replayAll(
  files: readonly SessionFile[],
  { progress, ...options }: ReplayAllOptions,
): Promise<{
  readonly sessions: readonly ReplayedSession[];
  /** Files that could not be replayed, each with the reason. */
  readonly failed: readonly string[];
}> {
  if (files.length === 0) return { sessions: [], failed: [] };
  const pool = new WorkerPool({
    size: Math.min(MAX_WORKERS, availableParallelism(), files.length),
    url: workerBeside(import.meta.url, './replay-worker'),
  });
  const bytesRead = new BigInt64Array(new SharedArrayBuffer(8));
  const telling = setInterval(() => progress(Number(Atomics.load(bytesRead, 0))), PROGRESS_EVERY_MS);
  try {
    // Large files come first. If one started last, the others would have to wait for its end.
    const sorted = [...files].sort((a, b) => b.bytes - a.bytes);
    const failed: string[] = [];
    const sessions = await Promise.all(
      sorted.map(async ({ path }) => {
        const outcome = await pool.run({ path, ...options, bytesRead }, MAX_REPLAY_MS);
        if (outcome.kind === 'done') return [outcome.answer as ReplayedSession];
        const reason = outcome.kind === 'crashed' ? (outcome.message.split('\n')[0] ?? '') : outcome.kind;
        failed.push(`${path}: ${reason}`);
        return [];
      }),
    );
    return { sessions: sessions.flat(), failed };
  } finally {
    clearInterval(telling);
    await pool.close();
  }
}

interface SessionFile {
  path: string;
  bytes: number;
}

export function sessionFolders(): string[] {
  return [join(homedir(), '.claude', 'projects'), join(homedir(), '.codex', 'sessions')];
}

/** Returns the session files written since `sinceMs`, in a stable order. A missing folder has no files. */
export async function findSessions(places: readonly string[], sinceMs: number): Promise<SessionFile[]> {
  const found: SessionFile[] = [];
  for (const place of places) {
    const status = await stat(place).catch(() => undefined);
    if (status === undefined) continue;
    const paths = status.isDirectory() ? await filesBelow(place) : [place];
    for (const path of paths) {
      const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }));
      if (size > 0 && mtimeMs >= sinceMs) found.push({ path, bytes: size });
    }
  }
  return found;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
