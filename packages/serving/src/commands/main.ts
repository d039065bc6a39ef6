import { homedir } from 'node:os';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { packageVersion } from '@secateur/base/runtime/loading.ts';
import { isConfigError } from '../config/config-file.ts';
import { loadConfig } from '../config/load.ts';
import {
  type AnyCall,
  BAD_USAGE,
  BUG,
  type ChosenCommand,
  type Command,
  chooseCommand,
  type Executable,
  FAILURE,
  INTERRUPTED,
  SUCCESS,
} from './command.ts';
import { commandHelp, type HelpLayout, parseArguments, programHelp } from './command-line.ts';
import {
  createTerminal,
  printable,
  printableLines,
  type Terminal,
  type TerminalStreams,
} from './terminal.ts';

/** Runs one of the executables with the arguments, environment, streams and signals of the process. */
export async function main(program: Executable): Promise<void> {
  // If the program that reads the output ends (`secateur stats | head`), this one ends too, without a
  // message.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(0);
    process.stderr.write(
      `${program.name}: standard output cannot be written${code === 'ENOSPC' ? ': the disk is full' : ` (${code})`}\n`,
    );
    process.exit(1);
  });
  let signals: AbortSignal | undefined;
  // A message that cannot be written must not end the program.
  process.stderr.on('error', () => {});
  process.exitCode = await runProgram(program, {
    argv: process.argv.slice(2),
    origin: { env: process.env, cwd: process.cwd(), platform: process.platform, homeDir: homedir() },
    streams: { input: process.stdin, output: process.stdout, errors: process.stderr },
    self: [process.execPath, ...process.argv.slice(1, 2)],
    interrupted: () => {
      signals ??= takeSignals();
      return signals;
    },
  });
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function takeSignals(): AbortSignal {
  const controller = new AbortController();
  for (const signal of SIGNALS) {
    process.on(signal, () =>
      controller.signal.aborted ? process.exit(INTERRUPTED) : controller.abort(signal),
    );
  }
  return controller.signal;
}

/** Everything that a program needs from its process. Tests provide their own. */
export interface ProcessContext extends Pick<AnyCall, 'argv' | 'origin' | 'self' | 'interrupted'> {
  readonly streams: TerminalStreams;
}

/** Runs the command that the arguments name; returns its exit code. */
export async function runProgram(program: Executable, surroundings: ProcessContext): Promise<number> {
  const terminal = createTerminal(surroundings.streams, surroundings.origin.env);
  try {
    return await dispatch(program, { surroundings, terminal });
  } catch (error) {
    return reportFailure(error, { terminal, program: program.name, help: `${program.name} --help` });
  }
}

interface CommandContext {
  readonly surroundings: ProcessContext;
  readonly terminal: Terminal;
}

async function dispatch(program: Executable, context: CommandContext): Promise<number> {
  const argv = withoutHelpWord(context.surroundings.argv);
  const hasCommands = !('' in program.commands);
  if (argv[0] === '--version' || argv[0] === '-V') return printed(context.terminal, packageVersion());
  if (hasCommands && (argv.length === 0 || argv[0] === '--help' || argv[0] === '-h')) {
    return printed(context.terminal, programHelp(program, pageOf(context.terminal)));
  }
  const chosen = chooseCommand(program, argv);
  const command = await chosen.entry.load();
  const title = `${program.name} ${chosen.name}`.trim();
  try {
    return await runCommand({ title, command, chosen }, context);
  } catch (error) {
    const { terminal } = context;
    if (command.failOpen === undefined)
      return reportFailure(error, { terminal, program: program.name, help: `${title} --help` });
    const { origin } = context.surroundings;
    await command.failOpen(terminal, { error, origin, argv: chosen.argv });
    return SUCCESS;
  }
}

/** Converts `help up` to `up --help`. */
function withoutHelpWord(argv: readonly string[]): readonly string[] {
  if (argv[0] !== 'help') return argv;
  return argv.length === 1 ? ['--help'] : [...argv.slice(1), '--help'];
}

async function runCommand(
  { title, command, chosen }: { title: string; command: Command; chosen: ChosenCommand },
  { surroundings, terminal }: CommandContext,
): Promise<number> {
  const { origin, self, interrupted } = surroundings;
  const { argv, entry } = chosen;
  const given = readCall(command, argv, { origin, terminal });
  if (given === 'help') {
    const page = { title, summary: entry.summary, command, origin, ...pageOf(terminal) };
    return printed(terminal, commandHelp(page));
  }
  const { warnings, files } = given;
  if (command.readsWorkingDirectory && files.main !== undefined)
    terminal.note(printable(`settings: ${files.main}`));
  const isQuiet = command.failOpen !== undefined || command.reportsWarnings;
  for (const warning of isQuiet ? [] : warnings)
    terminal.note(`${terminal.paintErrors('yellow', 'warning')} ${printableLines(warning)}`);
  const call = { ...given, terminal, origin, self, argv, interrupted };
  return (await command.run(call as unknown as AnyCall)) ?? SUCCESS;
}

/** Reads arguments and settings. If they are invalid, a command with its own log is also notified. */
function readCall(
  command: Command,
  argv: readonly string[],
  { origin, terminal }: Pick<AnyCall, 'origin' | 'terminal'>,
) {
  try {
    const parsed = parseArguments(command, argv);
    if (parsed.help) return 'help';
    const { defaults, readsWorkingDirectory } = command;
    return {
      ...parsed,
      ...loadConfig(command.sections, { ...parsed, origin, defaults, readsWorkingDirectory }),
    };
  } catch (error) {
    command.notStarted?.(error, { terminal, origin, argv });
    throw error;
  }
}

const MAX_WIDTH = 110;

function pageOf({ paint, output }: Terminal): HelpLayout {
  return { paint, width: Math.min(output.columns ?? MAX_WIDTH, MAX_WIDTH) };
}

function printed(terminal: Terminal, text: string): number {
  terminal.line(text);
  return SUCCESS;
}

/** Reports a failure and returns its exit code. `help` is the command line that shows the usage. */
function reportFailure(
  error: unknown,
  { terminal, program, help }: { terminal: Terminal; program: string; help: string },
): number {
  const title = terminal.paintErrors('red', `${program}:`);
  // After a signal, aborted work throws the reason of `interrupted()`, which is the name of the signal.
  if (SIGNALS.some((signal) => signal === error)) {
    terminal.note(`${title} interrupted`);
    return INTERRUPTED;
  }
  if (!(error instanceof DomainError)) {
    terminal.note(
      `${title} this is a bug, please report it\n${error instanceof Error ? error.stack : error}`,
    );
    return BUG;
  }
  terminal.note(`${title} ${printableLines(error.message)}`);
  const isCallersFault = error.code === 'bad_usage' || isConfigError(error);
  const hint = error.hint ?? (isCallersFault ? `${help} shows what there is.` : undefined);
  if (hint !== undefined) terminal.note(`  ${terminal.paintErrors('dim', printableLines(hint))}`);
  return isCallersFault ? BAD_USAGE : FAILURE;
}
