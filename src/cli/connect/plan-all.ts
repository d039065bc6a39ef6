import type { Origin } from '../../config/origin.ts';
import type { ClientFile, McpClient } from './clients.ts';
import { withoutTables } from './gateway-config.ts';
import { hooksFileOf, otherPrefix, withHooks, withoutHooks, withPrefix } from './hooks-file.ts';
import { type ConnectPlan, planConnect, putBack } from './plan.ts';
import { hookCommand, isScript, scriptsOf } from './scripts.ts';
import { type FileChange, Texts } from './texts.ts';

export const PARTS = ['hooks', 'tools', 'gateway'] as const;
export type Part = (typeof PARTS)[number];

export interface WholeRequest {
  readonly client: McpClient;
  readonly origin: Origin;
  /** Files with servers that may go behind the gateway. */
  readonly files: readonly ClientFile[];
  readonly parts: readonly Part[];
  /** The words that start this program. */
  readonly program: readonly string[];
  /** Program and script of this executable: the scripts of the hooks store their paths. */
  readonly self: readonly string[];
  /** Whether another program that the client's settings name for every command line is replaced (A11). */
  readonly replacesPrefix: boolean;
  /** Where the gateway listens, without a trailing slash. */
  readonly gatewayUrl: string;
  readonly gatewayConfigPath: string;
}

export interface WholePlan {
  readonly changes: readonly FileChange[];
  readonly gateway: ConnectPlan | undefined;
  /** The program of another that stays in the client's settings, so that failing commands are not shortened. */
  readonly keptPrefix: string | undefined;
}

/** The name our own tools get in a client. */
export const OWN_NAME = 'secateur';

/** Everything that connecting would change, each file once; nothing is written here. */
export function planAll(request: WholeRequest): WholePlan {
  const texts = new Texts();
  const gateway = request.parts.includes('gateway') ? planConnect(request, texts) : undefined;
  if (request.parts.includes('tools')) addTools(request, texts);
  const keptPrefix = request.parts.includes('hooks') ? addHooks(request, texts) : undefined;
  return { changes: texts.changes(), gateway, keptPrefix };
}

/** What takes our part out of a file that was changed after we had written it. */
export function takeOut(request: WholeRequest, path: string): (text: string, before: string) => string {
  const { client, origin, files, gatewayConfigPath } = request;
  const hooks = hooksFileOf(client.name, origin);
  const userFile = client.userFile?.(origin);
  return (text, before) => {
    if (path === gatewayConfigPath) return withoutTables(text, client.name);
    if (path === hooks?.path) return withoutHooks(text, hooks, before);
    if (hooks !== undefined && isScript(path, hooks, origin)) return '';
    const withServers = files.filter((file) => file.path === path);
    const entries = putBack(client, { text, before }, withServers);
    const isAdded =
      userFile?.path === path &&
      !client.format.read(before || EMPTY[client.name] || '{}', userFile).has(OWN_NAME);
    return isAdded ? client.format.remove(entries, userFile, OWN_NAME) : entries;
  };
}

const EMPTY: Readonly<Record<string, string>> = { codex: '\n' };

function addTools({ client, origin, program }: WholeRequest, texts: Texts): void {
  const file = client.userFile?.(origin);
  if (file === undefined) return;
  const words = [...program, 'mcp', 'focus'];
  const entry = client.commandEntry?.(words) ?? { command: words[0], args: words.slice(1) };
  const raw = client.format.write(OWN_NAME, entry);
  const text = texts.get(file.path);
  const isThere = text.trim() !== '' && client.format.read(text, file).has(OWN_NAME);
  if (!isThere) texts.set(file.path, client.format.add(text, file, { name: OWN_NAME, raw }));
}

/** Adds the scripts first: a client that reads its settings in between must find them. Returns a prefix that stays. */
function addHooks(
  { client, origin, program, self, replacesPrefix }: WholeRequest,
  texts: Texts,
): string | undefined {
  const file = hooksFileOf(client.name, origin);
  if (file === undefined) return undefined;
  const text = texts.get(file.path);
  const keptPrefix = replacesPrefix ? undefined : otherPrefix(text, file);
  for (const script of scriptsOf({ client: file.client, origin, self }))
    if (keptPrefix === undefined || script.path !== file.prefix?.path)
      texts.set(script.path, script.text, script.mode);
  const command = hookCommand({ client: file.client, origin }, program);
  const hooked = text.includes(JSON.stringify(command)) ? text : withHooks(text, file, command);
  texts.set(file.path, keptPrefix === undefined ? withPrefix(hooked, file) : hooked);
  return keptPrefix;
}
