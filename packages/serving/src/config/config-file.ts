import { createRequire } from 'node:module';
import { type FileRefusal, readRegularFile } from '@secateur/base/runtime/open-regular-file.ts';
import { configProblem } from './config-error.ts';
import { isTable } from './values.ts';

export type TomlTable = Readonly<Record<string, unknown>>;

/** A file of settings, and where it is. */
export interface ConfigFile {
  readonly path: string;
  readonly table: TomlTable;
}

const MAX_FILE_BYTES = 1_000_000;

/** Reads the text of a file of settings: a regular file of up to 1 MB. */
export function readConfigText(
  path: string,
  { followLinks }: { followLinks: boolean },
): string | FileRefusal {
  const file = readRegularFile(path, { maxBytes: MAX_FILE_BYTES, followLinks });
  return file.kind === 'read' ? file.bytes.toString('utf8') : file;
}

/** Parses the TOML of a file called `path`; throws `config_invalid` that names the file. */
export function parseToml(text: string, path: string): TomlTable {
  const table = tryParseToml(text);
  if (table instanceof Error) throw configProblem(`${path}: expected TOML: ${table.message}`);
  return table;
}

/** Parses TOML; text that is not TOML gives the parser's error. */
export function tryParseToml(text: string): TomlTable | Error {
  // Loaded when there is a file to read: most commands find none, and loading nine modules takes time.
  const toml: typeof import('smol-toml') = createRequire(import.meta.url)('smol-toml');
  try {
    return toml.parse(text);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

export function valueAt(table: TomlTable, path: string): unknown {
  let value: unknown = table;
  for (const key of path.split('.')) {
    if (!isTable(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}
