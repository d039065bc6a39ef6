import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runTool } from '../support/run-tool.ts';
import { type SecateurProcess, secateurProgram, startSecateur } from '../support/secateur-process.ts';
import { describeWith } from '../support/system-parts.ts';

const reverseSpecProgram = fileURLToPath(
  new URL('../../packages/reverse-spec/dist/main/reverse-spec.js', import.meta.url),
);
const eras = ['legacy', 'modern', 'auto'] as const;

const pruneText = [
  'text=alpha\nbeta\ngamma',
  'goal_hint=where is beta',
  'source_type=docs',
  'options={"max_prune_ratio":0.5,"min_keep_lines":1,"timeout_ms":5000,"annotate_lines":false,"include_markers":true}',
];

const servers = [
  {
    name: 'the pruner',
    command: ['pruner'],
    lists: ['prune_text', 'recover_text'],
    call: 'prune_text',
    args: pruneText,
    answers: 'prune_id',
  },
  {
    name: 'the focus tools',
    command: ['focus', '--root', '.'],
    lists: ['read', 'bash', 'grep'],
    call: 'read',
    args: ['path=LICENSE'],
    answers: 'MIT',
  },
];

describeWith(['node 22', 'mcp inspector'], 'the MCP Inspector', (parts) => {
  const home = mkdtempSync(join(tmpdir(), 'secateur-inspector-'));

  const inspect = async (target: Target, era: string, asked: string[]) => {
    const options = [
      '--transport',
      target.transport,
      '--protocol-era',
      era,
      '--format',
      'json',
      '-q',
      ...asked,
    ];
    const env = { HOME: home, MCP_CATALOG_PATH: join(home, 'catalog.json') };
    const run = await runTool(
      parts['node 22'],
      [parts['mcp inspector'], '--cli', ...options, '--', ...target.target],
      env,
    );
    expect(run.code, run.stdout + run.stderr).toBe(0);
    return JSON.parse(run.stdout) as { result: { tools?: Array<{ name: string }>; content?: unknown } };
  };

  describe.each(servers)('the MCP Inspector with $name', ({ command, lists, call, args, answers }) => {
    let server: SecateurProcess;
    beforeAll(async () => {
      server = await startSecateur(command);
    });
    afterAll(() => server.stop());

    const targets: Array<[string, () => Target]> = [
      ['HTTP', () => ({ transport: 'http', target: [`${server.url}/mcp`] })],
      [
        'stdio',
        () => ({ transport: 'stdio', target: [process.execPath, secateurProgram, 'mcp', ...command] }),
      ],
    ];

    test.concurrent.each(
      targets.flatMap(([carrier, target]) => eras.map((era) => [carrier, era, target] as const)),
    )(
      '[W17] [P6] the MCP Inspector over %s, era %s, lists tools without a schema problem and calls one',
      async (_, era, target) => {
        const { result } = await inspect(target(), era, ['--method', 'tools/list', '--strict']);
        expect(result.tools?.map(({ name }) => name)).toEqual(expect.arrayContaining(lists));
        const toolArgs = args.flatMap((arg) => ['--tool-arg', arg]);
        const called = await inspect(target(), era, [
          '--method',
          'tools/call',
          '--tool-name',
          call,
          ...toolArgs,
        ]);
        expect(JSON.stringify(called.result.content)).toContain(answers);
      },
    );
  });

  test.concurrent.each(eras)(
    '[W17] the MCP Inspector lists the tools of reverse-spec, era %s, without a schema problem',
    async (era) => {
      const target = { transport: 'stdio', target: [process.execPath, reverseSpecProgram, 'mcp-server'] };
      const { result } = await inspect(target, era, ['--method', 'tools/list', '--strict']);
      expect(result.tools?.length).toBeGreaterThan(2);
    },
  );
});

interface Target {
  readonly transport: string;
  readonly target: string[];
}
