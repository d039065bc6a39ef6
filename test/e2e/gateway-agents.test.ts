import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runClaudeCode, runCodex } from '../support/agents.ts';
import { numberedLines } from '../support/gateway.ts';
import { runTool } from '../support/run-tool.ts';
import { anthropicDialect } from '../support/scripted-model/anthropic.ts';
import { responsesDialect } from '../support/scripted-model/responses.ts';
import { type Script, type ScriptedModel, startScriptedModel, type Turn } from '../support/scripted-model.ts';
import { type SecateurProcess, startSecateur } from '../support/secateur-process.ts';
import { describeWith, systemPart } from '../support/system-parts.ts';

const FILE = numberedLines(5000);
const MIDDLE = 2500;

let folder: string;
let gateway: SecateurProcess;
let url: string;
let model: ScriptedModel | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secateur-gateway-'));
  await writeFile(join(folder, 'long.txt'), FILE);
  const command = [process.execPath, systemPart('server-filesystem'), folder];
  const config = `[mcp_gateway.servers.files]\ncommand = ${JSON.stringify(command)}\n`;
  await writeFile(join(folder, 'config.toml'), config);
  gateway = await startSecateur(['gateway'], { cwd: folder });
  url = `${gateway.url}/api/mcp-gateway/files/rpc`;
});

afterEach(async () => {
  await gateway.stop();
  await model?.close();
  model = undefined;
  await rm(folder, { recursive: true, force: true });
});

describeWith(['claude code', 'server-filesystem'], 'Claude Code behind the gateway', () => {
  it('the gateway masks a 200 kB file for Claude Code, and the model recovers a line from the middle [G1] [G12] [G14] [G16]', async () => {
    model = await startScriptedModel(anthropicDialect, readThenRecover);
    const mcpServers = { files: { type: 'http', url } };
    const outcome = await runClaudeCode({ home: folder, model, prompt: 'go', mcpServers });
    expect(outcome.exitCode, outcome.stderr).toBe(0);
    expectMaskedThenRecovered(model.turns);
  });
});

describeWith(['codex', 'server-filesystem'], 'Codex behind the gateway', () => {
  it('the gateway masks a 200 kB file for Codex, and the model recovers a line from the middle [G1] [G12] [G14] [G16]', async () => {
    model = await startScriptedModel(responsesDialect, readThenRecover);
    const configArguments = ['--config', `mcp_servers.files.url="${url}"`];
    const outcome = await runCodex({ home: folder, model, prompt: 'go', configArguments });
    expect(outcome.exitCode, outcome.stderr).toBe(0);
    expectMaskedThenRecovered(model.turns);
  });
});

describeWith(
  ['node 22', 'mcp inspector', 'server-filesystem'],
  'the MCP Inspector behind the gateway',
  (parts) => {
    it.each(['legacy', 'auto'])(
      'the MCP Inspector lists recover_text, reads a file and recovers its lines, in era %s [G1] [G16]',
      async (era) => {
        const inspect = async (...asked: string[]) => {
          const options = ['--transport', 'http', '--protocol-era', era, '--format', 'json', '-q', ...asked];
          const env = { HOME: folder, MCP_CATALOG_PATH: join(folder, 'catalog.json') };
          const run = await runTool(
            parts['node 22'],
            [parts['mcp inspector'], '--cli', ...options, '--', url],
            env,
          );
          expect(run.code, run.stdout + run.stderr).toBe(0);
          return run.stdout;
        };
        expect(await inspect('--method', 'tools/list')).toContain('"recover_text"');
        const path = `path=${join(folder, 'long.txt')}`;
        const read = await inspect(
          '--method',
          'tools/call',
          '--tool-name',
          'read_text_file',
          '--tool-arg',
          path,
        );
        expect(read.length).toBeLessThan(20_000);
        const ranges = `ranges=[{"start_line":${MIDDLE},"end_line":${MIDDLE}}]`;
        const args = [`prune_id=${pruneIdIn(read)}`, ranges, 'include_line_numbers=true'];
        const given = args.flatMap((arg) => ['--tool-arg', arg]);
        const recovered = await inspect('--method', 'tools/call', '--tool-name', 'recover_text', ...given);
        expect(recovered).toContain(`${MIDDLE}│ line ${MIDDLE}:`);
      },
    );
  },
);

const readThenRecover: Script = ({ toolResults }) => {
  const [read] = toolResults;
  if (read === undefined) {
    return { kind: 'call', tool: 'mcp__files__read_text_file', args: { path: join(folder, 'long.txt') } };
  }
  if (toolResults.length > 1) return { kind: 'say', text: 'done' };
  const args = {
    prune_id: pruneIdIn(read),
    ranges: [{ start_line: MIDDLE, end_line: MIDDLE }],
    include_line_numbers: true,
  };
  return { kind: 'call', tool: 'mcp__files__recover_text', args };
};

/** The model finds the prune id only in the text it was shown. */
function pruneIdIn(shown: string): string {
  const id = /prn_[0-9A-Z]{10,26}/.exec(shown)?.[0];
  if (id === undefined) throw new Error(`no prune_id in what the model was shown: ${shown.slice(0, 500)}`);
  return id;
}

function expectMaskedThenRecovered(turns: Turn[]): void {
  const [masked = '', recovered = ''] = turns.at(-1)?.toolResults ?? [];
  expect(turns).toHaveLength(3);
  expect(masked).toContain('KIMI_PROXY_OBSERVATION_MASKED');
  expect(masked).not.toContain(`line ${MIDDLE}:`);
  expect(masked.length).toBeLessThan(15_000);
  expect(recovered).toContain(`${MIDDLE}│ line ${MIDDLE}:`);
}
