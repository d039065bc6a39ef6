import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileWasm, wasmModules } from '../../scripts/build-wasm.ts';
import { commandKind } from '../../src/ranking/command-kind.ts';
import { bareLine } from '../../src/ranking/focus/bare-line.ts';
import type { Focus } from '../../src/ranking/focus.ts';
import { gathered } from '../../src/ranking/scorers/local/features/columns.ts';
import { OBSERVATION_TREES } from '../../src/ranking/scorers/local/weights/observations.ts';
import { readWeights } from '../../src/ranking/scorers/local/weights.ts';
import { createLocalScorer } from '../../src/ranking/scorers/local.ts';
import { createTrees } from '../../src/ranking/scorers/observation/trees.ts';
import { rememberShown } from '../../src/ranking/shown.ts';
import { noDeadline } from '../../src/runtime/deadline.ts';
import { toHalf } from '../../training/half.ts';
import { ownObservations } from '../../training/own-observations.ts';

const scorer = createLocalScorer();

function judge(lines: readonly string[], focus: Focus) {
  return scorer({ lines, focus, sourceType: 'code', deadline: noDeadline });
}

const SOURCE = Array.from(
  { length: 60 },
  (_, at) => `    total_${at} = compute_the_sum_of(values_${at}, rate_${at})`,
);
const READ: Focus = { question: 'Where is total_31 computed?', command: 'cat src/sums.py' };

describe('[Q10] what an agent reads', () => {
  it('is judged by probabilities where the command is known', () => {
    const { probabilities, kind, tier } = judge(SOURCE, READ);
    expect([kind, tier]).toEqual(['read', 'observation']);
    expect(probabilities).toHaveLength(SOURCE.length);
  });

  it('is ranked by the network alone where only a question is', () => {
    const { probabilities, tier } = judge(SOURCE, { question: READ.question });
    expect([probabilities, tier]).toEqual([undefined, 'full']);
  });

  it('is needed less where the run has shown it before', () => {
    const seen = new Set<number>();
    rememberShown(seen, SOURCE.slice(0, 30).join('\n'));
    const before = judge(SOURCE, READ).probabilities ?? [];
    const after = judge(SOURCE, { ...READ, seen }).probabilities ?? [];
    expect(mean(after.slice(0, 30))).toBeLessThan(mean(before.slice(0, 30)) / 2);
  });

  it('gets a probability between 0 and 1 a line, the same every time, whatever the text and the run', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string(), { maxLength: 40 }),
        fc.string(),
        fc.array(fc.nat()),
        (lines, command, known) => {
          const focus = { question: 'why?', task: command, command, seen: new Set(known) };
          const first = judge(lines, focus).probabilities ?? [];
          expect(first).toHaveLength(lines.length);
          for (const probability of first) expect(probability >= 0 && probability <= 1).toBe(true);
          expect(judge(lines, focus).probabilities).toEqual(first);
        },
      ),
      { numRuns: 50 },
    );
  });
});

function mean(values: ArrayLike<number>): number {
  return Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;
}

it('[Q11] trees send values below a threshold left, the others right, and add their leaves', () => {
  const trees = createTrees(
    readWeights(weightsOf({ feature: [0, 1, 1], threshold: [0.5, 2, 4] }, [1, 2, 3, 4])),
  );
  const columns = gathered([{ a: Float32Array.of(0, 0, 1, 1), b: Float32Array.of(1, 2, 3, 4) }]);
  expect([...trees({ columns, constants: {} }, 4)]).toEqual([1.25, 2.25, 3.25, 4.25]);
});

