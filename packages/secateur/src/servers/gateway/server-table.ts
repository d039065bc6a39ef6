import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import type { Config } from '@secateur/serving/config/settings.ts';
import type { Environment } from '@secateur/serving/config/values.ts';
import { printedBy } from '@secateur/serving/workspace/run-attached.ts';
import type { Credentials } from './client-call.ts';
import type { ResultLimits } from './long-values.ts';
import { type OAuthDeps, oauthCredentials } from './oauth.ts';

type GatewayConfig = Config['gateway'];

/** Settings per server. Defaults are the settings in `[mcp_gateway]`. */
export type ServerSettings = ResultLimits &
  Pick<
    GatewayConfig,
    | 'connectTimeoutMs'
    | 'timeoutMs'
    | 'injectRecoverTool'
    | 'pruneBeforeMask'
    | 'maxResponseBytes'
    | 'maxProcesses'
  >;

export type ToolSettings = Pick<ServerSettings, keyof ResultLimits | 'pruneBeforeMask'>;

/** Table of a server in the settings: an address or a command, and its settings. */
export type ServerEntry = GatewayConfig['servers'][string] & {
  /** Replaces `headers` if they contain secrets or may change. */
  readonly credentials?: Credentials | undefined;
};

/** The offered tools, their descriptions, and settings per tool. */
export type ToolTable = NonNullable<ServerEntry['tools']>;

export interface UpstreamOptions
  extends ServerSettings,
    Pick<ServerEntry, 'url' | 'headers' | 'credentials' | 'command' | 'env' | 'cwd' | 'tools'> {
  readonly name: string;
}

export function upstreamOptions(name: string, entry: ServerEntry, defaults: ServerSettings): UpstreamOptions {
  return { ...defaults, ...given(entry), name };
}

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

/**
 * Resolves the references in a table. An unset variable then stops the start instead of a later call. Headers
 * are resolved again if the upstream refuses them. With a sign-in, they are sent in addition to its token.
 */
export async function withSecrets(
  servers: Readonly<Record<string, ServerEntry>>,
  { env, oauth }: SecretDeps,
): Promise<Record<string, ServerEntry>> {
  const resolved = async (name: string, { headers, ...given }: ServerEntry): Promise<ServerEntry> => {
    const { clientSecret: secret, env: own, auth, url } = given;
    const resolveAll = (values: Readonly<Record<string, string>>, key: string) =>
      mapEach(values, (each, value) => resolveValue(value, { env, place: `${name}.${key}.${each}` }));
    const entry = {
      ...given,
      ...(secret && { clientSecret: await resolveValue(secret, { env, place: `${name}.client_secret` }) }),
      ...(own && { env: await resolveAll(own, 'env') }),
    };
    const resolvedHeaders = () => resolveAll(headers ?? {}, 'headers');
    const proof = headers && { headers: await resolvedHeaders() };
    if (auth === 'oauth' && oauth !== undefined && url !== undefined)
      return { ...entry, ...proof, credentials: oauthCredentials(name, { ...entry, url }, oauth) };
    return proof ? { ...entry, credentials: headerCredentials(proof.headers, resolvedHeaders) } : entry;
  };
  return mapEach(servers, resolved);
}

async function mapEach<From, To>(
  table: Readonly<Record<string, From>>,
  change: (name: string, value: From) => Promise<To>,
): Promise<Record<string, To>> {
  const changed = Object.entries(table).map(
    async ([name, value]) => [name, await change(name, value)] as const,
  );
  return Object.fromEntries(await Promise.all(changed));
}

interface SecretDeps {
  readonly env: Environment;
  /** Store of sign-ins. If absent, servers with `auth = "oauth"` are called without credentials. */
  readonly oauth?: OAuthDeps | undefined;
}

interface Sources {
  /** Position of the value in the table, for error messages. */
  readonly place: string;
  readonly env: Environment;
}

function headerCredentials(
  first: Readonly<Record<string, string>>,
  again: () => Promise<Readonly<Record<string, string>>>,
): Credentials {
  let current = first;
  return {
    headers: async () => current,
    renew: async () => {
      const fresh = await again();
      const changed = Object.entries(fresh).some(([name, value]) => current[name] !== value);
      current = fresh;
      return changed;
    },
  };
}

/** Matches `${env:NAME}` and `${command:…}`. Braces inside a command must be balanced. */
const REFERENCE = /\$\{(env|command):((?:[^{}]|\{[^{}]{0,500}\}){0,1000})\}/g;

async function resolveValue(template: string, sources: Sources): Promise<string> {
  let value = '';
  let end = 0;
  for (const { 0: reference, 1: kind, 2: argument = '', index } of template.matchAll(REFERENCE)) {
    const secret = kind === 'env' ? fromEnvironment(argument, sources) : await fromCommand(argument, sources);
    value += template.slice(end, index) + secret;
    end = index + reference.length;
  }
  return value + template.slice(end);
}

function fromEnvironment(name: string, { env, place }: Sources): string {
  const value = env[name];
  if (value !== undefined && value !== '') return value;
  const message = `mcp_gateway.servers.${place} needs the variable ${name}, which is not set`;
  throw new DomainError('secret_missing', message, {
    hint: `Set ${name} in the environment of the gateway.`,
    data: { variable: name },
  });
}

const COMMAND_TIMEOUT_MS = 10_000;

/** Runs a command from the user's configuration. Its output is a secret and is shown nowhere. */
async function fromCommand(command: string, { env, place }: Sources): Promise<string> {
  try {
    return await printedBy(command, { env, timeoutMs: COMMAND_TIMEOUT_MS });
  } catch {
    throw new DomainError('secret_missing', `mcp_gateway.servers.${place}: its command failed`, {
      hint: `Run it in a shell to see why; it must print the value within ${COMMAND_TIMEOUT_MS / 1000} s and exit with 0.`,
    });
  }
}
