import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../packages/base/src/runtime/time.ts';
import { estimateTokens } from '../../packages/base/src/text/token-estimate.ts';
import { untouchableLines } from '../../packages/engine/src/cutting/pins.ts';
import { inlineEngine } from '../../packages/engine/src/inline-engine.ts';
import { createRecovery } from '../../packages/engine/src/recovery/recovery.ts';
import type { RecoveryStore } from '../../packages/engine/src/recovery/store.ts';
import type { PruneOptions } from '../../packages/engine/src/request.ts';
import type { PruneEngine } from '../../packages/engine/src/worker-engine.ts';
import { pruneRequest, testPruner } from '../support/pruner.ts';

const sentence = (index: number) =>
  `Sentence ${index} of the manual explains one more boring detail of the machine.`;
const manual = (lines: number) => Array.from({ length: lines }, (_, index) => sentence(index)).join('\n');
/** Bodies about as long as a marker costs. */
const functions = (count: number) =>
  Array.from(
    { length: count },
    (_, at) => `def function_${at}(a, b):\n${`    total = a + b * ${at}\n`.repeat(7)}    return total\n`,
  ).join('\n');
const request = pruneRequest({ text: manual(100), sourceType: 'docs' });

describe('[P12] the number of lines', () => {
  it.each([
    ['', 0],
    ['\n', 1],
    ['a', 1],
    ['a\n', 1],
    ['a\r\nb\r\n', 2],
    ['a\n\n', 2],
    ['a\rb\u2028c', 1],
  ])('prune_text counts the lines of %j as grep, git and compilers do', async (text, lines) => {
    const { stats, prunedText } = await testPruner().prune(
      pruneRequest({ text, options: { maxPruneRatio: 0 } }),
    );
    expect(stats.originalLines).toBe(lines);
    expect(prunedText).toBe(text);
  });
});

it('[P15] prune_text returns a text with fewer than min_keep_lines lines unchanged', async () => {
  const outcome = await testPruner().prune(pruneRequest({ text: manual(5), options: { minKeepLines: 6 } }));
  expect(outcome).toMatchObject({ prunedText: manual(5), annotations: [], warnings: ['constraints_unmet'] });
  expect(outcome.stats).toMatchObject({ usedFallback: true, prunedLines: 0, keptLines: 5 });
});

it('[P15] prune_text processes a text of exactly min_keep_lines lines, but removes no line', async () => {
  const { stats } = await testPruner().prune(pruneRequest({ text: manual(6), options: { minKeepLines: 6 } }));
  expect(stats).toMatchObject({ usedFallback: false, prunedLines: 0 });
});

it('[P23] prune_text stops between two steps when its time limit is over', async () => {
  const hours = [0];
  // The clock advances by one hour at each reading.
  const clock = { ...systemClock, monotonic: () => 3_600_000 * hours.push(0) };
  const engine = inlineEngine({ scorer: () => expect.unreachable('ranked a text that was late'), clock });
  const outcome = await testPruner({ engine }).prune(
    pruneRequest({ text: manual(100), sourceType: 'docs', options: { timeoutMs: 500 } }),
  );
  expect(outcome).toMatchObject({ prunedText: manual(100), annotations: [], warnings: ['timeout'] });
});

it('[P18][Q8] prune_text does not rank a text of many blank lines that costs no more tokens than a marker', async () => {
  const text = '\n'.repeat(2_000_000);
  const { prunedText, stats, warnings } = await testPruner().prune(pruneRequest({ text }));
  expect(prunedText).toBe(text);
  expect(stats).toMatchObject({ originalLines: 2_000_000, prunedLines: 0, usedFallback: false });
  expect(stats).not.toHaveProperty('scorer');
  expect(warnings).toEqual([]);
});

it.each([
  ['garder L1', 'L1\nL2\nL3\nL4', [[2, 4]]],
  ['keep', 'L1 keep\nL2 prune\nL3 prune\nL4 keep', [[2, 3]]],
])('[P18] prune_text removes one gap of the specified example: goal %s', async (question, text, gaps) => {
  const options = { maxPruneRatio: 0.75, minKeepLines: 1, annotateLines: true };
  const { prunedText, annotations } = await testPruner().prune(
    pruneRequest({ text, focus: { question }, sourceType: 'docs', options }),
  );
  expect(annotations.map(({ start, end }) => [start, end])).toEqual(gaps);
  expect(prunedText.split('\n')[0]).toBe(`1│ ${text.split('\n')[0]}`);
});

