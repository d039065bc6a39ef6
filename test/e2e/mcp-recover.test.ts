import { describe, expect, it } from 'vitest';
import { bashEvent, TEST_RUN } from '../support/hook-events.ts';
import { printed, secateur, spawnSecateur, temporaryFolder } from '../support/secateur-cli.ts';

const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};

describe('secateur mcp recover', () => {
  it('[A13] [A20] `secateur mcp recover` offers only recover_text, recovers removed lines, and serves the hooks of its session', async () => {
    const dataDir = temporaryFolder();
    const server = spawnSecateur(['mcp', 'recover'], { dataDir });
    let id = 0;
    const ask = async (method: string, params: object): Promise<string> => {
      id += 1;
      server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return printed(server.stdout, new RegExp(`"id":${id}[,}][^\\n]*\\n`));
    };
    expect(await ask('initialize', INITIALIZE)).toContain('recover_text gives them back');
    const listed = await ask('tools/list', {});
    const { tools } = JSON.parse(listed.trim().split('\n').at(-1) ?? '').result as {
      tools: { name: string }[];
    };
    expect(tools.map(({ name }) => name)).toEqual(['recover_text']);
    const input = JSON.stringify(bashEvent(TEST_RUN));
    const { stdout } = await secateur(['hook', 'claude-code'], { dataDir, input });
    const prune_id = /prn_[0-9A-Z]+/.exec(stdout)?.[0];
    const ranges = [{ start_line: 150, end_line: 150 }];
    const given = await ask('tools/call', { name: 'recover_text', arguments: { prune_id, ranges } });
    expect(given).toContain(TEST_RUN.split('\n')[149]);
    expect(given).not.toContain('structuredContent');
    const bash = await ask('tools/call', { name: 'bash', arguments: { command: 'true' } });
    expect(bash).toContain('error');
  });
});
