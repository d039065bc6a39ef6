import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { editDistance } from '@secateur/base/text/characters.ts';
import type { ConfigDefaults, ReadFiles, SettingSources } from '../config/load.ts';
import type { Config, SectionName } from '../config/settings.ts';
import type { LaunchContext } from '../config/values.ts';
import type { Terminal } from './terminal.ts';

/** One command: its arguments, its help text and what it does. */
export interface Command {
  /** Arguments after the command name: `[FILE] --goal TEXT`. */
  readonly usage: string;
  /** A further paragraph for `--help`. */
  readonly details?: string;
  /** Sections of settings that the command reads. Their flags are flags of the command. */
  readonly sections: readonly SectionName[];
  /**
   * For commands that run several servers: `{pruner: 'pruner'}` renames `--port` of the pruner to `--pruner-port`. With
   * `{pruner: false}`, its settings have no flags.
   */
  readonly flagPrefixes?: { readonly [Section in SectionName]?: string | false };
  /** Defaults that replace the defaults of the settings table. */
  readonly defaults?: ConfigDefaults;
  /** Whether `config.toml` of the working directory precedes the user's: true for servers that a person starts. */
  readonly readsWorkingDirectory?: boolean;
  /** Options that are not settings. */
  readonly options: OptionTable;
  readonly positionals: { readonly min: number; readonly max: number };
  readonly examples: readonly { readonly line: string; readonly does: string }[];
  /** Exit codes with a meaning specific to this command. */
  readonly exitCodes?: Readonly<Record<number, string>>;
  /** Runs the command and returns its exit code; `undefined` means success. */
  run(call: AnyCall): Promise<number | undefined>;
  /** Reports wrong arguments or settings in the command's own form, before the message on standard error. */
  notStarted?(error: unknown, call: Pick<AnyCall, 'terminal' | 'origin' | 'argv'>): void;
  /** Answers any failure, which then counts as success: for a command between an agent and its tools. */
  failOpen?(
    terminal: Terminal,
    failure: { error: unknown } & Pick<AnyCall, 'origin' | 'argv'>,
  ): Promise<void> | void;
  /** Whether the command reports `warnings` itself. Default: they are printed on standard error. */
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

export interface CommandCall<Section extends SectionName, Options extends OptionTable> {
  readonly config: Pick<Config, Section>;
  readonly files: ReadFiles;
  readonly sources: SettingSources;
  /** One sentence per unknown or ignored setting. */
  readonly warnings: readonly string[];
  readonly options: OptionValues<Options>;
  readonly positionals: readonly string[];
  readonly terminal: Terminal;
  readonly origin: LaunchContext;
  /** Program and script of this executable, for starting it again. */
  readonly self: readonly string[];
  /** The arguments after the command name, as given. */
  readonly argv: readonly string[];
  /**
   * Returns a signal that aborts on SIGINT, SIGTERM or SIGHUP. The first call replaces the default handling
   * of these signals; a second signal ends the process.
   */
  interrupted(): AbortSignal;
}

/** A call of some command, as the program makes it. */
export type AnyCall = CommandCall<SectionName, OptionTable>;

export interface CommandDefinition<Section extends SectionName, Options extends OptionTable>
  extends Omit<Command, 'sections' | 'options' | 'positionals' | 'run'> {
  readonly sections: readonly Section[];
  /** Default: no options. Positionals have the same default. */
  readonly options?: Options;
  readonly positionals?: Command['positionals'];
  run(call: CommandCall<Section, Options>): Promise<number | undefined>;
}

/** Defines a command so that `run` gets the types of its sections and options. */
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
  /** Commands by name (one or two words); `''` if the executable has only one command. */
  readonly commands: Readonly<Record<string, CommandEntry>>;
  readonly examples: readonly string[];
}

/** Entry of the command list. The code of the command is loaded when it is called. */
export interface CommandEntry {
  readonly summary: string;
  /** Whether only scripts of Sécateur use the command; help does not list it. */
  readonly isInternal?: boolean;
  load(): Promise<Command>;
}

export type ChosenCommand = ReturnType<typeof chooseCommand>;

/** Returns the command whose name is at the beginning of `argv`. Names of two words take precedence. */
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

/** Names of similar commands in other programs, for suggestions. */
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
/** Exit code of a command that succeeded only in part. */
export const INCOMPLETE = 3;
export const BUG = 70;
export const INTERRUPTED = 130;

/** Exit codes of every command; `--help` and the documentation print them. */
export const exitCodeMeanings: Readonly<Record<number, string>> = {
  [SUCCESS]: 'done',
  [FAILURE]: 'the command could not do its work; standard error says why',
  [BAD_USAGE]: 'wrong arguments or a bad setting',
  [BUG]: 'a bug in secateur',
  [INTERRUPTED]: 'interrupted before the work was done',
};

/** Creates the error for an invalid command line, which leads to exit code 2 and mentions `--help`. */
export function usageError(message: string): DomainError {
  return new DomainError('bad_usage', message);
}

/** Returns the word given for a flag; `undefined` if the flag is missing. Throws for unknown words. */
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

/** Returns the time that `--since` names, in ms since the epoch: a span before `now`, such as 7d or 12h, or a date. */
export function sinceMoment(text: string, now: number): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const spanMs = UNIT_MS[unit];
  const moment = spanMs === undefined ? Date.parse(text) : now - Number(count) * spanMs;
  if (Number.isNaN(moment) || (spanMs === undefined && !/^\d{4}-\d{2}-\d{2}/.test(text)))
    throw usageError('--since: expected a span such as 7d, 12h or 30m, or a date such as 2026-11-01');
  return moment;
}
