import { configError, type Problem } from './config-error.ts';
import { findConfigFile, readConfigFile, type TomlTable, valueAt } from './config-file.ts';
import type { Environment, Origin } from './origin.ts';
import { fallbackOf, type Setting } from './setting.ts';
import { type Config, type SectionName, settings } from './settings.ts';
import { unknownKeys, unknownTables } from './unknown-keys.ts';

/** What a command line gave: setting id (`pruner.port`) → the flag's spelling and its text. */
export type FlagValues = ReadonlyMap<string, { readonly flag: string; readonly text: string }>;

export type ConfigDefaults = { readonly [Section in SectionName]?: Partial<Config[Section]> };

export interface ConfigSources {
  readonly origin: Origin;
  readonly flags: FlagValues;
  /** `--config`; without it `config.toml` of the working directory is read when it is there. */
  readonly configPath?: string | undefined;
  /** What a command prefers over the table's defaults, when nobody said otherwise. */
  readonly defaults?: ConfigDefaults | undefined;
}

export interface LoadedConfig<Section extends SectionName> {
  readonly config: Pick<Config, Section>;
  /** For people, on standard error: values that were passed over. */
  readonly warnings: readonly string[];
}

/** Reads the sections a command uses: flags > environment > `config.toml` > defaults. Throws `config_invalid` with every bad value. */
export function loadConfig<Section extends SectionName>(
  sections: readonly Section[],
  sources: ConfigSources,
): LoadedConfig<Section> {
  const file = readConfigFile(findConfigFile(sources));
  const reader = new Reader(sources, file);
  const config = Object.fromEntries(sections.map((section) => [section, reader.section(section)]));
  if (reader.problems.length > 0) throw configError(reader.problems);
  const unknown = unknownKeys(sections, file).map(
    (path) => `config.toml ${path}: there is no such setting; ignored`,
  );
  const tables = unknownTables(file).map(
    ({ name, meant }) =>
      `config.toml [${name}]: there is no such table; ignored${meant === undefined ? '' : `; did you mean [${meant}]?`}`,
  );
  return {
    config: Object.freeze(config) as Pick<Config, Section>,
    warnings: [...reader.warnings, ...unknown, ...tables],
  };
}

class Reader {
  readonly problems: Problem[] = [];
  readonly warnings: string[] = [];
  readonly #sources: ConfigSources;
  readonly #file: TomlTable;

  constructor(sources: ConfigSources, file: TomlTable) {
    this.#sources = sources;
    this.#file = file;
  }

  section(section: SectionName): Readonly<Record<string, unknown>> {
    const preferred: Readonly<Record<string, unknown>> = this.#sources.defaults?.[section] ?? {};
    const values: Record<string, unknown> = {};
    for (const [key, row] of Object.entries<Setting<unknown>>(settings[section])) {
      this.#refuseSecretInFile(row);
      const found = this.#firstReadable(`${section}.${key}`, row);
      values[key] =
        found === undefined ? (preferred[key] ?? fallbackOf(row, this.#sources.origin)) : found.value;
    }
    return Object.freeze(values);
  }

  #refuseSecretInFile(row: Setting<unknown>): void {
    if (!row.secret) return;
    for (const { name, raw } of fromFile(row, this.#file))
      this.problems.push({ name, raw, row, refused: true });
  }

  #firstReadable(id: string, row: Setting<unknown>): { value: unknown } | undefined {
    for (const candidate of this.#candidates(id, row)) {
      const reading = row.value.read(candidate.raw, this.#sources.origin);
      if (reading.kind === 'bad') {
        this.problems.push({ ...candidate, row, detail: reading.detail });
        return undefined;
      }
      if (reading.warning !== undefined) this.warnings.push(`${candidate.name}: ${reading.warning}`);
      if (reading.kind === 'read') return { value: reading.value };
    }
    return undefined;
  }

  /** What the sources say, the strongest first. */
  #candidates(id: string, row: Setting<unknown>): Candidate[] {
    const flag = this.#sources.flags.get(id);
    return [
      ...(flag === undefined ? [] : [{ name: `--${flag.flag} (${row.env})`, raw: flag.text }]),
      ...fromEnvironment(row, this.#sources.origin.env),
      ...(row.secret ? [] : fromFile(row, this.#file)),
    ];
  }
}

interface Candidate {
  readonly name: string;
  readonly raw: unknown;
}

/** An empty variable counts as unset: shells and compose files produce them. */
function fromEnvironment(row: Setting<unknown>, env: Environment): Candidate[] {
  const names = row.env === undefined ? [] : [row.env, ...(row.envAliases ?? [])];
  return names.map((name) => ({ name, raw: env[name] ?? '' })).filter(({ raw }) => raw !== '');
}

function fromFile(row: Setting<unknown>, file: TomlTable): Candidate[] {
  const paths = row.toml === undefined ? [] : [row.toml, ...(row.tomlAliases ?? [])];
  return paths
    .map((path) => ({ name: `config.toml ${path}`, raw: valueAt(file, path) }))
    .filter(({ raw }) => raw !== undefined);
}
