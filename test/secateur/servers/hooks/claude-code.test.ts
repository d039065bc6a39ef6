import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Fields } from '../../../../packages/base/src/text/json.ts';
import { DEFAULT_SIZES } from '../../../../packages/engine/src/policy/policy.ts';
import { claudeCode } from '../../../../packages/secateur/src/servers/hooks/clients/claude-code.ts';
import { answerEvent } from '../../../../packages/secateur/src/servers/hooks/hook.ts';
import {
  agentCalls,
  agentSays,
  bashEvent,
  claudeEvent,
  claudeTranscript,
  hookSettings,
  readEvent,
  SOURCE,
  TEST_RUN,
  temporaryFile,
  testHook,
  toolGave,
  userSays,
} from '../../../support/hook-events.ts';

describe('a hook of Claude Code', () => {
  it('[A3] the hook returns a shortened Bash output in the format of the client', async () => {
    const event = bashEvent(TEST_RUN);
    const { stdout, ...rest } = await outputOf(event);
    expect(rest).toEqual({ stderr: '', interrupted: false, isImage: false, noOutputExpected: false });
    expect(stdout).toContain('not ok 301 - retries after a lost connection');
    expect(String(stdout).length).toBeLessThan(TEST_RUN.length / 2);
  });

  it('[A3] the hook reads an output that the client stored in a file, and removes the fields about that file', async () => {
    const persistedOutputPath = temporaryFile('output.txt', TEST_RUN);
    const response = {
      stdout: TEST_RUN.slice(0, 300),
      stderr: '',
      persistedOutputPath,
      persistedOutputSize: 1,
    };
    const output = await outputOf(bashEvent('', { tool_response: response }));
    expect(Object.keys(output)).toEqual(['stdout', 'stderr']);
    expect(output.stdout).toContain('not ok 301');
  });

  it('[A3] the hook leaves a long output in its file if the kept part would be longer than the preview of the client', async () => {
    const different = Array.from({ length: 4000 }, (_, index) => `error ${index}: ${index ** 3} failed`);
    const persistedOutputPath = temporaryFile('output.txt', different.join('\n'));
    const tool_response = { stdout: different.slice(0, 90).join('\n'), stderr: '', persistedOutputPath };
    expect(await answerEvent(claudeCode, bashEvent('', { tool_response }), testHook())).toEqual({});
  });

  it('[A3] the hook writes the line numbers of the file before the kept lines', async () => {
    const event = readEvent(SOURCE, {
      transcript_path: claudeTranscript(userSays('How long is the delay of retryDelay for each attempt?')),
    });
    const output = await outputOf(event);
    const file = output.file as Fields;
    const line = SOURCE.split('\n').indexOf('  return 100 * 2 ** attempt;') + 1;
    expect(file.content).toContain(`${line}│   return 100 * 2 ** attempt;`);
    expect(String(file.content).length).toBeLessThan(SOURCE.length / 2);
    const { content: _, ...before } = (event.tool_response as { file: Fields }).file;
    const { content: __, ...after } = file;
    expect(after).toEqual(before);
  });

  const found = Array.from(
    { length: 900 },
    (_, index) => `src/floor${Math.floor(index / 25)}.ts:${index}:waterFloor(${index})`,
  );
  const names = Array.from({ length: 900 }, (_, index) => `src/floors/floor-${index}/plants.ts`);
  it.each([
    ['Grep', { mode: 'content', numFiles: 0, filenames: [], content: found.join('\n'), numLines: 200 }],
    ['Grep', { mode: 'files_with_matches', filenames: names, numFiles: 200 }],
    ['Glob', { filenames: names, durationMs: 6, numFiles: 200, truncated: false }],
    ['WebFetch', { bytes: 1, code: 200, codeText: 'OK', result: TEST_RUN, durationMs: 3, url: 'http://x' }],
    ['mcp__ci__log', [{ type: 'text', text: TEST_RUN }]],
    ['mcp__ci__log', TEST_RUN],
  ])('[A3] the hook keeps the format of the result of %s', async (tool, response) => {
    const tool_input = { pattern: 'floor 7 retry', url: 'x', prompt: 'why does the retry test fail' };
    const output = await outputOf(claudeEvent(tool, { tool_input, tool_response: response }));
    expect(shapeOf(output)).toEqual(shapeOf(response));
    expect(JSON.stringify(output).length).toBeLessThan(JSON.stringify(response).length);
  });

  it.each([
    ['an image', 'Read', { type: 'image', file: { base64: 'A'.repeat(9000), type: 'image/png' } }],
    ['a notebook', 'Read', { type: 'notebook', file: { filePath: 'a.ipynb', cells: [{ source: SOURCE }] } }],
    ['an image a command printed', 'Bash', { stdout: TEST_RUN, stderr: '', isImage: true }],
    ['an edit', 'Edit', { filePath: 'a.ts', originalFile: SOURCE, oldString: 'a', newString: 'b' }],
    ['a written file', 'Write', { type: 'create', filePath: 'a.ts', content: SOURCE }],
    ['the output of an unknown tool', 'Teleport', { stdout: TEST_RUN }],
    ['lines named by number', 'Read', { type: 'text', file: { content: SOURCE, startLine: 7 } }],
    [
      'what a subagent reports',
      'Agent',
      { status: 'completed', content: [{ type: 'text', text: TEST_RUN }] },
    ],
    ['an image part', 'mcp__x__y', [{ type: 'image', data: 'A'.repeat(9000) }]],
  ])('[A3] the hook returns %s unchanged', async (_, tool, tool_response) => {
    expect(await answerEvent(claudeCode, claudeEvent(tool, { tool_response }), testHook())).toEqual({});
  });

  it('[A3] the hook returns failures unchanged, because the client does not let hooks change their output', async () => {
    const event = { ...bashEvent(''), hook_event_name: 'PostToolUseFailure', error: TEST_RUN };
    expect(await answerEvent(claudeCode, event, testHook())).toEqual({});
  });
});

