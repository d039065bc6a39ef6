import type { ToolRules } from '@secateur/serving/wire/tool-rules.ts';
import type { Credentials } from './credentials.ts';
import type { ResultLimits } from './maskers/masker.ts';

/** Settings per server; `GatewayDefaults` fills in the rest. */
export interface ServerSettings extends ResultLimits {
  readonly connectTimeoutMs: number;
  readonly timeoutMs: number;
  readonly injectRecoverTool: boolean;
  readonly pruneBeforeMask: boolean;
  readonly maxResponseBytes: number;
  /** Maximum number of processes of one stdio server: one per user and handshake. */
  readonly maxProcesses: number;
}

/** Settings per tool of one server. */
export type ToolSettings = Pick<ServerSettings, keyof ResultLimits | 'pruneBeforeMask'>;

/** One line of the table: an address or a command, and settings of its own. */
export interface ServerEntry extends Partial<OrUndefined<ServerSettings>> {
  readonly tools?: ToolTable | undefined;
  readonly url?: string | undefined;
  /** Sent to `url` with every call; what the client sends cannot replace them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** In place of `headers`, where they are secrets or change. */
  readonly credentials?: Credentials | undefined;
  /** `oauth`: calls carry the tokens of the user who signed in. */
  readonly auth?: 'oauth' | undefined;
  /** A client the server already knows; without it one is registered. */
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly scope?: string | undefined;
  /** The only sign-in server that is used; without it, the one of the first sign-in. */
  readonly issuer?: string | undefined;
  readonly command?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
}

/** Tools that are offered, their descriptions, and settings of single ones. */
export interface ToolTable extends ToolRules {
  /** Longer descriptions are cut, with an ellipsis. */
  readonly maxDescriptionChars?: number | undefined;
  readonly each: Readonly<Record<string, OneTool>>;
}

interface OneTool extends Partial<OrUndefined<ToolSettings>> {
  readonly description?: string | undefined;
}

type OrUndefined<Fields> = { readonly [Key in keyof Fields]: Fields[Key] | undefined };

export interface UpstreamOptions
  extends ServerSettings,
    Pick<ServerEntry, 'url' | 'headers' | 'credentials' | 'command' | 'env' | 'cwd' | 'tools'> {
  readonly name: string;
}

export function upstreamOptions(name: string, entry: ServerEntry, defaults: ServerSettings): UpstreamOptions {
  return { ...defaults, ...given(entry), name };
}

/** The settings of each tool that has some of its own. */
export function toolSettings({ tools, ...server }: UpstreamOptions): Map<string, ToolSettings> {
  const each = Object.entries(tools?.each ?? {}).map(
    ([name, { description: _, ...settings }]) => [name, given(settings)] as const,
  );
  const own = each.filter(([, settings]) => Object.keys(settings).length > 0);
  return new Map(own.map(([name, settings]) => [name, { ...server, ...settings }]));
}

function given<Fields extends object>(fields: Fields): { [Key in keyof Fields]?: NonNullable<Fields[Key]> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof Fields]?: NonNullable<Fields[Key]> };
}
