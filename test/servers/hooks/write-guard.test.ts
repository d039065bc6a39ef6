import { describe, expect, it } from 'vitest';
import { HOOK_CLIENTS } from '../../../src/servers/hooks/clients.ts';
import { answerEvent, type HookParts } from '../../../src/servers/hooks/hook.ts';
import { textParts } from '../../../src/servers/hooks/text-slots.ts';
import type { Fields } from '../../../src/text/json-value.ts';
import { claudeTranscript, hookSettings, testHook, toolGave } from '../../support/hook-events.ts';

const CANONICAL = '⟦PRUNÉ: prune_id=prn_7M2Q4K8T3V lignes 36-47 (12) raison=hors focus⟧';
const COMPACT = '✂ prn_7M2Q4K8T3V: 12 of 261 lines cut in 1 gap; recover_text gives lines back by number';
const MASKED = 'x\n... [KIMI_PROXY_OBSERVATION_MASKED original_chars=9000 head=10 tail=10] ...\nx';

describe('the write guard', () => {
  const payloads = [
    ['Edit', { file_path: 'a.ts', old_string: 'x', new_string: `a\n${CANONICAL}\nb` }],
    ['Write', { file_path: 'a.ts', content: `${COMPACT}\na\n✂ 36-47\nb` }],
    [
      'MultiEdit',
      { file_path: 'a.ts', edits: [{ old_string: 'x', new_string: `${COMPACT}\n✂ 36-47 (f, +3)` }] },
    ],
    ['NotebookEdit', { notebook_path: 'a.ipynb', new_source: CANONICAL }],
    ['Bash', { command: `cat > a.ts <<'EOF'\na\n${CANONICAL}\nEOF` }],
    ['apply_patch', { command: `*** Begin Patch\n+${CANONICAL}\n*** End Patch` }],
  ] as const;

  it.each(payloads)(
    '[A8] refuses %s of a marker and names the exact call that gives the lines back',
    async (tool, input) => {
      const reason = await refusalOf(tool, input);
      expect(reason).toContain(
        'recover_text {"prune_id":"prn_7M2Q4K8T3V","ranges":[{"start_line":36,"end_line":47}]}',
      );
      expect(reason).toContain('secateur recover prn_7M2Q4K8T3V 36-47');
    },
  );

  it('[A8] finds out whose gap a lone compact marker is', async () => {
    const transcript_path = claudeTranscript(
      toolGave('t1', `✂ prn_AAAAAAAAAA: cut\n✂ 5-9`),
      toolGave('t2', `${COMPACT}\n✂ 36-47`),
    );
    const reason = await refusalOf('Write', { content: 'a\n✂ 36-47\nb' }, { transcript_path });
    expect(reason).toContain('secateur recover prn_7M2Q4K8T3V 36-47');
  });

  it('[A8] refuses the mark of a masked text', async () => {
    expect(await refusalOf('Write', { content: MASKED })).toContain('recover_text');
  });

  it('[A8] lets a text pass that only speaks of markers, and never answers for the user', async () => {
    const harmless = [
      'A marker is `⟦PRUNÉ: prune_id=… lignes START-END …⟧`.',
      String.raw`/^✂ (\d+)-(\d+)(?: \((.*)\))?$/`,
      '✂ scissors ✂ 36 of them',
      'secateur recover prn_7M2Q4K8T3V 36-47',
    ];
    for (const client of HOOK_CLIENTS)
      for (const content of harmless)
        expect(await answerEvent(client, calling('Bash', { command: content }), testHook())).toEqual({});
  });

  it('[A8] allows markers in files that speak of them, where a setting names these, and nowhere else', async () => {
    const settings = { ...hookSettings, markersAllowedIn: ['docs/**'] };
    const writes = (file_path: string) =>
      answer(calling('Write', { file_path, content: CANONICAL }, { cwd: '/p' }), testHook({ settings }));
    expect(await writes('/p/docs/markers.md')).toEqual({});
    expect(await writes('/p/src/docs.ts')).not.toEqual({});
    const command = `cat > docs/markers.md <<'EOF'\n${CANONICAL}\nEOF`;
    expect(await answer(calling('Bash', { command }), testHook({ settings }))).not.toEqual({});
  });

  it('[A8] allows markers where a setting says so', async () => {
    const settings = { ...hookSettings, writeGuard: false };
    const parts = testHook({ settings });
    expect(await answer(calling('Write', { content: CANONICAL }), parts)).toEqual({});
  });
});

describe('the beginning of a session', () => {
  it.each(HOOK_CLIENTS.map((client) => [client.name, client] as const))(
    '[A7] tells %s in two sentences what a marker is and how to get lines back',
    async (_, client) => {
      const event = { hook_event_name: 'SessionStart', source: 'startup', hook: 'session' };
      const said = textParts(await answerEvent(client, event, testHook())).at(-1) ?? '';
      expect(said).toContain('recover_text');
      // [A14]: where the client asks about every command, the tool alone is named.
      expect(said.includes('secateur recover')).toBe(client.asksAboutCommands !== true);
      expect(said.split(/[.;] (?=[A-Z])/)).toHaveLength(2);
    },
  );
});

function calling(tool_name: string, tool_input: object, details: object = {}): Fields {
  return { hook_event_name: 'PreToolUse', tool_name, tool_input, tool_use_id: 't9', ...details };
}

function answer(event: Fields, parts: HookParts = testHook()): Promise<Fields> {
  const [claudeCode] = HOOK_CLIENTS;
  if (claudeCode === undefined) throw new Error('no client');
  return answerEvent(claudeCode, event, parts);
}

async function refusalOf(tool: string, input: object, details: object = {}): Promise<string> {
  const { hookSpecificOutput } = await answer(calling(tool, input, details));
  const { permissionDecision, permissionDecisionReason } = hookSpecificOutput as Record<string, string>;
  expect(permissionDecision).toBe('deny');
  return permissionDecisionReason ?? '';
}
