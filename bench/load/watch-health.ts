/**
 * Asks after a server's health until its input ends, in a process of its own as a monitor would, at a steady pace whether
 * or not the last question was answered: one that waited would ask least when it is worst. Every other question comes
 * over a new connection, as most monitors' do. Says `ready` once it is warm; then prints each time in milliseconds.
 */
import { Pool } from 'undici';

const EVERY_MS = 25;
const CONNECTIONS = 16;
const WARM_UP = 10;
const [url = '', path = ''] = process.argv.slice(2);
const pool = new Pool(url, { connections: CONNECTIONS, headersTimeout: 120_000 });

let asked = 0;
async function ask(): Promise<number> {
  const startedAt = performance.now();
  asked += 1;
  const answer = await pool.request({ path, method: 'GET', reset: asked % 2 === 0 });
  await answer.body.dump();
  return performance.now() - startedAt;
}

for (let round = 0; round < WARM_UP; round += 1) await Promise.all(Array.from({ length: CONNECTIONS }, ask));
console.log('ready');
const answers: Promise<void>[] = [];
const asking = setInterval(() => answers.push(ask().then((ms) => console.log(ms.toFixed(2)))), EVERY_MS);
process.stdin.resume().on('end', async () => {
  clearInterval(asking);
  await Promise.all(answers);
  await pool.close();
});