describe('which outputs the hook of Claude Code shortens', () => {
  it('[A5] the hook shortens an output according to the latest user request in a transcript of any length', async () => {
    const noise = Array.from({ length: 40 }, () => toolGave('toolu_0', 'x'.repeat(20_000)));
    const path = claudeTranscript(
      userSays('Which floor has the cactus?'),
      ...noise,
      userSays('How long is the delay of retryDelay for each attempt?'),
      agentSays('I will look at retryDelay.'),
      agentCalls('toolu_1', 'Read', { file_path: '/project/src/plants.ts' }),
    );
    const { content } = (await outputOf(readEvent(SOURCE, { transcript_path: path }))).file as Fields;
    expect(content).toContain('return 100 * 2 ** attempt;');
    expect(content).not.toContain('can.pourIntoPot(100,');
  });

  it('[A5] the hook stores and logs nothing from the transcript', async () => {
    const parts = testHook();
    const secret = 'hunter2-is-what-the-user-typed';
    await answerEvent(
      claudeCode,
      bashEvent(TEST_RUN, { transcript_path: claudeTranscript(userSays(secret)) }),
      parts,
    );
    expect(parts.entries).toHaveLength(1);
    expect(JSON.stringify([parts.entries, parts.events])).not.toContain(secret);
  });

  it('[A6] the hook returns an output unchanged if it is too short for a marker', async () => {
    expect(await answerEvent(claudeCode, bashEvent(TEST_RUN.slice(0, 900)), testHook())).toEqual({});
  });

  it('[P29] the hook returns binary output unchanged, and shortens a text with one invalid character', async () => {
    const binary = bashEvent(TEST_RUN.replaceAll('ok', '\ufffd\ufffd'));
    expect(await answerEvent(claudeCode, binary, testHook())).toEqual({});
    const { stdout } = await outputOf(bashEvent(`caf\ufffd\n${TEST_RUN}`));
    expect(String(stdout).length).toBeLessThan(TEST_RUN.length / 2);
  });

  it('[A6] the hook returns a diff unchanged', async () => {
    const hunks = Array.from({ length: 60 }, (_, at) => [`@@ -${at},2 +${at},2 @@`, '-old', '+new', ' same']);
    const diff = ['diff --git a/x b/x', '--- a/x', '+++ b/x', ...hunks.flat()].join('\n');
    expect(await answerEvent(claudeCode, bashEvent(diff), testHook())).toEqual({});
  });

  it.each(['git show HEAD', 'git diff main', 'cd app && git log -p -3'])(
    '[A6] the hook returns the output of %s unchanged up to 20,000 characters',
    async (command) => {
      const text = TEST_RUN.slice(-19_000);
      const printed = (by: string) => bashEvent(text, { tool_input: { command: by } });
      expect(await answerEvent(claudeCode, printed(command), testHook())).toEqual({});
      expect(await answerEvent(claudeCode, printed('npm test'), testHook())).not.toEqual({});
    },
  );

  it.each(['src/*.ts', '**/plants.ts', 'plants.ts', '/project/src/**'])(
    '[A6] the hook returns files unchanged that the user excluded by %s',
    async (glob) => {
      const settings = { ...hookSettings, exclude: [glob] };
      expect(await answerEvent(claudeCode, readEvent(SOURCE), testHook({ settings }))).toEqual({});
      expect(await answerEvent(claudeCode, readEvent(SOURCE), testHook())).not.toEqual({});
    },
  );

  it('[P54] [P58] the hook shortens a file if the request mentions one function, but not if it is about all functions', async () => {
    const answerTo = (question: string) =>
      answerEvent(
        claudeCode,
        readEvent(SOURCE, { transcript_path: claudeTranscript(userSays(question)) }),
        testHook(),
      );
    expect(await answerTo('Which floor has the cactus? Look at plants.ts.')).toEqual({});
    expect(await answerTo('Why does retryDelay wait so long? Look at plants.ts.')).not.toEqual({});
  });

  it.each(['mcp__secateur__read', 'mcp__plugin_secateur_secateur__read', 'mcp__anything__recover_text'])(
    '[A6] the hook returns the result of %s unchanged, because it is already shortened or recovered',
    async (tool) => {
      expect(
        await answerEvent(claudeCode, claudeEvent(tool, { tool_response: TEST_RUN }), testHook()),
      ).toEqual({});
    },
  );

  it('[A6] the hook returns lines unchanged that the agent recovered in its shell', async () => {
    const tool_input = { command: 'secateur recover prn_7M2Q4K8T3V 1-400' };
    expect(await answerEvent(claudeCode, bashEvent(TEST_RUN, { tool_input }), testHook())).toEqual({});
  });

  it('[A6] the hook returns a repeated read unchanged if the read directly before was shortened', async () => {
    const input = { file_path: '/project/src/plants.ts' };
    const cut = await outputOf(readEvent(SOURCE));
    const first = [
      agentCalls('toolu_0', 'Read', input),
      toolGave('toolu_0', String((cut.file as Fields).content)),
    ];
    const again = claudeTranscript(
      userSays('How long is the delay of retryDelay for each attempt?'),
      ...first,
      agentCalls('toolu_1', 'Read', input),
    );
    expect(await answerEvent(claudeCode, readEvent(SOURCE, { transcript_path: again }), testHook())).toEqual(
      {},
    );
    const other = agentCalls('toolu_1', 'Read', { file_path: '/project/src/other.ts' });
    const elsewhere = claudeTranscript(
      userSays('How long is the delay of retryDelay for each attempt?'),
      ...first,
      other,
    );
    expect(
      await answerEvent(
        claudeCode,
        readEvent(SOURCE, { transcript_path: elsewhere, tool_input: { file_path: '/project/src/other.ts' } }),
        testHook(),
      ),
    ).not.toEqual({});
  });

  it('[A10] the hook writes one headline and a short marker per gap', async () => {
    const stdout = String((await outputOf(bashEvent(TEST_RUN))).stdout);
    expect(stdout).toMatch(
      /^✂ (prn_\w+): \d+ of 502 lines cut in \d+ gaps?; recover_text or `secateur recover \1 A-B,C-D` \(lines of this output\)\n/,
    );
    const gaps = stdout
      .split('\n')
      .slice(1)
      .filter((line) => line.startsWith('✂'));
    expect(gaps.length).toBeGreaterThan(0);
    for (const gap of gaps) expect(gap).toMatch(/^✂ \d+-\d+(?: \(.*\))?$/);
  });

  it('[A1] the hook records the savings with the name of the client', async () => {
    const parts = testHook();
    await answerEvent(claudeCode, bashEvent(TEST_RUN), parts);
    expect(parts.entries).toMatchObject([
      { kind: 'cut', system: 'hook', client: 'claude-code', tool: 'Bash' },
    ]);
    const [entry] = parts.entries;
    expect(entry?.tokensAfter).toBeLessThan(entry?.tokensBefore ?? 0);
  });
});

