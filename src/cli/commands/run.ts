import { isUtf8 } from 'node:buffer';
import type { EventReader } from '../../servers/hooks/client.ts';
import { answerEvent } from '../../servers/hooks/hook.ts';
import type { Fields } from '../../text/json-value.ts';
import { type AttachedEnd, type AttachedOutcome, runAttached } from '../../workspace/run-attached.ts';
import { defineCommand } from '../command.ts';
import { type HookConfig, withHookParts } from '../hook-parts.ts';
import type { OwnProgram } from '../own-program.ts';
import type { Terminal } from '../terminal.ts';
import { usageError } from '../usage-error.ts';
import { writeAll } from '../write-all.ts';

const MOST_BYTES = 8 * 1024 * 1024;
/** What a shell says of a program it cannot find. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

export const run = defineCommand({
  usage: '[--goal TEXT] -- COMMAND [ARGUMENT…]',
  details:
    'Runs a command and leaves out of what it printed what does not help; ends with its exit code or its signal. For commands that fail, whose output clients let no hook shorten. ' +
    'What is longer than 8 MiB is passed on as it comes.',
  sections: ['hook', 'pruner', 'recovery', 'audit'],
  flagPrefixes: { hook: false, pruner: false, audit: false },
  defaults: { recovery: { store: 'embedded' } },
  options: { goal: { type: 'string', short: 'g', placeholder: 'TEXT', doc: 'what you want to know' } },
  positionals: { min: 0, max: Number.POSITIVE_INFINITY },
  examples: [
    { line: 'secateur run -g "why does it fail?" -- npm test', does: 'the failure and its context' },
  ],
  run: async ({ config, options, positionals, terminal, origin, self }) => {
    const [file, ...args] = positionals;
    if (file === undefined) throw usageError('a command is missing; expected -- COMMAND [ARGUMENT…]');
    const onOverflow = (stream: 'stdout' | 'stderr', chunk: Buffer) =>
      void (stream === 'stdout' ? terminal.output : terminal.errors).write(chunk);
    const { cwd, env } = origin;
    const outcome = await runAttached({ file, args, cwd, env, maxBytes: MOST_BYTES, onOverflow });
    const call = { command: positionals.join(' '), goal: options.goal, output: outcome.output };
    await print(call, { config, terminal, program: { origin, self } });
    return endLike(outcome.end, { file, terminal });
  },
});

interface Printed {
  readonly command: string;
  readonly goal: string | undefined;
  readonly output: AttachedOutcome['output'];
}

async function print(
  { output, ...call }: Printed,
  { config, terminal, program }: { config: HookConfig; terminal: Terminal; program: OwnProgram },
): Promise<void> {
  if (output === undefined) return;
  const given = [output.stdout, output.stderr];
  const isText = given.every((bytes) => isUtf8(bytes));
  const texts = given.map((bytes) => bytes.toString('utf8'));
  const surroundings = { ...program, errors: terminal.errors };
  const answer = isText
    ? await withHookParts(config, surroundings, (parts) =>
        answerEvent(callOf({ ...call, texts }), {}, parts),
      ).catch((): Fields => ({}))
    : {};
  const cut = Array.isArray(answer.texts) ? (answer.texts as string[]) : undefined;
  await writeAll(terminal.output, [cut?.[0] ?? given[0] ?? '']);
  await writeAll(terminal.errors, [cut?.[1] ?? given[1] ?? '']);
}

/** A command of one's own as if a client had told of it. */
function callOf(printed: {
  command: string;
  goal: string | undefined;
  texts: readonly string[];
}): EventReader {
  const { command, goal, texts } = printed;
  const call = { tool: 'run', source: { kind: 'command', command }, purpose: goal } as const;
  return {
    name: 'run',
    read: async () => ({ kind: 'output', call, texts, replace: (cut) => ({ texts: cut }) }),
    readEntry: () => [],
  };
}

/** What waits for us must not be able to tell us from the command. */
function endLike(end: AttachedEnd, { file, terminal }: { file: string; terminal: Terminal }): number {
  if (end.kind === 'exited') return end.exitCode;
  if (end.kind === 'killed') {
    process.kill(process.pid, end.signal);
    return 1;
  }
  terminal.note(`secateur run: ${file}: ${end.errno === 'ENOENT' ? 'command not found' : end.errno}`);
  return end.errno === 'ENOENT' ? NOT_FOUND : NOT_EXECUTABLE;
}
