import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import type { Config } from '@secateur/serving/config/settings.ts';
import type { Environment } from '@secateur/serving/config/values.ts';
import { printedBy } from '@secateur/serving/workspace/run-attached.ts';
import type { Credentials } from './client-call.ts';
import type { ResultLimits } from './long-values.ts';
import { type OAuthDeps, oauthCredentials } from './oauth.ts';

type GatewayConfig = Config['gateway'];

/** Settings per server; `[mcp_gateway]` supplies those that are not given. */
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

/** Settings per tool of one server. */
export type ToolSettings = Pick<ServerSettings, keyof ResultLimits | 'pruneBeforeMask'>;

/** A server's table: an address or a command, and the server's own settings. */
export type ServerEntry = GatewayConfig['servers'][string] & {
  /** Used instead of `headers` if these contain secrets or change. */
  readonly credentials?: Credentials | undefined;
};

/** Tools that are offered, their descriptions, and settings of single tools. */
export type ToolTable = NonNullable<ServerEntry['tools']>;

export interface UpstreamOptions
  extends ServerSettings,
    Pick<ServerEntry, 'url' | 'headers' | 'credentials' | 'command' | 'env' | 'cwd' | 'tools'> {
  readonly name: string;
}

export function upstreamOptions(name: string, entry: ServerEntry, defaults: ServerSettings): UpstreamOptions {
  return { ...defaults, ...given(entry), name };
}

/** Returns the settings of each tool that has settings of its own. */
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

/** Values as they are written in the configuration, with `${env:NAME}` and `${command:…}` unresolved. */
type Templates = Readonly<Record<string, string>>;

/**
 * Resolves the references in a table, so that an unset variable stops the start instead of failing a call.
 * Headers are resolved again if the upstream refuses them.
 */
export async function withSecrets(
  servers: Readonly<Record<string, ServerEntry>>,
  { env, oauth }: SecretDeps,
): Promise<Record<string, ServerEntry>> {
  const entries = Object.entries(servers).map(async ([name, entry]) => {
    const { headers, ...rest } = await withClientSecret(entry, { place: name, env });
    const resolved = rest.env && (await resolveAll(rest.env, { place: `${name}.env`, env }));
    const proof = await proofOf(name, { ...rest, headers }, { env, oauth });
    return [name, { ...rest, ...(resolved && { env: resolved }), ...proof }] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Returns the credentials for a server. With a sign-in, the configured headers are sent besides it. */
async function proofOf(
  name: string,
  { headers, ...entry }: ServerEntry,
  { env, oauth }: SecretDeps,
): Promise<Pick<ServerEntry, 'headers' | 'credentials'>> {
  const sources = { place: `${name}.headers`, env };
  const { auth, url } = entry;
  if (auth === 'oauth' && oauth !== undefined && url !== undefined) {
    const credentials = oauthCredentials(name, { ...entry, url }, oauth);
    return { credentials, ...(headers && { headers: await resolveAll(headers, sources) }) };
  }
  return headers === undefined ? {} : { credentials: await headerCredentials(headers, sources) };
}

interface SecretDeps {
  readonly env: Environment;
  /** Store of sign-ins. If absent, servers with `auth = "oauth"` are called without credentials. */
  readonly oauth?: OAuthDeps | undefined;
}

async function withClientSecret(entry: ServerEntry, sources: Sources): Promise<ServerEntry> {
  if (entry.clientSecret === undefined) return entry;
  const place = `${sources.place}.client_secret`;
  return { ...entry, clientSecret: await resolveValue(entry.clientSecret, { ...sources, place }) };
}

interface Sources {
  /** Place of the value in the table; used in messages. */
  readonly place: string;
  readonly env: Environment;
}

async function headerCredentials(templates: Templates, sources: Sources): Promise<Credentials> {
  let current = await resolveAll(templates, sources);
  return {
    headers: async () => current,
    renew: async () => {
      const fresh = await resolveAll(templates, sources);
      const changed = Object.entries(fresh).some(([name, value]) => current[name] !== value);
      current = fresh;
      return changed;
    },
  };
}

async function resolveAll(templates: Templates, sources: Sources): Promise<Record<string, string>> {
  const entries = Object.entries(templates).map(async ([name, template]) => {
    const place = `${sources.place}.${name}`;
    return [name, await resolveValue(template, { ...sources, place })] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/**
 * Matches `${env:NAME}` and `${command:…}`. Braces inside a command must be balanced: `${command:awk '{print
 * $2}' file}`.
 */
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
  throw new DomainError(
    'secret_missing',
    `mcp_gateway.servers.${place} needs the variable ${name}, which is not set`,
    { hint: `Set ${name} in the environment of the gateway.`, data: { variable: name } },
  );
}

const COMMAND_TIMEOUT_MS = 10_000;

/** Runs a command of the user's configuration. Its output is a secret and appears nowhere else. */
async function fromCommand(command: string, { env, place }: Sources): Promise<string> {
  try {
    return await printedBy(command, { env, timeoutMs: COMMAND_TIMEOUT_MS });
  } catch {
    throw new DomainError('secret_missing', `mcp_gateway.servers.${place}: its command failed`, {
      hint: `Run it in a shell to see why; it must print the value within ${COMMAND_TIMEOUT_MS / 1000} s and exit with 0.`,
    });
  }
}
