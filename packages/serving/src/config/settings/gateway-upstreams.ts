import type { Setting, SettingTable, ValuesOf } from '../setting.ts';
import {
  integer,
  isTable,
  type LaunchContext,
  milliseconds,
  oneOf,
  onOff,
  type ParsedValue,
  path,
  text,
  textList,
  textTable,
  type ValueKind,
  webUrl,
} from '../values.ts';

const size = integer({ min: -1 });

/** Returns the size settings that a server or one of its tools may override. */
function sizes(doc: string) {
  return {
    maxChars: optional('max_chars', size, doc),
    headChars: optional('head_chars', size, doc),
    tailChars: optional('tail_chars', size, doc),
    maxMediaBytes: optional('max_media_bytes', size, doc),
    maxResultChars: optional('max_result_chars', size, doc),
  };
}

/** Keys of a table `[mcp_gateway.servers.<name>.tools.<tool>]`. Default: the value of the server. */
const toolSettings = {
  ...sizes("Replaces the server's value for results of this tool."),
  pruneBeforeMask: optional('prune_before_mask', onOff, "Replaces the server's value for this tool."),
  description: optional('description', text, "Replaces the tool's own description."),
} satisfies SettingTable;

/** Keys of `[mcp_gateway.servers.<name>.tools]` itself whose values are not tables. */
const toolListSettings = {
  allow: optional(
    'allow',
    textList,
    'Tools that are listed and can be called; `*` at the end of a name matches any text.',
  ),
  deny: optional('deny', textList, 'These tools are neither listed nor callable.'),
  maxDescriptionChars: optional(
    'max_description_chars',
    integer({ min: 1, max: 1_000_000 }),
    'Maximum characters of the description of a tool; longer ones are shortened.',
  ),
} satisfies SettingTable;

type ToolConfig = Partial<ValuesOf<typeof toolSettings>>;

export interface ToolTableConfig extends Partial<ValuesOf<typeof toolListSettings>> {
  readonly each: Readonly<Record<string, ToolConfig>>;
}

const toolTables: ValueKind<ToolTableConfig> = {
  expected: `lists allow and deny, max_description_chars, and tables with ${Object.values(toolSettings)
    .map(({ toml }) => toml)
    .join(', ')}`,
  read: (raw, origin) => {
    if (!isTable(raw)) return { kind: 'bad' };
    const tools = new Map<string, ToolConfig>();
    const own = Object.entries(raw).filter(([, value]) => !isTable(value));
    const lists = readRows(Object.fromEntries(own), { rows: toolListSettings, origin });
    if (lists.kind !== 'read') return lists;
    for (const [name, table] of Object.entries(raw).filter(([, value]) => isTable(value))) {
      const reading = readRows(table, { rows: toolSettings, origin });
      if (reading.kind !== 'read') {
        return badUpstream(`${name}: ${reading.kind === 'bad' ? reading.detail : ''}`);
      }
      tools.set(name, reading.value);
    }
    return { kind: 'read', value: { ...lists.value, each: Object.fromEntries(tools) } };
  },
};

const REPLACES = 'Replaces the value of `[mcp_gateway]` for this server.';

/** Keys of a table `[mcp_gateway.servers.<name>]`. Default: the value in `[mcp_gateway]`. */
export const upstreamSettings = {
  url: optional('url', webUrl, 'URL of the server: plain JSON-RPC or Streamable HTTP.'),
  headers: optional(
    'headers',
    textTable,
    'Headers sent to `url`, such as authorization; `${env:NAME}` and `${command:…}` keep secrets out of the file.',
  ),
  auth: optional(
    'auth',
    oneOf(['oauth']),
    '`oauth`: the server is used after `secateur gateway login NAME`.',
  ),
  clientId: optional(
    'client_id',
    text,
    'Id of a client that is registered at the OAuth server; without it a client is registered automatically.',
  ),
  clientSecret: optional('client_secret', text, 'Secret of `client_id`, as `${env:NAME}` or `${command:…}`.'),
  issuer: optional(
    'issuer',
    webUrl,
    'The only OAuth server that gets secrets of this upstream; default: the one of the first sign-in.',
  ),
  scope: optional('scope', text, 'OAuth scope to request.'),
  command: optional('command', textList, 'Program and arguments of a stdio server, started on first use.'),
  env: optional(
    'env',
    textTable,
    'Variables added to the environment of `command`; `${env:NAME}` and `${command:…}` as in `headers`.',
  ),
  cwd: optional('cwd', path, 'Working directory of `command`.'),
  enabled: optional('enabled', onOff, '`false` removes the server, for example a default one.'),
  connectTimeoutMs: optional('connect_timeout_ms', milliseconds, REPLACES),
  timeoutMs: optional('timeout_ms', milliseconds, REPLACES),
  ...sizes(REPLACES),
  injectRecoverTool: optional('inject_recover_tool', onOff, REPLACES),
  maxResponseBytes: optional('max_response_bytes', size, REPLACES),
  maxProcesses: optional('max_processes', integer({ min: 1, max: 1000 }), REPLACES),
  pruneBeforeMask: optional('prune_before_mask', onOff, REPLACES),
  tools: optional(
    'tools',
    toolTables,
    'Rules for the tools that are offered (`allow`, `deny`, `max_description_chars`), and limits of single tools, by name.',
  ),
} satisfies SettingTable;

