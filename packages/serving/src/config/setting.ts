import type { LaunchContext, ValueKind } from './values.ts';

interface SettingRow<Value> {
  readonly env?: string;
  /** Older names of the variable; the main one wins. */
  readonly envAliases?: readonly string[];
  /** Dotted path in `config.toml`, where it does not follow from `env`. For a secret: where it is refused. */
  readonly toml?: string | undefined;
  readonly tomlAliases?: readonly string[];
  /** Long flag without dashes; commands that take several systems prefix it (`--pruner-port`). */
  readonly flag?: string;
  /** Part of an address: no flag of commands that do not listen. */
  readonly listening?: boolean;
  readonly value: ValueKind<Value>;
  readonly fallback: NoInfer<Value> | ((origin: LaunchContext) => NoInfer<Value>);
  /** Text in the documentation for a computed default. */
  readonly fallbackText?: string;
  /** Secrets come from the environment alone and are never shown. */
  readonly secret?: boolean;
  /**
   * Whether `.secateur.toml` of a project may set it. Only for settings that switch off, exclude or set minimum sizes:
   * the file comes with a cloned repository, so nothing that names a host, a store, a path, a program or a key.
   */
  readonly project?: boolean;
  /** The code a program reads when the value is bad. */
  readonly errorCode?: string;
}

/** One row of the table: everything the parser, `--help` and `docs/configuration.md` say about a setting. */
export interface Setting<Value> extends SettingRow<Value> {
  readonly doc: string;
}

export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

export type ValuesOf<Table extends SettingTable> = {
  readonly [Key in keyof Table]: Table[Key] extends Setting<infer Value> ? Value : never;
};

/** Makes a row; `more` are the properties that few settings have. */
export function setting<const Value>(
  row: SettingRow<Value>,
  doc: string,
  more: Partial<Omit<SettingRow<unknown>, 'value' | 'fallback'>> = {},
): Setting<Value> {
  return { toml: pathInFile(row.env ?? ''), ...row, ...more, doc };
}

/** Variables with this beginning stand in that table of `config.toml`. */
const TABLES = {
  MCP_GATEWAY_: 'mcp_gateway',
  MCP_PRUNER_: 'mcp_pruner',
  JEEVES_MCP_PRUNER_: 'mcp_focus',
  REVERSE_SPEC_: 'reverse_spec',
  SECATEUR_HOOK_: 'hook',
  SECATEUR_: 'secateur',
};

/** `MCP_GATEWAY_PORT` is `mcp_gateway.port`. */
function pathInFile(env: string): string | undefined {
  const [prefix, table] = Object.entries(TABLES).find(([each]) => env.startsWith(each)) ?? [];
  return prefix && `${table}.${env.slice(prefix.length).toLowerCase()}`;
}

export function fallbackOf<Value>(row: Setting<Value>, origin: LaunchContext): Value {
  return row.fallback instanceof Function ? row.fallback(origin) : row.fallback;
}

/** The default as `--help` and the documentation show it. */
export function fallbackText(row: Setting<unknown>, origin: LaunchContext): string {
  if (row.fallbackText !== undefined) return row.fallbackText;
  const fallback = fallbackOf(row, origin);
  return fallback === undefined ? 'unset' : String(fallback);
}
