import { describe, expect, it } from 'vitest';
import type { Fields } from '../../../../packages/base/src/text/json.ts';
import { textParts } from '../../../../packages/secateur/src/servers/hooks/client.ts';
import { HOOK_CLIENTS } from '../../../../packages/secateur/src/servers/hooks/clients.ts';
import { answerEvent, type HookDeps } from '../../../../packages/secateur/src/servers/hooks/hook.ts';
import {
  agentCalls,
  claudeTranscript,
  hookSettings,
  testHook,
  toolGave,
} from '../../../support/hook-events.ts';

const CANONICAL = '⟦PRUNÉ: prune_id=prn_7M2Q4K8T3V lignes 36-47 (12) raison=hors focus⟧';
const COMPACT = '✂ prn_7M2Q4K8T3V: 12 of 261 lines cut in 1 gap; recover_text gives lines back by number';
const MASKED = 'x\n... [KIMI_PROXY_OBSERVATION_MASKED original_chars=9000 head=10 tail=10] ...\nx';

describe('the hook that refuses to write markers', () => {
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
    '[A8] the write guard refuses %s of a marker and states how to recover its lines',
    async (tool, input) => {
      const reason = await refusalOf(tool, input);
      expect(reason).toContain(
        'recover_text {"prune_id":"prn_7M2Q4K8T3V","ranges":[{"start_line":36,"end_line":47}]}',
      );
      expect(reason).toContain('secateur recover prn_7M2Q4K8T3V 36-47');
    },
  );

  it('[A8] the write guard finds the prune id of a compact marker in the transcript', async () => {
    const transcript_path = claudeTranscript(
      toolGave('t1', `✂ prn_AAAAAAAAAA: cut\n✂ 5-9`),
      toolGave('t2', `${COMPACT}\n✂ 36-47`),
    );
    const reason = await refusalOf('Write', { content: 'a\n✂ 36-47\nb' }, { transcript_path });
    expect(reason).toContain('secateur recover prn_7M2Q4K8T3V 36-47');
  });

  it('[A8] the write guard refuses the marker of a masked text', async () => {
    expect(await refusalOf('Write', { content: MASKED })).toContain('recover_text');
  });

  it('[A8] the write guard accepts a text that only mentions markers, and never decides for the user', async () => {
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

  it('[A8] the write guard accepts markers only in files that a setting lists', async () => {
    const settings = { ...hookSettings, markersAllowedIn: ['docs/**'] };
    const writes = (file_path: string) =>
      answer(calling('Write', { file_path, content: CANONICAL }, { cwd: '/p' }), testHook({ settings }));
    expect(await writes('/p/docs/markers.md')).toEqual({});
    expect(await writes('/p/src/docs.ts')).not.toEqual({});
    const command = `cat > docs/markers.md <<'EOF'\n${CANONICAL}\nEOF`;
    expect(await answer(calling('Bash', { command }), testHook({ settings }))).not.toEqual({});
  });

  it('[A8] the write guard accepts all markers if it is switched off', async () => {
    const settings = { ...hookSettings, writeGuard: false };
    const parts = testHook({ settings });
    expect(await answer(calling('Write', { content: CANONICAL }), parts)).toEqual({});
  });
});

/** A conversation in which one output was cut: gap 36-47 of prn_7M2Q4K8T3V. */
const SHOWN = () => ({ transcript_path: claudeTranscript(toolGave('t1', `${COMPACT}\na\n✂ 36-47\nb`)) });
const RECOVERY = 'secateur recover prn_7M2Q4K8T3V 36-47';

describe('write guard for disguised markers', () => {
  const disguises = [
    ['a comment sign before it', '// ✂ 36-47'],
    ['another comment sign before it', '<!-- ✂ 36-47 -->'],
    ['code and a comment sign before it', 'run(); # ✂ 36-47'],
    ['words after it', '✂ 36-47 (body of retryDelay) unchanged'],
    ['the emoji form', '✂\ufe0f 36-47'],
    ['a no-break space', '✂\u00a036-47'],
    ['a zero-width character', '✂ 3\u200b6-47'],
    ['an en dash', '✂ 36–47'],
    ['no space', '✂36-47'],
    ['other scissors', '✄ 36-47'],
    ['full-width digits', '✂ ３６-４７'],
    ['lower case', '⟦pruné: prune_id=prn_7m2q4k8t3v lignes 36-47 (12) raison=hors focus⟧'],
    ['a decomposed É', '⟦PRUNE\u0301: prune_id=prn_7M2Q4K8T3V lignes 36-47 (12) raison=hors focus⟧'],
    ['a comment sign before the long form', '# ⟦PRUNÉ: prune_id=prn_7M2Q4K8T3V lignes 36-47⟧'],
    ['a comment sign before the first line', '// ✂ prn_7M2Q4K8T3V: 12 of 261 lines cut in 1 gap'],
  ] as const;

  it.each(disguises)('[X28] the write guard refuses a marker with %s if it was shown', async (_, line) => {
    const write = calling('Write', { file_path: '/p/a.ts', content: `a\n${line}\nb\n` });
    expect(textParts(await answer({ ...write, ...SHOWN() })).at(-1)).toContain('recover prn_7M2Q4K8T3V');
    const isExact = line.startsWith('⟦PRUNÉ');
    const elsewhere = { transcript_path: claudeTranscript(toolGave('t1', '✂ prn_AAAAAAAAAA: x\n✂ 5-9')) };
    if (!isExact) expect(await answer({ ...write, ...elsewhere })).toEqual({});
  });

  it.each([
    'echo "✂ 36-47" >> f',
    "printf 'a\\n✂ 36-47\\nb\\n' > f",
    'printf "a\\n✂ 36-47\\n" > f',
    'echo ✂ 36-47 | tee -a f',
    "sed -i '35a ✂ 36-47' f",
    "sed --in-place 's/^x$/✂ 36-47/' f",
    "cat > f <<'EOF'\na\n# ✂ 36-47\nEOF",
    "cat <<'EOF' > f\na\n✂ 36-47\nEOF",
    `python3 -c "open('f', 'a').write('✂ 36-47\\n')"`,
    `python3 -c "open('f', 'a').write('\\u2702 36-47')"`,
    `python3 - <<'EOF'\nfrom pathlib import Path\nPath('f').write_text('a\\n✂ 36-47\\n')\nEOF`,
    `node -e "require('fs').appendFileSync('f', '✂ 36-47')"`,
    "perl -pi -e 's/x/✂ 36-47/' f",
    `bash -c 'echo "✂ 36-47" >> f'`,
    'cd app && MARK="✂ 36-47" && echo "$MARK" > f',
    `printf '\\342\\234\\202 36-47' > f`,
  ])('[X28] the write guard refuses the shell command %s after the gap was shown', async (command) => {
    expect(await refusalOf('Bash', { command }, SHOWN())).toContain(RECOVERY);
  });

  it('[X28] the write guard refuses a shell command that writes an exact marker line, shown before or not', async () => {
    expect(await refusalOf('Bash', { command: 'echo "✂ 36-47" >> f' })).toContain('recover');
    expect(await refusalOf('Bash', { command: `printf 'a\\n${CANONICAL}\\n' > f` })).toContain(RECOVERY);
  });

  it.each([
    ['mcp__files__write_file', { path: 'a.ts', content: 'a\n// ✂ 36-47\nb' }],
    ['mcp__files__edit_file', { path: 'a.ts', edits: [{ oldText: 'x', newText: '✂ 36–47' }] }],
    ['mcp__desk__put', { target: 'a.ts', lines: ['a', '✂ 36-47 and more', 'b'] }],
    ['mcp__shell__exec', { command: 'echo "✂ 36-47" >> f' }],
    ['mcp__secateur__bash', { command: 'echo "✂ 36-47" >> f' }],
  ])('[X28] the write guard refuses %s of a disguised marker that was shown', async (tool, input) => {
    expect(await refusalOf(tool, input, SHOWN())).toContain(RECOVERY);
  });

  it.each([
    ['Bash', { command: 'secateur recover prn_7M2Q4K8T3V 36-47' }],
    ['Bash', { command: 'secateur recover prn_7M2Q4K8T3V 36-47 > lines.txt' }],
    ['Bash', { command: 'grep -rn "✂ 36-47" src' }],
    ['Bash', { command: 'rg -F "✂ 36-47" src > found.txt' }],
    ['Bash', { command: "sed -n '/✂ 36-47/p' f > found.txt" }],
    ['Bash', { command: 'echo "looking for ✂ 36-47"' }],
    ['Bash', { command: 'git commit -m "docs: explain ✂ 36-47"' }],
    ['Bash', { command: 'grep -q "✂ 36-47" f && echo broken > state' }],
    ['Bash', { command: 'if [ "$(head -1 f)" = "✂ 36-47" ]; then touch broken; fi 2>&1' }],
    ['Write', { content: 'The line `✂ 36-47` stands for lines 36 to 47.' }],
    ['Write', { content: 'A marker such as ✂ 36-47 stands for lines that were cut.' }],
    ['Write', { content: '- `✂ 36-47`: twelve lines' }],
    ['Write', { content: "const marker = '✂ 36-47';" }],
    ['Edit', { old_string: 'a\n✂ 36-47\nb', new_string: 'the real lines' }],
    ['apply_patch', { command: '*** Begin Patch\n*** Update File: a\n@@\n-✂ 36-47\n+real\n*** End Patch' }],
    ['mcp__files__search_files', { path: '.', pattern: '✂ 36-47' }],
    ['mcp__x__grep', { text: '✂ 36-47' }],
    ['mcp__secateur__recover_text', { prune_id: 'prn_7M2Q4K8T3V', ranges: [{ start_line: 36 }] }],
    ['mcp__secateur__prune_text', { text: '✂ 36-47', goal: 'x' }],
  ])('[X28] the write guard accepts %s of %j', async (tool, input) => {
    expect(await answer(calling(tool, { file_path: '/p/a.ts', ...input }, SHOWN()))).toEqual({});
  });

  it('[X28] the write guard checks a megabyte of disguised markers and normal text within its time limit', async () => {
    const content = `${'✂ 1-2 '.repeat(100_000)}\n${'x'.repeat(500_000)}\n// ✂ 36-47\n`;
    expect(await refusalOf('Write', { content }, SHOWN())).toContain(RECOVERY);
  });
});

describe('the write guard and files that the agent saw with gaps', () => {
  const path = '/p/a.ts';
  const read = [
    agentCalls('r1', 'Read', { file_path: path }),
    toolGave('r1', `1→${COMPACT}\n2→1│ a\n3→✂ 36-47\n4→✂ 80-92`),
  ];
  const written = { file_path: path, content: 'a new file\n' };
  const writeAfter = (...more: readonly object[]) =>
    answer(calling('Write', written, { cwd: '/p', transcript_path: claudeTranscript(...read, ...more) }));

  it('[A23] the write guard refuses once to overwrite a file that was shown with gaps, and lists the hidden lines', async () => {
    const reason = String(textParts(await writeAfter()).at(-1));
    expect(reason).toContain('not shown lines 36-47,80-92');
    expect(reason).toContain('secateur recover prn_7M2Q4K8T3V 36-47,80-92');
    const refused = [agentCalls('w1', 'Write', written), toolGave('w1', `Error: ${reason}`)];
    expect(await writeAfter(...refused)).toEqual({});
    const again = [agentCalls('r2', 'Read', { file_path: path }), toolGave('r2', `${COMPACT}\n✂ 36-47`)];
    expect(textParts(await writeAfter(...refused, ...again)).at(-1)).toContain('not shown lines 36-47.');
  });

  it.each([
    [
      'recover_text',
      'mcp__secateur__recover_text',
      { prune_id: 'prn_7M2Q4K8T3V', ranges: [{ start_line: 36, end_line: 92 }] },
    ],
    ['secateur recover', 'Bash', { command: 'secateur recover prn_7M2Q4K8T3V 36-47,80-92' }],
    ['recover_text of everything', 'mcp__secateur__recover_text', { prune_id: 'prn_7M2Q4K8T3V' }],
    ['a second read', 'Read', { file_path: path }],
    ['a read of the lines', 'Read', { file_path: path, offset: 30, limit: 70 }],
    ['a command that prints the file', 'Bash', { command: 'cat a.ts' }],
  ])('[A23] the write guard accepts a Write after %s showed the lines', async (_, tool, input) => {
    expect(await writeAfter(agentCalls('c1', tool, input), toolGave('c1', 'the lines'))).toEqual({});
  });

  it('[A23] the write guard lists the remaining hidden lines after a part of them was recovered', async () => {
    const recovery = agentCalls('c1', 'Bash', { command: 'secateur recover prn_7M2Q4K8T3V 36-40' });
    expect(textParts(await writeAfter(recovery, toolGave('c1', 'the lines'))).at(-1)).toContain(
      'lines 41-47,80-92.',
    );
  });

  it('[A23] the write guard accepts every Edit, and accepts a Write to a file that was shown completely or not at all', async () => {
    const transcript_path = claudeTranscript(...read);
    const details = { cwd: '/p', transcript_path };
    const edit = calling('Edit', { file_path: path, old_string: 'a', new_string: 'b' }, details);
    expect(await answer(edit)).toEqual({});
    expect(await answer(calling('Write', { ...written, file_path: '/p/b.ts' }, details))).toEqual({});
    const whole = claudeTranscript(agentCalls('r1', 'Read', { file_path: path }), toolGave('r1', '1→a'));
    expect(await answer(calling('Write', written, { ...details, transcript_path: whole }))).toEqual({});
  });
});

describe('the hook at the start of an agent session', () => {
  it.each(HOOK_CLIENTS.map((client) => [client.name, client] as const))(
    '[A7] the session-start hook explains to %s in two sentences what a marker is',
    async (_, client) => {
      const event = { hook_event_name: 'SessionStart', source: 'startup', hook: 'session' };
      const said = textParts(await answerEvent(client, event, testHook())).at(-1) ?? '';
      expect(said).toContain('recover_text');
      // [A14] If the client asks about every command, only the tool is named.
      expect(said.includes('secateur recover')).toBe(client.asksAboutCommands !== true);
      expect(said.split(/[.;] (?=[A-Z])/)).toHaveLength(2);
    },
  );
});

function calling(tool_name: string, tool_input: object, details: object = {}): Fields {
  return { hook_event_name: 'PreToolUse', tool_name, tool_input, tool_use_id: 't9', ...details };
}

function answer(event: Fields, parts: HookDeps = testHook()): Promise<Fields> {
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
