/** Loaded before a program: when it ends, what it took of the machine is written to USAGE_FILE. */
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const usage = { cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMb: maxRSS / 1024 };
    writeFileSync(process.env.USAGE_FILE, JSON.stringify(usage));
  });
}
