import { execFile } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { claudeEnvironment } from '../support/agents.ts';
import { anthropicDialect } from '../support/scripted-model/anthropic.ts';
import { chatDialect } from '../support/scripted-model/chat-completions.ts';
import {
  type Dialect,
  type ScriptedModel,
  startScriptedModel,
  type Turn,
} from '../support/scripted-model.ts';
import { temporaryFolder } from '../support/secateur-cli.ts';
import { describeWith, type SystemPart } from '../support/system-parts.ts';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const outside = join(root, 'test/outside/node_modules');
const run = readFileSync(join(root, 'examples/failing-test-run.txt'), 'utf8');
const COMMAND = 'cat run.txt; python3 -m unittest missing 2>/dev/null; true';

/** The examples, compiled as a user would: against the built package and the real frameworks. */
let project = '';

const PARTS: readonly SystemPart[] = [
  'ai sdk',
  'openai agents',
  'langchain',
  'claude agent sdk',
  'claude code',
  'mcp sdk',
];

describeWith(PARTS, 'examples/agents with the real frameworks', (paths) => {
  beforeAll(async () => {
    project = await compiledExamples();
  }, 120_000);
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it.each(['ai-sdk', 'openai-agents', 'langchain'])(
    '[L3] [L5] with %s the model gets a shortened output, requests lines and gets them',
    { timeout: 60_000 },
    async (name) => {
      const model = await scripted(chatDialect, { shell: 'shell', recover: 'recover_text' });
      const { stdout } = await runExample([`${name}.js`, 'Why does the calendar test fail?'], { model });
      expectRecovered(model, stdout);
    },
  );

  it('[L3] [L5] with the MCP client the model gets a shortened output, requests lines and gets them', {
    timeout: 60_000,
  }, async () => {
    const model = await scripted(chatDialect, { shell: 'shell', recover: 'recover_text' });
    // Tests only the client: the server of the example runs without cuts.
    const { stdout } = await runExample(['mcp-client.js', join(project, 'out/plain-server.js'), 'Why?'], {
      model,
    });
    expectRecovered(model, stdout);
  });

  it('[L3] [L5] with the MCP server every client gets a shortened output and recover_text', {
    timeout: 60_000,
  }, async () => {
    const model = await scripted(chatDialect, { shell: 'shell', recover: 'recover_text' });
    const { stdout } = await runExample(['plain-client.js', join(project, 'out/mcp-server.js'), 'Why?'], {
      model,
    });
    expectRecovered(model, stdout);
  });

  it('[L3] [L5] with the Claude Agent SDK the model gets a shortened output, requests lines and gets them', {
    timeout: 120_000,
  }, async () => {
    const model = await scripted(anthropicDialect, {
      shell: 'Bash',
      recover: 'mcp__secateur__recover_text',
    });
    const home = temporaryFolder();
    const env = { ...claudeEnvironment(home, model), CLAUDE_CODE: paths['claude code'] };
    const { stdout } = await runExample(['claude-agent-sdk.js', 'Why does the calendar test fail?'], {
      model,
      env,
    });
    expectRecovered(model, stdout);
  });

  it('[L3] with the Claude Agent SDK the hook refuses to write a marker into a file', {
    timeout: 120_000,
  }, async () => {
    const home = temporaryFolder();
    const file = join(home, 'copy.txt');
    const content =
      '✂ prn_0123456789: 12 of 40 lines cut in 1 gap; recover_text gives lines back (lines of this output)\n✂ 3-14\n';
    const model = await startScriptedModel(anthropicDialect, ({ toolResults }) =>
      toolResults.length === 0
        ? { kind: 'call', tool: 'Write', args: { file_path: file, content } }
        : { kind: 'say', text: 'done' },
    );
    onTestFinished(() => model.close());
    const env = { ...claudeEnvironment(home, model), CLAUDE_CODE: paths['claude code'] };
    await runExample(['claude-agent-sdk.js', 'Copy the output'], { model, env });
    expect(model.turns.at(-1)?.toolResults[0]).toContain('recover_text {');
    expect(() => readFileSync(file)).toThrow();
  });
});

/** The numbers of the first gap of a cut. */
function firstGap(cut: string): { id: string; start: number; end: number } {
  const id = /✂ (prn_\w+): /.exec(cut)?.[1] ?? '';
  const [, start, end] = /^✂ (\d+)-(\d+)/m.exec(cut) ?? [];
  return { id, start: Number(start), end: Number(end) };
}

/** Starts a scripted model that runs the tests, recovers the first gap and repeats the recovered lines. */
async function scripted(dialect: Dialect, tools: { shell: string; recover: string }): Promise<ScriptedModel> {
  const model = await startScriptedModel(dialect, ({ toolResults }: Turn) => {
    const [cut, lines] = toolResults;
    if (cut === undefined) return { kind: 'call', tool: tools.shell, args: { command: COMMAND } };
    if (lines !== undefined) return { kind: 'say', text: lines };
    const { id, start, end } = firstGap(cut);
    const args = { prune_id: id, ranges: [{ start_line: start, end_line: end }] };
    return { kind: 'call', tool: tools.recover, args };
  });
  onTestFinished(() => model.close());
  return model;
}

function expectRecovered({ turns }: ScriptedModel, said: string): void {
  const [cut = '', lines = ''] = turns.at(-1)?.toolResults ?? [];
  expect(cut.length).toBeLessThan(run.length / 2);
  expect(cut).toContain('FAIL');
  const { start } = firstGap(cut);
  expect(lines).toContain(`${start}│ ${run.split('\n')[start - 1]}`);
  expect(said).toContain(`${start}│ `);
}

interface ExampleRun {
  readonly model: ScriptedModel;
  readonly env?: Record<string, string>;
}

async function runExample([script = '', ...args]: readonly string[], { model, env }: ExampleRun) {
  const work = temporaryFolder();
  writeFileSync(join(work, 'run.txt'), run);
  return execute(process.execPath, [join(project, 'out', script), ...args], {
    cwd: work,
    env: { PATH: process.env.PATH ?? '', HOME: work, ...env, MODEL_URL: model.url },
  });
}

async function compiledExamples(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'secateur-agents-'));
  const examples = join(root, 'examples/agents');
  for (const name of readdirSync(examples)) copyFileSync(join(examples, name), join(folder, name));
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}\n');
  writeFileSync(join(folder, 'plain-server.ts'), withoutSecateur(join(examples, 'mcp-server.ts')));
  writeFileSync(join(folder, 'plain-client.ts'), withoutSecateur(join(examples, 'mcp-client.ts')));
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
  for (const name of readdirSync(outside).filter((each) => each !== '@types'))
    symlinkSync(join(outside, name), join(folder, 'node_modules', name));
  symlinkSync(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
  symlinkSync(join(root, 'packages/secateur'), join(folder, 'node_modules/secateur'));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = await execute(process.execPath, [compiler, '-p', folder]).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
  return folder;
}

/** Returns the example without its own transport wrapper, so that only the other side cuts. */
function withoutSecateur(path: string): string {
  return readFileSync(path, 'utf8')
    .replace(/import .* from 'secateur.*\n/g, '')
    .replace(/const secateur = .*\n/, '')
    .replace(/await secateur.close.*\n/, '')
    .replace(/pruned(?:Client|Server)Transport\(secateur, (.*?)\)\);/, '$1);');
}
