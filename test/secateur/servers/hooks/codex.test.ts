import { describe, expect, it } from 'vitest';
import { codex } from '../../../../packages/secateur/src/servers/hooks/clients/codex.ts';
import { answerEvent } from '../../../../packages/secateur/src/servers/hooks/hook.ts';
import { TEST_RUN, temporaryFile, testHook } from '../../../support/hook-events.ts';

describe('a hook of Codex', () => {
  it('[A4] the hook of Codex replaces the output of a failed command and keeps its exit code', async () => {
    const event = codexEvent('Bash', { tool_response: TEST_RUN, transcript_path: rollout({ exit_code: 3 }) });
    const { decision, reason } = await answerEvent(codex, event, testHook());
    expect(decision).toBe('block');
    expect(reason).toMatch(/^Process exited with code 3\nOutput:\n/);
    expect(reason).toContain('not ok 301 - retries after a lost connection');
    expect(String(reason).length).toBeLessThan(TEST_RUN.length / 2);
  });

  it('[A4] the hook of Codex shortens the whole output if Codex shows it without its middle', async () => {
    const tool_response = `Warning: truncated output\n${TEST_RUN.slice(0, 3000)}`;
    const event = codexEvent('Bash', { tool_response, transcript_path: rollout({ exit_code: 1 }) });
    expect((await answerEvent(codex, event, testHook())).reason).toContain('not ok 301');
  });

  it('[A4] the hook of Codex returns an output unchanged if the exit code is unknown', async () => {
    const other = rollout({ exit_code: 0, id: 'another call' });
    for (const transcript_path of [undefined, '/nowhere', other]) {
      const event = codexEvent('Bash', { tool_response: TEST_RUN, transcript_path });
      expect(await answerEvent(codex, event, testHook())).toEqual({});
    }
  });

  it('[P52] the hook of Codex reads commands, times and compactions from the transcript', () => {
    const timestamp = '2026-11-18T01:00:00.000Z';
    const calls = [{ cmd: 'cat a.ts' }, { command: ['bash', '-lc', 'cat a.ts'] }].map((input, at) => ({
      type: 'response_item',
      payload: { type: 'function_call', call_id: `c${at}`, name: 'shell', arguments: JSON.stringify(input) },
    }));
    const output = { type: 'function_call_output', call_id: 'c0', output: 'text' };
    const lines = [
      ...calls,
      { type: 'response_item', timestamp, payload: output },
      { type: 'compacted', payload: {} },
    ];
    expect(lines.flatMap(codex.readEntry)).toMatchObject([
      { kind: 'call', id: 'c0', input: { command: 'cat a.ts' } },
      { kind: 'call', id: 'c1', input: { command: 'cat a.ts' } },
      { kind: 'result', id: 'c0', text: 'text', at: Date.parse(timestamp) },
      { kind: 'compaction' },
    ]);
  });

  it('[A4] the hook of Codex replaces the text of an MCP tool, unless the tool failed or returned an image', async () => {
    const content = [{ type: 'text', text: TEST_RUN }];
    const answer = (tool_response: object) =>
      answerEvent(codex, codexEvent('mcp__ci__log', { tool_response }), testHook());
    expect(await answer({ content })).toMatchObject({ decision: 'block' });
    expect(await answer({ content, isError: true })).toEqual({});
    expect(await answer({ content: [...content, { type: 'image', data: 'AAAA' }] })).toEqual({});
  });
});

function codexEvent(tool_name: string, details: object) {
  return {
    session_id: '01a1e0ea-859a-75f3-a728-9a576bd49a87',
    cwd: '/project',
    hook_event_name: 'PostToolUse',
    model: 'scripted',
    tool_name,
    tool_input: { command: 'npm test' },
    tool_use_id: 'c1',
    ...details,
  };
}

/** A transcript as Codex writes it, at the moment the hook is called. */
function rollout(item: object): string {
  const message = (role: string, text: string) => ({
    type: 'response_item',
    payload: { type: 'message', role, content: [{ type: 'input_text', text }] },
  });
  const command = { type: 'CommandExecution', id: 'c1', aggregated_output: TEST_RUN, ...item };
  const lines = [
    message('user', '<environment_context>\n</environment_context>'),
    message('user', 'Why does the retry test fail?'),
    { type: 'response_item', payload: { type: 'function_call', name: 'exec_command', call_id: 'c1' } },
    { type: 'event_msg', payload: { type: 'item_completed', item: command } },
  ];
  return temporaryFile('rollout.jsonl', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
