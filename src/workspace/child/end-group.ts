import type { ChildProcess } from 'node:child_process';

const GRACE_MS = 500;
const LOOK_EVERY_MS = 10;

/** SIGTERM to the whole group, a moment to comply, then SIGKILL. Resolves when nobody of the group is left. */
export async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || !signalGroup(child.pid, 'SIGTERM')) return;
  if (await groupGone(child.pid, GRACE_MS)) return;
  signalGroup(child.pid, 'SIGKILL');
  await groupGone(child.pid, GRACE_MS);
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

async function groupGone(leader: number, withinMs: number): Promise<boolean> {
  for (let waited = 0; waited < withinMs; waited += LOOK_EVERY_MS) {
    if (!signalGroup(leader, 0)) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return !signalGroup(leader, 0);
}
