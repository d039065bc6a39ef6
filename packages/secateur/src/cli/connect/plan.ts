import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import type { Fields } from '@secateur/base/text/json.ts';
import type { LaunchContext } from '@secateur/serving/config/values.ts';
import { RECOVER_TOOL } from '../hook-socket/socket.ts';
import { addRules, denyRule, removeRules, rulesFile } from './client-rules.ts';
import { CLIENTS, type ClientFile, type McpClient, OWN_NAME } from './clients.ts';
import {
  type GatewayTable,
  isBehindGateway,
  isOwnServer,
  REACHING,
  tableFor,
  upstreamOf,
  withoutTables,
  withTable,
} from './gateway-config.ts';
import {
  type HooksFile,
  hooksFileOf,
  otherPrefix,
  withHooks,
  withoutHooks,
  withShellPrefix,
} from './hooks-file.ts';
import { Texts } from './pending-edits.ts';
import { hookCommand, isScript, scriptsOf } from './scripts.ts';

/** Plans to move the servers of a client's files behind the gateway. */
function planConnect(request: WholeRequest, texts: Texts) {
  const moved: ReturnType<typeof move>[] = [];
  const stays: { name: string; path: string; reason: string }[] = [];
  for (const file of request.files.filter(({ path }) => texts.before(path) !== undefined)) {
    const { path } = file;
    for (const [name, entry] of request.client.format.read(texts.get(path), file)) {
      const found = upstreamOf(entry, file.cwd);
      if (typeof found === 'string') stays.push({ name, path, reason: found });
      else moved.push(move({ name, upstream: found }, { request, file, texts }));
    }
  }
  return { moved, stays };
}

function move(
  server: GatewayTable,
  { request, file, texts }: { request: WholeRequest; file: ClientFile; texts: Texts },
) {
  const { client, gatewayConfigPath, gatewayUrl } = request;
  const config = texts.get(gatewayConfigPath);
  const { name, isThere } = tableFor({ path: gatewayConfigPath, text: config }, server, file.path);
  const table = { ...server, name };
  if (!isThere)
    texts.set(gatewayConfigPath, withTable(config, table, { file: file.path, client: client.name }));
  const url = `${gatewayUrl}/api/mcp-gateway/${encodeURIComponent(name)}/rpc`;
  const change = { name: server.name, drop: REACHING, put: client.httpEntry(url) };
  texts.set(file.path, client.format.change(texts.get(file.path), file, change));
  return { name: server.name, path: file.path, url, table };
}

/** Restores the original entries in a text. Later changes by the user are kept. */
function putBack(
  client: McpClient,
  { text, before }: { text: string; before: string },
  places: readonly ClientFile[],
): string {
  let changed = text;
  for (const place of before === '' ? [] : places) {
    const originals = client.format.read(before, place);
    for (const [name, entry] of client.format.read(text, place)) {
      if (!originals.has(name) || !isBehindGateway(entry)) continue;
      changed = client.format.restore(changed, place, { name, before });
    }
  }
  return changed;
}

export const PARTS = ['hooks', 'tools', 'permissions', 'gateway'] as const;
export type Part = (typeof PARTS)[number];

export interface WholeRequest {
  readonly client: McpClient;
  readonly origin: LaunchContext;
  /** Files with servers that may be moved behind the gateway. */
  readonly files: readonly ClientFile[];
  readonly parts: readonly Part[];
  /** Words that start this program. */
  readonly program: readonly string[];
  /** Paths of node and script of this executable. The scripts of the hooks contain these paths. */
  readonly self: readonly string[];
  /** Whether `connect` may replace the shell prefix of another program in the client's settings (A11). */
  readonly replacesPrefix: boolean;
  /** Whether `connect` adds read, bash and grep besides recover_text. */
  readonly withTools: boolean;
  /** Address of the gateway, without a trailing slash. */
  readonly gatewayUrl: string;
  readonly gatewayConfigPath: string;
}

export type WholePlan = ReturnType<typeof planAll>;

/**
 * Plans all changes for a client, each file once. Writes nothing. `rules`: rules to add to the client's
 * permissions. `keptPrefix`: shell prefix of another program that stays, so that outputs of failing commands
 * are not shortened.
 */
export function planAll(request: WholeRequest) {
  const texts = new Texts();
  const has = (part: Part) => request.parts.includes(part);
  const gateway = has('gateway') ? planConnect(request, texts) : undefined;
  if (has('tools')) addTools(request, texts);
  const rules = has('permissions') ? addRules(request, texts) : [];
  const keptPrefix = has('hooks') ? addHooks(request, texts) : undefined;
  return { changes: texts.changes(), gateway, rules, keptPrefix };
}

