import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { editDistance } from '@secateur/base/text/characters.ts';
import type { ConfigDefaults, LoadedConfig } from '../config/load.ts';
import type { SectionName } from '../config/settings.ts';
import type { LaunchContext } from '../config/values.ts';
import type { Terminal } from './terminal.ts';

/** One command: its arguments, its help text and what it does. */
export interface Command {
  /** Arguments after the command name: `[FILE] --goal TEXT`. */
  readonly usage: string;
  /** A further paragraph for `--help`. */
  readonly details?: string;
  /** Sections of settings that the command reads. The flags of these settings are flags of the command. */
  readonly sections: readonly SectionName[];
  /**
   * Prefixes of flags, for commands that run several servers. `{pruner: 'pruner'}` renames `--port` of the
   * pruner to `--pruner-port`; with `{pruner: false}` its settings have no flags.
   */
  readonly flagPrefixes?: { readonly [Section in SectionName]?: string | false };
  /** Defaults of this command, which replace those in the settings table. */
  readonly defaults?: ConfigDefaults;
  /** Whether `config.toml` of the working directory has priority over the user's. Set for servers that a person starts. */
  readonly readsWorkingDirectory?: boolean;
  /** Options of the command that are not settings. */
  readonly options: OptionTable;
  readonly positionals: { readonly min: number; readonly max: number };
  readonly examples: readonly { readonly line: string; readonly does: string }[];
  /** Exit codes with a special meaning for this command. */
  readonly exitCodes?: Readonly<Record<number, string>>;
  /** Runs the command and returns its exit code; `undefined` means success. */
  run(call: AnyCall): Promise<number | undefined>;
  /** Reports wrong arguments or settings in the format of this command, in addition to the message on standard error. */
  notStarted?(error: unknown, call: Pick<AnyCall, 'terminal' | 'origin' | 'argv'>): void;
  /** Handles any failure so that it counts as success. For commands between an agent and its tools, which fail open. */
  failOpen?(
    terminal: Terminal,
    failure: { error: unknown } & Pick<AnyCall, 'origin' | 'argv'>,
  ): Promise<void> | void;
  /** Whether the command reports `warnings` itself. Default: the program prints them on standard error. */
  readonly reportsWarnings?: boolean;
}

export interface CommandOption {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly placeholder?: string;
  readonly doc: string;
}

export type OptionTable = Readonly<Record<string, CommandOption>>;

export type OptionValues<Options extends OptionTable> = {
  readonly [Name in keyof Options]: Options[Name]['type'] extends 'boolean' ? boolean : string | undefined;
};

export interface CommandCall<Section extends SectionName, Options extends OptionTable>
  extends LoadedConfig<Section> {
  readonly options: OptionValues<Options>;
  readonly positionals: readonly string[];
  readonly terminal: Terminal;
  readonly origin: LaunchContext;
  /** Program and script of this executable, with which it can be started again. */
  readonly self: readonly string[];
  /** The arguments after the command name, as given. */
  readonly argv: readonly string[];
  /** Returns a signal that aborts on SIGINT, SIGTERM or SIGHUP. From then on, only a second of these signals ends the process. */
  interrupted(): AbortSignal;
}

/** Call of any command, as the program creates it. */
export type AnyCall = CommandCall<SectionName, OptionTable>;

export interface CommandDefinition<Section extends SectionName, Options extends OptionTable>
  extends Omit<Command, 'sections' | 'options' | 'positionals' | 'run'> {
  readonly sections: readonly Section[];
  /** Options of the command. Default: none. */
  readonly options?: Options;
  readonly positionals?: Command['positionals'];
  run(call: CommandCall<Section, Options>): Promise<number | undefined>;
}

/** Defines a command. `run` gets the types of its sections and options. */
export function defineCommand<
  Section extends SectionName,
  const Options extends OptionTable = Record<never, never>,
