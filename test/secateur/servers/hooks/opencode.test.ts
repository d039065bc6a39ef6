import { describe, expect, it } from 'vitest';
import type { Fields } from '../../../../packages/base/src/text/json.ts';
import { opencode } from '../../../../packages/secateur/src/servers/hooks/clients/opencode.ts';
import { answerEvent } from '../../../../packages/secateur/src/servers/hooks/hook.ts';
import { eventFiles } from '../../../../packages/secateur/src/servers/hooks/transcript.ts';
import { SOURCE, TEST_RUN, testHook } from '../../../support/hook-events.ts';

describe('a hook of opencode', () => {
  it('[A26] the hook of opencode shortens an output according to the requests in the session messages', async () => {
    const text = 'How long is the delay of retryDelay for each attempt?';
    const messages = [{ info: { role: 'user' }, parts: [{ type: 'text', text }] }];
    const event = ranTool('read', { filePath: '/project/src/plants.ts' }, { texts: [SOURCE], messages });
    const { texts } = await answerEvent(opencode, event, testHook());
    expect(texts).toEqual([expect.stringContaining('return 100 * 2 ** attempt;')]);
    expect(String(texts).length).toBeLessThan(SOURCE.length / 2);
  });

  it('[A26] the hook of opencode returns a repeated call unchanged if the call directly before was shortened', async () => {
    const input = { command: 'npm test' };
    const { texts } = await answerEvent(opencode, ranTool('bash', input, {}), testHook());
    const part = (callID: string, output?: string) => ({
      type: 'tool',
      tool: 'bash',
      callID,
      state: { input, output },
    });
    const parts = [part('c0', String(texts)), part('c1')];
    const messages = [{ info: { role: 'assistant' }, parts }];
    expect(await answerEvent(opencode, ranTool('bash', input, { messages }), testHook())).toEqual({});
  });

  it('[P52] the hook of opencode treats outputs that opencode has cleared or summarised as not shown', async () => {
    const tool = (callID: string, time: object) => ({
      ...{ type: 'tool', tool: 'bash', callID },
      state: { input: { command: 'cat a.ts' }, output: 'x', time },
    });
    const messages = [
      { info: { role: 'assistant' }, parts: [tool('c0', { end: 1 }), tool('c1', { end: 2, compacted: 3 })] },
      { info: { role: 'assistant', summary: true }, parts: [{ type: 'text', text: 'So far: nothing.' }] },
    ];
    const files = eventFiles({ transcripts: [] }, { access: 'nothing' });
    const event = await opencode.read(ranTool('bash', { command: 'ls' }, { messages }), files);
    expect(event?.kind === 'output' && event.call.entries?.filter(({ kind }) => kind !== 'call')).toEqual([
      { kind: 'result', id: 'c0', text: 'x', at: 1 },
      { kind: 'compaction' },
      { kind: 'agent', text: 'So far: nothing.' },
    ]);
  });

  it.each([
    ['lines named by number', ranTool('read', { filePath: 'a.ts', offset: 40 }, {})],
    ['what an edit says', ranTool('edit', { filePath: 'a.ts' }, {})],
    ['a patch', ranTool('apply_patch', {}, {})],
    ['our own tools', ranTool('secateur_read', {}, {})],
    ['a result of unknown format', ranTool('bash', { command: 'x' }, { texts: [TEST_RUN, 7] })],
  ])('[A26] the hook of opencode returns %s unchanged', async (_, event) => {
    expect(await answerEvent(opencode, event, testHook())).toEqual({});
  });

  it('[A26] the hook of opencode shortens each text of a result of an MCP tool', async () => {
    const event = ranTool('ci_log', {}, { texts: [TEST_RUN, 'short'] });
    const { texts } = await answerEvent(opencode, event, testHook());
    expect(texts).toEqual([expect.stringMatching(/^✂ prn_/), 'short']);
  });

  it('[A23] the hook of opencode refuses once to overwrite a file that the session shows with gaps', async () => {
    const part = (callID: string, tool: string, state: Fields) => ({ type: 'tool', tool, callID, state });
    const cut = '✂ prn_7M2Q4K8T3V: 12 of 261 lines cut in 1 gap\n✂ 36-47';
    const read = part('c0', 'read', { input: { filePath: '/p/a.ts' }, output: cut });
    const args = { filePath: '/p/a.ts', content: 'new' };
    const writeAfter = (parts: readonly object[]) => {
      const messages = [{ info: { role: 'assistant' }, parts }];
      const event = { hook: 'before', tool: 'write', callID: 'c9', args, cwd: '/p', messages };
      return answerEvent(opencode, event, testHook());
    };
    const { refuse } = await writeAfter([read]);
    expect(refuse).toContain('secateur recover prn_7M2Q4K8T3V 36-47');
    const refused = part('c1', 'write', { input: args, status: 'error', error: String(refuse) });
    expect(await writeAfter([read, refused])).toEqual({});
  });

  it('[A26] the hook of opencode refuses to write a marker into a file', async () => {
    const args = { filePath: 'a.ts', content: '⟦PRUNÉ: prune_id=prn_7M2Q4K8T3V lignes 3-4 (2) raison=x⟧' };
    const event = { hook: 'before', tool: 'write', args };
    expect(await answerEvent(opencode, event, testHook())).toEqual({
      refuse: expect.stringContaining('secateur recover prn_7M2Q4K8T3V 3-4'),
    });
  });
});

function ranTool(tool: string, args: object, details: object): Fields {
  return { hook: 'after', tool, callID: 'c1', args, cwd: '/project', texts: [TEST_RUN], ...details };
}
