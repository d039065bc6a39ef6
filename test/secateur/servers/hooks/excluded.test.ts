import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../../../packages/secateur/src/servers/hooks/clients/claude-code.ts';
import { answerEvent } from '../../../../packages/secateur/src/servers/hooks/hook.ts';
import { bashEvent, claudeEvent, hookSettings, TEST_RUN, testHook } from '../../../support/hook-events.ts';

describe('outputs that the settings exclude', () => {
  it.each([
    ['Bash', { command: 'cat db/schema.sql' }],
    ['Bash', { command: 'cd db && tail -n 900 "schema.sql" | nl' }],
    ['Bash', { command: 'pg_restore --file=schema.sql' }],
    ['Grep', { pattern: 'plant', path: '/project/db/schema.sql' }],
    ['mcp__files__read_file', { path: '/project/db/schema.sql' }],
  ])('[A17] the hook returns the output of %s with %j unchanged', async (tool, tool_input) => {
    const response =
      tool === 'Bash' ? { stdout: TEST_RUN, stderr: '' } : { mode: 'content', content: TEST_RUN };
    const tool_response = tool.startsWith('mcp__') ? TEST_RUN : response;
    const event = claudeEvent(tool, { tool_input, tool_response });
    const settings = { ...hookSettings, exclude: ['*.sql'] };
    expect(await answerEvent(claudeCode, event, testHook({ settings }))).toEqual({});
    if (tool.startsWith('mcp__')) expect(await answerEvent(claudeCode, event, testHook())).not.toEqual({});
  });

  it.each([
    ['npm test', true],
    ['cd app && CI=1 npm test -- retry | cat', true],
    ['npm run unit:report', true],
    ['npm run unit', false],
    ['npm test-all', false],
    ['npm t', false],
  ])('[A17] exclude_commands applies to the output of %s: %s', async (command, isLeft) => {
    const settings = { ...hookSettings, excludeCommands: ['npm test', 'npm run *:report'] };
    const event = bashEvent(TEST_RUN, { tool_input: { command } });
    const answer = await answerEvent(claudeCode, event, testHook({ settings }));
    expect(Object.keys(answer)).toHaveLength(isLeft ? 0 : 1);
  });
});
