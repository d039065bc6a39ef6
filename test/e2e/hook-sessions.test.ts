import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { afterTranscript, runClaudeCodeAsUser, transcriptsIn } from '../support/agents.ts';
import { eventually } from '../support/eventually.ts';
import { SOURCE, TEST_RUN } from '../support/hook-events.ts';
import { anthropicDialect } from '../support/scripted-model/anthropic.ts';
import {
  type Move,
  type Script,
  type ScriptedCall,
  startScriptedModel,
  type Turn,
} from '../support/scripted-model.ts';
import { secateur } from '../support/secateur-cli.ts';
import { secateurProgram } from '../support/secateur-process.ts';
import { describeWith } from '../support/system-parts.ts';

let home: string;
let project: string;
let env: Record<string, string>;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'secateur-hook-sessions-'));
  project = join(home, 'project');
  mkdirSync(join(home, 'bin'));
  symlinkSync(secateurProgram, join(home, 'bin/secateur'));
  env = { PATH: `${join(home, 'bin')}:${process.env.PATH}`, SECATEUR_HOOK_TIMEOUT_MS: '9000' };
  fillProject();
});

afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

function fillProject(): void {
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project);
  writeFileSync(join(project, 'plants.ts'), SOURCE);
  writeFileSync(join(project, 'test-run.log'), TEST_RUN);
  writeFileSync(join(project, 'small.ts'), 'export const one = 1;\nexport const two = 2;\n');
}

const PROMPT = 'Why does retryDelay wait so long? Look at plants.ts.';
const connect = () =>
  secateur(['connect', 'claude-code', '--write', '--gateway-port', '1'], {
    ...{ dataDir: home, cwd: project, env: { ...env, HOME: home } },
  });

/** Runs the real Claude Code with a scripted model to its end, and gives the turns that the model saw. */
async function session(script: Script, flags: string[] = [], prompt = PROMPT): Promise<Turn[]> {
  const model = await startScriptedModel(anthropicDialect, afterTranscript(home, script));
  try {
    const outcome = await runClaudeCodeAsUser({ home, model, prompt, cwd: project, env }, { flags });
    expect(outcome.exitCode, outcome.stdout + outcome.stderr).toBe(0);
    return model.turns;
  } finally {
    await model.close();
  }
}

const call = (tool: string, args: Record<string, unknown>): ScriptedCall => ({ tool, args });
const done: Move = { kind: 'say', text: 'done' };

/** Makes one call after the other. */
const follow =
  (calls: readonly ((results: readonly string[]) => ScriptedCall)[]) =>
  ({ toolResults }: Turn): Move => {
    const next = calls[toolResults.length];
    return next === undefined ? done : { kind: 'call', ...next(toolResults) };
  };

const lastOf = (turns: readonly Turn[]) => turns.at(-1) as Turn;
const IS_CUT = /✂ prn_[0-9A-Z]+: /;

