import { randomBytes } from 'node:crypto';
import { createRecovery } from '../../src/recovery/recovery.ts';
import { EmbeddedStore } from '../../src/recovery/stores/embedded.ts';
import { systemClock } from '../../src/runtime/clock.ts';

/** Fills the store in the folder it is given until no more fits, and says how that went. */
const directory = process.argv[2] ?? '';
const store = await EmbeddedStore.open({
  directory,
  ttlMs: 1e9,
  maxBytes: 1e9,
  clock: systemClock,
  randomBytes,
});
const recovery = createRecovery({ store, randomBytes });
const text = () => randomBytes(20_000).toString('hex');
const first = text();
const { id } = await recovery.remember(first, []);
let failed = 'stored';
for (let count = 0; count < 100 && failed === 'stored'; count += 1)
  failed = (await recovery.remember(text(), [])).kind;
const { texts } = await recovery.recover(id, [{ start: 1, end: 1 }]);
const again = (await recovery.remember(text(), [])).kind;
// A promise that nobody caught would have its turn before this.
await new Promise((resolve) => setTimeout(resolve, 50));
process.stdout.write(JSON.stringify({ failed, first: texts[0] === first, again }));
process.exit(0);
