import { readdir, readFile } from 'node:fs/promises';

/** Process groups in which a process whose command line holds `mark` is running; the dead do not count. */
export async function runningGroups(mark: string): Promise<number[]> {
  const groups = new Set<number>();
  for (const pid of (await readdir('/proc')).filter(
    (name) => /^\d+$/.test(name) && Number(name) !== process.pid,
  )) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '');
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
    const [, state = 'X', group = '0'] = /\) (\S) \d+ (\d+) [^)]*$/.exec(stat) ?? [];
    if (line.includes(mark) && !'ZX'.includes(state)) groups.add(Number(group));
  }
  return [...groups];
}
