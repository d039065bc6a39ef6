import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOOK_CLIENTS } from '../../../../packages/secateur/src/servers/hooks/clients.ts';
import { answerEvent } from '../../../../packages/secateur/src/servers/hooks/hook.ts';
import {
  agentCalls,
  agentSays,
  bashEvent,
  claudeEvent,
  claudeTranscript,
  hookSettings,
  readEvent,
  TEST_RUN,
  temporaryFile,
  testHook,
  toolGave,
  userSays,
} from '../../../support/hook-events.ts';
import { mutated } from '../../../support/mutated-event.ts';

const RUNS = 10_000;
/** Long enough to be cut, and short enough to be cut thousands of times. */
const LOG = TEST_RUN.slice(-1200);

describe('malformed events of hooks', () => {
  it(`[A2] [X17] [X18] a hook returns valid JSON for ${RUNS} malformed events and never throws`, {
    timeout: 120_000,
  }, async () => {
    const transcript_path = claudeTranscript(userSays('why'), agentSays('so'), agentCalls('t', 'Read', {}));
    const real = [
      bashEvent(LOG, { transcript_path }),
      readEvent(LOG),
      claudeEvent('Grep', { tool_response: { mode: 'content', content: LOG } }),
      claudeEvent('mcp__x__y', { tool_response: { content: [{ type: 'text', text: LOG }] } }),
      { ...bashEvent(''), hook_event_name: 'PreToolUse', tool_input: { command: 'x' } },
      { hook_event_name: 'SessionStart' },
    ];
    const parts = testHook();
    const event = fc.oneof(fc.jsonValue(), fc.constantFrom(...real).chain(mutated));
    await fc.assert(
      fc.asyncProperty(event, fc.constantFrom(...HOOK_CLIENTS), async (odd, client) => {
        const answer = await answerEvent(client, odd, parts);
        expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
      }),
      { numRuns: RUNS },
    );
    expect(JSON.stringify(parts.events)).not.toContain('waters the plant');
  });

  it('[A2] [A5] a hook reads only the end of a transcript of 100 MB, even if the last line is incomplete', async () => {
    const line = `${JSON.stringify(toolGave('t', 'x'.repeat(100_000)))}\n`;
    const end = `${JSON.stringify(userSays('Why does the retry test fail?'))}\n{"type":"assist`;
    const transcript_path = temporaryFile('session.jsonl', line.repeat(1000).slice(5) + end);
    for (const client of HOOK_CLIENTS) {
      const answer = await answerEvent(client, bashEvent(TEST_RUN, { transcript_path }), testHook());
      expect(JSON.stringify(answer).length).toBeLessThan(TEST_RUN.length);
    }
  });

  it('[A2] a hook returns the output unchanged and logs the failure if the store or the engine cannot be opened', async () => {
    const parts = testHook({ pruner: () => Promise.reject(new Error('no store')) });
    for (const client of HOOK_CLIENTS.slice(0, 1))
      expect(await answerEvent(client, bashEvent(TEST_RUN), parts)).toEqual({});
    expect(parts.events).toMatchObject([{ level: 'warn', event: 'hook.passed', data: { kind: 'Error' } }]);
  });

  it('[X10] a hook logs the kind of a failure, never its message', async () => {
    const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
    const failure = Object.assign(new Error(`cannot open ${secret}`), { name: secret, code: secret });
    const parts = testHook({ pruner: () => Promise.reject(failure) });
    for (const client of HOOK_CLIENTS.slice(0, 1))
      expect(await answerEvent(client, bashEvent(`${TEST_RUN}\n${secret}`), parts)).toEqual({});
    expect(parts.events).toMatchObject([{ data: { kind: 'other', code: 'other' } }]);
    expect(JSON.stringify(parts.events)).not.toContain(secret);
  });

  it('[A2] a hook returns the output unchanged if pruning takes longer than the time limit', async () => {
    const settings = { ...hookSettings, timeoutMs: 20 };
    const parts = testHook({ settings, pruner: () => new Promise(() => {}) });
    for (const client of HOOK_CLIENTS.slice(0, 1))
      expect(await answerEvent(client, bashEvent(TEST_RUN), parts)).toEqual({});
    expect(parts.events).toHaveLength(1);
  });
});
