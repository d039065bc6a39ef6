/**
 * Many concurrent calls, more than the machine can serve in time: how many answers come more than 100 ms
 * after their limit, and how many texts are pruned, beside one call alone.
 *
 *   npm run build && npm run bench -- crowd
 */
import { ask, PRUNER, requestOf, start, stop } from './prune/server.ts';
import { sourceText } from './prune/source-text.ts';

const CHARACTERS = 20_000;
const GRACE_MS = 100;
const crowds = [1, 8, 50, 200];
const limits = [300, 1500];

interface Answer {
  elapsedMs: number;
  isPruned: boolean;
}

const server = await start(PRUNER, Math.max(...crowds));
for (let call = 0; call < 20; call += 1) await answer(call, 60_000);
console.log('| calls at once | limit ms | median ms | times one alone | more than 100 ms late | pruned |');
console.log('|---|---|---|---|---|---|');
for (const limitMs of limits) {
  let alone: number | undefined;
  for (const crowd of crowds) {
    const answers = await Promise.all(Array.from({ length: crowd }, (_, call) => answer(call, limitMs)));
    const median = medianOf(answers.map(({ elapsedMs }) => elapsedMs));
    alone ??= median;
    const late = answers.filter(({ elapsedMs }) => elapsedMs > limitMs + GRACE_MS).length;
    const pruned = answers.filter(({ isPruned }) => isPruned).length;
    console.log(
      `| ${crowd} | ${limitMs} | ${median.toFixed(0)} | ${(median / alone).toFixed(1)} × | ${late} | ${pruned} |`,
    );
  }
}
await stop(server);

/** Each asks for a text of its own, and counts from the moment the server has read its request. */
async function answer(call: number, limitMs: number): Promise<Answer> {
  const text = await ask(server, requestOf(`# call ${call}\n${sourceText(CHARACTERS)}`, limitMs));
  const { result } = JSON.parse(text) as { result?: { content: { text: string }[] } };
  // Refused: more concurrent calls than the server admits.
  if (result === undefined) return { elapsedMs: 0, isPruned: false };
  const { stats } = JSON.parse(result.content[0]?.text ?? '') as {
    stats: { elapsed_ms: number; used_fallback: boolean };
  };
  return { elapsedMs: stats.elapsed_ms, isPruned: !stats.used_fallback };
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
