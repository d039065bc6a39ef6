import { homedir } from 'node:os';
import type { Program } from './command.ts';
import { INTERRUPTED } from './exit-codes.ts';
import { runProgram } from './run.ts';

/** Gives the process's own arguments, environment, streams and signals to one of the executables. */
export async function main(program: Program): Promise<void> {
  // A reader that went away (`secateur stats | head`) ends the program quietly, as for any other Unix tool.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(0);
    process.stderr.write(
      `${program.name}: standard output cannot be written${code === 'ENOSPC' ? ': the disk is full' : ` (${code})`}\n`,
    );
    process.exit(1);
  });
  // A message that cannot be written must not end the program.
  process.stderr.on('error', () => {});
  process.exitCode = await runProgram(program, {
    argv: process.argv.slice(2),
    origin: { env: process.env, cwd: process.cwd(), platform: process.platform, homeDir: homedir() },
    streams: { input: process.stdin, output: process.stdout, errors: process.stderr },
    self: [process.execPath, ...process.argv.slice(1, 2)],
    interrupted: once(takeSignals),
  });
}

function takeSignals(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () =>
      controller.signal.aborted ? process.exit(INTERRUPTED) : controller.abort(signal),
    );
  }
  return controller.signal;
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
