import {
  type ConfigFile,
  configError,
  type FileSources,
  findSettingsFiles,
  nearestKey,
  type Problem,
  type ProjectFile,
  tomlValueAt,
  unknownKeys,
  unknownTables,
} from './config-file.ts';
import { fallbackOf, type Setting } from './setting.ts';
import { type Config, type SectionName, settings } from './settings.ts';
import { type Environment, isTable, type LaunchContext } from './values.ts';
/** Values from the command line by setting id (`pruner.port`): the flag as written, and its text. */
export type FlagValues = ReadonlyMap<string, { readonly flag: string; readonly text: string }>;

export type ConfigDefaults = { readonly [Section in SectionName]?: Partial<Config[Section]> };

export interface ConfigSources extends FileSources {
  readonly flags: FlagValues;
  /** Defaults of a command, which replace those in the settings table. */
  readonly defaults?: ConfigDefaults | undefined;
}

export interface LoadedConfig<Section extends SectionName> {
  readonly config: Pick<Config, Section>;
  /** Warnings about ignored values. They are printed on standard error. */
  readonly warnings: readonly string[];
  readonly files: ReadFiles;
  readonly sources: SettingSources;
}

/** Sources of all values that are not defaults, by setting id (`hook.enabled`): a flag, a variable, or a file and key. */
export type SettingSources = Readonly<Record<string, string>>;

export interface ReadFiles {
  readonly main: string | undefined;
  readonly project: Pick<ProjectSettings, 'path' | 'ignored'> | undefined;
}

/**
 * Reads the sections that a command uses. Priority: flags, environment, `.secateur.toml` of the project (a
 * few keys), `config.toml`, defaults. Throws `config_invalid`, which lists all invalid values.
 */
export function loadConfig<Section extends SectionName>(
  sections: readonly Section[],
  sources: ConfigSources,
): LoadedConfig<Section> {
  const files = findSettingsFiles(sources);
  const project = files.project && projectSettings(files.project, sources.origin);
  const reader = new Reader(sources, { main: files.main, project });
  const config = Object.fromEntries(sections.map((section) => [section, reader.section(section)]));
  if (reader.problems.length > 0) throw configError(reader.problems);
  return {
    config: Object.freeze(config) as Pick<Config, Section>,
    warnings: [...reader.warnings, ...(files.main === undefined ? [] : unknownIn(files.main, sections))],
    sources: reader.sources,
    files: { main: files.main?.path, project: project && { path: project.path, ignored: project.ignored } },
  };
}

/** Lists faults in the user's files. The project's file may come from an attacker, so it is not quoted. */
export function faultsIn({
  warnings,
  files: { project },
}: Pick<LoadedConfig<never>, 'warnings' | 'files'>): readonly string[] {
  if (project === undefined || project.ignored.length === 0) return warnings;
  return [...warnings, `${project.path}: ${project.ignored.length} of its settings were ignored`];
}

function unknownIn({ path, table }: ConfigFile, sections: readonly SectionName[]): string[] {
  const line = (kind: string, name: string, meant: string | undefined) =>
    `${path} ${name}: there is no such ${kind}; ignored${hint(meant)}`;
  return [
    ...unknownKeys(sections, table).map(({ name, meant }) => line('setting', name, meant)),
    ...unknownTables(table).map(({ name, meant }) => line('table', `[${name}]`, meant && `[${meant}]`)),
  ];
}

function hint(meant: string | undefined): string {
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}

interface Files {
  readonly main: ConfigFile | undefined;
  readonly project: ProjectSettings | undefined;
}

class Reader {
  readonly problems: Problem[] = [];
  readonly warnings: string[] = [];
  readonly sources: Record<string, string> = {};
  readonly #sources: ConfigSources;
  readonly #files: Files;

  constructor(sources: ConfigSources, files: Files) {
    this.#sources = sources;
    this.#files = files;
  }

