import type { LaunchContext, ValueKind } from './values.ts';

interface SettingRow<Value> {
  readonly env?: string;
  /** Older names of the variable; the main name takes precedence. */
  readonly envAliases?: readonly string[];
  /** Dotted path in `config.toml`, if it cannot be derived from `env`. For a secret, the refused path. */
  readonly toml?: string | undefined;
  readonly tomlAliases?: readonly string[];
  /** Long flag without dashes. Commands that run several servers add a prefix (`--pruner-port`). */
  readonly flag?: string;
  /** Whether the setting is part of an address. Commands that do not listen have no flag for it. */
  readonly listening?: boolean;
  readonly value: ValueKind<Value>;
  readonly fallback: NoInfer<Value> | ((origin: LaunchContext) => NoInfer<Value>);
  /** Text that describes a computed default in the documentation. */
  readonly fallbackText?: string;
  /** Whether the setting is a secret. Secrets come only from the environment and are never shown. */
  readonly secret?: boolean;
  /**
   * Whether the `.secateur.toml` of a project may set it. Only for settings that switch off, exclude or set minimum
   * sizes. The file comes with a cloned repository, so it must not set a host, a store, a path, a program or a key.
   */
  readonly project?: boolean;
  /** Error code, for programs, if the value is invalid. */
  readonly errorCode?: string;
}

/** A row of the settings table: everything that parser, `--help` and `docs/configuration.md` need. */
export interface Setting<Value> extends SettingRow<Value> {
  readonly doc: string;
}

export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

export type ValuesOf<Table extends SettingTable> = {
  readonly [Key in keyof Table]: Table[Key] extends Setting<infer Value> ? Value : never;
};

/** Creates a row. `more` contains properties that few settings have. */
export function setting<const Value>(
  row: SettingRow<Value>,
  doc: string,
  more: Partial<Omit<SettingRow<unknown>, 'value' | 'fallback'>> = {},
): Setting<Value> {
  return { toml: pathInFile(row.env ?? ''), ...row, ...more, doc };
}

/** Variables with this prefix belong to this table of `config.toml`. */
const TABLES = {
  MCP_GATEWAY_: 'mcp_gateway',
  MCP_PRUNER_: 'mcp_pruner',
  JEEVES_MCP_PRUNER_: 'mcp_focus',
  REVERSE_SPEC_: 'reverse_spec',
  SECATEUR_HOOK_: 'hook',
  SECATEUR_: 'secateur',
};

/** Returns the path in `config.toml`: `mcp_gateway.port` for `MCP_GATEWAY_PORT`. */
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
