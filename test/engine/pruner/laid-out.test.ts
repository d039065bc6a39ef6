import { describe, expect, it } from 'vitest';
import type { PruneOptions } from '../../../packages/engine/src/request.ts';
import { pruneRequest, testPruner } from '../../support/pruner.ts';
import { commitList } from '../reading/large-results.ts';

const COMMITS = commitList(130);

function ask(intent: 'implicit' | 'explicit' | 'capped', options: Partial<PruneOptions> = {}) {
  return pruneRequest({
    text: COMMITS,
    focus: { question: 'Which commits fixed bugs in rules?' },
    origin: { kind: 'result' },
    intent,
    options: { maxPruneRatio: 0.95, markers: 'compact', recoverBy: 'secateur recover {id}', ...options },
  });
}

describe('[P55] JSON in one line', () => {
  it.each(['implicit', 'explicit'] as const)('JSON is pretty-printed before an %s cut', async (intent) => {
    const pruner = testPruner();
    const { id, prunedText, annotations, stats } = await pruner.prune(ask(intent));
    const [first = '', ...lines] = prunedText.split('\n');
    const [, original = ''] =
      /one field per line; as it came: (prn_\w+)\)$/.exec(first) ?? expect.unreachable(first);
    expect(first).toContain(`secateur recover ${id}`);
    expect(lines).toContainEqual(expect.stringMatching(/^ {3}"message": "fix\(rules\): /));
    expect(annotations.length).toBeGreaterThan(0);
    expect(stats.tokensAfter).toBeLessThan(stats.tokensBefore / 2);

    const asCame = await pruner.recovery.recover(original, 'all');
    expect(asCame.texts).toEqual([COMMITS]);
    const laidOut = (await pruner.recovery.recover(id, 'all')).texts[0] ?? '';
    expect(JSON.parse(laidOut)).toEqual(JSON.parse(COMMITS));
    const [{ start, end } = expect.unreachable()] = annotations;
    const gap = await pruner.recovery.recover(id, [{ start, end }]);
    expect(gap.texts[0]).toBe(
      laidOut
        .split('\n')
        .slice(start - 1, end)
        .join('\n'),
    );
  });

  it('the first line says that JSON was pretty-printed, even if markers are canonical', async () => {
    const { prunedText } = await testPruner().prune(ask('explicit', { markers: 'canonical' }));
    expect(prunedText).toMatch(/^✂ prn_\w+: .*one field per line; as it came: prn_\w+\)\n/);
  });

  it('`prune_text` does not pretty-print JSON, because its limits count the lines that the caller sent', async () => {
    const { prunedText, stats } = await testPruner().prune(ask('capped', { markers: 'canonical' }));
    expect(prunedText === COMMITS).toBe(true);
    expect(stats.originalLines).toBe(1);
  });

  it('`secateur prune` pretty-prints JSON, because it has no limits in lines', async () => {
    const { prunedText } = await testPruner().prune(ask('capped', { laysOut: true, markers: 'canonical' }));
    expect(prunedText).toContain('one field per line');
  });

  it('JSON in one line is returned unchanged if no part is removed or if it is small', async () => {
    const pruner = testPruner();
    const { id, prunedText, stats } = await pruner.prune(ask('implicit', { disabledRules: ALL_OF_RECORDS }));
    expect(prunedText === COMMITS).toBe(true);
    expect(stats).toMatchObject({ originalLines: 1, prunedLines: 0 });
    expect((await pruner.recovery.recover(id, 'all')).texts).toEqual([COMMITS]);
    const small = { ...ask('implicit'), text: commitList(9) };
    expect((await pruner.prune(small)).prunedText).toBe(small.text);
  });
});

const ALL_OF_RECORDS = ['oversized-rows', 'record-fields', 'long-lines', 'unrelated-units'] as const;
