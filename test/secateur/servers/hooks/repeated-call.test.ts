import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../../../packages/secateur/src/servers/hooks/clients/claude-code.ts';
import { answerEvent } from '../../../../packages/secateur/src/servers/hooks/hook.ts';
import {
  agentCalls,
  bashEvent,
  claudeTranscript,
  readEvent,
  SOURCE,
  TEST_RUN,
  testHook,
  toolGave,
} from '../../../support/hook-events.ts';

const CUT = '✂ prn_7M2Q4K8T3V: 12 of 261 lines cut in 1 gap\na\n✂ 36-47';
const FILE = { file_path: '/project/src/plants.ts' };

/** The entries of the ledger after an event that follows these calls and results. */
async function recordedAfter(event: object, ...before: readonly object[]) {
  const parts = testHook();
  const answer = await answerEvent(
    claudeCode,
    { ...event, transcript_path: claudeTranscript(...before) },
    parts,
  );
  return { answer, entries: parts.entries };
}

describe('a call that the agent repeats after its output was shortened', () => {
  const readBefore = [agentCalls('toolu_0', 'Read', FILE), toolGave('toolu_0', CUT)];

  it('[A19] a second read of a shortened file is recorded as a recovery of all its tokens', async () => {
    const { answer, entries } = await recordedAfter(readEvent(SOURCE), ...readBefore);
    expect(answer).toEqual({});
    expect(entries).toMatchObject([
      {
        kind: 'recovered',
        by: 'second_read',
        pruneId: 'prn_7M2Q4K8T3V',
        tool: 'Read',
        client: 'claude-code',
      },
    ]);
    expect(entries[0]?.tokensAfter).toBeGreaterThan(1000);
  });

  it.each([
    [
      'a few lines of the file',
      readEvent('three\nshort\nlines', { tool_input: { ...FILE, offset: 36, limit: 3 } }),
    ],
    ['the file in a shell', bashEvent('short', { tool_input: { command: 'cat src/plants.ts' } })],
  ])('[A19] reading %s again is recorded as a recovery, even if the output is short', async (_, event) => {
    const { answer, entries } = await recordedAfter(event, ...readBefore);
    expect(answer).toEqual({});
    expect(entries).toMatchObject([{ kind: 'recovered', by: 'second_read', pruneId: 'prn_7M2Q4K8T3V' }]);
  });

  it.each(['npm test', 'secateur raw -- npm test'])(
    '[A19] %s directly after a shortened npm test is recorded as a recovery',
    async (command) => {
      const { answer, entries } = await recordedAfter(
        bashEvent(TEST_RUN, { tool_input: { command } }),
        agentCalls('toolu_0', 'Bash', { command: 'npm test', description: 'Run the tests' }),
        toolGave('toolu_0', CUT),
        agentCalls('toolu_1', 'Bash', { command, description: 'Run them again' }),
      );
      expect(answer).toEqual({});
      expect(entries).toMatchObject([{ kind: 'recovered', by: 'repeated_call', tool: 'Bash' }]);
    },
  );

  it('[A14] a repeated call without arguments is shortened again, because a page snapshot may have changed', async () => {
    const tool = 'mcp__browser__snapshot';
    const { answer } = await recordedAfter(
      bashEvent(TEST_RUN, {
        tool_name: tool,
        tool_input: {},
        tool_response: [{ type: 'text', text: TEST_RUN }],
      }),
      agentCalls('toolu_0', tool, {}),
      toolGave('toolu_0', CUT),
      agentCalls('toolu_1', tool, {}),
    );
    expect(JSON.stringify(answer)).toContain('✂');
  });

  it('[A19] a third read after the file was shown completely is not recorded as a recovery', async () => {
    const whole = [agentCalls('toolu_2', 'Read', FILE), toolGave('toolu_2', SOURCE)];
    const { entries } = await recordedAfter(readEvent(SOURCE), ...readBefore, ...whole);
    expect(entries).toEqual([]);
  });

  it('[A19] a read of another file, or a command repeated after other calls, is not recorded as a recovery', async () => {
    const other = readEvent('short', { tool_input: { file_path: '/project/src/other.ts' } });
    expect((await recordedAfter(other, ...readBefore)).entries).toEqual([]);
    const command = { command: 'npm test' };
    const { entries } = await recordedAfter(
      bashEvent(TEST_RUN, { tool_input: command }),
      ...[agentCalls('toolu_0', 'Bash', command), toolGave('toolu_0', CUT)],
      ...[agentCalls('toolu_2', 'Edit', FILE), toolGave('toolu_2', 'updated')],
      agentCalls('toolu_1', 'Bash', command),
    );
    expect(entries.map(({ kind }) => kind)).toEqual(['cut']);
  });
});
