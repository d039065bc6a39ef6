import { isUtf8 } from 'node:buffer';
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readlinkSync,
  writeSync,
} from 'node:fs';
import type { RegularFile } from '@secateur/base/runtime/bounded-reading.ts';
import { attempt } from '@secateur/base/runtime/domain-error.ts';
import { defineCommand } from '@secateur/serving/commands/command.ts';
import type { HookSample } from '../../servers/hooks/client.ts';
import { HOOK_CLIENTS } from '../../servers/hooks/clients.ts';
import { eventFiles } from '../../servers/hooks/transcript.ts';
import { processFields } from '../own-program.ts';

/** File descriptor on which `shell-prefix.sh` passes the file with the client's output. */
const OUTPUT_FD = 3;
const OUTPUT = `/proc/self/fd/${OUTPUT_FD}`;
const MAX_BYTES = 8 * 1024 * 1024;

export const shortenOutput = defineCommand({
  usage: 'CLIENT COMMAND-LINE',
  details:
    'For the script that `secateur connect claude-code` installs: shortens the output of a failed command in the file on descriptor 3. If anything fails, the file is unchanged.',
  sections: ['hook', 'pruner', 'recovery', 'audit'],
  flagPrefixes: { hook: false, pruner: false, recovery: false, audit: false },
  defaults: { recovery: { store: 'embedded' } },
  positionals: { min: 2, max: 2 },
  examples: [
    { line: 'secateur shorten-output claude-code "npm test" 3>>task.output', does: 'as the script calls it' },
  ],
  failOpen: () => undefined,
  run: async ({ config, positionals: [name, line = ''], terminal, origin, self }) => {
    const client = HOOK_CLIENTS.find((each) => each.name === name);
    const path = readlinkSync(OUTPUT);
    const sampleOf = await client?.failedCommand?.({ path, line, cwd: origin.cwd }, origin);
    if (client?.folders === undefined || sampleOf === undefined || isOpenElsewhere(path)) return;
    const file = eventFiles(client.folders(origin), { access: 'all' }).openOutput(path);
    const text = file && (await textOf(file));
    if (file === undefined || text === undefined) return;
    const [deps, hook] = await Promise.all([
      import('../hook-deps.ts'),
      import('../../servers/hooks/hook.ts'),
    ]);
    const { event, shownIn }: HookSample = sampleOf(text);
    await deps.withHookDeps(config, { origin, self, errors: terminal.errors }, async (parts) => {
      const shown = shownIn(await hook.answerEvent(client, event, parts));
      if (typeof shown === 'string' && shown !== '' && !isOpenElsewhere(path)) overwrite(file, shown);
    });
    file.close();
  },
});

async function textOf(file: RegularFile): Promise<string | undefined> {
  if (file.size > MAX_BYTES) return undefined;
  const bytes = await file.readAt(0, file.size);
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/** Overwrites and truncates the file unless it has grown. The client's own descriptor would only append. */
function overwrite(file: RegularFile, text: string): void {
  const bytes = Buffer.from(text);
  const target = openSync(OUTPUT, constants.O_WRONLY);
  try {
    const [read, found] = [fstatSync(file.fd), fstatSync(target)];
    if (read.ino !== found.ino || read.dev !== found.dev || found.size !== file.size) return;
    if (bytes.length >= file.size) return;
    for (let at = 0; at < bytes.length; ) at += writeSync(target, bytes, at, bytes.length - at, at);
    ftruncateSync(target, bytes.length);
  } finally {
    closeSync(target);
  }
}

/**
 * Whether another process than this one and the script that started it has the file open and may still write
 * to it. A process of another user cannot be inspected; in the command's session it counts as having the file
 * open.
 */
function isOpenElsewhere(path: string): boolean {
  const own = new Set([process.pid, process.ppid].map(String));
  const session = processFields('self')[SESSION];
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && !own.has(pid))
    .some((pid) => holds(pid, path) ?? processFields(pid)[SESSION] === session);
}

/** Whether a process has the file open; `undefined` if this user may not inspect the process. */
function holds(pid: string, path: string): boolean | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`).some(
      (fd) => attempt(() => readlinkSync(`/proc/${pid}/fd/${fd}`)) === path,
    );
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? undefined : false;
  }
}

const SESSION = 3;
