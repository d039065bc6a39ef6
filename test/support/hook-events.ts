import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type EventLog, type LogEvent, silentLog } from '../../packages/base/src/runtime/event-log.ts';
import { systemClock } from '../../packages/base/src/runtime/time.ts';
import { DEFAULT_LEAST } from '../../packages/engine/src/request.ts';
import type { SavingsEntry } from '../../packages/secateur/src/savings/ledger.ts';
import type { HookDeps, HookSettings } from '../../packages/secateur/src/servers/hooks/hook.ts';
import { testPruner } from './pruner.ts';

export const hookSettings: HookSettings = {
  enabled: true,
  timeoutMs: 20_000,
  exclude: [],
  excludeCommands: [],
  writeGuard: true,
  markersAllowedIn: [],
  markers: 'compact',
  recoverTool: true,
  shownMaxTokens: 40_000,
  shownMaxAgeMinutes: 60,
};

export interface TestHook extends HookDeps {
  readonly entries: Omit<SavingsEntry, 'at'>[];
  readonly events: LogEvent[];
  readonly recovery: ReturnType<typeof testPruner>['recovery'];
}

/** The parts of a hook with the real engine on a memory store. */
export function testHook(change: Partial<HookDeps> & { settings?: HookSettings } = {}): TestHook {
  const pruner = testPruner();
  const entries: Omit<SavingsEntry, 'at'>[] = [];
  const events: LogEvent[] = [];
  const log: EventLog = { emit: (event) => void events.push(event) };
  return {
    pruner: async () => pruner,
    ledger: { record: (entry) => void entries.push(entry) },
    clock: systemClock,
    log: change.log ?? log ?? silentLog,
    settings: hookSettings,
    least: DEFAULT_LEAST,
    program: 'secateur',
    access: 'all',
    home: { env: CLIENT_ENV, homeDir: '/nowhere' },
    ...change,
    entries,
    events,
    recovery: pruner.recovery,
  };
}

/** Output of a chatty test run: one failure among hundreds of passing lines. */
export const TEST_RUN = [
  ...Array.from({ length: 300 }, (_, index) => `  ok ${index + 1} - stores the plant of floor ${index}`),
  '  not ok 301 - retries after a lost connection',
  '    Error: expected the delay to be 200, got 100 at src/retry.ts:42:11',
  ...Array.from({ length: 200 }, (_, index) => `  ok ${index + 302} - waters the plant of floor ${index}`),
].join('\n');

/** A file of long functions about plants, and one short one about retries. */
export const SOURCE = [
  ...Array.from({ length: 12 }, (_, floor) => [
    `/** Waters the plants of floor ${floor}. */`,
    `export function waterFloor${floor}(can: WateringCan): void {`,
    ...Array.from(
      { length: 25 },
      (_, pot) => `  can.pourIntoPot(${floor * 31 + pot}, { litres: ${pot / 4} });`,
    ),
    '}',
    '',
  ]).flat(),
  'export function retryDelay(attempt: number): number {',
  '  return 100 * 2 ** attempt;',
  '}',
  '',
].join('\n');

/** One folder for all clients, in which Claude Code and Codex keep their transcripts. */
const CLIENT_FOLDER = mkdtempSync(join(tmpdir(), 'secateur-clients-'));
mkdirSync(join(CLIENT_FOLDER, 'projects'));
symlinkSync('projects', join(CLIENT_FOLDER, 'sessions'));
process.once('exit', () => rmSync(CLIENT_FOLDER, { recursive: true, force: true }));

/** A conversation about the short function of `SOURCE`. Without a task, no part of a file is unrelated. */
const ASKING = join(CLIENT_FOLDER, 'projects', 'asking.jsonl');
const ASKED = { type: 'user', message: { role: 'user', content: 'Why does the retry policy give up?' } };
writeFileSync(ASKING, `${JSON.stringify(ASKED)}\n`);

/** Variables with the client folders of these tests, for hooks. */
export const CLIENT_ENV = {
  CLAUDE_CONFIG_DIR: CLIENT_FOLDER,
  CODEX_HOME: CLIENT_FOLDER,
  COPILOT_HOME: CLIENT_FOLDER,
};

/** Writes a file into the folder of the clients. */
export function temporaryFile(name: string, text: string): string {
  const folder = mkdtempSync(join(CLIENT_FOLDER, 'projects', 'secateur-hook-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** A transcript as Claude Code writes it. */
export function claudeTranscript(...lines: readonly object[]): string {
  return temporaryFile('session.jsonl', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

export const userSays = (text: string) => ({ type: 'user', message: { role: 'user', content: text } });
export const agentSays = (text: string) => ({
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'text', text }] },
});
export const agentCalls = (id: string, name: string, input: object) => ({
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
});
export const toolGave = (id: string, text: string) => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] },
});

/** An event of Claude Code after a tool has answered. */
export function claudeEvent(tool: string, details: object): Record<string, unknown> {
  return {
    session_id: 'b913fa88-713e-443e-87b8-a006b90cd778',
    transcript_path: '/nowhere/session.jsonl',
    cwd: '/project',
    permission_mode: 'default',
    hook_event_name: 'PostToolUse',
    tool_name: tool,
    tool_input: {},
    tool_use_id: 'toolu_1',
    duration_ms: 29,
    ...details,
  };
}

export function bashEvent(stdout: string, details: object = {}): Record<string, unknown> {
  return claudeEvent('Bash', {
    tool_input: { command: 'npm test', description: 'Find out why the retry test fails' },
    tool_response: { stdout, stderr: '', interrupted: false, isImage: false, noOutputExpected: false },
    ...details,
  });
}

export function readEvent(content: string, details: object = {}): Record<string, unknown> {
  const numLines = content.split('\n').length;
  return claudeEvent('Read', {
    transcript_path: ASKING,
    tool_input: { file_path: '/project/src/plants.ts' },
    tool_response: {
      type: 'text',
      file: { filePath: '/project/src/plants.ts', content, numLines, startLine: 1, totalLines: numLines },
    },
    ...details,
  });
}
