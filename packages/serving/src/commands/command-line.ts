import { parseArgs } from 'node:util';
import type { FlagValues } from '../config/load.ts';
import { fallbackText, type Setting } from '../config/setting.ts';
import { settings } from '../config/settings.ts';
import type { LaunchContext } from '../config/values.ts';
import {
  type Command,
  type CommandEntry,
  type CommandOption,
  type Executable,
  exitCodeMeanings,
  usageError,
} from './command.ts';
import type { Paint } from './terminal.ts';

interface SettingFlag {
  readonly id: string;
  readonly flag: string;
  readonly row: Setting<unknown>;
}

function commonOptions({ readsWorkingDirectory }: Pick<Command, 'readsWorkingDirectory'>) {
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

function settingFlags(command: Command): SettingFlag[] {
  // Only commands that listen have the section `wire`.
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

function parserOptions(command: Command, flags: readonly SettingFlag[]) {
  const own = Object.entries<CommandOption>({ ...commonOptions(command), ...command.options });
  return Object.fromEntries([
    ...flags.map(
      ({ flag, row }) => [flag, { type: row.value.placeholder ? 'string' : 'boolean' } as const] as const,
    ),
    ...own.map(([name, { type, short }]) => [name, { type, ...(short && { short }) }] as const),
  ]);
}

function parse(argv: readonly string[], options: ReturnType<typeof parserOptions>) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, allowNegative: true, strict: true });
  } catch (error) {
    // `parseArgs` reports a wrong option in the first sentence. The further sentences are advice about `--`.
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

export interface HelpLayout {
  readonly paint: Paint;
  readonly width: number;
}

export function programHelp(program: Executable, page: HelpLayout): string {
  const { paint } = page;
  const commands = Object.entries<CommandEntry>(program.commands)
    .filter(([, { isInternal }]) => isInternal !== true)
    .map(([name, { summary }]) => ({ name, text: summary }));
  return [
    `${paint('bold', program.name)}: ${program.summary}`,
    section(paint, 'Usage', [
      `${program.name} COMMAND [options]`,
      `${program.name} COMMAND --help`,
      `${program.name} --version`,
    ]),
    section(paint, 'Commands', columns(commands, page)),
    section(paint, 'Examples', program.examples),
  ].join('\n\n');
}

interface CommandHelp extends HelpLayout {
  /** Heading, such as `secateur up`. */
  readonly title: string;
  readonly summary: string;
  readonly command: Command;
  readonly origin: LaunchContext;
}

export function commandHelp(help: CommandHelp): string {
  const { title, summary, command, paint } = help;
  const codes = { ...exitCodeMeanings, ...command.exitCodes };
  const meanings = Object.entries(codes).map(([name, text]) => ({ name, text }));
  const examples = command.examples.flatMap(({ line, does }) => [paint('dim', `# ${does}`), line]);
  return [
    `${paint('bold', title)}: ${summary}`,
    ...(command.details === undefined ? [] : [wrapped(command.details, help.width).join('\n')]),
    section(paint, 'Usage', [`${title} ${command.usage}`.trim()]),
    section(paint, 'Options', columns(optionRows({ ...command.options, ...commonOptions(command) }), help)),
    ...settingsSection(help),
    section(paint, 'Examples', examples),
    section(paint, 'Exit codes', columns(meanings, help)),
  ].join('\n\n');
}

function settingsSection(help: CommandHelp): string[] {
  const rows = settingFlags(help.command).map(({ flag, row }) => ({
    name: flagSpelling(flag, row.value.placeholder),
    text: row.doc,
    note: `${row.env}, default ${fallbackText(row, help.origin)}`,
  }));
  const title = 'Settings (flag > variable > config.toml > default)';
  return rows.length === 0 ? [] : [section(help.paint, title, columns(rows, help))];
}

function optionRows(options: Readonly<Record<string, CommandOption>>): Row[] {
  return Object.entries(options).map(([name, { type, short, placeholder, doc }]) => {
    const long = flagSpelling(name, type === 'boolean' ? undefined : (placeholder ?? 'TEXT'));
    return { name: short === undefined ? long : `-${short}, ${long}`, text: doc };
  });
}

function flagSpelling(name: string, placeholder: string | undefined): string {
  return placeholder === undefined ? `--${name}` : `--${name} ${placeholder}`;
}

interface Row {
  readonly name: string;
  readonly text: string;
  /** Additional text, dimmed, on separate lines. */
  readonly note?: string;
}

const INDENT = 2;
const MIN_TEXT_WIDTH = 30;

function columns(rows: readonly Row[], { paint, width }: HelpLayout): string[] {
  const nameWidth = Math.max(...rows.map(({ name }) => name.length)) + 2;
  const textWidth = Math.max(MIN_TEXT_WIDTH, width - INDENT - nameWidth);
  return rows.flatMap(({ name, text, note }) => {
    const notes = note === undefined ? [] : wrapped(note, textWidth).map((line) => paint('dim', line));
    return [...wrapped(text, textWidth), ...notes].map(
      (line, index) => `${(index === 0 ? name : '').padEnd(nameWidth)}${line}`,
    );
  });
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function section(paint: Paint, title: string, lines: readonly string[]): string {
  return [paint('bold', title), ...lines.map((line) => `${' '.repeat(INDENT)}${line}`)].join('\n');
}
