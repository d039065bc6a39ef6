import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../packages/base/src/runtime/time.ts';
import { splitLines } from '../../packages/base/src/text/lines.ts';
import { estimateTokens } from '../../packages/base/src/text/token-estimate.ts';
import { createLocalScorer } from '../../packages/engine/src/ranking/local-scorer.ts';
import { productCutter } from '../../packages/secateur/src/replay/product-cutter.ts';

const EXAMPLE = 'examples/failing-test-run.txt';
const GOAL = 'why did the test run fail?';
const COMMAND = 'python3 -m unittest -v';
const MAX_PRUNE_RATIO = 0.95;
const OPEN = '<!-- before-after -->';
const CLOSE = '<!-- /before-after -->';

/** The README with its example made again, as the hook would show it. */
export function withBeforeAfter(root: string, readme: string): string {
  const [before = '', rest = ''] = readme.split(OPEN);
  const after = rest.split(CLOSE)[1] ?? '';
  return `${before}${OPEN}\n${describe(cutExample(root))}\n${CLOSE}${after}`;
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

interface Example {
  readonly lines: number;
  readonly linesCut: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly shown: string;
}

/** Returns what an agent sees after it ran the command and asked the question, with default settings. */
function cutExample(root: string): Example {
  const output = readFileSync(join(root, EXAMPLE), 'utf8');
  const cut = productCutter({ scorer: createLocalScorer(), clock: systemClock });
  const step = { tool: 'Bash', task: '', words: GOAL, command: COMMAND, output };
  const { text, gaps } = cut(step, { question: GOAL, command: COMMAND });
  return {
    lines: splitLines(output).length,
    linesCut: gaps.reduce((sum, { start, end }) => sum + end - start + 1, 0),
    tokensBefore: estimateTokens(output),
    tokensAfter: estimateTokens(text),
    shown: text,
  };
}

function describe({ lines, linesCut, tokensBefore, tokensAfter, shown }: Example): string {
  const count = (tokens: number) => tokens.toLocaleString('en-US');
  const saved = Math.round(100 * (1 - tokensAfter / tokensBefore));
  return [
    `\`${COMMAND}\` printed ${count(lines)} lines, about ${count(tokensBefore)} tokens (\`${EXAMPLE}\`). Asked *${GOAL}*, ` +
      `the agent reads ${count(lines - linesCut)} of them and ${count(tokensAfter)} tokens, ${saved} % less:`,
    '',
    '```text',
    ...shown.trimEnd().split('\n').map(shortened),
    '```',
  ].join('\n');
}

const WIDTH = 100;

/** For the page only: very long lines are cut, and the id is an example. */
function shortened(line: string): string {
  const short = line.replace('prn_0000000000', 'prn_7M2Q4K8T3V').trimEnd();
  return short.length > WIDTH && !short.startsWith('✂') ? `${short.slice(0, WIDTH)}…` : short;
}
