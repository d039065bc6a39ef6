import { expect, it } from 'vitest';
import { inlineEngine } from '../../src/pruning/inline-engine.ts';
import type { LineScorer } from '../../src/ranking/scorer.ts';
import { rememberShown } from '../../src/ranking/shown.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { splitLines } from '../../src/text/lines.ts';
import { pruneRequest, testPruner } from '../support/pruner.ts';

/** Wants none of the lines, so that only protection keeps any. */
const needsNothing: LineScorer = ({ lines }) => ({
  scores: new Float64Array(lines.length).fill(-100),
  areLogOdds: true,
  tier: 'none',
});

async function kept(lines: readonly string[], shown: readonly string[] = [], question = 'why?') {
  const seen = new Set<number>();
  if (shown.length > 0) rememberShown(seen, shown.join('\n'));
  const engine = inlineEngine({ scorer: needsNothing, clock: systemClock });
  const options = { maxPruneRatio: 1, markers: 'compact' } as const;
  const focus = { question, seen };
  const request = pruneRequest({ text: lines.join('\n'), sourceType: 'logs', focus, options });
  return splitLines((await testPruner({ engine }).prune(request)).prunedText);
}

const noise = Array.from({ length: 30 }, (_, at) => `step ${at} went on as it did the time before that`);
const frames = Array.from(
  { length: 12 },
  (_, at) => `\tat org.acme.parser.Reader.level${at}(Reader.java:${at})`,
);
const trace = ['java.lang.IllegalStateException: no such level', ...frames];

it('[P21] a trace that the run has not shown stays whole', async () => {
  const text = [...noise, ...trace, ...noise];
  expect(await kept(text)).toEqual(expect.arrayContaining(trace));
  expect(await kept(text, noise)).toEqual(expect.arrayContaining(trace));
});

it('[P21] a trace that stands there twice stays once, both of its ends every time', async () => {
  const lines = await kept([...noise, ...trace, ...noise, ...trace, ...noise]);
  const count = (wanted: string) => lines.filter((line) => line === wanted).length;
  expect(trace.map(count)).toEqual([2, ...frames.slice(1).map(() => 1), 2]);
});

it('[P21] a trace that the run has shown keeps what says that it still fails', async () => {
  const lines = await kept([...noise, ...trace, ...noise], trace);
  expect(lines).toEqual(expect.arrayContaining([trace[0], trace.at(-1)]));
  expect(lines).not.toContain(frames[5]);
});

it('[P28] a literal word of the question keeps its line, unless the run has shown the line', async () => {
  const line = 'listening on 8443 as the settings say';
  const text = [...noise, line, ...noise];
  expect(await kept(text, [], 'who listens on 8443?')).toContain(line);
  expect(await kept(text, [line], 'who listens on 8443?')).not.toContain(line);
});
