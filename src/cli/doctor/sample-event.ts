import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a chatty test run prints: one failure among many passing lines. */
export const SAMPLE_OUTPUT = [
  ...Array.from({ length: 90 }, (_, at) => `  ✓ test ${at + 1}: the watering can of floor ${at} is full`),
  '  ✗ test 91: a lost connection is tried again',
  '    Error: expected a delay of 200 ms, got 100 ms',
  '        at retryDelay (src/retry.ts:42:11)',
  ...Array.from({ length: 60 }, (_, at) => `  ✓ test ${at + 92}: the plant of floor ${at} was watered`),
  '150 passed, 1 failed',
].join('\n');

export interface Sample {
  readonly event: object;
  /** What the agent would read, if the hook answered so. */
  shownIn(answer: string): string | undefined;
  remove(): void;
}

/** A Bash call as the client tells of it, after it has run. */
export function sampleEvent(client: string): Sample {
  const folder = mkdtempSync(join(tmpdir(), 'secateur-doctor-'));
  const transcript_path = join(folder, 'transcript.jsonl');
  writeFileSync(transcript_path, TRANSCRIPTS[client] ?? '');
  const common = {
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_use_id: 'sample',
    transcript_path,
  };
  const tool_input = { command: 'npm test', description: 'Find out why the retry test fails' };
  const stdout = { stdout: SAMPLE_OUTPUT, stderr: '', interrupted: false, isImage: false };
  const tool_response = client === 'codex' ? SAMPLE_OUTPUT : stdout;
  return {
    event: { ...common, tool_input, tool_response },
    shownIn,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Only the transcript of Codex knows how a command ended. */
const TRANSCRIPTS: Readonly<Record<string, string>> = {
  codex: `${JSON.stringify({
    type: 'event_msg',
    payload: { type: 'item_completed', item: { type: 'CommandExecution', id: 'sample', exit_code: 1 } },
  })}\n`,
};

interface Answer {
  readonly reason?: string;
  readonly hookSpecificOutput?: { readonly updatedToolOutput?: { readonly stdout?: string } };
}

function shownIn(answer: string): string | undefined {
  try {
    const { reason, hookSpecificOutput } = JSON.parse(answer) as Answer;
    return reason ?? hookSpecificOutput?.updatedToolOutput?.stdout;
  } catch {
    return undefined;
  }
}