>(definition: CommandDefinition<Section, Options>): Command {
  return {
    options: {},
    positionals: { min: 0, max: 0 },
    ...definition,
    run: (call) => definition.run(call as CommandCall<Section, Options>),
  };
}

export interface Executable {
  readonly name: string;
  readonly summary: string;
  /** Commands by name, which has one or two words. `''` if the executable has only one command. */
  readonly commands: Readonly<Record<string, CommandEntry>>;
  readonly examples: readonly string[];
}

/** Entry in the list of commands. The code of a command is loaded when the command is called. */
export interface CommandEntry {
  readonly summary: string;
  /** Whether the command is only for scripts of Sécateur. Help does not list it. */
  readonly isInternal?: boolean;
  load(): Promise<Command>;
}

export type ChosenCommand = ReturnType<typeof chooseCommand>;

/** Returns the command that `argv` begins with. Names of two words are tried first. */
export function chooseCommand(program: Executable, argv: readonly string[]) {
  for (const words of [2, 1, 0]) {
    const name = argv.slice(0, words).join(' ');
    const entry = Object.hasOwn(program.commands, name) ? program.commands[name] : undefined;
    if (entry !== undefined) return { name, entry, argv: argv.slice(words) };
  }
  throw usageError(`there is no command ${JSON.stringify(argv[0])}${suggestion(program, argv)}`);
}

function suggestion(program: Executable, argv: readonly string[]): string {
  const typed = argv[0] ?? '';
  const names = Object.keys(program.commands);
  const subcommands = names.filter((name) => name.startsWith(`${typed} `));
  if (subcommands.length > 0) return `; there are ${subcommands.join(', ')}`;
  const known = OTHER_WORDS[typed];
  if (known !== undefined && names.includes(known)) return `; did you mean ${known}?`;
  const near = names.find((name) => editDistance(name, typed) <= 2);
  return near === undefined ? '' : `; did you mean ${near}?`;
}

/** Names of commands in other programs, with the similar command to suggest. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  serve: 'up',
  server: 'up',
  install: 'connect',
  setup: 'connect',
  init: 'connect',
  restore: 'recover',
  cut: 'prune',
  check: 'doctor',
  savings: 'stats',
  exec: 'run',
};

export const SUCCESS = 0;
export const FAILURE = 1;
export const BAD_USAGE = 2;
export const NOT_RUNNING = 3;
/** Exit code of a command that did only a part of its work. */
export const INCOMPLETE = 3;
export const BUG = 70;
export const INTERRUPTED = 130;

/** Exit codes of all commands. `--help` and the documentation show them. */
export const exitCodeMeanings: Readonly<Record<number, string>> = {
  [SUCCESS]: 'done',
  [FAILURE]: 'the command could not do its work; standard error says why',
  [BAD_USAGE]: 'wrong arguments or a bad setting',
  [BUG]: 'a bug in secateur',
  [INTERRUPTED]: 'interrupted before the work was done',
};

/** Creates the error for an invalid command line. The exit code is 2, and the message mentions `--help`. */
export function usageError(message: string): DomainError {
  return new DomainError('bad_usage', message);
}

/** Returns the word that a flag has. `undefined` if the flag is missing; throws if the word is unknown. */
export function choiceOf<Word extends string>(
  flag: string,
  given: string | undefined,
  words: readonly Word[],
): Word | undefined {
  const word = words.find((each) => each === given);
  if (given !== undefined && word === undefined)
    throw usageError(`${flag}: expected one of ${words.join(', ')}`);
  return word;
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Converts the argument of `--since` to ms since the epoch. It is a date or a duration before `now`, such as 7d or 12h. */
export function sinceMoment(text: string, now: number): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const spanMs = UNIT_MS[unit];
  const moment = spanMs === undefined ? Date.parse(text) : now - Number(count) * spanMs;
  if (Number.isNaN(moment) || (spanMs === undefined && !/^\d{4}-\d{2}-\d{2}/.test(text)))
    throw usageError('--since: expected a span such as 7d, 12h or 30m, or a date such as 2026-11-01');
  return moment;
}
