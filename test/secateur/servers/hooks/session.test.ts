import { describe, expect, it } from 'vitest';
import type { HookClient } from '../../../../packages/secateur/src/servers/hooks/client.ts';
import { HOOK_CLIENTS } from '../../../../packages/secateur/src/servers/hooks/clients.ts';
import { answerEvent, type HookDeps } from '../../../../packages/secateur/src/servers/hooks/hook.ts';
import { TEST_RUN, testHook } from '../../../support/hook-events.ts';

const start = { hook_event_name: 'SessionStart', hook: 'session' };

async function told(client: HookClient, parts: HookDeps): Promise<string> {
  return JSON.stringify(await answerEvent(client, start, parts));
}

async function firstLine(client: HookClient, parts: HookDeps): Promise<string> {
  const { event, shownIn } = client.sample(TEST_RUN);
  const shown = String(shownIn(await answerEvent(client, event, parts)));
  return shown.split('\n').find((line) => line.startsWith('✂')) ?? shown;
}

function withSettings(settings: Partial<HookDeps['settings']>): HookDeps {
  const parts = testHook();
  return { ...parts, settings: { ...parts.settings, ...settings } };
}

const client = (name: string) => HOOK_CLIENTS.find((each) => each.name === name) as HookClient;

describe('the recovery command in texts of hooks', () => {
  it.each(HOOK_CLIENTS.map((each) => [each.name, each] as const))(
    '[A14] %s: without recover_text, hooks mention only the recovery command',
    async (_, each) => {
      const parts = withSettings({ recoverTool: false });
      expect(await firstLine(each, parts)).toMatch(/; secateur recover prn_\w+ A-B,C-D /);
      expect(await told(each, parts)).toContain('To get lines back run `secateur recover prn_… 36-47`');
      expect(await told(each, parts)).not.toContain('recover_text');
    },
  );

  it('[A14] hooks of Copilot mention only recover_text, because Copilot asks the user about every command', async () => {
    expect(await firstLine(client('copilot-cli'), testHook())).toContain('; recover_text (');
    expect(await told(client('copilot-cli'), testHook())).not.toContain('secateur recover');
  });
});

describe('the hook at the start of a session', () => {
  it.each(['compact', 'canonical'] as const)(
    '[A10] the session-start hook explains only the %s form of markers',
    async (markers) => {
      const text = await told(client('claude-code'), withSettings({ markers }));
      expect(text.includes('✂')).toBe(markers === 'compact');
      expect(text.includes('⟦PRUNÉ')).toBe(markers === 'canonical');
    },
  );

  it('[A4] the session-start hook of Codex explains the label “Blocked” to user and agent; other clients get no such text', async () => {
    expect(await answerEvent(client('codex'), start, testHook())).toMatchObject({
      systemMessage: expect.stringContaining('labels "Blocked" was shortened'),
      hookSpecificOutput: { additionalContext: expect.stringContaining('Blocked') },
    });
    expect(await told(client('claude-code'), testHook())).not.toContain('Blocked');
  });

  it('[A18] the session-start hook reports invalid settings in one line', async () => {
    const faults = ['config.toml hook.exlude: there is no such setting', 'another'];
    const text = await told(client('opencode'), { ...testHook(), faults });
    expect(text).toContain(
      'a setting of secateur is wrong, config.toml hook.exlude: there is no such setting (and 1 more)',
    );
  });
});
