import { randomBytes } from 'node:crypto';
import { systemClock } from '../../../packages/base/src/runtime/time.ts';
import { createRecovery } from '../../../packages/engine/src/recovery/recovery.ts';
import { EmbeddedStore } from '../../../packages/engine/src/recovery/stores/embedded.ts';

/** Fills the store in a folder until no more texts fit, and prints the results. */
const directory = process.argv[2] ?? '';
const limits = { ttlMs: 1e9, maxBytes: 1e9 };
const store = await EmbeddedStore.open({ directory, ...limits, clock: systemClock, randomBytes });
const recovery = createRecovery({ store, randomBytes });
const text = (bytes: number) => randomBytes(bytes).toString('base64');
const first = text(20_000);
const { id } = await recovery.remember(first, []);
let [failed, bytes] = ['stored', 20_000];
while (failed === 'stored' && bytes < 1e8) {
  bytes *= 1.5;
  failed = (await recovery.remember(text(bytes), [])).kind;
}
const { texts } = await recovery.recover(id, [{ start: 1, end: 1 }]);
const again = (await recovery.remember(text(bytes), [])).kind;
// Fills the rest of a disk. If only the size of files is limited, stores small texts.
let small = 'stored';
for (let count = 0; count < 1000 && small === 'stored'; count += 1)
  small = (await recovery.remember(text(3000), [])).kind;
if (small === 'stored' && bytes < 1e6) small = 'unavailable';
await store.sweep();
await store.close();
// An unhandled rejection would end the process during this wait.
await new Promise((resolve) => setTimeout(resolve, 50));
process.stdout.write(JSON.stringify({ failed, first: texts[0] === first, again, small }));
