import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inlineEngine } from '../../src/pruning/inline-engine.ts';
import { createPruner } from '../../src/pruning/pruner.ts';
import type { PruneOutcome } from '../../src/pruning/request.ts';
import type { Recovery } from '../../src/recovery/recovery.ts';
import { systemClock } from '../../src/runtime/clock.ts';

const EXAMPLE = 'examples/failing-test-run.txt';
const GOAL = 'why did the test run fail?';
const MAX_PRUNE_RATIO = 0.95;
const OPEN = '<!-- before-after -->';
const CLOSE = '<!-- /before-after -->';

/** The README with its example made again by a real run of the engine. */
export async function withBeforeAfter(root: string, readme: string): Promise<string> {
  const [before = '', rest = ''] = readme.split(OPEN);
  const after = rest.split(CLOSE)[1] ?? '';
  return `${before}${OPEN}\n${describe(await pruneExample(root))}\n${CLOSE}${after}`;
}

/** `examples/prune-text.json`: the same example as a JSON-RPC request, for `curl -d @…`. */
export function exampleRequest(root: string): string {
  const options = {
    max_prune_ratio: MAX_PRUNE_RATIO,
    min_keep_lines: 1,
    timeout_ms: 1500,
    annotate_lines: true,
    include_markers: true,
  };
  const text = readFileSync(join(root, EXAMPLE), 'utf8');
  const call = { name: 'prune_text', arguments: { text, goal_hint: GOAL, source_type: 'logs', options } };
  return `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }, null, 2)}\n`;
}

/** The same id every time, so that the page changes only when the cut does. */
const oneId: Recovery = {
  remember: async () => ({ kind: 'stored', id: 'prn_7M2QX9V4T8K3C6W1J5R0H2Y9DE' }),
  recover: () => Promise.reject(new Error('nobody asks')),
  maxRecoveredBytes: 1e6,
  close: async () => {},
};

async function pruneExample(root: string): Promise<PruneOutcome> {
  const pruner = createPruner({
    recovery: oneId,
    engine: inlineEngine(),
    clock: systemClock,
    maxInputChars: 1 << 24,
  });
  return pruner.prune({
    text: readFileSync(join(root, EXAMPLE), 'utf8'),
    focus: { question: GOAL },
    sourceType: 'logs',
    options: {
      maxPruneRatio: MAX_PRUNE_RATIO,
      minKeepLines: 1,
      timeoutMs: 60_000,
      annotateLines: true,
      includeMarkers: true,
      markers: 'canonical',
    },
  });
}

function describe({ prunedText, stats }: PruneOutcome): string {
  const count = (tokens: number) => tokens.toLocaleString('en-US');
  const saved = Math.round(100 * (1 - stats.tokensAfter / stats.tokensBefore));
  return [
    `A test run of ${count(stats.originalLines)} lines, about ${count(stats.tokensBefore)} tokens (\`${EXAMPLE}\`). Asked *${GOAL}*, ` +
      `the agent reads ${count(stats.keptLines)} lines and ${count(stats.tokensAfter)} tokens, ${saved} % less:`,
    '',
    '```text',
    ...prunedText.trimEnd().split('\n').map(shortened),
    '```',
  ].join('\n');
}

const WIDTH = 100;

/** For the page only: ids and very long lines are cut. */
function shortened(line: string): string {
  const short = line.replace(/prn_(\w{4})\w{22}/, 'prn_$1…').trimEnd();
  return short.length > WIDTH ? `${short.slice(0, WIDTH)}…` : short;
}
