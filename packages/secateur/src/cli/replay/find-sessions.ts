import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface SessionFile {
  path: string;
  bytes: number;
}

/** Lists the clients' session directories. */
export function sessionFolders(): string[] {
  return [join(homedir(), '.claude', 'projects'), join(homedir(), '.codex', 'sessions')];
}

/** The session files below these places that were written to since then, in a stable order. Places that are missing have none. */
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
