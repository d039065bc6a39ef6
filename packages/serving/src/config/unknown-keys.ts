import { editDistance } from '@secateur/base/text/edit-distance.ts';
import type { TomlTable } from './config-file.ts';
import type { Setting } from './setting.ts';
import { type SectionName, settings } from './settings.ts';
import { isTable } from './values.ts';

interface UnknownName {
  readonly name: string;
  /** The name that was probably meant. */
  readonly meant: string | undefined;
}

/** Finds keys that no setting has in the tables these sections share: most often a typing mistake. */
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

/** Finds unknown tables and the names probably meant. A file without any table of ours is not ours. */
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
/** A key is longer than a table's name, and its table is right already. */
const MAX_KEY_TYPOS = 4;

/** Returns the key of a setting that was probably meant. */
export function nearestKey(name: string, names: readonly string[]): string | undefined {
  return nearest(name, names, MAX_KEY_TYPOS);
}

function nearest(name: string, names: readonly string[], maxTypos: number): string | undefined {
  const near = names.map((each) => ({ each, typos: editDistance(each, name) }));
  const best = near.toSorted((left, right) => left.typos - right.typos)[0];
  return best !== undefined && best.typos <= maxTypos ? best.each : undefined;
}

/** The tables that settings of ours are in: `mcp_pruner`, `hook`. */
export function ownTables(): readonly string[] {
  return [...new Set(tomlPaths(Object.keys(settings) as SectionName[]).map(tableOf))];
}

function tableOf(path: string): string {
  return path.split('.')[0] ?? '';
}

function tomlPaths(sections: readonly SectionName[]): string[] {
  const rows = sections.flatMap((section) => Object.values<Setting<unknown>>(settings[section]));
  return rows.flatMap(({ toml, tomlAliases = [] }) => (toml === undefined ? [] : [toml, ...tomlAliases]));
}