describe('the hook of Claude Code with files and line numbers', () => {
  it.each([
    ['the whole file in the shell', 'Bash', { command: 'cat /project/src/plants.ts' }],
    ['some of its lines by number', 'Bash', { command: 'cd /project/src && nl -ba plants.ts' }],
  ])('[A14] the hook returns %s unchanged if a read of the file was shortened', async (_, tool, input) => {
    const cut = await outputOf(readEvent(SOURCE));
    const transcript_path = claudeTranscript(
      userSays('How long is the delay of retryDelay for each attempt?'),
      agentCalls('toolu_0', 'Read', { file_path: '/project/src/plants.ts' }),
      toolGave('toolu_0', String((cut.file as Fields).content)),
      agentCalls('toolu_5', 'Bash', { command: 'npm test' }),
      toolGave('toolu_5', 'all tests passed'),
      agentCalls('toolu_1', tool, input),
    );
    const event = bashEvent(SOURCE, { tool_input: input, transcript_path });
    expect(await answerEvent(claudeCode, event, testHook())).toEqual({});
    const other = bashEvent(SOURCE, {
      tool_input: { command: 'cat /project/src/other.ts' },
      transcript_path,
    });
    expect(await answerEvent(claudeCode, other, testHook())).not.toEqual({});
  });

  it('[A16] the hook numbers the lines of a long read as in the file, and the numbers of a marker recover the lines of the file', async () => {
    const sizes = { ...DEFAULT_SIZES, maxUnchangedChars: 8000 };
    const parts = testHook({ policy: { sizes, disabledRules: [] } });
    const content = SOURCE.repeat(2);
    const event = readEvent(content, {
      tool_input: { file_path: '/project/src/plants.ts', offset: 501 },
      tool_response: { type: 'text', file: { filePath: '/project/src/plants.ts', content, startLine: 501 } },
    });
    const shown = String(((await outputOf(event, parts)).file as Fields).content);
    const [head = '', ...rest] = shown.split('\n');
    expect(head).toMatch(/\(lines of the file\)$/);
    const lines = content.split('\n');
    const kept = rest.find((line) => /^\d+│ /.test(line)) ?? '';
    const [number = '', text] = kept.split('│ ');
    expect(lines[Number(number) - 501]).toBe(text);
    const id = /prn_\w+/.exec(head)?.[0] ?? '';
    const gap = rest.find((line) => line.startsWith('✂ ')) ?? '';
    const [start = 0, end = 0] = (/(\d+)-(\d+)/.exec(gap) ?? []).slice(1).map(Number);
    expect(start).toBeGreaterThan(500);
    const { texts } = await parts.recovery.recover(id, [{ start, end }]);
    expect(texts).toEqual([lines.slice(start - 501, end - 500).join('\n')]);
  });

  it('[P51] the hook returns a short read with an offset unchanged', async () => {
    const event = readEvent(SOURCE.slice(0, 9000), {
      tool_input: { file_path: 'plants.ts', offset: 1, limit: 300 },
    });
    expect(await answerEvent(claudeCode, event, testHook())).toEqual({});
  });

  it('[A14] the headline of the hook mentions only recover_text if the recovery command is long', async () => {
    const parts = testHook({ program: 'node /home/someone/secateur/dist/main/secateur.js' });
    const stdout = String((await outputOf(bashEvent(TEST_RUN), parts)).stdout);
    expect(stdout).toMatch(/^✂ prn_\w+: .*; recover_text \(lines of this output\)\n/);
  });

  it('[A15] the hook reads the transcript of the calling subagent, and explains markers to the subagent', async () => {
    const transcript_path = claudeTranscript(userSays('Which floor has the cactus?'));
    const folder = join(transcript_path.replace('.jsonl', ''), 'subagents');
    mkdirSync(folder, { recursive: true });
    const asked = userSays('How long is the delay of retryDelay for each attempt?');
    writeFileSync(join(folder, 'agent-a1.jsonl'), JSON.stringify(asked));
    const event = readEvent(SOURCE, { transcript_path, agent_id: 'a1', agent_type: 'Explore' });
    const { content } = (await outputOf(event)).file as Fields;
    expect(content).toContain('return 100 * 2 ** attempt;');
    const start = { hook_event_name: 'SubagentStart', agent_id: 'a1', agent_type: 'Explore' };
    expect(await answerEvent(claudeCode, start, testHook())).toMatchObject({
      hookSpecificOutput: {
        hookEventName: 'SubagentStart',
        additionalContext: expect.stringContaining('recover_text'),
      },
    });
  });

  it('[P58] the hook removes nothing by a disabled rule, and shortens no output below the configured sizes', async () => {
    const disabledRules = ['unrelated-units', 'licence-header'] as const;
    for (const policy of [{ disabledRules }, { sizes: { ...DEFAULT_SIZES, minDumpChars: 1_000_000 } }])
      expect(await answerEvent(claudeCode, readEvent(SOURCE), testHook({ policy }))).toEqual({});
  });

  it('[A16] the hook uses the line numbers that `cat -n` prints, and the headline mentions printed numbers', async () => {
    const parts = testHook();
    const numbered = SOURCE.split('\n').map((line, at) => `${String(at + 101).padStart(6)}\t${line}`);
    const tool_input = {
      command: 'cat -n src/plants.ts',
      description: 'How long is the delay of retryDelay?',
    };
    const stdout = String((await outputOf(bashEvent(numbered.join('\n'), { tool_input }), parts)).stdout);
    const [head = '', ...rest] = stdout.split('\n');
    expect(head).toMatch(/\(numbers as shown; no gap holds retryDelay\)$/);
    const markers = rest.filter((line) => line.startsWith('✂ '));
    expect(markers.length).toBeGreaterThan(0);
    const id = /prn_\w+/.exec(head)?.[0] ?? '';
    for (const marker of markers) {
      const [start = 0, end = 0] = (/(\d+)-(\d+)/.exec(marker) ?? []).slice(1).map(Number);
      const { texts } = await parts.recovery.recover(id, [{ start, end }]);
      expect(texts).toEqual([numbered.slice(start - 101, end - 100).join('\n')]);
    }
  });

  it('[P52] the transcript reader finds the time of each result, and finds each compaction', () => {
    const at = '2026-11-18T01:00:00.000Z';
    const lines = [
      { ...toolGave('toolu_0', 'a.ts'), timestamp: at },
      { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted' },
      { ...userSays('This session goes on after a summary.'), isCompactSummary: true },
      { type: 'system', subtype: 'microcompact_boundary' },
      { type: 'system', subtype: 'informational' },
    ];
    expect(lines.flatMap(claudeCode.readEntry)).toEqual([
      { kind: 'result', id: 'toolu_0', text: 'a.ts', at: Date.parse(at) },
      { kind: 'compaction' },
      { kind: 'compaction' },
      { kind: 'user', text: 'This session goes on after a summary.' },
      { kind: 'compaction' },
    ]);
  });
});

async function outputOf(event: Fields, parts = testHook()): Promise<Record<string, unknown>> {
  const { hookSpecificOutput } = await answerEvent(claudeCode, event, parts);
  expect(hookSpecificOutput).toMatchObject({ hookEventName: 'PostToolUse' });
  return (hookSpecificOutput as { updatedToolOutput: Record<string, unknown> }).updatedToolOutput;
}

/** Returns the value with every string replaced by its type, and lists of strings by one type. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value))
    return value.every((each) => typeof each === 'string') ? ['string'] : value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]));
}
