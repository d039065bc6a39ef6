import { describe, expect, it } from 'vitest';
import type { Fields } from '../../../../packages/base/src/text/json.ts';
import { copilotCli } from '../../../../packages/secateur/src/servers/hooks/clients/copilot-cli.ts';
import { answerEvent } from '../../../../packages/secateur/src/servers/hooks/hook.ts';
import { SOURCE, TEST_RUN, testHook } from '../../../support/hook-events.ts';

const ENDING = '\n<shellId: 1 completed with exit code 3>';

describe('a hook of GitHub Copilot CLI', () => {
  it('[A26] the hook of Copilot CLI shortens the output of a command and keeps the line with the exit code', async () => {
    const shown = await shownOf('Bash', { command: 'npm test' }, TEST_RUN + ENDING);
    expect(shown).toContain('not ok 301 - retries after a lost connection');
    expect(shown.endsWith(ENDING)).toBe(true);
    expect(shown.length).toBeLessThan(TEST_RUN.length / 2);
  });

  it('[A26] the hook of Copilot CLI writes the line numbers of the file before the kept lines', async () => {
    const description = 'Why does the retry policy give up?';
    const shown = await shownOf('Read', { path: '/project/src/plants.ts', description }, SOURCE);
    expect(shown).toMatch(/^\d+│ /m);
  });

  it.each([
    ['lines named by number', ranTool('Read', { path: 'a.ts', view_range: [5, 90] }, {})],
    ['a failure', ranTool('Bash', { command: 'x' }, { result_type: 'failure' })],
    ['the output of an unknown tool', ranTool('Teleport', {}, {})],
    ['our own tools', ranTool('secateur-read', {}, {})],
  ])('[A26] the hook of Copilot CLI returns %s unchanged', async (_, event) => {
    expect(await answerEvent(copilotCli, event, testHook())).toEqual({});
  });

  it('[A26] the hook of Copilot CLI refuses to write a marker into a file', async () => {
    const tool_input = {
      path: 'a.ts',
      file_text: '⟦PRUNÉ: prune_id=prn_7M2Q4K8T3V lignes 3-4 (2) raison=x⟧',
    };
    const event = { hook_event_name: 'PreToolUse', tool_name: 'Write', tool_input };
    expect(await answerEvent(copilotCli, event, testHook())).toEqual({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('secateur recover prn_7M2Q4K8T3V 3-4'),
    });
  });

  it('[A26] the hook of Copilot CLI reads user requests, agent messages, calls and results from the transcript', () => {
    const toolRequests = [{ toolCallId: 't1', name: 'bash', arguments: { command: 'ls' } }];
    const lines = [
      { type: 'user.message', data: { content: 'why?' } },
      { type: 'assistant.message', data: { content: 'I look.', toolRequests } },
      { type: 'tool.execution_complete', data: { toolCallId: 't1', result: { content: 'a.ts' } } },
      { type: 'hook.start', data: {} },
      { type: 'user.message', data: 7 },
    ];
    expect(lines.flatMap(copilotCli.readEntry)).toEqual([
      { kind: 'user', text: 'why?' },
      { kind: 'agent', text: 'I look.' },
      { kind: 'call', id: 't1', tool: 'bash', input: { command: 'ls' } },
      { kind: 'result', id: 't1', text: 'a.ts' },
    ]);
  });
});

function ranTool(tool_name: string, tool_input: object, result: object): Fields {
  const tool_result = { result_type: 'success', text_result_for_llm: TEST_RUN, ...result };
  const session_id = '../../etc';
  return { hook_event_name: 'PostToolUse', session_id, tool_name, tool_input, tool_result };
}

async function shownOf(tool: string, input: object, text: string): Promise<string> {
  const event = ranTool(tool, input, { text_result_for_llm: text });
  const { modifiedResult } = await answerEvent(copilotCli, event, testHook());
  expect(modifiedResult).toMatchObject({ resultType: 'success' });
  return (modifiedResult as { textResultForLlm: string }).textResultForLlm;
}
