import type { Origin } from '../config/origin.ts';
import { fallbackText } from '../config/setting.ts';
import { commonOptions, settingFlags } from './arguments.ts';
import type { Command, CommandOption } from './command.ts';
import { exitCodeMeanings } from './exit-codes.ts';
import type { Program } from './program.ts';
import type { Paint } from './terminal.ts';

export function programHelp(program: Program, paint: Paint): string {
  return [
    `${paint('bold', program.name)}: ${program.summary}`,
    section(paint, 'Usage', [
      `${program.name} COMMAND [options]`,
      `${program.name} COMMAND --help`,
      `${program.name} --version`,
    ]),
    section(paint, 'Commands', columns(program.commands.map(({ name, summary }) => [name, summary]))),
    section(paint, 'Examples', program.examples),
  ].join('\n\n');
}

export interface CommandHelp {
  /** `secateur up` */
  readonly title: string;
  readonly summary: string;
  readonly command: Command;
  readonly origin: Origin;
  readonly paint: Paint;
}

export function commandHelp({ title, summary, command, origin, paint }: CommandHelp): string {
  const examples = command.examples.flatMap(({ line, does }) => [paint('dim', `# ${does}`), line]);
  return [
    `${paint('bold', title)}: ${summary}`,
    ...(command.details === undefined ? [] : [command.details]),
    section(paint, 'Usage', [`${title} ${command.usage}`.trim()]),
    section(paint, 'Options', columns(optionRows({ ...command.options, ...commonOptions }))),
    ...settingsSection(command, { origin, paint }),
    section(paint, 'Examples', examples),
    section(paint, 'Exit codes', columns(exitCodeRows(command))),
  ].join('\n\n');
}

function settingsSection(
  command: Command,
  { origin, paint }: Pick<CommandHelp, 'origin' | 'paint'>,
): string[] {
  const rows = settingFlags(command).map(({ flag, row }) => [
    flagSpelling(flag, row.value.placeholder),
    `${row.doc} ${paint('dim', `[${row.env}, default ${fallbackText(row, origin)}]`)}`,
  ]);
  return rows.length === 0
    ? []
    : [section(paint, 'Settings (flag > variable > config.toml > default)', columns(rows))];
}

function optionRows(options: Readonly<Record<string, CommandOption>>): string[][] {
  return Object.entries(options).map(([name, { type, short, placeholder, doc }]) => {
    const long = flagSpelling(name, type === 'boolean' ? undefined : (placeholder ?? 'TEXT'));
    return [short === undefined ? long : `-${short}, ${long}`, doc];
  });
}

function exitCodeRows(command: Command): string[][] {
  const meanings = { ...exitCodeMeanings, ...command.exitCodes };
  return Object.entries(meanings).map(([code, meaning]) => [code, meaning]);
}

function flagSpelling(name: string, placeholder: string | undefined): string {
  return placeholder === undefined ? `--${name}` : `--${name} ${placeholder}`;
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(...rows.map(([first = '']) => first.length));
  return rows.map(([first = '', second = '']) => `${first.padEnd(width)}  ${second}`);
}

function section(paint: Paint, title: string, lines: readonly string[]): string {
  return [paint('bold', title), ...lines.map((line) => `  ${line}`)].join('\n');
}
