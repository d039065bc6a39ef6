import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { DomainError } from '../runtime/domain-error.ts';
import type { Origin } from './origin.ts';
import { isTable } from './values.ts';

/** Loaded when there is a file to read: most commands find none, and nine modules take their time. */
function parse(text: string): TomlTable {
  const toml: typeof import('smol-toml') = createRequire(import.meta.url)('smol-toml');
  return toml.parse(text);
}

export type TomlTable = Readonly<Record<string, unknown>>;

/** The file named by `--config`, or `config.toml` of the working directory, or none. */
export function findConfigFile(sources: {
  origin: Origin;
  configPath?: string | undefined;
}): string | undefined {
  const { cwd } = sources.origin;
  if (sources.configPath !== undefined) return resolve(cwd, sources.configPath);
  const local = join(cwd, 'config.toml');
  return existsSync(local) ? local : undefined;
}

export function readConfigFile(path: string | undefined): TomlTable {
  if (path === undefined) return {};
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** TOML of somebody else's, from a file called `path`. */
export function parseToml(text: string, path: string): TomlTable {
  try {
    return parse(text);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function unreadable(path: string, cause: unknown): DomainError {
  return new DomainError('config_invalid', `${path}: ${reasonOf(cause)}`, {
    data: { stage: 'configuration' },
    cause,
  });
}

function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ENOENT') return 'expected a TOML file; there is none';
  if (typeof code === 'string') return `expected a readable TOML file (${code})`;
  return `expected TOML: ${cause instanceof Error ? cause.message : cause}`;
}

export function valueAt(table: TomlTable, path: string): unknown {
  let value: unknown = table;
  for (const key of path.split('.')) {
    if (!isTable(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}