it('[P18] prune_text numbers every line of a text from which nothing is removed', async () => {
  const { prunedText, annotations } = await testPruner().prune(
    pruneRequest({ text: 'L1\nL2', options: { annotateLines: true, maxPruneRatio: 0 } }),
  );
  expect({ prunedText, annotations }).toEqual({ prunedText: '1│ L1\n2│ L2', annotations: [] });
});

it('[P18] prune_text removes the same lines with and without line numbers', async () => {
  const text = Array.from({ length: 1500 }, (_, index) => `n${index}`).join('\n');
  const cut = async (annotateLines: boolean) =>
    (
      await testPruner().prune(
        pruneRequest({ text, sourceType: 'docs', options: { annotateLines, maxPruneRatio: 0.5 } }),
      )
    ).annotations.map(({ start, end }) => `${start}-${end}`);
  expect(await cut(true)).toEqual(await cut(false));
});

it('[P18] prune_text also removes small gaps if it writes no markers', async () => {
  const text = Array.from({ length: 300 }, (_, at) =>
    at % 3 === 0 ? `the zeppelin ${at} is here` : `x${at}`,
  ).join('\n');
  const request = (includeMarkers: boolean) =>
    pruneRequest({
      text,
      focus: { question: 'zeppelin' },
      sourceType: 'logs',
      options: { includeMarkers, maxPruneRatio: 0.6 },
    });
  const removed = async (includeMarkers: boolean) =>
    (await testPruner().prune(request(includeMarkers))).stats.prunedLines;
  expect(await removed(false)).toBeGreaterThan(await removed(true));
});

it('[P17] prune_text never writes a line number before a marker', async () => {
  const { prunedText, annotations } = await testPruner().prune({
    ...request,
    options: { ...request.options, annotateLines: true },
  });
  expect(annotations.length).toBeGreaterThan(0);
  for (const line of prunedText.split('\n')) expect(line).toMatch(/^(?:\d+│ Sentence|⟦PRUNÉ: )/);
});

it('[P19] prune_text keeps the markers of an earlier pruning', async () => {
  const pruner = testPruner();
  const first = await pruner.prune({ ...request, options: { ...request.options, maxPruneRatio: 0.5 } });
  const second = await pruner.prune({
    ...request,
    text: first.prunedText,
    options: { ...request.options, maxPruneRatio: 1 },
  });
  for (const { marker } of first.annotations) expect(second.prunedText).toContain(marker);
});

describe('[P22] prune_text after a failure', () => {
  const engineThat = (kind: 'timeout' | 'crashed'): PruneEngine => {
    const outcome = kind === 'timeout' ? { kind } : { kind, message: 'broken' };
    return { ...inlineEngine(), cut: async () => outcome };
  };

  it.each([
    ['timeout', testPruner({ engine: engineThat('timeout') })],
    ['internal_error', testPruner({ engine: engineThat('crashed') })],
    ['input_too_large', testPruner({ maxInputChars: 99 })],
  ])('prune_text returns the text unchanged, with a warning and an id, after: %s', async (code, pruner) => {
    const outcome = await pruner.prune(request);
    expect(outcome).toMatchObject({ prunedText: request.text, annotations: [], warnings: [code] });
    expect(outcome.stats).toMatchObject({ usedFallback: true, prunedLines: 0, prunedRatio: 0 });
    const { texts } = await pruner.recovery.recover(outcome.id, [{ start: 1, end: 100 }]);
    expect(texts).toEqual([request.text]);
  });

  it('prune_text returns the text unchanged with the warning `internal_error` if a scorer throws', async () => {
    const scorer = () => {
      throw new Error('bug');
    };
    const { warnings } = await testPruner({ engine: inlineEngine({ scorer, clock: systemClock }) }).prune(
      request,
    );
    expect(warnings).toEqual(['internal_error']);
  });

  it('prune_text runs without an error if a scorer returns NaN, and only ranks the lines worse', async () => {
    const scorer = ({ lines }: { lines: readonly string[] }) => ({
      scores: new Float64Array(lines.length).fill(Number.NaN),
      areLogOdds: true,
      tier: 'broken',
    });
    const { stats } = await testPruner({ engine: inlineEngine({ scorer, clock: systemClock }) }).prune(
      request,
    );
    expect(stats.prunedLines).toBeGreaterThan(60);
    expect(stats).toMatchObject({ usedFallback: false, scorer: 'broken' });
  });
});