it('[Q11] trees judge a long text as they judge its lines', () => {
  const trees = createTrees(
    readWeights(weightsOf({ feature: [0, 1, 1], threshold: [0.5, 2, 4] }, [1, 2, 3, 4])),
  );
  const lines = Array.from({ length: 1200 }, (_, line) => ({ a: line % 2, b: line % 5 }));
  const columns = gathered([
    { a: Float32Array.from(lines, ({ a }) => a), b: Float32Array.from(lines, ({ b }) => b) },
  ]);
  const expected = lines.map(
    ({ a, b }) => 0.25 + ((a === 0 ? [1, 2] : [3, 4])[Number(b >= (a === 0 ? 2 : 4))] ?? 0),
  );
  expect([...trees({ columns, constants: {} }, 1200)]).toEqual(expected);
});

it('[Q11] runs the module that its source compiles to', async () => {
  const { trees } = wasmModules;
  expect(Buffer.compare(readFileSync(trees.compiled), await compileWasm(trees))).toBe(0);
});

describe('[Q11] the packaged trees', () => {
  const trees = createTrees(readWeights(Buffer.from(OBSERVATION_TREES, 'base64')));
  const reference = JSON.parse(
    readFileSync(new URL('../fixtures/scorer/trees.json', import.meta.url), 'utf8'),
  ) as Record<string, number[]>;
  it.each(ownObservations())('say what xgboost says of $id', ({ id, lines, input }) => {
    const expected = reference[id] ?? [];
    expect(expected).toHaveLength(lines);
    for (const [line, odds] of trees(input, lines).entries())
      expect(odds).toBeCloseTo(expected[line] ?? 9, 2);
  });
});

it('[Q11] trees refuse a feature that nobody computes', () => {
  const trees = createTrees(
    readWeights(weightsOf({ feature: [0, 1, 1], threshold: [0, 0, 0] }, [1, 2, 3, 4])),
  );
  const columns = gathered([{ a: Float32Array.of(0) }]);
  expect(() => trees({ columns, constants: {} }, 1)).toThrow('not computed: b');
});

/** One tree of depth 2 over the columns `a` and `b`, as training/export_trees.py writes it. */
function weightsOf(
  { feature, threshold }: { feature: number[]; threshold: number[] },
  leaf: number[],
): Uint8Array {
  const tensors = {
    feature,
    threshold,
    leaf,
    start: [0.25],
    depth: [2],
  };
  let at = 0;
  const listed = Object.entries(tensors).map(([name, values]) => {
    const entry = { name, shape: [values.length], at };
    at += values.length;
    return entry;
  });
  const header = JSON.stringify({ variant: 'trees', columns: ['a', 'b'], constants: [], tensors: listed });
  const text = Buffer.from(header.padEnd(Math.ceil(header.length / 4) * 4));
  const bytes = Buffer.alloc(4 + text.length + 2 * at);
  bytes.writeUInt32LE(text.length, 0);
  text.copy(bytes, 4);
  for (const [place, value] of Object.values(tensors).flat().entries())
    bytes.writeUInt16LE(toHalf(value), 4 + text.length + 2 * place);
  return bytes;
}

it.each([
  ['cat src/a.py', 'read'],
  ['cd /repo && nl -ba a.py | sed -n 1,80p', 'read'],
  ['Read src/app.ts', 'read'],
  ['grep -rn "needle" src', 'search'],
  ['rg needle', 'search'],
  ['Grep needle', 'search'],
  ['ls -la', 'listing'],
  ['find . -name "*.py"', 'listing'],
  ['python -m pytest tests/test_a.py', 'tests'],
  ['npm test', 'tests'],
  ['python3 reproduce.py', 'script'],
  ["python3 - <<'EOF'\nimport pytest\nEOF", 'script'],
  ['git diff', 'git'],
  ['echo done', 'other'],
])('[Q10] takes `%s` for %s', (command, kind) => {
  expect(commandKind(command)).toBe(kind);
});

it.each([
  'return a_long_value(x)',
  '  12\treturn a_long_value(x)',
  'src/a.py:12:    return a_long_value(x)',
  '12: return a_long_value(x)',
])('[Q10] knows a line again however it was shown: %s', (shown) => {
  expect(bareLine(shown)).toBe('return a_long_value(x)');
});
