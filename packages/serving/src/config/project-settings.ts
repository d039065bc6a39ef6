import type { Origin } from './origin.ts';
import type { Setting } from './setting.ts';
import { settings } from './settings.ts';
import type { ProjectFile } from './settings-files.ts';
import { nearestKey } from './unknown-keys.ts';
import { isTable } from './values.ts';

/** What a project's `.secateur.toml` sets, and what in it was ignored. */
export interface ProjectSettings {
  readonly path: string;
  /** By dotted path: `hook.exclude`. */
  readonly values: ReadonlyMap<string, unknown>;
  /** One line for each key that was ignored, and why. */
  readonly ignored: readonly string[];
}

/** Takes the keys that a project may set; nothing in the file is an error. */
export function projectSettings({ path, table, problem }: ProjectFile, origin: Origin): ProjectSettings {
  const values = new Map<string, unknown>();
  const ignored = problem === undefined ? [] : [`the file ${problem}`];
  for (const [id, raw] of Object.entries(table).flatMap(keysOf)) {
    const row = ROWS.get(id);
    const reading = row?.project ? row.value.read(raw, origin) : undefined;
    if (reading?.kind === 'read') setByMainKey(values, [id, row?.toml ?? id], reading.value);
    else ignored.push(`${id}: ${reasonFor(row, id)}`);
  }
  const more = ignored.length - MAX_REPORTED;
  return { path, values, ignored: more > 0 ? [...ignored.slice(0, MAX_REPORTED), `${more} more`] : ignored };
}

/** Stores the value of an alias under the main key, which wins if the file has both. */
function setByMainKey(
  values: Map<string, unknown>,
  [key, mainKey]: readonly [string, string],
  value: unknown,
): void {
  if (key === mainKey || !values.has(mainKey)) values.set(mainKey, value);
}

/** A file of a stranger must not fill the user's terminal. */
const MAX_REPORTED = 20;

/** The keys of one table by their dotted paths; a value outside tables is a key by itself. */
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
  if (row === undefined) {
    const meant = nearestKey(id, PROJECT_KEYS);
    return `there is no such setting${meant === undefined ? '' : `; did you mean ${meant}?`}`;
  }
  if (row.project) return `expected ${row.value.expected}`;
  return 'a project may not set this; set it in your own file';
}

/** Adds a project's value to the user's: a project may exclude more files and switch off more, never less. */
export function withProject(own: unknown, project: unknown): unknown {
  if (Array.isArray(own) && Array.isArray(project)) return [...own, ...project];
  return typeof own === 'boolean' ? own && project === true : project;
}
