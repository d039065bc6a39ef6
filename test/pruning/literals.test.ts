import { describe, expect, it } from 'vitest';
import { inlineEngine } from '../../src/pruning/inline-engine.ts';
import type { LineScorer, SourceType } from '../../src/ranking/scorer.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { splitLines } from '../../src/text/lines.ts';
import { pruneRequest, testPruner } from '../support/pruner.ts';

/** Wants none of the lines, so that only the question's own words keep any. */
const needsNothing: LineScorer = ({ lines }) => ({
  scores: new Float64Array(lines.length).fill(-100),
  areLogOdds: true,
  tier: 'none',
});

async function kept(lines: readonly string[], question: string, sourceType: SourceType = 'code') {
  const engine = inlineEngine({ scorer: needsNothing, clock: systemClock });
  const { prunedText, stats } = await testPruner({ engine }).prune(
    pruneRequest({
      text: lines.join('\n'),
      focus: { question },
      sourceType,
      options: { maxPruneRatio: 0.95 },
    }),
  );
  expect(stats.prunedLines).toBeGreaterThan(0);
  return splitLines(prunedText);
}

const options = Array.from(
  { length: 60 },
  (_, at) => `    "someOption${at}": "a value of some length ${at}",`,
);

describe('[P28] literal words of the question keep their lines', () => {
  it.each([
    ['a plain word', 'which module setting?'],
    ['a quoted word', 'what does "nodenext" mean here?'],
    ['a word in code', 'where is `module` set?'],
  ])('%s', async (_, question) => {
    const lines = [
      '{',
      '  "compilerOptions": {',
      ...options,
      '    "module": "nodenext",',
      ...options,
      '  }',
      '}',
    ];
    expect(await kept(lines, question)).toContain('    "module": "nodenext",');
  });

  it('a number and a file name', async () => {
    const log = Array.from(
      { length: 80 },
      (_, at) => `step ${at % 7} goes on as it did the time before that`,
    );
    log[40] = 'listening on 8443 as told by config/serve.toml';
    expect(await kept(log, 'who listens on 8443?', 'logs')).toContain(log[40]);
    expect(await kept(log, 'what does config/serve.toml do?', 'logs')).toContain(log[40]);
  });

  it('but not a word that stands everywhere, nor parts of other words', async () => {
    const lines = Array.from(
      { length: 200 },
      (_, at) => `worker ${at} submodules goes on with its long story`,
    );
    expect((await kept(lines, 'which worker has a module?', 'docs')).length).toBeLessThan(40);
  });

  it('nor all that a long issue speaks of', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `handlerNumber${at}`);
    const lines = names.flatMap((name) => [
      `    call(${name}, "with", "some", "padding")`,
      ...options.slice(0, 3),
    ]);
    expect((await kept(lines, `It fails in ${names.join(' and ')}`)).length).toBeLessThan(100);
  });
});

describe('[P28] what a question asks to list stays', () => {
  it('tests', async () => {
    const tests = Array.from({ length: 12 }, (_, at) => `  it('does thing ${at}', () => {`);
    const lines = tests.flatMap((test) => [test, ...options.slice(0, 8), '  });']);
    expect(await kept(lines, 'which tests are there?')).toEqual(expect.arrayContaining(tests));
  });

  it('folders', async () => {
    const folders = Array.from({ length: 30 }, (_, at) => `drwxr-xr-x 2 me me 4096 Nov 1 10:00 folder${at}`);
    const lines = [
      ...folders,
      ...Array.from({ length: 40 }, () => 'and then some noise that nobody asked for'),
    ];
    expect(await kept(lines, 'which folders are there?', 'logs')).toEqual(expect.arrayContaining(folders));
  });
});
