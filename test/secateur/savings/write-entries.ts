import { setImmediate } from 'node:timers/promises';
import { systemClock } from '../../../packages/base/src/runtime/time.ts';
import { fileLedger } from '../../../packages/secateur/src/savings/ledger.ts';

/** Writes numbered entries until it is killed, and prints the number of each after it is written. */
const [directory = '', number = ''] = process.argv.slice(2);
const ledger = fileLedger({ directory, clock: systemClock, maxBytes: 1 << 24, maxAgeDays: 30 });
for (let count = 1; ; count += 1) {
  ledger.record({
    kind: 'cut',
    system: 'cli',
    tool: `writer-${number}`,
    tokensBefore: count,
    tokensAfter: 0,
  });
  process.stdout.write(`${count}\n`);
  await setImmediate();
}
