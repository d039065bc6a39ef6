import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runClaudeCode, runCodex } from '../support/agents.ts';
import { anthropicDialect } from '../support/scripted-model/anthropic.ts';
import { responsesDialect } from '../support/scripted-model/responses.ts';
import { type Script, type ScriptedModel, startScriptedModel, type Turn } from '../support/scripted-model.ts';
import { type SecateurProcess, secateurProgram, startSecateur } from '../support/secateur-process.ts';
import { describeWith } from '../support/system-parts.ts';

const HIDDEN = 'The office plant of floor 321 was watered.';
const TEXT = [
  ...Array.from({ length: 400 }, (_, floor) => `The office plant of floor ${floor} was watered.`),
  'The retry delay doubles after each failed attempt.',
].join('\n');

let home: string;
let server: SecateurProcess;
let model: ScriptedModel;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'secateur-pruner-agents-'));
  server = await startSecateur(['pruner']);
});

afterEach(async () => {
  await model.close();
  await server.stop();
  await rm(home, { recursive: true, force: true });
});

const program = [secateurProgram, 'mcp', 'pruner'];

describeWith(['claude code'], 'Claude Code with the pruner', () => {
  const carriers = [
    ['HTTP', () => ({ type: 'http', url: `${server.url}/mcp` })],
    ['stdio', () => ({ command: process.execPath, args: program })],
  ] as const;

  it.each(carriers)('[P6] Claude Code prunes a text and recovers a line over %s', async (_, entry) => {
    model = await startScriptedModel(anthropicDialect, pruneThenRecover);
    const outcome = await runClaudeCode({ home, model, prompt: 'go', mcpServers: { pruner: entry() } });
    expect(outcome.exitCode, outcome.stdout + outcome.stderr).toBe(0);
    expectPrunedThenRecovered(model.turns);
  });
});

describeWith(['codex'], 'Codex with the pruner', () => {
  const carriers = [
    ['HTTP', () => [`mcp_servers.pruner.url=${JSON.stringify(`${server.url}/mcp`)}`]],
    [
      'stdio',
      () => [
        `mcp_servers.pruner.command=${JSON.stringify(process.execPath)}`,
        `mcp_servers.pruner.args=${JSON.stringify(program)}`,
      ],
    ],
  ] as const;

  it.each(carriers)('[P6] Codex prunes a text and recovers a line over %s', async (_, settings) => {
    model = await startScriptedModel(responsesDialect, pruneThenRecover);
    const configArguments = settings().flatMap((setting) => ['--config', setting]);
    const outcome = await runCodex({ home, model, prompt: 'go', configArguments });
    expect(outcome.exitCode, outcome.stdout + outcome.stderr).toBe(0);
    expectPrunedThenRecovered(model.turns);
  });
});

const pruneThenRecover: Script = ({ toolResults }) => {
  if (toolResults.length === 0)
    return { kind: 'call', tool: 'mcp__pruner__prune_text', args: pruneArguments() };
  if (toolResults.length > 1) return { kind: 'say', text: 'done' };
  const id = /prn_[0-9A-Z]{10,26}/.exec(toolResults[0] ?? '')?.[0];
  const line = TEXT.split('\n').indexOf(HIDDEN) + 1;
  const ranges = [{ start_line: line, end_line: line }];
  return {
    kind: 'call',
    tool: 'mcp__pruner__recover_text',
    args: { prune_id: id, ranges, include_line_numbers: true },
  };
};

function pruneArguments(): Record<string, unknown> {
  return {
    text: TEXT,
    goal_hint: 'How long is the delay between retry attempts?',
    source_type: 'docs',
    options: {
      max_prune_ratio: 0.95,
      min_keep_lines: 1,
      timeout_ms: 20_000,
      annotate_lines: false,
      include_markers: true,
    },
  };
}

function expectPrunedThenRecovered(turns: Turn[]): void {
  const [pruned = '', recovered = ''] = turns.at(-1)?.toolResults ?? [];
  expect(pruned).toContain('retry delay doubles');
  expect(pruned).not.toContain(HIDDEN);
  expect(recovered).toContain(HIDDEN);
}
