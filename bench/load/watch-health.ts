/** Asks after a server's health until its input ends, in a process of its own as a monitor would; prints each time in milliseconds. */
import { Pool } from 'undici';

const HEALTH_EVERY_MS = 50;
const [url = '', path = ''] = process.argv.slice(2);
const pool = new Pool(url, { connections: 1 });
let goesOn = true;
process.stdin.on('end', () => {
  goesOn = false;
});
process.stdin.resume();
while (goesOn) {
  const startedAt = performance.now();
  const answer = await pool.request({ path, method: 'GET' }).catch(() => undefined);
  await answer?.body.dump();
  console.log((performance.now() - startedAt).toFixed(2));
  await new Promise((resolve) => setTimeout(resolve, HEALTH_EVERY_MS));
}
await pool.close();
