import { lstatSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { attempt } from '@secateur/base/runtime/domain-error.ts';
import { isFields } from '@secateur/base/text/json.ts';
import type { EventReader, FailedCommand } from '../../client.ts';
import { entriesBefore, eventFiles, type TranscriptEntry } from '../../transcript.ts';

type Call = Extract<TranscriptEntry, { kind: 'call' }>;

/**
 * Waiting times in ms before each attempt to read the transcripts. Claude Code writes a call up to 100 ms
 * after the command was started. A command that fails immediately has ended by then.
 */
const WAITS_MS = [0, 60, 120, 240];

/** Maximum number of subagent transcripts that are read. Fewer subagents run concurrently. */
const MAX_SUBAGENTS = 16;

/**
 * Returns the call that the agent waits for, and its agent. It is the call with this command and without a
 * result, in the transcript of the session or a subagent. A background task gets a result (its file name)
 * when it starts, so it does not match.
 */
export async function findWaitingCall(
  { path, line }: Pick<FailedCommand, 'path' | 'line'>,
  { projects, tasks }: { projects: string; tasks: string },
  { readEntry }: Pick<EventReader, 'readEntry'>,
) {
  // The path has the form PROJECT/SESSION/tasks/ID.output.
  const [project, session, folder, file = ''] = relative(tasks, path).split('/');
  if (project === undefined || session === undefined || folder !== 'tasks') return undefined;
  const files = eventFiles({ transcripts: [projects] }, { access: 'transcripts' });
  const command = { line: bare(line), taskId: file.replace(/\.output$/, '') };
  const own = join(projects, project, session);
  for (const waitMs of WAITS_MS) {
    await setTimeout(waitMs);
    for (const transcript of [{ path: `${own}.jsonl`, agentId: undefined }, ...subagentsOf(own)]) {
      const asked = { tool: 'Bash', source: { kind: 'other' }, transcriptPath: transcript.path } as const;
      const call = waitingCall(await entriesBefore(asked, { readEntry }, files), command);
      if (call === 'background') return undefined;
      if (call !== undefined) return { ...call, transcriptPath: `${own}.jsonl`, agentId: transcript.agentId };
    }
  }
  return undefined;
}

function subagentsOf(session: string): { path: string; agentId: string }[] {
  const folder = join(session, 'subagents');
  const found = (attempt(() => readdirSync(folder)) ?? []).flatMap((name) => {
    const agentId = /^agent-([\w-]+)\.jsonl$/.exec(name)?.[1];
    const path = join(folder, name);
    return agentId === undefined ? [] : [{ path, agentId, at: attempt(() => lstatSync(path))?.mtimeMs ?? 0 }];
  });
  return found.sort((left, right) => right.at - left.at).slice(0, MAX_SUBAGENTS);
}

function waitingCall(
  entries: readonly TranscriptEntry[],
  { line, taskId }: { line: string; taskId: string },
): Call | 'background' | undefined {
  const results = entries.filter((entry) => entry.kind === 'result');
  if (results.some(({ text }) => text.includes(taskId))) return 'background';
  const answered = new Set(results.map(({ id }) => id));
  const isWaiting = (entry: TranscriptEntry): entry is Call => {
    if (entry.kind !== 'call' || answered.has(entry.id) || entry.tool !== 'Bash') return false;
    const { command, run_in_background } = isFields(entry.input) ? entry.input : { run_in_background: true };
    return run_in_background !== true && line.includes(`eval${bare(String(command))}`);
  };
  return entries.findLast(isWaiting);
}

/** Returns a command line without the quotes and the empty input that Claude Code adds in various ways. */
function bare(line: string): string {
  return line.replaceAll('< /dev/null', '').replaceAll(/['"\\\s]/g, '');
}
