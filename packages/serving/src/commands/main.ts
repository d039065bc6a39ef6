import { homedir } from 'node:os';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { packageVersion } from '@secateur/base/runtime/loading.ts';
import { isConfigError } from '../config/config-file.ts';
import { loadConfig } from '../config/load.ts';
import {
  BAD_USAGE,
  BUG,
  type ChosenCommand,
  type Command,
  chooseCommand,
  type Executable,
  FAILURE,
  INTERRUPTED,
  isUsageError,
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
  // If the reader closes the output (`secateur stats | head`), the program ends without a message, as other
  // Unix tools do.
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

/** Everything that a program gets from its process; tests pass their own. */
export interface ProcessContext extends Pick<Call, 'argv' | 'origin' | 'self' | 'interrupted'> {
  readonly streams: TerminalStreams;
}

type Call = Parameters<Command['run']>[0];

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

/** Turns `help up` into `up --help`. */
function withoutHelpWord(argv: readonly string[]): readonly string[] {
  if (argv[0] !== 'help') return argv;
  return argv.length === 1 ? ['--help'] : [...argv.slice(1), '--help'];
}

interface CalledCommand {
  readonly title: string;
  readonly command: Command;
  readonly chosen: ChosenCommand;
}

async function runCommand(
  { title, command, chosen }: CalledCommand,
  context: CommandContext,
): Promise<number> {
  const { surroundings, terminal } = context;
  const { origin } = surroundings;
  const given = readCall({ command, chosen }, context);
  if (given === 'help') {
    const { summary } = chosen.entry;
    return printed(terminal, commandHelp({ title, summary, command, origin, ...pageOf(terminal) }));
  }
  const { config, warnings, files, sources, options, positionals } = given;
  if (command.readsWorkingDirectory && files.main !== undefined)
    terminal.note(printable(`settings: ${files.main}`));
  const isQuiet = command.failOpen !== undefined || command.reportsWarnings;
  for (const warning of isQuiet ? [] : warnings)
    terminal.note(`${terminal.paintErrors('yellow', 'warning')} ${printableLines(warning)}`);
  const exitCode = await command.run({
    config: config as Call['config'],
    files,
    sources,
    warnings,
    options: options as Call['options'],
    positionals,
    terminal,
    origin,
    self: surroundings.self,
    argv: chosen.argv,
    interrupted: surroundings.interrupted,
  });
  return exitCode ?? SUCCESS;
}

/** Reads arguments and settings. If they are wrong, a command with its own log is notified too. */
function readCall(
  { command, chosen }: Pick<CalledCommand, 'command' | 'chosen'>,
  { surroundings: { origin }, terminal }: CommandContext,
) {
  try {
    const parsed = parseArguments(command, chosen.argv);
    if (parsed.help) return 'help';
    const { defaults, readsWorkingDirectory } = command;
    const asked = { ...parsed, origin, defaults, readsWorkingDirectory };
    return { ...parsed, ...loadConfig(command.sections, asked) };
  } catch (error) {
    command.notStarted?.(error, { terminal, origin, argv: chosen.argv });
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

interface FailureReport {
  readonly terminal: Terminal;
  readonly program: string;
  /** The command that shows the usage. */
  readonly help: string;
}

function reportFailure(error: unknown, { terminal, program, help }: FailureReport): number {
  const title = terminal.paintErrors('red', `${program}:`);
  if (isSignalName(error)) {
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
  const isCallersFault = isUsageError(error) || isConfigError(error);
  const hint = error.hint ?? (isCallersFault ? `${help} shows what there is.` : undefined);
  if (hint !== undefined) terminal.note(`  ${terminal.paintErrors('dim', printableLines(hint))}`);
  return isCallersFault ? BAD_USAGE : FAILURE;
}

/** Whether the error is the reason with which `interrupted()` aborts; aborted work throws it. */
function isSignalName(error: unknown): boolean {
  return error === 'SIGINT' || error === 'SIGTERM' || error === 'SIGHUP';
}