  section(section: SectionName): Readonly<Record<string, unknown>> {
    const preferred: Readonly<Record<string, unknown>> = this.#sources.defaults?.[section] ?? {};
    const values: Record<string, unknown> = {};
    for (const [key, row] of Object.entries<Setting<unknown>>(settings[section])) {
      this.#refuseSecretInFile(row);
      const found = this.#firstReadable(`${section}.${key}`, row);
      const value =
        found === undefined ? (preferred[key] ?? fallbackOf(row, this.#sources.origin)) : found.value;
      const project = found?.isFromCall ? undefined : this.#files.project?.values.get(row.toml ?? '');
      values[key] = project === undefined ? value : withProject(value, project);
      this.#noteSource(`${section}.${key}`, found?.name, project !== undefined && row.toml);
    }
    return Object.freeze(values);
  }

  #noteSource(id: string, name: string | undefined, projectKey: string | false | undefined): void {
    const places = [name, projectKey && `${this.#files.project?.path} ${projectKey}`].filter(Boolean);
    if (places.length > 0) this.sources[id] = places.join(' and ');
  }

  #refuseSecretInFile(row: Setting<unknown>): void {
    if (!row.secret) return;
    for (const { name, raw } of fromFile(row, this.#files.main))
      this.problems.push({ name, raw, row, refused: true });
  }

  #firstReadable(id: string, row: Setting<unknown>) {
    for (const candidate of this.#candidates(id, row)) {
      const reading = row.value.read(candidate.raw, this.#sources.origin);
      if (reading.kind === 'bad') {
        this.problems.push({ ...candidate, row, detail: reading.detail });
        return undefined;
      }
      if (reading.warning !== undefined) this.warnings.push(`${candidate.name}: ${reading.warning}`);
      if (reading.kind === 'read')
        return { value: reading.value, name: candidate.name, isFromCall: candidate.isFromFile !== true };
    }
    return undefined;
  }

  /** Returns the values from all sources, highest priority first. */
  #candidates(id: string, row: Setting<unknown>): Candidate[] {
    const flag = this.#sources.flags.get(id);
    return [
      ...(flag === undefined ? [] : [{ name: `--${flag.flag} (${row.env})`, raw: flag.text }]),
      ...fromEnvironment(row, this.#sources.origin.env),
      ...(row.secret ? [] : fromFile(row, this.#files.main)),
    ];
  }
}

interface Candidate {
  readonly name: string;
  readonly raw: unknown;
  readonly isFromFile?: boolean;
}

/** Returns the value from the environment. An empty variable counts as unset. */
function fromEnvironment(row: Setting<unknown>, env: Environment): Candidate[] {
  const names = row.env === undefined ? [] : [row.env, ...(row.envAliases ?? [])];
  return names.map((name) => ({ name, raw: env[name] ?? '' })).filter(({ raw }) => raw !== '');
}

function fromFile(row: Setting<unknown>, file: ConfigFile | undefined): Candidate[] {
  if (file === undefined || row.toml === undefined) return [];
  return [row.toml, ...(row.tomlAliases ?? [])]
    .map((path) => ({ name: `${file.path} ${path}`, raw: tomlValueAt(file.table, path), isFromFile: true }))
    .filter(({ raw }) => raw !== undefined);
}

/** Settings from the `.secateur.toml` of a project, and its ignored keys. */
interface ProjectSettings {
  readonly path: string;
  /** Values by dotted path, such as `hook.exclude`. */
  readonly values: ReadonlyMap<string, unknown>;
  /** One line per ignored key, with the reason. */
  readonly ignored: readonly string[];
}

/** Reads the keys that a project may set. Other keys are ignored, with a warning but no error. */
function projectSettings({ path, table, problem }: ProjectFile, origin: LaunchContext): ProjectSettings {
  const values = new Map<string, unknown>();
  const ignored = problem === undefined ? [] : [`the file ${problem}`];
  for (const [id, raw] of Object.entries(table).flatMap(keysOf)) {
    const row = ROWS.get(id);
    const reading = row?.project ? row.value.read(raw, origin) : undefined;
    const key = row?.toml ?? id;
    if (reading?.kind !== 'read') ignored.push(`${id}: ${reasonFor(row, id)}`);
    // The main key has priority over an alias.
    else if (id === key || !values.has(key)) values.set(key, reading.value);
  }
  const more = ignored.length - MAX_REPORTED;
  return { path, values, ignored: more > 0 ? [...ignored.slice(0, MAX_REPORTED), `${more} more`] : ignored };
}

/** Maximum number of ignored keys that are reported. The file of a stranger must not fill the user's terminal. */
const MAX_REPORTED = 20;

/** Returns the keys of a table as dotted paths. A value outside of tables is a key of its own. */
function keysOf([name, group]: readonly [string, unknown]): [id: string, raw: unknown][] {
  if (!isTable(group)) return [[name, group]];
  return Object.entries(group).map(([key, raw]) => [`${name}.${key}`, raw]);
}

const ROWS: ReadonlyMap<string, Setting<unknown>> = new Map(
  Object.values(settings).flatMap((rows) =>
    Object.values<Setting<unknown>>(rows).flatMap((row) =>
      [row.toml ?? [], row.tomlAliases ?? []].flat().map((path) => [path, row] as const),
    ),
  ),
);

const PROJECT_KEYS = [...ROWS].flatMap(([path, { project }]) => (project ? [path] : []));

function reasonFor(row: Setting<unknown> | undefined, id: string): string {
  if (row === undefined) return `there is no such setting${hint(nearestKey(id, PROJECT_KEYS))}`;
  if (row.project) return `expected ${row.value.expected}`;
  return 'a project may not set this; set it in your own file';
}

/** Merges a project's value into the user's. The project can exclude more or switch off more, but never less. */
function withProject(own: unknown, project: unknown): unknown {
  if (Array.isArray(own) && Array.isArray(project)) return [...own, ...project];
  return typeof own === 'boolean' ? own && project === true : project;
}
