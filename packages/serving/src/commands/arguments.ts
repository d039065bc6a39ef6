import { parseArgs } from 'node:util';
import type { FlagValues } from '../config/load.ts';
import type { Setting } from '../config/setting.ts';
import { settings } from '../config/settings.ts';
import type { Command, CommandOption } from './command.ts';
import { usageError } from './usage-error.ts';

/** A setting as this command spells its flag. */
export interface SettingFlag {
  readonly id: string;
  readonly flag: string;
  readonly row: Setting<unknown>;
}

export function commonOptions({ readsWorkingDirectory }: Pick<Command, 'readsWorkingDirectory'>) {
  const local = readsWorkingDirectory ? 'config.toml here if it has a table of secateur, else ' : '';
  return {
    config: {
      type: 'string',
      placeholder: 'FILE',
      doc: `settings file (default: ${local}~/.config/secateur/config.toml)`,
    },
    help: { type: 'boolean', short: 'h', doc: 'this text' },
  } satisfies Record<string, CommandOption>;
}

export function parseArguments(command: Command, argv: readonly string[]) {
  const flags = settingFlags(command);
  const { values, positionals } = parse(argv, parserOptions(command, flags));
  const help = values.help === true;
  const unset = { boolean: false, string: undefined };
  if (!help) checkPositionals(command, positionals);
  return {
    help,
    configPath: typeof values.config === 'string' ? values.config : undefined,
    flags: flagValues(flags, values),
    options: Object.fromEntries(
      Object.entries(command.options).map(([name, { type }]) => [name, values[name] ?? unset[type]]),
    ),
    positionals,
  };
}

export function settingFlags(command: Command): SettingFlag[] {
  // Commands that listen read the settings of the wire.
  const listens = command.sections.includes('wire');
  return command.sections.flatMap((section) => {
    const prefix = command.flagPrefixes?.[section];
    return Object.entries<Setting<unknown>>(settings[section]).flatMap(([key, row]) => {
      if (row.flag === undefined || prefix === false || (row.listening && !listens)) return [];
      const flag = prefix === undefined ? row.flag : `${prefix}-${row.flag}`;
      return [{ id: `${section}.${key}`, flag, row }];
    });
  });
}

interface ParserOption {
  type: 'string' | 'boolean';
  short?: string;
}

function parserOptions(command: Command, flags: readonly SettingFlag[]): Record<string, ParserOption> {
  const options: Record<string, ParserOption> = {};
  for (const { flag, row } of flags)
    options[flag] = { type: row.value.placeholder === undefined ? 'boolean' : 'string' };
  for (const [name, { type, short }] of Object.entries<CommandOption>({
    ...commonOptions(command),
    ...command.options,
  }))
    options[name] = { type, ...(short && { short }) };
  return options;
}

function parse(argv: readonly string[], options: Record<string, ParserOption>) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, allowNegative: true, strict: true });
  } catch (error) {
    // Only parseArgs' own complaints; its first sentence names the option, the rest is advice about `--`.
    const isComplaint =
      error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
    if (!isComplaint) throw error;
    throw usageError(error.message.split('. ')[0] ?? error.message);
  }
}

function checkPositionals({ positionals: { min, max }, usage }: Command, given: readonly string[]): void {
  if (given.length < min) throw usageError(`an argument is missing; expected ${usage}`);
  if (given.length > max) throw usageError(`unexpected argument ${JSON.stringify(given[max])}`);
}

function flagValues(flags: readonly SettingFlag[], values: Readonly<Record<string, unknown>>): FlagValues {
  const given = flags.filter(({ flag }) => values[flag] !== undefined);
  return new Map(given.map(({ id, flag }) => [id, { flag, text: String(values[flag]) }]));
}