describe('[P34] prune_text with a store that fails', () => {
  const storeThat = (put: RecoveryStore['put']): RecoveryStore => ({
    idKey: async () => randomBytes(32),
    put,
    putNew: async (id, text) => {
      await put(id, text);
      return true;
    },
    forget: async () => false,
    get: async () => undefined,
    close: async () => {},
  });
  const prunerOn = (store: RecoveryStore) => testPruner({ recovery: createRecovery({ store, randomBytes }) });

  it('prune_text returns the text unchanged with recovery_unavailable if the store fails', async () => {
    const outcome = await prunerOn(storeThat(() => Promise.reject(new Error('down')))).prune(request);
    expect(outcome).toMatchObject({
      prunedText: request.text,
      annotations: [],
      warnings: ['recovery_unavailable'],
    });
    expect(outcome.stats.usedFallback).toBe(true);
  });

  it('[P23] a store that never answers does not extend prune_text beyond its time limit', async () => {
    const hurried = { ...request, options: { ...request.options, timeoutMs: 30 } };
    const outcome = await prunerOn(storeThat(() => new Promise(() => {}))).prune(hurried);
    expect(outcome.warnings).toEqual(['timeout', 'recovery_unavailable']);
    expect(outcome.prunedText).toBe(request.text);
  });

  it('prune_text returns a shortened text only after the original text is stored', async () => {
    const events: string[] = [];
    let isCut: () => void = () => {};
    const whenCut = new Promise<void>((resolve) => {
      isCut = resolve;
    });
    const engine = inlineEngine();
    const cut: PruneEngine['cut'] = async (job) => {
      const outcome = await engine.cut(job);
      events.push('cut');
      isCut();
      return outcome;
    };
    const store = storeThat(async () => {
      await whenCut;
      await setImmediate();
      events.push('stored');
    });
    const recovery = createRecovery({ store, randomBytes });
    await testPruner({ recovery, engine: { ...engine, cut } }).prune(request);
    events.push('answered');
    expect(events).toEqual(['cut', 'stored', 'answered']);
  });
});

describe('[P25] the prune id', () => {
  it('a prune id is prn_ and 10 Crockford characters, and equal requests have equal ids', async () => {
    const pruner = testPruner();
    const { id } = await pruner.prune(request);
    expect(id).toMatch(/^prn_[0-9A-HJKMNP-TV-Z]{10}$/);
    expect((await pruner.prune(request)).id).toBe(id);
  });

  it.each([
    ['text', { text: manual(99) }],
    ['goal', { focus: { question: 'else' } }],
    ['source type', { sourceType: 'logs' as const }],
    ['an option', { options: { ...request.options, includeMarkers: false } }],
  ])('the prune id differs if the request differs in %s', async (_what, change) => {
    const pruner = testPruner();
    expect((await pruner.prune({ ...request, ...change })).id).not.toBe((await pruner.prune(request)).id);
  });

  it('the prune id cannot be computed without the key of the store', async () => {
    expect((await testPruner().prune(request)).id).not.toBe((await testPruner().prune(request)).id);
  });
});

it('[P24] prune_text removes the same lines for every key of the prune ids', async () => {
  const job = pruneRequest({ text: functions(60), sourceType: 'code', options: { maxPruneRatio: 0.9 } });
  const cuts = new Set<string>();
  for (let process = 0; process < 8; process += 1) {
    const { annotations } = await testPruner().prune(job);
    cuts.add(annotations.map(({ start, end }) => `${start}-${end}`).join());
  }
  expect([...cuts]).toHaveLength(1);
  expect([...cuts]).not.toEqual(['']);
});

it('[P26] the result of prune_text states lines, tokens and the scorer', async () => {
  const { stats, prunedText, annotations } = await testPruner().prune(request);
  expect(stats).toMatchObject({
    originalLines: 100,
    keptLines: 100 - stats.prunedLines,
    prunedLines: annotations.reduce((sum, { count }) => sum + count, 0),
    prunedRatio: stats.prunedLines / 100,
    tokensBefore: estimateTokens(request.text),
    tokensAfter: estimateTokens(prunedText),
    usedFallback: false,
    backend: 'heuristic',
    scorer: expect.any(String),
  });
});

