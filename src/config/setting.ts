import type { Origin } from './origin.ts';
import type { ValueKind } from './values.ts';

/** One row of the table: everything the parser, `--help` and `docs/configuration.md` say about a setting. */
export interface Setting<Value> {
  readonly env?: string;
  /** Older names of the variable; the main one wins. */
  readonly envAliases?: readonly string[];
  /** Dotted path in `config.toml`. For a secret: where it is refused. */
  readonly toml?: string;
  readonly tomlAliases?: readonly string[];
  /** Long flag without dashes; commands that take several systems prefix it (`--pruner-port`). */
  readonly flag?: string;
  /** Part of an address: no flag of commands that do not listen. */
  readonly listening?: boolean;
  readonly value: ValueKind<Value>;
  readonly fallback: NoInfer<Value> | ((origin: Origin) => NoInfer<Value>);
  /** How documentation names a fallback that is computed. */
  readonly fallbackText?: string;
  readonly doc: string;
  /** Secrets come from the environment alone and are never shown. */
  readonly secret?: boolean;
  /** The code a program reads when the value is bad. */
  readonly errorCode?: string;
}

export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

export type ValuesOf<Table extends SettingTable> = {
  readonly [Key in keyof Table]: Table[Key] extends Setting<infer Value> ? Value : never;
};

export function setting<const Value>(row: Setting<Value>): Setting<Value> {
  return row;
}

export function fallbackOf<Value>(row: Setting<Value>, origin: Origin): Value {
  return row.fallback instanceof Function ? row.fallback(origin) : row.fallback;
}

/** The default as `--help` and the documentation show it. */
export function fallbackText(row: Setting<unknown>, origin: Origin): string {
  if (row.fallbackText !== undefined) return row.fallbackText;
  const fallback = fallbackOf(row, origin);
  return fallback === undefined ? 'unset' : String(fallback);
}
