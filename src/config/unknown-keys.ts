import type { TomlTable } from './config-file.ts';
import type { Setting } from './setting.ts';
import { type SectionName, settings } from './settings.ts';
import { isTable } from './values.ts';

/** Keys nobody reads in the tables these sections share: most often a slip of the pen. Other tables are other programs' business. */
export function unknownKeys(sections: readonly SectionName[], file: TomlTable): string[] {
  const known = new Set(tomlPaths(Object.keys(settings) as SectionName[]));
  const tables = new Set(tomlPaths(sections).map((path) => path.split('.')[0] ?? ''));
  return [...tables].flatMap((name) => {
    const table = file[name];
    if (!isTable(table)) return [];
    return Object.keys(table)
      .map((key) => `${name}.${key}`)
      .filter((path) => !known.has(path));
  });
}

function tomlPaths(sections: readonly SectionName[]): string[] {
  const rows = sections.flatMap((section) => Object.values<Setting<unknown>>(settings[section]));
  return rows.flatMap(({ toml, tomlAliases = [] }) => (toml === undefined ? [] : [toml, ...tomlAliases]));
}
