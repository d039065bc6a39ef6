import { editDistance } from '@secateur/base/text/edit-distance.ts';
import type { Command } from './command.ts';
import { usageError } from './usage-error.ts';

/** One executable. */
export interface Program {
  readonly name: string;
  readonly summary: string;
  /** By name, of one or two words: `up`, `mcp pruner`; `''` where the executable is one command. */
  readonly commands: Readonly<Record<string, CommandEntry>>;
  readonly examples: readonly string[];
}

/** A line of the command list; the command's own code is loaded when it is called. */
export interface CommandEntry {
  readonly summary: string;
  /** For scripts of ours: help does not list it. */
  readonly isInternal?: boolean;
  load(): Promise<Command>;
}

export interface ChosenCommand {
  readonly name: string;
  readonly entry: CommandEntry;
  readonly argv: readonly string[];
}

/** The entry whose name opens `argv`; names of two words win over names of one. */
export function chooseCommand(program: Program, argv: readonly string[]): ChosenCommand {
  for (const words of [2, 1, 0]) {
    const name = argv.slice(0, words).join(' ');
    const entry = Object.hasOwn(program.commands, name) ? program.commands[name] : undefined;
    if (entry !== undefined) return { name, entry, argv: argv.slice(words) };
  }
  throw usageError(`there is no command ${JSON.stringify(argv[0])}${suggestion(program, argv)}`);
}

function suggestion(program: Program, argv: readonly string[]): string {
  const typed = argv[0] ?? '';
  const names = Object.keys(program.commands);
  const subcommands = names.filter((name) => name.startsWith(`${typed} `));
  if (subcommands.length > 0) return `; there are ${subcommands.join(', ')}`;
  const known = OTHER_WORDS[typed];
  if (known !== undefined && names.includes(known)) return `; did you mean ${known}?`;
  const near = names.find((name) => editDistance(name, typed) <= 2);
  return near === undefined ? '' : `; did you mean ${near}?`;
}

/** Other programs' names for our commands. */
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
