import { isUtf8 } from 'node:buffer';
import { defineCommand, usageError } from '@secateur/serving/commands/command.ts';
import { type Terminal, writeAll } from '@secateur/serving/commands/terminal.ts';
import { switchedOff } from '@secateur/serving/config/off-switch.ts';
import { type AttachedEnd, runAttached } from '@secateur/serving/workspace/run-attached.ts';
import { type CutContext, cutApart, type Printed } from '../cut-apart.ts';

const MAX_BYTES = 8 * 1024 * 1024;
/** Exit code that a shell returns if it does not find a program. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

export const run = defineCommand({
  usage: '[--goal TEXT] -- COMMAND [ARGUMENT…]',
  details:
    'Runs a command, removes irrelevant lines from its output, and exits with its exit code or signal. Only Claude Code outside Linux needs it, because it does not let hooks change the output of a failed command; on Linux `secateur connect claude-code` installs a script that shortens such output. ' +
    'Output above 8 MiB is streamed unchanged.',
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
    // Without these listeners, Node would end the program with another exit code than that of the command.
    for (const stream of [terminal.output, terminal.errors])
      stream.removeAllListeners('error').on('error', () => {});
    const onOverflow = (stream: 'stdout' | 'stderr', chunk: Buffer) =>
      writeAll(stream === 'stdout' ? terminal.output : terminal.errors, [chunk]);
    const { cwd, env } = origin;
    const inheritsOutput = !config.hook.enabled || switchedOff(origin, cwd) !== undefined;
    const request = { file, args, cwd, env, maxBytes: MAX_BYTES, onOverflow, inheritsOutput };
    const { end, output } = await runAttached(request);
    if (output !== undefined && !inheritsOutput) {
      const printed = { command: positionals.join(' '), goal: options.goal };
      const context = { config, terminal, origin, self };
      await print({ ...printed, texts: [output.stdout, output.stderr] }, context);
    }
    return endLike(end, { file, terminal });
  },
});

export const raw = defineCommand({
  usage: '-- COMMAND [ARGUMENT…]',
  details:
    'Runs a command and exits with its exit code or signal. Hooks return its output unchanged. Use it if every line of an output matters.',
  sections: [],
  positionals: { min: 0, max: Number.POSITIVE_INFINITY },
  examples: [{ line: 'secateur raw -- terraform plan', does: 'all lines of the plan' }],
  run: async ({ positionals, terminal, origin: { cwd, env } }) => {
    const [file, ...args] = positionals;
    if (file === undefined) throw usageError('a command is missing; expected -- COMMAND [ARGUMENT…]');
    const { end } = await runAttached({ file, args, cwd, env, maxBytes: 0, inheritsOutput: true });
    return endLike(end, { file, terminal });
  },
});

/** Prints the output, cut if possible. The exit code does not depend on whether this succeeds. */
async function print(printed: Printed, context: CutContext): Promise<void> {
  const { terminal } = context;
  const isText = printed.texts.every((bytes) => isUtf8(bytes));
  const cut = isText ? await cutApart(printed, context).catch(() => undefined) : undefined;
  const [stdout, stderr] = cut ?? printed.texts;
  await writeAll(terminal.output, [stdout ?? '']).catch(({ code }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') terminal.note(`secateur run: standard output cannot be written (${code})`);
  });
  await writeAll(terminal.errors, [stderr ?? '']).catch(() => {});
}

/** Returns the command's exit code. If a signal ended the command, ends this process by the same signal. */
function endLike(end: AttachedEnd, { file, terminal }: { file: string; terminal: Terminal }): number {
  if (end.kind === 'exited') return end.exitCode;
  if (end.kind === 'killed') {
    process.kill(process.pid, end.signal);
    return 1;
  }
  terminal.note(`secateur: ${file}: ${end.errno === 'ENOENT' ? 'command not found' : end.errno}`);
  return end.errno === 'ENOENT' ? NOT_FOUND : NOT_EXECUTABLE;
}
