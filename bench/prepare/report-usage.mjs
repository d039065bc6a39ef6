/** Loaded before a program: when it ends, what it took of the machine is written to USAGE_FILE. */
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    const usage = { cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMb: peakKb() / 1024 };
    writeFileSync(process.env.USAGE_FILE, JSON.stringify(usage));
  });
}

/** `maxRSS` of `resourceUsage` includes the process that started this one, up to the moment of the start. */
function peakKb() {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}
