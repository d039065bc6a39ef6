import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitLines } from '../../packages/base/src/text/lines.ts';
import { estimateTokens } from '../../packages/base/src/text/token-estimate.ts';
import type { Recovery } from '../../packages/engine/src/recovery/recovery.ts';
import type { PruneOptions, PruneOutcome, PruneRequest } from '../../packages/engine/src/request.ts';
import { testPruner } from '../support/pruner.ts';
import { anyRequest } from './texts.ts';

const pruner = testPruner();

const RUNS = 200;

/** Checks a property and requires that some texts were cut, because most texts are returned unchanged. */
async function always(
  holds: (request: PruneRequest, outcome: PruneOutcome) => void | Promise<void>,
  options: Partial<PruneOptions> = {},
): Promise<void> {
  let cuts = 0;
  const property = fc.asyncProperty(anyRequest, async (any) => {
    const request = { ...any, options: { ...any.options, ...options } };
    const outcome = await pruner.prune(request);
    if (outcome.annotations.length > 0) cuts += 1;
    await holds(request, outcome);
  });
  await fc.assert(property, { numRuns: RUNS });
  expect(cuts).toBeGreaterThan(RUNS / 10);
}

/** The numbers of the lines an outcome kept. */
function keptNumbers({ annotations, stats }: PruneOutcome): number[] {
  const numbers = Array.from({ length: stats.originalLines }, (_, index) => index + 1);
  return numbers.filter((number) => !annotations.some(({ start, end }) => start <= number && number <= end));
}

it('[P13] prune_text keeps lines in order and byte for byte', () =>
  always((request, outcome) => {
    const isNumbered = request.options.annotateLines && !outcome.stats.usedFallback;
    if (outcome.annotations.length === 0 && !isNumbered) {
      expect(outcome.prunedText).toBe(request.text);
      return;
    }
    const lines = splitLines(request.text);
    const markers = new Set(outcome.annotations.map(({ marker }) => marker));
    const kept = belowHeadline(outcome).filter((line) => !markers.has(line));
    const { annotateLines } = request.options;
    const expected = keptNumbers(outcome).map((number) =>
      annotateLines ? `${number}│ ${lines[number - 1]}` : lines[number - 1],
    );
    // One empty kept line without markers is a text without lines.
    expect(kept).toEqual(outcome.prunedText === '' && expected.join('') === '' ? [] : expected);
  }));

/** The lines of a pruned text, less the first one that compact markers need. */
function belowHeadline({ prunedText, id }: PruneOutcome): string[] {
  const lines = splitLines(prunedText);
  return lines[0]?.startsWith(`✂ ${id}: `) === true ? lines.slice(1) : lines;
}

it('[P14] prune_text never removes a larger share than max_prune_ratio and keeps at least min_keep_lines lines', () =>
  always(({ text, options }, { stats }) => {
    const total = splitLines(text).length;
    expect(stats.originalLines).toBe(total);
    expect(stats.keptLines + stats.prunedLines).toBe(total);
    expect(stats.prunedLines).toBeLessThanOrEqual(Math.floor(total * options.maxPruneRatio));
    expect(stats.keptLines).toBeGreaterThanOrEqual(Math.min(options.minKeepLines, total));
    expect(stats.prunedRatio).toBe(total === 0 ? 0 : Number((stats.prunedLines / total).toFixed(4)));
  }));

it('[P16] replacing every marker line of prune_text by the lines it hides restores the original text', () =>
  always(async (request, outcome) => expect(await putBack(outcome, pruner.recovery)).toBe(request.text), {
    annotateLines: false,
    includeMarkers: true,
  }));

async function putBack(outcome: PruneOutcome, recovery: Recovery): Promise<string> {
  const hidden = new Map<string, string>();
  for (const { start, end, marker } of outcome.annotations) {
    const { texts } = await recovery.recover(outcome.id, [{ start, end }]);
    hidden.set(marker, texts.join('\n'));
  }
  const hasHeadline = outcome.prunedText.startsWith(`✂ ${outcome.id}: `);
  return outcome.prunedText
    .split('\n')
    .slice(hasHeadline ? 1 : 0)
    .map((line) => hidden.get(line) ?? line)
    .join('\n');
}

it('[P17] the published regular expression parses every marker of prune_text', () =>
  always(
    ({ options }, { id, prunedText, annotations }) => {
      const published =
        /^⟦PRUNÉ: prune_id=(?<prune_id>[^\s]+) lignes (?<start>\d+)-(?<end>\d+) \((?<count>\d+)\) raison=(?<reason>.*)⟧$/;
      for (const { start, end, count, reason, marker } of annotations) {
        const groups = { prune_id: id, start: `${start}`, end: `${end}`, count: `${count}`, reason };
        expect({ ...published.exec(marker)?.groups }).toEqual(groups);
        expect(reason).not.toMatch(/[⟦⟧\n\r\u2028\u2029]/);
        expect(splitLines(prunedText).includes(marker)).toBe(options.includeMarkers);
      }
    },
    { markers: 'canonical' },
  ));

it('[P18] prune_text never writes a marker longer than its gap, and never returns a longer text', () =>
  always(({ text, options }, { prunedText, annotations, stats }) => {
    if (text.length < 1000) return;
    const lines = splitLines(text);
    for (const { start, end, marker } of options.includeMarkers ? annotations : []) {
      expect(estimateTokens(marker)).toBeLessThan(estimateTokens(lines.slice(start - 1, end).join('\n')));
    }
    const plain = prunedText.replace(/^\d+│ /gm, '');
    expect(plain.length).toBeLessThanOrEqual(text.length);
    expect(stats.tokensAfter).toBeLessThanOrEqual(stats.tokensBefore);
  }));

it('[P19] prune_text keeps every line that is already a marker', () =>
  always(({ text }, outcome) => {
    const kept = new Set(keptNumbers(outcome));
    for (const [index, line] of splitLines(text).entries()) {
      if (/⟦PRUNÉ: .*⟧|KIMI_PROXY_OBSERVATION_MASKED|^✂ \d+-\d+/.test(line))
        expect(kept).toContain(index + 1);
    }
  }));

it('[P20] prune_text keeps protected blocks with their directives; a block without an end reaches to the end of the text', () =>
  always(({ text }, outcome) => {
    const kept = new Set(keptNumbers(outcome));
    let depth = 0;
    for (const [index, line] of splitLines(text).entries()) {
      if (line.includes('⟦NO_PRUNE_BEGIN⟧')) depth += 1;
      if (depth > 0 || line.includes('⟦NO_PRUNE_END⟧')) expect(kept).toContain(index + 1);
      if (line.includes('⟦NO_PRUNE_END⟧')) depth = Math.max(0, depth - 1);
    }
  }));

it('[P24] prune_text returns the same bytes if it is called twice with the same request', () =>
  always(async (request, first) => {
    const { stats, ...second } = await pruner.prune(request);
    expect(second).toEqual({
      id: first.id,
      prunedText: first.prunedText,
      annotations: first.annotations,
      warnings: first.warnings,
    });
    expect({ ...stats, elapsedMs: 0 }).toEqual({ ...first.stats, elapsedMs: 0 });
  }));