describeWith(['claude code'], 'a session of Claude Code with hooks', () => {
  it('[X28] [A23] Claude Code cannot write a disguised marker through a shell, nor replace a file that the model saw with gaps', {
    timeout: 120_000,
  }, async () => {
    expect(await connect()).toMatchObject({ code: 0 });
    const path = join(project, 'plants.ts');
    const gapIn = (text = '') => /✂ (\d+-\d+)/.exec(text)?.[1] ?? '';
    const write = call('Write', { file_path: path, content: 'export const gone = true;\n' });
    const turns = await session(
      follow([
        () => call('Read', { file_path: path }),
        ([read]) => call('Bash', { command: `echo "// ✂ ${gapIn(read).replace('-', '–')}" >> small.ts` }),
        ([read]) => call('Bash', { command: `grep -c "✂ ${gapIn(read)}" small.ts; true` }),
        () => write,
        () => write,
      ]),
    );
    const [read = '', echoed, searched, refused, written] = lastOf(turns).toolResults;
    expect(read).toMatch(IS_CUT);
    const id = /prn_[0-9A-Z]+/.exec(read)?.[0];
    expect(echoed).toContain(`secateur recover ${id} ${gapIn(read)}`);
    expect(readFileSync(join(project, 'small.ts'), 'utf8')).not.toContain('✂');
    expect(searched).toBe('0');
    expect(refused).toContain(`not shown lines ${gapIn(read)}`);
    expect(written).toContain('updated successfully');
    expect(readFileSync(path, 'utf8')).toBe('export const gone = true;\n');
  });

  it('[A15] a subagent of Claude Code has its own focus and history, and the subagent gets an explanation of markers', {
    timeout: 120_000,
  }, async () => {
    expect(await connect()).toMatchObject({ code: 0 });
    const asked = 'How long is the delay of retryDelay for each attempt?';
    const read = call('Read', { file_path: join(project, 'plants.ts') });
    const prompt = 'Why does waterFloor3 pour so much? Look at plants.ts.';
    const isSubagent = ({ told }: Turn) => !told.includes('waterFloor3 pour so much');
    const args = { description: 'Find the delay', prompt: asked, subagent_type: 'general-purpose' };
    const delegate = ({ tools }: Turn) => call(tools.includes('Agent') ? 'Agent' : 'Task', args);
    const isWritten = async () => transcriptsIn(home, 'subagents').includes(asked) || undefined;
    const script = async (turn: Turn): Promise<Move> => {
      const made = turn.toolResults.length;
      // The scripted model waits for the transcript, because the client writes the task shortly after its
      // request. A real model answers later.
      if (isSubagent(turn)) await eventually(isWritten, "the subagent's transcript");
      const own = isSubagent(turn) ? [read, read] : [read, delegate(turn)];
      const next = own[made];
      return next === undefined ? done : { kind: 'call', ...next };
    };
    const turns = await session(script, [], prompt);
    const own = lastOf(turns.filter(isSubagent));
    const [first = '', second = ''] = own.toolResults;
    expect(own.told).toContain('Long tool outputs may come with the lines left out');
    expect(own.told).toContain('recover_text');
    // The subagent's first read is cut by the subagent's question, although the session had read the file
    // before.
    expect(first).toMatch(IS_CUT);
    expect(first).toContain('return 100 * 2 ** attempt;');
    // The subagent's second read is returned unchanged.
    expect(second).not.toMatch(IS_CUT);
    expect(second).toContain('can.pourIntoPot(365');
    const [main = ''] = lastOf(turns.filter((turn) => !isSubagent(turn))).toolResults;
    expect(main).toMatch(IS_CUT);
  });

  it('[A3] each of eight concurrent calls of Claude Code gets its own shortened output', {
    timeout: 120_000,
  }, async () => {
    expect(await connect()).toMatchObject({ code: 0 });
    const names = Array.from({ length: 8 }, (_, at) => `greenhouse${at}`);
    for (const name of names)
      writeFileSync(join(project, `${name}.ts`), SOURCE.replaceAll('waterFloor', `${name}Floor`));
    const calls = names.map((name) => call('Read', { file_path: join(project, `${name}.ts`) }));
    const turns = await session(({ toolResults }) =>
      toolResults.length === 0 ? { kind: 'calls', calls } : done,
    );
    const results = resultsById(lastOf(turns));
    expect(results.size).toBe(8);
    for (const [at, name] of names.entries()) {
      const result = results.get(at === 0 ? 'toolu_1' : `toolu_1n${at}`) ?? '';
      expect(result).toMatch(IS_CUT);
      expect(new Set(result.match(/greenhouse\d/g))).toEqual(new Set([name]));
    }
    expect(new Set([...results.values()].map((result) => /prn_[0-9A-Z]+/.exec(result)?.[0])).size).toBe(8);
  });

  it('[A6] Claude Code sends the model the same bytes with and without hooks if no output is shortened', {
    timeout: 300_000,
  }, async () => {
    const calls = Array.from({ length: 3 }, (_, round) => quietCalls(round)).flat();
    const script = follow(calls.map((each) => () => each));
    const without = lastOf(await session(script));
    fillProject();
    expect(await connect()).toMatchObject({ code: 0 });
    const withHooks = lastOf(await session(script));
    expect(withHooks.toolResults).toHaveLength(calls.length);
    expect(withHooks.toolResults).toEqual(without.toolResults);
    expect(withHooks.toolResults.filter((result) => result.includes('Exit code'))).toHaveLength(9);
    expect(messagesOf(withHooks)).toEqual(messagesOf(without));
    expect(existsSync(join(project, 'new-2.ts'))).toBe(true);
  });
});

