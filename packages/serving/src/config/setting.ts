import type { LaunchContext, ValueKind } from './values.ts';

interface SettingRow<Value> {
  readonly env?: string;
  /** Older names of the variable. The main name has priority. */
  readonly envAliases?: readonly string[];
  /** Dotted path in `config.toml`, if it cannot be derived from `env`. For a secret, the path that is refused. */
  readonly toml?: string | undefined;
  readonly tomlAliases?: readonly string[];
  /** Long flag without dashes. Commands that run several servers add a prefix (`--pruner-port`). */
  readonly flag?: string;
  /** Whether the setting is part of an address to listen on. Only commands that listen have a flag for it. */
  readonly listening?: boolean;
  readonly value: ValueKind<Value>;
  readonly fallback: NoInfer<Value> | ((origin: LaunchContext) => NoInfer<Value>);
  /** Description of the default in the documentation, if the default is computed. */
  readonly fallbackText?: string;
  /** Whether the setting is a secret. Secrets come only from the environment and are never shown. */
  readonly secret?: boolean;
  /**
   * Whether a project's `.secateur.toml` may contain the setting. Only for settings that switch off, exclude
   * or set minimum sizes. The file comes with a cloned repository, so it must not choose a host, store, path,
   * program or key.
   */
  readonly project?: boolean;
  /** Error code for programs if the value is invalid. */
  readonly errorCode?: string;
}

/** A row of the settings table. The parser, `--help` and `docs/configuration.md` are generated from it. */
export interface Setting<Value> extends SettingRow<Value> {
  readonly doc: string;
}

export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

export type ValuesOf<Table extends SettingTable> = {
  readonly [Key in keyof Table]: Table[Key] extends Setting<infer Value> ? Value : never;
};

/** Creates a row. `more`: properties that only a few settings have. */
export function setting<const Value>(
  row: SettingRow<Value>,
  doc: string,
  more: Partial<Omit<SettingRow<unknown>, 'value' | 'fallback'>> = {},
): Setting<Value> {
  return { toml: pathInFile(row.env ?? ''), ...row, ...more, doc };
}

/** Tables of `config.toml`, by the prefix of the variables in them. */
const TABLES = {
  MCP_GATEWAY_: 'mcp_gateway',
  MCP_PRUNER_: 'mcp_pruner',
  JEEVES_MCP_PRUNER_: 'mcp_focus',
  REVERSE_SPEC_: 'reverse_spec',
  SECATEUR_HOOK_: 'hook',
  SECATEUR_: 'secateur',
};

/** Returns the path of a variable in `config.toml`: `mcp_gateway.port` for `MCP_GATEWAY_PORT`. */
function pathInFile(env: string): string | undefined {
  const [prefix, table] = Object.entries(TABLES).find(([each]) => env.startsWith(each)) ?? [];
  return prefix && `${table}.${env.slice(prefix.length).toLowerCase()}`;
}

export function fallbackOf<Value>(row: Setting<Value>, origin: LaunchContext): Value {
  return row.fallback instanceof Function ? row.fallback(origin) : row.fallback;
}

/** Returns the default as `--help` and the documentation show it. */
export function fallbackText(row: Setting<unknown>, origin: LaunchContext): string {
  if (row.fallbackText !== undefined) return row.fallbackText;
  const fallback = fallbackOf(row, origin);
  return fallback === undefined ? 'unset' : String(fallback);
}