/** Returns all files that `connect` may have changed for this client. */
export function filesOf({ client, origin, files, gatewayConfigPath }: WholeRequest): readonly string[] {
  const hooks = hooksFileOf(client.name, origin);
  const own = [...files, hooks, client.userFile?.(origin)].flatMap((file) => file?.path ?? []);
  // Scripts are the last to be removed. Settings that name a missing script would stop the client's commands.
  const scripts = hooks === undefined ? [] : scriptsOf({ client: hooks.client, origin, self: [] });
  const paths = [...own, rulesFile(client.name, origin) ?? [], gatewayConfigPath].flat();
  return [...new Set([...paths, ...scripts.map(({ path }) => path)])];
}

/** Removes the changes of `connect` from a file that the user has changed since or that other clients use too. */
export function takeOut(
  request: WholeRequest,
  path: string,
  { text, before = '' }: { text: string; before: string | undefined },
): string {
  const { client, origin, files, gatewayConfigPath } = request;
  if (path === gatewayConfigPath) return withoutTables(text, new Set(files.map((file) => file.path)));
  const hooks = hooksFileOf(client.name, origin);
  const ruled = removeRules(request, path, { text, before });
  if (path === hooks?.path) return withoutHooks(ruled, hooks, before);
  if (hooks !== undefined && isScript(path, hooks, origin)) return '';
  if (path !== client.userFile?.(origin).path && !files.some((file) => file.path === path)) return ruled;
  const withServers = files.filter((file) => file.path === path);
  const entries = putBack(client, { text: ruled, before }, withServers);
  const userFile = client.userFile?.(origin);
  return userFile?.path === path
    ? client.format.restore(entries, userFile, { name: OWN_NAME, before })
    : entries;
}

/** Adds Sécateur's server, or updates its entry if the program has moved. Entries of the user are kept. */
function addTools(request: WholeRequest, texts: Texts): void {
  const { client, origin, program, withTools } = request;
  const file = client.userFile?.(origin);
  if (file === undefined) return;
  const denied = withTools ? denyRule(request, texts) : undefined;
  if (denied !== undefined) {
    const message = `${client.title} has a deny rule (${denied}), which does not apply to bash, read and grep of secateur`;
    const hint = `Nothing was changed. secateur connect ${client.name} without --with-tools adds recover_text only.`;
    throw new DomainError('tools_denied', message, { hint });
  }
  const words = [...program, 'mcp', withTools ? 'focus' : 'recover'];
  const entry = client.commandEntry?.(words) ?? { command: words[0], args: words.slice(1) };
  const text = texts.get(file.path);
  const { entry: present } = ownEntry(client.name, origin, texts);
  if (present === undefined) {
    texts.set(file.path, client.format.add(text, file, { name: OWN_NAME, entry }));
    return;
  }
  if (!isOwnServer(present) || holdsAll(present, entry)) return;
  texts.set(file.path, client.format.change(text, file, { name: OWN_NAME, drop: ['args'], put: entry }));
}

function holdsAll(present: Fields, entry: Fields): boolean {
  return Object.entries(entry).every(
    ([key, value]) => JSON.stringify(present[key]) === JSON.stringify(value),
  );
}

/**
 * Adds the scripts and then the hooks, because a client may read its settings in between. Returns the shell
 * prefix of another program if it is kept.
 */
function addHooks(request: WholeRequest, texts: Texts): string | undefined {
  const { client, origin, program, self, replacesPrefix } = request;
  const file = hooksFileOf(client.name, origin);
  if (file === undefined) return undefined;
  const text = texts.get(file.path);
  const keptPrefix = replacesPrefix ? undefined : otherPrefix(text, file);
  for (const script of scriptsOf({ client: file.client, origin, self }))
    if (keptPrefix === undefined || script.path !== file.prefix?.path)
      texts.set(script.path, script.text, script.mode);
  const hooked = withHookLine(text, file, hookLine({ file, origin, program }, texts));
  texts.set(file.path, keptPrefix === undefined ? withShellPrefix(hooked, file) : hooked);
  return keptPrefix;
}

export function withHookLine(text: string, file: HooksFile, line: string): string {
  return text.includes(JSON.stringify(line)) ? text : withHooks(text, file, line);
}

/** Precedes the shell line of a hook if recover_text is not connected. A cut then names the shell command (A14). */
const WITHOUT_TOOL = `${RECOVER_TOOL}=false`;

export function hookLine(
  { file, origin, program }: { file: HooksFile; origin: LaunchContext; program: readonly string[] },
  texts: Texts,
): string {
  const command = hookCommand({ client: file.client, origin }, program);
  const isNamed = ownEntry(file.client.name, origin, texts).entry !== undefined;
  // The shell of Windows cannot set a variable for one command.
  return isNamed || origin.platform === 'win32' ? command : `${WITHOUT_TOOL} ${command}`;
}

export function ownEntry(
  name: string,
  origin: LaunchContext,
  texts: Texts,
): { path: string; entry: Fields | undefined } {
  const client = CLIENTS.find((each) => each.name === name);
  const file = client?.userFile?.(origin);
  if (client === undefined || file === undefined) return { path: '', entry: undefined };
  const text = texts.get(file.path);
  return {
    path: file.path,
    entry: text.trim() === '' ? undefined : client.format.read(text, file).get(OWN_NAME),
  };
}