describeWith(['claude code', 'server-filesystem'], 'an MCP server that writes files', (programs) => {
  it('[X28] an MCP server that writes files writes no disguised marker that the session showed', {
    timeout: 120_000,
  }, async () => {
    expect(await connect()).toMatchObject({ code: 0 });
    const config = join(home, 'mcp.json');
    const files = { command: process.execPath, args: [programs['server-filesystem'], project] };
    writeFileSync(config, JSON.stringify({ mcpServers: { files } }));
    const write = (name: string, content: string) =>
      call('mcp__files__write_file', { path: join(project, name), content });
    const turns = await session(
      follow([
        () => call('Read', { file_path: join(project, 'plants.ts') }),
        ([read = '']) => write('marked.ts', `a\n// ✂ ${/✂ (\d+-\d+)/.exec(read)?.[1]} as before\nb\n`),
        () => write('plain.ts', 'A marker such as ✂ 36-47 stands for lines.\n'),
      ]),
      ['--mcp-config', config, '--permission-mode', 'bypassPermissions'],
    );
    const [read = '', refused, written] = lastOf(turns).toolResults;
    expect(refused).toContain(`secateur recover ${/prn_[0-9A-Z]+/.exec(read)?.[0]}`);
    expect(existsSync(join(project, 'marked.ts'))).toBe(false);
    expect(written).toContain('Successfully wrote');
    expect(existsSync(join(project, 'plain.ts'))).toBe(true);
  });
});

/** Calls with small outputs, precise requests, edits and failing commands. */
function quietCalls(round: number): ScriptedCall[] {
  const small = join(project, 'small.ts');
  const bash = (command: string) => call('Bash', { command, description: 'Look' });
  return [
    bash(`echo round ${round}`),
    bash('ls'),
    bash("sed -n '100,160p' plants.ts"),
    bash('head -40 test-run.log'),
    bash('grep -n retryDelay plants.ts'),
    bash('wc -l plants.ts test-run.log'),
    bash('head -20 test-run.log; exit 3'),
    bash('cat no-such-file'),
    bash('printf "caf\\xc3\\xa9 \\xe2\\x9c\\x82 scissors\\n"'),
    bash('echo out; echo err >&2; false'),
    bash('git init -q . 2>/dev/null; git diff --no-index /dev/null small.ts; true'),
    call('Read', { file_path: small }),
    call('Edit', { file_path: small, old_string: `one = ${round + 1}`, new_string: `one = ${round + 2}` }),
    call('Edit', { file_path: small, old_string: 'not there', new_string: 'x' }),
    call('Read', { file_path: join(project, 'plants.ts'), offset: 300, limit: 40 }),
    call('Read', { file_path: join(project, 'no-such-file') }),
    call('Write', {
      file_path: join(project, `new-${round}.ts`),
      content: 'A line `✂ 36-47` is a marker.\n',
    }),
    call('Grep', { pattern: 'retryDelay', path: project, output_mode: 'content', '-n': true }),
    call('Glob', { pattern: '*.ts', path: project }),
  ];
}

interface Block {
  type: string;
  tool_use_id: string;
  content: unknown;
}

/** Returns the result of each call by its id: concurrent calls end in any order. */
function resultsById({ told }: Turn): Map<string, string> {
  const messages: { content: string | Block[] }[] = JSON.parse(told);
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const results = blocks.filter(({ type }) => type === 'tool_result');
  return new Map(results.map(({ tool_use_id, content }) => [tool_use_id, JSON.stringify(content)]));
}

/** Returns the messages of a turn after the first message, which lists hooks and servers. */
function messagesOf({ told }: Turn): unknown {
  const messages: { role: string }[] = JSON.parse(told);
  return messages.slice(1).filter(({ role }) => role !== 'system');
}
