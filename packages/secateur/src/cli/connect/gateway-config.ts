import { redactSecrets } from '@secateur/base/redaction/redact.ts';
import { isSecretName } from '@secateur/base/redaction/secret-names.ts';
import { type Fields, isFields } from '@secateur/base/text/json.ts';
import { parseToml } from '@secateur/serving/config/config-file.ts';
import { tomlTable } from './server-format.ts';

/**
 * A table that `connect` adds to `config.toml`. The tables from one file of a client are between two comments
 * that name the file, so that those of several clients can be added and removed in any order.
 */

export interface GatewayTable {
  readonly name: string;
  readonly upstream: Fields;
}

/**
 * Chooses the name of a server's table: its own name, with a number if another server has that name. A table
 * with the same content is used again, unless it belongs to another file, whose `--undo` would remove it.
 */
export function tableFor(
  { path, text }: { path: string; text: string },
  { name, upstream }: GatewayTable,
  file: string,
): { name: string; isThere: boolean } {
  const taken = serversIn(text, path);
  const usable = serversIn(withoutTables(text, { except: file }), path);
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!(candidate in taken)) return { name: candidate, isThere: false };
    if (JSON.stringify(usable[candidate]) === JSON.stringify(upstream))
      return { name: candidate, isThere: true };
  }
}

function serversIn(text: string, path: string): Fields {
  const { mcp_gateway: gateway } = parseToml(text, path);
  return isFields(gateway) && isFields(gateway.servers) ? gateway.servers : {};
}

/** Adds a server's table to the block of a client's file. */
export function withTable(
  text: string,
  { name, upstream }: GatewayTable,
  { file, client }: { file: string; client: string },
): string {
  const table = tomlTable(['mcp_gateway', 'servers', name], upstream);
  const end = text.indexOf(`${closing(file)}\n`);
  if (end !== -1) return `${text.slice(0, end)}\n${table}${text.slice(end)}`;
  const start = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  const gap = start === '' || start.endsWith('\n\n') ? '' : '\n';
  const by = `, moved by \`secateur connect ${client}\`; --undo moves them back`;
  return `${start}${gap}${opening(file)}${by}\n${table}${closing(file)}\n`;
}

export function hasTables(text: string): boolean {
  return text.search(BLOCK_START) !== -1;
}

const BLOCK_START = /^# begin: servers of ("(?:[^"\\\n]|\\.)*")/gm;

/** Removes the blocks of these files or, with `except`, the blocks of all other files. */
export function withoutTables(
  text: string,
  which: ReadonlySet<string> | { readonly except: string },
): string {
  const isMeant = (file: string) => ('except' in which ? file !== which.except : which.has(file));
  let left = text;
  for (const [, quoted = '""'] of text.matchAll(BLOCK_START)) {
    const file = String(JSON.parse(quoted));
    const start = left.indexOf(opening(file));
    const end = left.indexOf(`${closing(file)}\n`);
    if (!isMeant(file) || end < start) continue;
    const rest = left.slice(end + closing(file).length + 1);
    const before = left.slice(0, start);
    left = rest === '' ? before.replace(/\n\n$/, '\n') : before + rest;
  }
  return left;
}

function opening(file: string): string {
  return `# begin: servers of ${JSON.stringify(file)}`;
}

function closing(file: string): string {
  return `# end: servers of ${JSON.stringify(file)}`;
}

const GATEWAY_PATH = '/api/mcp-gateway/';

export function isBehindGateway(entry: Fields): boolean {
  return addressOf(entry)?.includes(GATEWAY_PATH) ?? false;
}

/**
 * Converts an entry of a client to a table of the gateway. Returns a string, the reason, if the entry must
 * stay with the client. `cwd`: directory in which the client starts the server.
 */
export function upstreamOf(entry: Fields, cwd: string | undefined): Fields | string {
  if (isBehindGateway(entry)) return 'is behind the gateway already';
  if (isOwnServer(entry)) return 'is Sécateur itself';
  if (entry.disabled === true || entry.enabled === false) return 'is switched off';
  if (JSON.stringify(entry).includes('${')) return 'uses variables only the client fills in';
  const address = addressOf(entry);
  return address === undefined ? fromCommand(entry, cwd) : fromAddress(entry, address);
}

function fromCommand(entry: Fields, cwd: string | undefined): Fields | string {
  const command = wordsOf(entry);
  if (command.length === 0) return 'has neither a command nor an address';
  const env = entry.env ?? entry.environment;
  if (holdsSecret(env)) return SECRET;
  return { command, env: isEmpty(env) ? undefined : env, cwd: entry.cwd ?? cwd };
}

function fromAddress(entry: Fields, url: string): Fields | string {
  if (entry.type === 'sse') return 'speaks the older SSE transport';
  if (entry.bearer_token_env_var !== undefined) return 'takes its token from the client';
  const headers = entry.headers ?? entry.http_headers;
  if (!isEmpty(headers)) return SECRET;
  const isLocal = /^https?:\/\/(?:127\.|localhost\b|\[::1\])/.test(url);
  if (!isLocal) return 'may ask you to sign in, which only the client can do';
  return { url };
}

const SECRET = "carries what may be a secret, which stays in the client's file";

/** Whether an environment may contain a secret. A secret is not written to a project's file, which may be committed. */
function holdsSecret(env: unknown): boolean {
  return Object.entries(isFields(env) ? env : {}).some(
    ([name, value]) => isSecretName(name) || redactSecrets(String(value)) !== String(value),
  );
}

/** Whether an entry starts a server of Sécateur or names its loopback address. */
export function isOwnServer(entry: Fields): boolean {
  const isOurs = /(?:^|[\\/])(?:secateur|jeeves-mcp-pruner)(?:\.js|@[\w.-]+)?$/;
  const address = addressOf(entry) ?? '';
  return (
    wordsOf(entry).some((word) => isOurs.test(word)) ||
    OWN_PORTS.some((port) => address.includes(`127.0.0.1:${port}/mcp`))
  );
}

/** Returns program and arguments as one list. Most clients have two fields for them, opencode has one. */
function wordsOf({ command, args }: Fields): string[] {
  const first: unknown[] = Array.isArray(command) ? command : [command];
  const rest: unknown[] = Array.isArray(args) ? args : [];
  return typeof first[0] === 'string' ? [...first, ...rest].map(String) : [];
}

/** Ports on which `secateur up` serves the pruner and the focus tools. */
const OWN_PORTS = [8006, 8008];

function addressOf({ url, serverUrl, httpUrl }: Fields): string | undefined {
  return [url, serverUrl, httpUrl].find((each) => typeof each === 'string');
}

/** Fields that lead to a server. Other fields, such as time limits, stay in the client's file. */
export const REACHING = [
  ...['type', 'command', 'args', 'env', 'environment', 'cwd'],
  ...['url', 'serverUrl', 'httpUrl', 'headers', 'http_headers'],
];

function isEmpty(table: unknown): boolean {
  return typeof table !== 'object' || table === null || Object.keys(table).length === 0;
}
