import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { secateur, temporaryFolder } from '../../support/secateur-cli.ts';

const NOW = new Date().toISOString();
const OLD = '2020-01-01T00:00:00.000Z';
const SOURCE = Array.from({ length: 60 }, (_, at) =>
  [
    `export function helperNumber${at}(value: number): number {`,
    ...Array.from({ length: 8 }, (_, step) => `  const part${step} = value * ${at} + offset${at}Of${step};`),
    `  return value * ${at} + offset${at};`,
    '}',
  ].join('\n'),
).join('\n');

interface Call {
  words: string;
  command: string;
  output: string;
  at?: string;
  tool?: string;
  input?: object;
  isError?: boolean;
}

const CALLS: readonly Call[] = [
  { words: 'I look for helperNumber7.', command: 'cat src/helpers.ts', output: SOURCE },
  {
    words: 'It multiplies by 7: `return value * 7 + offset7;`',
    command: 'npm test',
    output: 'ok 1\n1 passing',
  },
];

function claudeSession(calls: readonly Call[]): string {
  const line = (type: string, content: unknown, at: string) =>
    JSON.stringify({ type, timestamp: at, sessionId: 's', message: { role: type, content } });
  const lines = calls.flatMap(({ words, command, output, at = NOW, ...call }, index) => {
    const { tool: name = 'Bash', input = { command }, isError: is_error } = call;
    const content = [{ type: 'text', text: output }];
    return [
      line(
        'assistant',
        [
          { type: 'text', text: words },
          { type: 'tool_use', id: `t${index}`, name, input },
        ],
        at,
      ),
      line('user', [{ type: 'tool_result', tool_use_id: `t${index}`, content, is_error }], at),
    ];
  });
  return [line('user', 'Why does helperNumber7 fail?', NOW), ...lines].join('\n');
}

function codexSession(calls: readonly Call[]): string {
  const line = (payload: unknown, at: string) =>
    JSON.stringify({ timestamp: at, type: 'response_item', payload });
  const said = (role: string, text: string) => ({
    type: 'message',
    role,
    content: [{ type: 'output_text', text }],
  });
  const lines = calls.flatMap(({ words, command, output, at = NOW }, index) => [
    line(said('assistant', words), at),
    line(
      {
        type: 'function_call',
        name: 'shell',
        call_id: `c${index}`,
        arguments: JSON.stringify({ command: ['bash', '-lc', command] }),
      },
      at,
    ),
    line({ type: 'function_call_output', call_id: `c${index}`, output }, at),
  ]);
  return [line(said('user', 'Why does helperNumber7 fail?'), NOW), ...lines].join('\n');
}

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, 'deep'), { recursive: true });
    writeFileSync(join(folder, 'deep', name), text);
  }
  return folder;
}

