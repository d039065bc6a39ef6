import type { ChildProcess } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';

const GRACE_MS = 500;
const LONGEST_PAUSE_MS = 20;

/** SIGTERM to the whole group, a moment to comply, then SIGKILL. Resolves when nobody of the group is running. */
export async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || !signalGroup(child.pid, 'SIGTERM')) return;
  if (await groupGone(child.pid)) return;
  signalGroup(child.pid, 'SIGKILL');
  await groupGone(child.pid);
}

/** False when there is no such group any more. */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-leader, signal);
    return true;
  } catch {
    return false;
  }
}

async function groupGone(leader: number): Promise<boolean> {
  let pauseMs = 1;
  for (let waited = 0; waited < GRACE_MS; waited += pauseMs) {
    if (!(await groupRuns(leader))) return true;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
  return !(await groupRuns(leader));
}

/** Where nobody collects the dead (a container without an init), a group of zombies would seem to live for ever. */
async function groupRuns(leader: number): Promise<boolean> {
  if (!signalGroup(leader, 0)) return false;
  const processes = await readdir('/proc').catch(() => undefined);
  if (processes === undefined) return true;
  const states = await Promise.all(processes.filter((name) => /^\d+$/.test(name)).map(readState));
  return states.some((state) => state?.group === leader && !'ZX'.includes(state.state));
}

async function readState(pid: string): Promise<{ state: string; group: number } | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  // pid (name, which may hold anything) state parent group …
  const found = stat === undefined ? null : /\) (\S) \d+ (\d+) [^)]*$/.exec(stat);
  return found === null ? undefined : { state: found[1] ?? '', group: Number(found[2]) };
}
