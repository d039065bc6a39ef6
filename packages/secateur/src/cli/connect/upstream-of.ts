import { redactSecrets } from '@secateur/base/redaction/redact.ts';
import { isSecretName } from '@secateur/base/redaction/secret-names.ts';
import type { Fields } from '@secateur/base/text/json-value.ts';

/** A server's entry in the gateway's table, or why it stays where it is. */
export type Moved =
  | { readonly kind: 'moves'; readonly upstream: Fields }
  | { readonly kind: 'stays'; readonly reason: string };

const GATEWAY_PATH = '/api/mcp-gateway/';

export function isBehindGateway(entry: Fields): boolean {
  return addressOf(entry)?.includes(GATEWAY_PATH) ?? false;
}

/** A client's entry in the gateway's words. `cwd` is where the client would have started the server. */
export function upstreamOf(entry: Fields, cwd: string | undefined): Moved {
  if (isBehindGateway(entry)) return stays('is behind the gateway already');
  if (isOwnServer(entry)) return stays('is Sécateur itself');
  if (entry.disabled === true || entry.enabled === false) return stays('is switched off');
  if (JSON.stringify(entry).includes('${')) return stays('uses variables only the client fills in');
  const address = addressOf(entry);
  return address === undefined ? fromCommand(entry, cwd) : fromAddress(entry, address);
}

function fromCommand(entry: Fields, cwd: string | undefined): Moved {
  const command = wordsOf(entry);
  if (command.length === 0) return stays('has neither a command nor an address');
  const env = entry.env ?? entry.environment;
  if (holdsSecret(env)) return stays(SECRET);
  const upstream = { command, env: isEmpty(env) ? undefined : env, cwd: entry.cwd ?? cwd };
  return { kind: 'moves', upstream };
}

function fromAddress(entry: Fields, url: string): Moved {
  if (entry.type === 'sse') return stays('speaks the older SSE transport');
  if (entry.bearer_token_env_var !== undefined) return stays('takes its token from the client');
  const headers = entry.headers ?? entry.http_headers;
  if (!isEmpty(headers)) return stays(SECRET);
  const isLocal = /^https?:\/\/(?:127\.|localhost\b|\[::1\])/.test(url);
  if (!isLocal) return stays('may ask you to sign in, which only the client can do');
  return { kind: 'moves', upstream: { url } };
}

const SECRET = "carries what may be a secret, which stays in the client's file";

/** A project's file may be committed: what looks like a secret never goes there. */
function holdsSecret(env: unknown): boolean {
  if (isEmpty(env)) return false;
  return Object.entries(env as object).some(
    ([name, value]) => isSecretName(name) || redactSecrets(String(value)) !== String(value),
  );
}

/** Our own servers, by their program or by what they offer under a loopback address. */
export function isOwnServer(entry: Fields): boolean {
  if (
    wordsOf(entry).some((word) => /(?:^|[\\/])(?:secateur|jeeves-mcp-pruner)(?:\.js|@[\w.-]+)?$/.test(word))
  )
    return true;
  return OWN_PORTS.some((port) => (addressOf(entry) ?? '').includes(`127.0.0.1:${port}/mcp`));
}

/** Most clients name the program and its arguments apart, opencode in one list. */
function wordsOf({ command, args }: Fields): string[] {
  const first: unknown[] = Array.isArray(command) ? command : [command];
  const rest: unknown[] = Array.isArray(args) ? args : [];
  return typeof first[0] === 'string' ? [...first, ...rest].map(String) : [];
}

/** Ports at which `secateur up` serves the pruner and the focus tools. */
const OWN_PORTS = [8006, 8008];

function addressOf({ url, serverUrl, httpUrl }: Fields): string | undefined {
  return [url, serverUrl, httpUrl].find((each) => typeof each === 'string');
}

/** Fields that say how to reach a server; the others (time limits, approvals) are the client's own and stay. */
export const REACHING = [
  'type',
  'command',
  'args',
  'env',
  'environment',
  'cwd',
  'url',
  'serverUrl',
  'httpUrl',
  'headers',
  'http_headers',
];

function isEmpty(table: unknown): boolean {
  return typeof table !== 'object' || table === null || Object.keys(table).length === 0;
}

function stays(reason: string): Moved {
  return { kind: 'stays', reason };
}