it.each([0.1, 0.5, 0.7, 0.9])('[P27] prune_text removes at most a share of %d', async (maxPruneRatio) => {
  const headings = Array.from({ length: 20 }, (_, index) => `# Heading ${index}`);
  const text = [...headings, manual(200)].join('\n');
  const { stats } = await testPruner().prune(
    pruneRequest({ text, sourceType: 'docs', options: { maxPruneRatio } }),
  );
  expect(stats.prunedLines).toBeLessThanOrEqual(Math.floor(220 * maxPruneRatio));
  expect(stats.prunedLines).toBeGreaterThan(0);
});

it('[P27] prune_text with max_prune_ratio 0.9 keeps at most a quarter of code that is unrelated to the question', async () => {
  const functions = Array.from({ length: 20 }, (_, index) => [
    `def handle_event_${index}(event):`,
    ...Array.from({ length: 14 }, (_, line) => `    value_${line} = compute(${index}, ${line}, event)`),
  ]);
  const text = functions.flat().join('\n');
  const { prunedText } = await testPruner().prune(
    pruneRequest({
      text,
      focus: { question: 'where is the colour of the button chosen' },
      options: { maxPruneRatio: 0.9 },
    }),
  );
  expect(prunedText.length).toBeLessThan(text.length / 4);
});

it('[P19] untouchableLines keeps the masking marker of the gateway', () => {
  const masked = '... [KIMI_PROXY_OBSERVATION_MASKED original_chars=9000 head=2000 tail=2000] ...';
  expect([...untouchableLines([sentence(1), masked, sentence(2)]).markers]).toEqual([1]);
});

it('[P20] untouchableLines keeps nested NO_PRUNE blocks whole', () => {
  const [begin, end] = ['# ⟦NO_PRUNE_BEGIN⟧', '# ⟦NO_PRUNE_END⟧'];
  const lines = [sentence(1), begin, 'a', begin, 'b', end, 'c', end, sentence(2)];
  expect([...untouchableLines(lines).directives]).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

it('[P18] prune_text makes a gap only if the removed lines are longer than the marker', async () => {
  const pruner = testPruner();
  const cut: number[] = [];
  for (let count = 1; count <= 40; count += 1) {
    const hidden = Array.from({ length: count }, (_, index) => `word${index}`);
    const text = ['# One', ...hidden, '# Two', manual(60)].join('\n');
    const request = pruneRequest({
      text,
      focus: { question: 'boring detail' },
      sourceType: 'docs',
      options: { maxPruneRatio: 0.9 },
    });
    const gap = (await pruner.prune(request)).annotations.find(({ start }) => start <= count + 1);
    if (gap === undefined) continue;
    cut.push(count);
    const lines = text.split('\n').slice(gap.start - 1, gap.end);
    expect(estimateTokens(gap.marker)).toBeLessThan(estimateTokens(lines.join('\n')));
  }
  expect(cut).not.toContain(1);
  expect(cut).toContain(40);
});

describe('[P21] prune_text and declarations of code', () => {
  const body = (name: string) => [
    `def ${name}(order):`,
    ...Array.from({ length: 12 }, (_, at) => `    value_${at} = compute_${name}(order, ${at})`),
  ];
  const names = [
    'parse_invoice',
    'render_label',
    'retry_delay',
    'send_mail',
    'archive_order',
    'print_receipt',
  ];
  const code = ['# Orders of the shop.', 'import time', '', ...names.flatMap(body)].join('\n');
  const structure = ['# Orders of the shop.', 'import time', ...names.map((name) => `def ${name}(order):`)];
  const kept = async (options: Partial<PruneOptions>) => {
    const asked = { text: code, focus: { question: 'retry_delay' }, sourceType: 'code' as const, options };
    const { prunedText, stats } = await testPruner().prune(pruneRequest(asked));
    expect(stats.prunedLines).toBeGreaterThan(0);
    return structure.filter((line) => prunedText.split('\n').includes(line)).length;
  };

  it('prune_text keeps all declarations if max_prune_ratio is at most 0.6', async () => {
    expect(await kept({ maxPruneRatio: 0.6 })).toBe(structure.length);
  });

  it('prune_text keeps all declarations at a max_prune_ratio of 0.9 only if structure is "all"', async () => {
    expect(await kept({ maxPruneRatio: 0.9, structure: 'all' })).toBe(structure.length);
    expect(await kept({ maxPruneRatio: 0.9 })).toBeLessThan(structure.length);
  });
});