async function report(folder: string, ...flags: string[]) {
  const { stdout, code, stderr } = await secateur(['replay', folder, '--json', ...flags], {
    dataDir: temporaryFolder(),
  });
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

describe('[Q13] secateur replay', () => {
  it('replay reports the net savings per tool for Claude Code and Codex sessions', async () => {
    const folder = folderWith({ 'a.jsonl': claudeSession(CALLS), 'rollout-b.jsonl': codexSession(CALLS) });
    const { sessions, total, byTool, priceChange } = await report(folder);
    expect(sessions).toBe(2);
    expect(Object.keys(byTool)).toEqual(expect.arrayContaining(['Bash', 'shell']));
    expect(byTool.Bash.calls + byTool.shell.calls).toBe(4);
    expect(total.netTokensSaved).toBeGreaterThan(total.tokensBefore / 3);
    expect(total.usedLines).toBeGreaterThan(0);
    expect(priceChange).toBeLessThan(0);
  });

  it('[A19] replay counts only outputs that hooks can shorten, and prints which integration it assumes', async () => {
    const [call] = CALLS as [Call, ...Call[]];
    const own = { tool: 'mcp__secateur__recover_text', input: { prune_id: 'prn_7M2Q4K8T3V' } };
    const file = { file_path: 'src/helpers.ts' };
    const cutBefore = `✂ prn_7M2Q4K8T3V: 12 of 261 lines cut in 1 gap\n${SOURCE}`;
    const outOfReach: Call[] = [
      { ...call, isError: true },
      { ...call, tool: 'Edit', input: file },
      { ...call, ...own },
      { ...call, output: cutBefore },
    ];
    const unchanged = [
      ...outOfReach,
      { ...call, tool: 'Read', input: { ...file, offset: 10, limit: 90 }, output: SOURCE.slice(0, 9000) },
    ];
    for (const each of unchanged) {
      const { total } = await report(folderWith({ 'a.jsonl': claudeSession([each]) }));
      expect([total.tokensAfter, total.recoveries]).toEqual([total.tokensBefore, 0]);
    }
    const folder = folderWith({
      'a.jsonl': claudeSession([...outOfReach, call]),
      'b.jsonl': codexSession(CALLS),
    });
    const both = await report(folder);
    expect(both.total.outOfReach).toBe(4);
    expect(both.assumed).toEqual([
      'hooks of Claude Code (failing commands keep their whole output)',
      'hooks of Codex',
    ]);
    const prefixed = await report(folder, '--shell-prefix');
    expect(prefixed.total.outOfReach).toBe(3);
    expect(prefixed.assumed[0]).toBe('hooks and shell prefix of Claude Code');
    expect(prefixed.total.tokensAfter).toBeLessThan(both.total.tokensAfter);
    const { stdout } = await secateur(['replay', folder]);
    expect(stdout).toContain(
      'Assumed: hooks of Claude Code (failing commands keep their whole output); hooks of Codex. Out of reach: 4 calls.',
    );
  });

  it('[A19] replay uses sizes and disabled rules from the settings', async () => {
    const folder = folderWith({ 'a.jsonl': claudeSession(CALLS) });
    for (const env of [
      { SECATEUR_MIN_DUMP_CHARS: '1000000' },
      { SECATEUR_DISABLED_RULES: 'unrelated-units,licence-header' },
    ]) {
      const { stdout } = await secateur(['replay', folder, '--json'], { env });
      const { total } = JSON.parse(stdout);
      expect(total.tokensAfter, JSON.stringify(env)).toBe(total.tokensBefore);
    }
  });

  it('replay skips malformed lines and counts them', async () => {
    const text = `not json\n{"half": \n[1]\n${claudeSession(CALLS)}\n{"type":"assistant","message":7}\n`;
    const { oddLines, total } = await report(folderWith({ 'a.jsonl': text }));
    expect([oddLines, total.calls]).toEqual([3, 2]);
  });

  it('replay reads only sessions newer than --since', async () => {
    const folder = folderWith({
      'a.jsonl': claudeSession([{ ...(CALLS[0] as Call), at: OLD }, CALLS[1] as Call]),
    });
    expect((await report(folder)).total.calls).toBe(1);
    expect((await report(folder, '--since', 'all')).total.calls).toBe(2);
  });

  it('replay prints a short text report, and accepts a single file', async () => {
    const folder = folderWith({ 'a.jsonl': claudeSession(CALLS) });
    const { stdout } = await secateur(['replay', join(folder, 'deep', 'a.jsonl')], {
      dataDir: temporaryFolder(),
    });
    expect(stdout).toMatch(/^1 session of the last 7d, 2 tool calls$/m);
    expect(stdout).toMatch(/Price: -\d+\.\d % for whole runs/);
    expect(stdout.split('\n').length).toBeLessThan(20);
  });

  it('replay prints that an empty folder has no sessions', async () => {
    const { stdout, code } = await secateur(['replay', temporaryFolder()], { dataDir: temporaryFolder() });
    expect([code, stdout]).toEqual([0, 'No tool calls found in sessions of the last 7d.\n']);
  });

  it('replay exits with code 1 if the path does not exist', async () => {
    const missing = join(temporaryFolder(), 'nowhere');
    const { code, stdout, stderr } = await secateur(['replay', missing], { dataDir: temporaryFolder() });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`${missing} is not there`);
  });

  it('[X12] replay shortens long tool names and prints them without control characters', async () => {
    const strange = `\u001b]0;owned\u0007\u009b31m${'x'.repeat(500)}`;
    const session = claudeSession(CALLS).replaceAll('"Bash"', JSON.stringify(strange));
    const folder = folderWith({ 'a.jsonl': session });
    for (const flags of [[], ['--json']]) {
      const { stdout } = await secateur(['replay', folder, ...flags], { dataDir: temporaryFolder() });
      expect(stdout).toContain('owned');
      expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
      if (flags.length === 0)
        expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThan(250);
    }
  });

  it('[X17] [X29] replay skips a line of 700 MB, and a file that is a pipe, a device or a folder', async () => {
    const folder = folderWith({ 'a.jsonl': `${claudeSession(CALLS)}\n` });
    const path = join(folder, 'deep', 'a.jsonl');
    truncateSync(path, 700 * 1024 * 1024);
    const { oddLines, total } = await report(path);
    expect([oddLines, total.calls]).toEqual([1, 2]);
    rmSync(path);
    execFileSync('mkfifo', [path]);
    for (const strange of [path, '/dev/zero', '/proc/self/mem'])
      expect((await report(strange)).total.calls, strange).toBe(0);
  });

  it('replay refuses a --since that it cannot parse', async () => {
    const { code, stderr } = await secateur(['replay', '--since', 'soon'], { dataDir: temporaryFolder() });
    expect(code).not.toBe(0);
    expect(stderr).toContain('--since');
  });
});
