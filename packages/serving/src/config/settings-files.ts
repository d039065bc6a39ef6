import { lstatSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { configProblem } from './config-error.ts';
import { type ConfigFile, parseToml, readConfigText, tryParseToml } from './config-file.ts';
import type { Origin } from './origin.ts';
import { ownTables } from './unknown-keys.ts';
import { isTable } from './values.ts';

/**
 * Finds the files from which a program reads its settings. The files of a cloned repository are data: they may come from
 * a stranger, and what an agent starts must not obey them. So only servers that a person starts read `config.toml` of
 * the working directory; everything else reads the user's own file, and from the project harmless keys alone.
 */
export interface FileSources {
  readonly origin: Origin;
  /** `--config`. */
  readonly configPath?: string | undefined;
  /** For servers that a person starts: `config.toml` of the working directory comes before the user's file. */
  readonly readsWorkingDirectory?: boolean | undefined;
  /** Reads no file, for a program that has to report that a file is wrong. */
  readonly withoutFiles?: boolean | undefined;
}

export interface SettingsFiles {
  /** The file that is obeyed. */
  readonly main: ConfigFile | undefined;
  /** `.secateur.toml` of the project, of which only keys marked `project: true` count. */
  readonly project: ProjectFile | undefined;
}

export interface ProjectFile extends ConfigFile {
  /** Why the file cannot be read. */
  readonly problem?: string;
}

export function findSettingsFiles(sources: FileSources): SettingsFiles {
  const { origin, configPath, readsWorkingDirectory, withoutFiles } = sources;
  if (withoutFiles) return { main: undefined, project: undefined };
  const project = readsWorkingDirectory ? undefined : readProjectFile(origin.cwd);
  if (configPath !== undefined) return { main: readNamedFile(resolve(origin.cwd, configPath)), project };
  const local = readsWorkingDirectory ? readOwnFile(join(origin.cwd, 'config.toml')) : undefined;
  const path = userConfigPath(origin);
  return { main: local ?? (path === undefined ? undefined : readFile(path)), project };
}

function readNamedFile(path: string): ConfigFile {
  const file = readFile(path);
  if (file === undefined) throw configProblem(`${path}: expected a TOML file; it does not exist`);
  return file;
}

/** Returns the user's file. A relative home directory is ignored: it would be inside the project. */
export function userConfigPath({ env, homeDir }: Pick<Origin, 'env' | 'homeDir'>): string | undefined {
  const xdg = env.XDG_CONFIG_HOME ?? '';
  const folder = isAbsolute(xdg) ? xdg : join(homeDir, '.config');
  return isAbsolute(folder) ? join(folder, 'secateur', 'config.toml') : undefined;
}

/** Reads a file that the user chose. A missing one is `undefined`; everything else that is wrong is an error. */
function readFile(path: string): ConfigFile | undefined {
  const text = readConfigText(path, { followLinks: true });
  if (typeof text === 'string') return { path, table: parseToml(text, path) };
  if (text.code === 'missing') return undefined;
  throw configProblem(`${path}: ${text.reason}`);
}

/** Reads a `config.toml` if it has a table of ours: Hugo, Cargo and others have files of this name too. */
function readOwnFile(path: string): ConfigFile | undefined {
  const text = readConfigText(path, { followLinks: true });
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

/** Reads the nearest `.secateur.toml` between the working directory and the repository's root. */
function readProjectFile(cwd: string): ProjectFile | undefined {
  for (const folder of foldersOfProject(cwd)) {
    const path = join(folder, PROJECT_FILE);
    const text = readConfigText(path, { followLinks: false });
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

/** The working directory and those above it up to the one with `.git`; outside a repository only the first. */
export function foldersOfProject(cwd: string): string[] {
  const folders = [cwd];
  for (let folder = cwd; !hasGit(folder); folder = dirname(folder)) {
    if (dirname(folder) === folder) return [cwd];
    folders.push(dirname(folder));
  }
  return folders;
}

function hasGit(folder: string): boolean {
  try {
    lstatSync(join(folder, '.git'));
    return true;
  } catch {
    return false;
  }
}
