import type { Origin } from '../config/origin.ts';
import { fallbackText } from '../config/setting.ts';
import { commonOptions, settingFlags } from './arguments.ts';
import type { Command, CommandOption } from './command.ts';
import { exitCodeMeanings } from './exit-codes.ts';
import type { CommandEntry, Program } from './program.ts';
import type { Paint } from './terminal.ts';

/** Layout of help: colours, and maximum line width. */
export interface Page {
  readonly paint: Paint;
  readonly width: number;
}

export function programHelp(program: Program, page: Page): string {
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

export interface CommandHelp extends Page {
  /** `secateur up` */
  readonly title: string;
  readonly summary: string;
  readonly command: Command;
  readonly origin: Origin;
}

export function commandHelp(help: CommandHelp): string {
  const { title, summary, command, paint } = help;
  const examples = command.examples.flatMap(({ line, does }) => [paint('dim', `# ${does}`), line]);
  return [
    `${paint('bold', title)}: ${summary}`,
    ...(command.details === undefined ? [] : [wrapped(command.details, help.width).join('\n')]),
    section(paint, 'Usage', [`${title} ${command.usage}`.trim()]),
    section(paint, 'Options', columns(optionRows({ ...command.options, ...commonOptions(command) }), help)),
    ...settingsSection(help),
    section(paint, 'Examples', examples),
    section(paint, 'Exit codes', columns(exitCodeRows(command), help)),
  ].join('\n\n');
}

function settingsSection(help: CommandHelp): string[] {
  const rows = settingFlags(help.command).map(({ flag, row }) => ({
    name: flagSpelling(flag, row.value.placeholder),
    text: row.doc,
    note: `${row.env}, default ${fallbackText(row, help.origin)}`,
  }));
  if (rows.length === 0) return [];
  return [section(help.paint, 'Settings (flag > variable > config.toml > default)', columns(rows, help))];
}

function optionRows(options: Readonly<Record<string, CommandOption>>): Row[] {
  return Object.entries(options).map(([name, { type, short, placeholder, doc }]) => {
    const long = flagSpelling(name, type === 'boolean' ? undefined : (placeholder ?? 'TEXT'));
    return { name: short === undefined ? long : `-${short}, ${long}`, text: doc };
  });
}

function exitCodeRows(command: Command): Row[] {
  const meanings = { ...exitCodeMeanings, ...command.exitCodes };
  return Object.entries(meanings).map(([code, meaning]) => ({ name: code, text: meaning }));
}

function flagSpelling(name: string, placeholder: string | undefined): string {
  return placeholder === undefined ? `--${name}` : `--${name} ${placeholder}`;
}

interface Row {
  readonly name: string;
  readonly text: string;
  /** Dimmed, on lines of its own. */
  readonly note?: string;
}

const INDENT = 2;
const MIN_TEXT_WIDTH = 30;

function columns(rows: readonly Row[], { paint, width }: Page): string[] {
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
