import { lstatSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { type FileRefusal, readRegularFile } from '@secateur/base/runtime/bounded-reading.ts';
import { attempt, DomainError } from '@secateur/base/runtime/domain-error.ts';
import { editDistance } from '@secateur/base/text/characters.ts';
import type { Setting } from './setting.ts';
import { type SectionName, settings } from './settings.ts';
import { isTable, type LaunchContext } from './values.ts';

export type TomlTable = Readonly<Record<string, unknown>>;

/** A settings file with its path. */
export interface ConfigFile {
  readonly path: string;
  readonly table: TomlTable;
}

const MAX_FILE_BYTES = 1_000_000;

/** Reads a settings file: a regular file of up to 1 MB. */
export function readConfigText(path: string, followLinks = true): string | FileRefusal {
  const file = readRegularFile(path, { maxBytes: MAX_FILE_BYTES, followLinks });
  return file.kind === 'read' ? file.bytes.toString('utf8') : file;
}

/** Parses TOML from the file at `path`. Throws `config_invalid`, which names the path. */
export function parseToml(text: string, path: string): TomlTable {
  const table = tryParseToml(text);
  if (table instanceof Error) throw configProblem(`${path}: expected TOML: ${table.message}`);
  return table;
}

/** Parses TOML. Returns the parser's error if the text is invalid. */
export function tryParseToml(text: string): TomlTable | Error {
  // Loaded only if a file exists. Most commands find none, and loading nine modules takes time.
  const toml: typeof import('smol-toml') = createRequire(import.meta.url)('smol-toml');
  try {
    return toml.parse(text);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

export function tomlValueAt(table: TomlTable, path: string): unknown {
  let value: unknown = table;
  for (const key of path.split('.')) {
    if (!isTable(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

export interface Problem {
  /** Variable, flag or TOML path, as written by the user. */
  readonly name: string;
  readonly raw: unknown;
  readonly row: Setting<unknown>;
  readonly detail?: string | undefined;
  /** Whether the value is a secret in a file, where secrets are not allowed. */
  readonly refused?: boolean;
}

/** Creates one error for all invalid values. It has the `code` of the first value that has one. */
export function configError(problems: readonly Problem[]): DomainError {
  const code = problems[0]?.row.errorCode ?? 'config_invalid';
  const named = problems.map(({ name, row }) => ({ name, expected: row.value.expected }));
  return new DomainError(code, problems.map(describeProblem).join('\n'), {
    data: { stage: 'configuration', problems: named },
  });
}

/** Creates an error for a combination of settings that cannot work. */
export function configProblem(message: string): DomainError {
  return new DomainError('config_invalid', message, { data: { stage: 'configuration' } });
}

export function isConfigError(error: unknown): boolean {
  return error instanceof DomainError && error.data.stage === 'configuration';
}

function describeProblem({ name, raw, row, detail, refused }: Problem): string {
  if (refused)
    return `${name}: secrets are not read from files; set the environment variable ${row.env} instead`;
  const code = row.errorCode === undefined ? '' : ` (${row.errorCode})`;
  if (detail !== undefined) return `${name}: ${detail}${code}`;
  return `${name}: expected ${row.value.expected}${shownValue(raw, row)}${code}`;
}

function shownValue(raw: unknown, row: Setting<unknown>): string {
  const text = typeof raw === 'string' ? raw : JSON.stringify(raw);
  // A URL may contain a password before the `@`, so it is not shown.
  if (row.secret || text === undefined || text.includes('@')) return '';
  return `, got ${JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)}`;
}

interface UnknownName {
  readonly name: string;
  /** Name that the user probably meant. */
  readonly meant: string | undefined;
}

/** Returns the keys in the tables of some sections that are not settings. Most are typing errors. */
export function unknownKeys(sections: readonly SectionName[], file: TomlTable): UnknownName[] {
  const known = tomlPaths(Object.keys(settings) as SectionName[]);
  const tables = new Set(tomlPaths(sections).map(tableOf));
  return [...tables].flatMap((name) => {
    const table = file[name];
    if (!isTable(table)) return [];
    return Object.keys(table)
      .map((key) => `${name}.${key}`)
      .filter((path) => !known.includes(path))
      .map((path) => ({ name: path, meant: nearestKey(path, known) }));
  });
}

/** Returns unknown tables, with the names probably meant. Ignores a file that has no table of Sécateur. */
export function unknownTables(file: TomlTable): UnknownName[] {
  const ours = ownTables();
  const isOurs = Object.keys(file).some((name) => ours.includes(name));
  return Object.entries(file).flatMap(([name, value]) => {
    if (ours.includes(name) || !isTable(value)) return [];
    const meant = nearest(name, ours, MAX_TABLE_TYPOS);
    return meant === undefined && !isOurs ? [] : [{ name, meant }];
  });
}

const MAX_TABLE_TYPOS = 2;
/** Maximum edit distance for a key. Larger than for tables, because keys are longer and their table is known. */
const MAX_KEY_TYPOS = 4;

/** Returns the key of the setting that the user probably meant. */
export function nearestKey(name: string, names: readonly string[]): string | undefined {
  return nearest(name, names, MAX_KEY_TYPOS);
}

function nearest(name: string, names: readonly string[], maxTypos: number): string | undefined {
  const near = names.map((each) => ({ each, typos: editDistance(each, name) }));
  const best = near.toSorted((left, right) => left.typos - right.typos)[0];
  return best !== undefined && best.typos <= maxTypos ? best.each : undefined;
}

/** Returns the names of all tables of Sécateur, such as `mcp_pruner` and `hook`. */
function ownTables(): readonly string[] {
  return [...new Set(tomlPaths(Object.keys(settings) as SectionName[]).map(tableOf))];
}

function tableOf(path: string): string {
  return path.split('.')[0] ?? '';
}

function tomlPaths(sections: readonly SectionName[]): string[] {
  const rows = sections.flatMap((section) => Object.values<Setting<unknown>>(settings[section]));
  return rows.flatMap(({ toml, tomlAliases = [] }) => (toml === undefined ? [] : [toml, ...tomlAliases]));
}

/**
 * Input for the choice of a program's settings files. A cloned repository may contain files of an attacker,
 * which must not control a program that an agent starts. Therefore only servers that a person starts read
 * `config.toml` of the working directory. Other programs read the user's file, and harmless keys of the
 * project's file.
 */
export interface FileSources {
  readonly origin: LaunchContext;
  readonly configPath?: string | undefined;
  /** Whether `config.toml` of the working directory has priority over the user's. Set for servers that a person starts. */
  readonly readsWorkingDirectory?: boolean | undefined;
  /** Whether to read no files. For programs that report that a file is invalid. */
  readonly withoutFiles?: boolean | undefined;
}

export interface ProjectFile extends ConfigFile {
  /** Reason why the file cannot be read. */
  readonly problem?: string;
}

/**
 * Finds the settings files. `main` is the file of `--config`, of the working directory or of the user; all its
 * settings apply. `project` is a `.secateur.toml`; only its settings declared with `project: true` apply.
 */
export function findSettingsFiles(sources: FileSources) {
  const { origin, configPath, readsWorkingDirectory, withoutFiles } = sources;
  if (withoutFiles) return { main: undefined, project: undefined };
  const project = readsWorkingDirectory ? undefined : readProjectFile(origin.cwd);
  if (configPath !== undefined) {
    const path = resolve(origin.cwd, configPath);
    const main = readFile(path);
    if (main === undefined) throw configProblem(`${path}: expected a TOML file; it does not exist`);
    return { main, project };
  }
  const local = readsWorkingDirectory ? readOwnFile(join(origin.cwd, 'config.toml')) : undefined;
  const path = userConfigPath(origin);
  return { main: local ?? (path === undefined ? undefined : readFile(path)), project };
}

/** Returns the path of the user's file. A relative home directory is ignored, because it would be in the project. */
export function userConfigPath({ env, homeDir }: Pick<LaunchContext, 'env' | 'homeDir'>): string | undefined {
  const xdg = env.XDG_CONFIG_HOME ?? '';
  const folder = isAbsolute(xdg) ? xdg : join(homeDir, '.config');
  return isAbsolute(folder) ? join(folder, 'secateur', 'config.toml') : undefined;
}

/** Reads a file that the user chose. `undefined` if it is missing; throws if it cannot be read. */
function readFile(path: string): ConfigFile | undefined {
  const text = readConfigText(path);
  if (typeof text === 'string') return { path, table: parseToml(text, path) };
  if (text.code === 'missing') return undefined;
  throw configProblem(`${path}: ${text.reason}`);
}

/** Reads a `config.toml` if it contains a table of Sécateur. Hugo, Cargo and others have files of this name too. */
function readOwnFile(path: string): ConfigFile | undefined {
  const text = readConfigText(path);
  if (typeof text !== 'string') {
    if (text.code === 'missing' || text.code === 'not_regular') return undefined;
    throw configProblem(`${path}: ${text.reason}; --config names another file`);
  }
  const table = tryParseToml(text);
  const own = ownTables();
  if (!(table instanceof Error))
    return own.some((name) => isTable(table[name])) ? { path, table } : undefined;
  const names = text.split('\n').map((line) => /^\w*/.exec(line.replace(/[\s["]/g, ''))?.[0] ?? '');
  return names.some((name) => own.includes(name)) ? { path, table: parseToml(text, path) } : undefined;
}

const PROJECT_FILE = '.secateur.toml';

/** Reads the nearest `.secateur.toml`, from the working directory up to the repository root. */
function readProjectFile(cwd: string): ProjectFile | undefined {
  for (const folder of foldersOfProject(cwd)) {
    const path = join(folder, PROJECT_FILE);
    const text = readConfigText(path, false);
    if (typeof text !== 'string') {
      if (text.code === 'missing') continue;
      return { path, table: {}, problem: text.reason };
    }
    const table = tryParseToml(text);
    return table instanceof Error
      ? { path, table: {}, problem: `expected TOML: ${table.message}` }
      : { path, table };
  }
  return undefined;
}

/** Returns the working directory and its parents up to the one with `.git`. Outside of a repository, returns only the working directory. */
export function foldersOfProject(cwd: string): string[] {
  const folders = [cwd];
  for (let folder = cwd; !isRepository(folder); folder = dirname(folder)) {
    if (dirname(folder) === folder) return [cwd];
    folders.push(dirname(folder));
  }
  return folders;
}

function isRepository(folder: string): boolean {
  return attempt(() => lstatSync(join(folder, '.git'))) !== undefined;
}
