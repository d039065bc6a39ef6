import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PruneOptions } from '../../src/pruning/request.ts';
import { splitLines } from '../../src/text/lines.ts';
import { pruneRequest, testPruner } from '../support/pruner.ts';

const statements = Array.from(
  { length: 600 },
  (_, at) => `function step${at}(e){return e.items[${at}]+${at * 7}};`,
);
const minified = [
  ...statements.slice(0, 400),
  'function parseYaml(e,t){return t.schema?e.load():null};',
  ...statements.slice(400),
].join('');

async function cut(text: string, question: string, options: Partial<PruneOptions> = {}) {
  const pruner = testPruner();
  const asked = { maxPruneRatio: 0.95, markers: 'compact' as const, ...options };
  const request = pruneRequest({ text, focus: { question }, sourceType: 'code', options: asked });
  return { ...(await pruner.prune(request)), recovery: pruner.recovery };
}

/** What a marker shows of its line, by the characters it names. */
function shownParts(marker: string) {
  return Array.from(marker.matchAll(/\[(\d+)-(\d+)\] (.*?)(?= \[\d+-\d+\] |\)$)/g), ([, from, to, text]) => ({
    from: Number(from),
    to: Number(to),
    text,
  }));
}

describe('[F23] a long line with compact markers', () => {
  it('is cut inside, to its beginning and what the question asks for', async () => {
    const { prunedText, annotations, stats } = await cut(minified, 'where is parseYaml?');
    const [block = { marker: '' }] = annotations;
    expect(prunedText.length).toBeLessThan(1500);
    expect(block.marker).toMatch(
      new RegExp(`^✂ 1-1 \\(${minified.length} characters, in part: \\[1-\\d+\\] function step0`),
    );
    expect(block.marker).toContain('function parseYaml(e,t){return');
    expect(stats.tokensAfter).toBeLessThan(stats.tokensBefore / 10);
  });

  it('names the characters it shows, as recover_text counts them', async () => {
    const { annotations } = await cut(minified, 'where is parseYaml?');
    const parts = shownParts(annotations[0]?.marker ?? '');
    expect(parts.length).toBeGreaterThan(1);
    for (const { from, to, text } of parts) expect(minified.slice(from - 1, to).trim()).toBe(text);
  });

  it('[P14] is no pruned line: the one line of a text may be cut inside', async () => {
    const { stats } = await cut(minified, 'where is parseYaml?');
    expect(stats).toMatchObject({ originalLines: 1, prunedLines: 0, keptLines: 1 });
  });

  it('[P16] comes back byte for byte in the place of its marker', async () => {
    const text = `/*! license */\r\n${minified}\r\n//# sourceMappingURL=app.js.map\n`;
    const { id, prunedText, annotations, recovery } = await cut(text, 'where is parseYaml?');
    const { texts } = await recovery.recover(id, annotations);
    const restored = annotations.reduce(
      (shown, { marker }, at) => shown.replace(marker, () => texts[at] ?? ''),
      prunedText.replace(/^✂ prn_.*\n/, ''),
    );
    expect(restored).toBe(text);
  });

  it('[P20] stays whole where the author said so, and so does a handle', async () => {
    const masked = `${'x'.repeat(3000)}... [KIMI_PROXY_OBSERVATION_MASKED original_chars=9 head=1 tail=1] ...`;
    const text = ['⟦NO_PRUNE_BEGIN⟧', minified, '⟦NO_PRUNE_END⟧', masked, minified].join('\n');
    const lines = splitLines((await cut(text, 'where is parseYaml?')).prunedText);
    expect(lines).toContain(masked);
    expect(lines.filter((line) => line === minified)).toHaveLength(1);
  });

  it.each([{ markers: 'canonical' as const }, { includeMarkers: false }])(
    'stays whole with %o: no place says what is missing',
    async (options) => {
      const { prunedText } = await cut(minified, 'where is parseYaml?', options);
      expect(prunedText).toBe(minified);
    },
  );

  it('[P28] shows each literal word of the question, wherever it stands', () => {
    const place = fc.integer({ min: 1, max: statements.length - 1 });
    return fc.assert(
      fc.asyncProperty(place, fc.boolean(), async (at, hasRows) => {
        const line = [...statements.slice(0, at), 'connectTimeout:7311,', ...statements.slice(at)].join('');
        const rows = hasRows ? Array.from({ length: 30 }, (_, row) => `var dull${row} = ${row};`) : [];
        const { prunedText } = await cut([...rows, line].join('\n'), 'what is `connectTimeout`?');
        expect(prunedText).toContain('connectTimeout:7311');
        expect(prunedText.length).toBeLessThan(4000);
      }),
      { numRuns: 40 },
    );
  });
});
