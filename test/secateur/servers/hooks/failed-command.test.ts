import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { HOOK_CLIENTS } from '../../../../packages/secateur/src/servers/hooks/clients.ts';
import { agentCalls, toolGave, userSays } from '../../../support/hook-events.ts';

const PROJECT = '-home-user-project';
const SESSION = 'b913fa88-713e-443e-87b8-a006b90cd778';
const claude = HOOK_CLIENTS.find(({ name }) => name === 'claude-code');

/** Text that the client puts around a command. */
const lineOf = (command: string) =>
  `source ~/.claude/shell-snapshots/snapshot-bash-1.sh 2>/dev/null || true && eval '${command.replaceAll("'", `'"'"'`)}' < /dev/null && pwd -P >| /tmp/x`;

type Transcripts = Readonly<Record<string, readonly object[]>>;

/**
 * Finds the call of a command that failed; `files` are transcripts below the folder of the project, `later` those that
 * the client writes after the first look.
 */
async function findCall(command: string, files: Transcripts, later: Transcripts = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'secateur-failed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (transcripts: Transcripts) => {
    for (const [name, lines] of Object.entries(transcripts)) {
      const path = join(folder, 'projects', PROJECT, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    }
  };
  write(files);
  const tasks = join(folder, `claude-${process.getuid?.()}`);
  mkdirSync(tasks);
  const env = { CLAUDE_CONFIG_DIR: folder, CLAUDE_CODE_TMPDIR: folder };
  const output = join(tasks, PROJECT, SESSION, 'tasks/b1234.output');
  const finding = claude?.failedCommand?.(
    { path: output, line: lineOf(command), cwd: '/project' },
    { env, homeDir: '/nowhere' },
  );
  await setTimeout(20);
  write(later);
  return (await finding)?.('output').event;
}

const bash = (id: string, command: string, more: object = {}) => agentCalls(id, 'Bash', { command, ...more });
const COMMAND = `npm test -- --grep "it's \\\\d"`;

it('[A11] failedCommand finds a failed command of Claude Code in the transcript of its session', async () => {
  const lines = [
    userSays('why?'),
    bash('1', 'ls'),
    toolGave('1', 'a'),
    bash('2', COMMAND),
    bash('3', 'ls b'),
  ];
  expect(await findCall(COMMAND, { [`${SESSION}.jsonl`]: lines })).toMatchObject({
    hook_event_name: 'PostToolUse',
    tool_use_id: '2',
    tool_input: { command: COMMAND },
    tool_response: { stdout: 'output' },
    transcript_path: expect.stringContaining(`${PROJECT}/${SESSION}.jsonl`),
    agent_id: undefined,
    cwd: '/project',
  });
});

it('[A11] [A15] failedCommand finds a failed command of a subagent in the transcript of the subagent', async () => {
  const files = {
    [`${SESSION}.jsonl`]: [agentCalls('1', 'Task', { prompt: 'look' })],
    [`${SESSION}/subagents/agent-a1.jsonl`]: [bash('5', 'ls')],
    [`${SESSION}/subagents/agent-b2.jsonl`]: [bash('6', COMMAND)],
  };
  expect(await findCall(COMMAND, files)).toMatchObject({ tool_use_id: '6', agent_id: 'b2' });
});

it('[A11] failedCommand finds a failed command whose call the client writes to the transcript later', async () => {
  const before = [userSays('why?'), bash('1', 'ls'), toolGave('1', 'a')];
  const name = `${SESSION}.jsonl`;
  expect(await findCall(COMMAND, { [name]: before })).toBeUndefined();
  const later = { [name]: [...before, bash('2', COMMAND)] };
  expect(await findCall(COMMAND, { [name]: before }, later)).toMatchObject({ tool_use_id: '2' });
  expect(await findCall(COMMAND, {}, later)).toMatchObject({ tool_use_id: '2' });
});

it.each<[string, readonly object[]]>([
  ['was started in the background', [bash('1', COMMAND, { run_in_background: true })]],
  [
    'went to the background',
    [bash('1', COMMAND), toolGave('1', 'moved to the background (ID: b1234)'), bash('2', COMMAND)],
  ],
  ['has its result', [bash('1', COMMAND), toolGave('1', 'Exit code 1')]],
  ['is another one', [bash('1', 'npm run lint')]],
  ['is not in the transcript', []],
])('[A11] failedCommand returns undefined for a command that %s', async (_, lines) => {
  expect(await findCall(COMMAND, { [`${SESSION}.jsonl`]: lines })).toBeUndefined();
});
