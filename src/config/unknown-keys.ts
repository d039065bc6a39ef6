import { editDistance } from '../text/edit-distance.ts';
import type { TomlTable } from './config-file.ts';
import type { Setting } from './setting.ts';
import { type SectionName, settings } from './settings.ts';
import { isTable } from './values.ts';

/** Keys nobody reads in the tables these sections share: most often a typing mistake. Other tables are other programs' business. */
export function unknownKeys(sections: readonly SectionName[], file: TomlTable): string[] {
  const known = new Set(tomlPaths(Object.keys(settings) as SectionName[]));
  const tables = new Set(tomlPaths(sections).map(tableOf));
  return [...tables].flatMap((name) => {
    const table = file[name];
    if (!isTable(table)) return [];
    return Object.keys(table)
      .map((key) => `${name}.${key}`)
      .filter((path) => !known.has(path));
  });
}

/** Tables of nobody, each with the name that was probably meant. A file without any table of ours is another program's. */
export function unknownTables(file: TomlTable): { name: string; meant: string | undefined }[] {
  const ours = ownTables();
  const isOurs = Object.keys(file).some((name) => ours.includes(name));
  return Object.entries(file).flatMap(([name, value]) => {
    if (ours.includes(name) || !isTable(value)) return [];
    const meant = ours.find((each) => editDistance(each, name) <= MOST_TYPOS);
    return meant === undefined && !isOurs ? [] : [{ name, meant }];
  });
}

const MOST_TYPOS = 2;

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
