import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { answering, startUpstream } from '../support/gateway.ts';
import { temporaryFolder } from '../support/secateur-cli.ts';
import { type SecateurProcess, startSecateur } from '../support/secateur-process.ts';

const LINES = Array.from({ length: 2000 }, (_, at) => `line ${at + 1} speaks of the weather of that day`);
const TEXT = LINES.join('\n');

interface Served {
  readonly args: readonly string[];
  readonly path: string;
  /** A call whose answer is cut. */
  readonly cut: { readonly name: string; readonly arguments: object };
}

type Prepare = (folder: string) => Promise<Served>;

const pruner: Prepare = async () => {
  const limits = { max_prune_ratio: 0.7, min_keep_lines: 1, timeout_ms: 60_000 };
  const options = { ...limits, annotate_lines: false, include_markers: true };
  const args = { text: TEXT, goal_hint: 'line 40', source_type: 'docs', options };
  return { args: ['pruner'], path: '/rpc', cut: { name: 'prune_text', arguments: args } };
};

const focus: Prepare = async (folder) => {
  const log = LINES.map((line, at) => `2026-03-01T10:${String(at % 60).padStart(2, '0')}:00Z INFO ${line}`);
  writeFileSync(join(folder, 'days.log'), log.join('\n'));
  const args = { path: 'days.log', context_focus_question: 'Which line speaks of a storm?' };
  return { args: ['focus', '--root', folder], path: '/mcp', cut: { name: 'read', arguments: args } };
};

const gateway: Prepare = async (folder) => {
  const upstream = await startUpstream(answering({ content: [{ type: 'text', text: TEXT }] }));
  writeFileSync(join(folder, 'config.toml'), `[mcp_gateway.servers.files]\nurl = "${upstream.url}"\n`);
  return { args: ['gateway'], path: '/api/mcp-gateway/files/rpc', cut: { name: 'fetch', arguments: {} } };
};

it.each([
  ['pruner', pruner],
  ['focus', focus],
  ['gateway', gateway],
])(
  '[X19] the %s responds after SIGSTOP and SIGCONT, and recovers lines after it was killed during calls',
  async (_, prepare) => {
    const folder = temporaryFolder();
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir);
    const { args, path, cut } = await prepare(folder);
    const env = {
      ...{ SECATEUR_DATA_DIR: dataDir, SECATEUR_STORE: 'embedded' },
      ...{ JEEVES_PRUNER_ENDPOINT: 'embedded', JEEVES_PRUNER_TIMEOUT_MS: '30000' },
    };
    const start = async () => {
      const server = await startSecateur(args, { env, cwd: folder });
      onTestFinished(() => server.kill());
      return server;
    };
    const call = async ({ url }: SecateurProcess, params: object): Promise<string> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(`${url}${path}`, { method: 'POST', headers, body })).text();
    };
    const server = await start();
    process.kill(server.pid, 'SIGSTOP');
    const asked = call(server, cut);
    process.kill(server.pid, 'SIGCONT');
    const id = /prn_[0-9A-Z]{10,26}/.exec(await asked)?.[0];
    expect(id).toBeDefined();

    const amid = Array.from({ length: 8 }, () => call(server, cut));
    await Promise.all([server.kill(), Promise.allSettled(amid)]);
    const ranges = [{ start_line: 700, end_line: 702 }];
    const recovered = await call(await start(), {
      name: 'recover_text',
      arguments: { prune_id: id, ranges, include_line_numbers: false },
    });
    for (const line of LINES.slice(699, 702)) expect(recovered).toContain(line);
  },
);