export type UpstreamConfig = Partial<ValuesOf<typeof upstreamSettings>>;

export type UpstreamTable = Readonly<Record<string, UpstreamConfig>>;

export const defaultUpstreams: UpstreamTable = {
  pruner: { url: 'http://127.0.0.1:8006/rpc' },
  'fast-filesystem': { url: 'http://127.0.0.1:8004/rpc' },
  'json-query': { url: 'http://127.0.0.1:8005/rpc' },
  'sequential-thinking': { url: 'http://127.0.0.1:8003/rpc' },
  'shrimp-task-manager': { url: 'http://127.0.0.1:8007/rpc' },
};

/** Tables that the user adds or that change default tables. `enabled = false` removes a table. */
export const upstreamTables: ValueKind<UpstreamTable> = {
  expected: 'tables with `url = "http://…"` or `command = ["program", "argument"]`',
  read: (raw, origin) => {
    if (!isTable(raw)) return { kind: 'bad' };
    const servers = new Map(Object.entries(defaultUpstreams));
    for (const [name, table] of Object.entries(raw)) {
      const reading = readUpstream(table, { base: servers.get(name), origin });
      if (reading.kind !== 'read')
        return { kind: 'bad', detail: `${name}: ${reading.kind === 'bad' ? reading.detail : ''}` };
      servers.set(name, reading.value);
    }
    const enabled = [...servers].filter(([, each]) => each.enabled !== false);
    return { kind: 'read', value: Object.fromEntries(enabled) };
  },
};

function readUpstream(
  table: unknown,
  { base, origin }: { base: UpstreamConfig | undefined; origin: LaunchContext },
): ParsedValue<UpstreamConfig> {
  const reading = readRows(table, { rows: upstreamSettings, origin });
  if (reading.kind !== 'read') return reading;
  const upstream: UpstreamConfig = reading.value;
  return reachable({ ...(upstream.command === undefined ? base : undefined), ...upstream });
}

/** Reads a table. Keys that are not in `rows` are errors. */
function readRows(
  table: unknown,
  { rows, origin }: { rows: SettingTable; origin: LaunchContext },
): ParsedValue<Record<string, unknown>> {
  if (!isTable(table)) return badUpstream('not a table');
  const values: Record<string, unknown> = {};
  for (const [tomlKey, raw] of Object.entries(table)) {
    const found = Object.entries(rows).find(([, row]) => row.toml === tomlKey);
    if (found === undefined) return badUpstream(`unknown key ${tomlKey}`);
    const [key, row] = found;
    const reading = row.value.read(raw, origin);
    if (reading.kind !== 'read') {
      const detail = reading.kind === 'bad' ? reading.detail : undefined;
      return badUpstream(`${tomlKey}: ${detail ?? `expected ${row.value.expected}`}`);
    }
    values[key] = reading.value;
  }
  return { kind: 'read', value: values };
}

function reachable(upstream: UpstreamConfig): ParsedValue<UpstreamConfig> {
  if (upstream.url !== undefined && upstream.command !== undefined)
    return badUpstream('both url and command are given');
  if (upstream.url === undefined && upstream.command === undefined)
    return badUpstream('neither url nor command is given');
  return { kind: 'read', value: upstream };
}

function badUpstream(detail: string): ParsedValue<never> {
  return { kind: 'bad', detail };
}

function optional<Value>(toml: string, value: ValueKind<Value>, doc: string): Setting<Value | undefined> {
  return { toml, value, doc, fallback: undefined };
}
