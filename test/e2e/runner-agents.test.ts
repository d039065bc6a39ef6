import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FocusRun } from '../../packages/secateur/src/runner/focus-run.ts';
import { claudeEnvironment, runClaudeCode, runCodex } from '../support/agents.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { anthropicDialect } from '../support/scripted-model/anthropic.ts';
import { responsesDialect } from '../support/scripted-model/responses.ts';
import { type Script, type ScriptedModel, startScriptedModel, type Turn } from '../support/scripted-model.ts';
import { describeWith } from '../support/system-parts.ts';

const QUESTION = 'How are retries delayed?';
const NEEDED = 'const delayMs = baseDelayMs * 2 ** attempt;';
const FAR_AWAY = 'palette entry 377';

let root: string;
let run: FocusRun;
let model: ScriptedModel | undefined;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'secateur-agents-'));
  await writeFile(join(root, 'client.ts'), sourceFile());
  // The packaged runner, as a user imports it: it finds the packaged server beside it.
  const { startFocusRun }: typeof import('../../packages/secateur/src/runner/focus-run.ts') = await import(
    new URL('../../packages/secateur/dist/runner/focus-run.js', import.meta.url).href
  );
  run = await startFocusRun({
    root,
    env: { ...bareEnvironment, JEEVES_MCP_PRUNER_ENABLED: 'true', JEEVES_PRUNER_ENDPOINT: 'embedded' },
  });
  expect(run.state).toBe('run:mcp_pruner_running');
});

afterEach(async () => {
  await run.shutdown();
  await model?.close();
  model = undefined;
  await rm(root, { recursive: true, force: true });
});

describeWith(['claude code'], 'Claude Code with the focus tools', () => {
  it('Claude Code reads with a question, gets a pruned file once, and recovers a line [F14] [F21]', async () => {
    model = await startScriptedModel(anthropicDialect, readThenRecover);
    const outcome = await runClaudeCode({
      home: root,
      model,
      prompt: 'go',
      mcpServers: run.claudeMcpServers(),
    });
    expect(outcome.exitCode, outcome.stderr).toBe(0);
    expectPrunedThenRecovered(model.turns);
  });
});

describeWith(['claude agent sdk'], 'the Claude Agent SDK with the focus tools', (paths) => {
  it('the Claude Agent SDK reads a file with a question, receives it pruned, and recovers a line [F14] [F21]', async () => {
    model = await startScriptedModel(anthropicDialect, readThenRecover);
    const { query } = (await import(pathToFileURL(paths['claude agent sdk']).href)) as AgentSdk;
    const options = {
      mcpServers: run.claudeMcpServers(),
      permissionMode: 'bypassPermissions',
      allowDangerouslySkipPermissions: true,
      settingSources: [],
      cwd: root,
      env: claudeEnvironment(root, model),
    };
    const results: unknown[] = [];
    for await (const message of query({ prompt: 'go', options })) {
      if (message.type === 'result') results.push(message.subtype);
    }
    expect(results).toEqual(['success']);
    expectPrunedThenRecovered(model.turns);
  });
});

describeWith(['codex'], 'Codex with the focus tools', () => {
  it('Codex reads with a question, gets a pruned file once, and recovers a line [F14] [F21]', async () => {
    model = await startScriptedModel(responsesDialect, readThenRecover);
    const outcome = await runCodex({
      home: root,
      model,
      prompt: 'go',
      configArguments: run.codexArguments(),
    });
    expect(outcome.exitCode, outcome.stderr).toBe(0);
    expectPrunedThenRecovered(model.turns);
  });
});

interface AgentSdk {
  query(call: { prompt: string; options: object }): AsyncIterable<{ type: string; subtype?: string }>;
}

const readThenRecover: Script = ({ toolResults }) => {
  if (toolResults.length === 0) {
    const args = { path: 'client.ts', context_focus_question: QUESTION };
    return { kind: 'call', tool: 'mcp__pruner__read', args };
  }
  if (toolResults.length > 1) return { kind: 'say', text: 'done' };
  const line = lineOf(FAR_AWAY);
  const id = markerHiding(toolResults[0] ?? '', line);
  const ranges = [{ start_line: line, end_line: line }];
  return {
    kind: 'call',
    tool: 'mcp__pruner__recover_text',
    args: { prune_id: id, ranges, include_line_numbers: true },
  };
};

function expectPrunedThenRecovered(turns: Turn[]): void {
  const [pruned = '', recovered = ''] = turns.at(-1)?.toolResults ?? [];
  expect(turns).toHaveLength(3);
  expect(pruned).not.toContain(FAR_AWAY);
  expect(occurrences(pruned, NEEDED), 'what the model reads is there, and paid for once').toBe(1);
  expect(pruned.length).toBeLessThan(sourceFile().length / 2);
  expect(recovered).toContain(FAR_AWAY);
}

/** Returns the id in the marker of the gap that contains this line. */
function markerHiding(text: string, line: number): string {
  for (const [, id = '', start, end] of text.matchAll(/⟦PRUNÉ: prune_id=(\S+) lignes (\d+)-(\d+) /g)) {
    if (Number(start) <= line && line <= Number(end)) return id;
  }
  throw new Error(`no marker hides line ${line} in: ${text.slice(0, 2000)}`);
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

function lineOf(part: string): number {
  return (
    sourceFile()
      .split('\n')
      .findIndex((line) => line.includes(part)) + 1
  );
}

/** Returns a long file of which a few lines answer the question. */
function sourceFile(): string {
  const colours = Array.from(
    { length: 600 },
    (_, index) => `  colours.push(mix('palette entry ${index}', ${index % 7}));`,
  );
  return [
    'export function fillPalette(colours: string[]): void {',
    ...colours,
    '}',
    '',
    'export async function callWithRetries(call: () => Promise<void>, attempts: number): Promise<void> {',
    '  for (let attempt = 0; attempt < attempts; attempt += 1) {',
    `    ${NEEDED}`,
    '    await waitBeforeRetry(delayMs);',
    '    await call();',
    '  }',
    '}',
    '',
  ].join('\n');
}
