import type { Origin } from '../../config/origin.ts';
import { shellLine } from '../own-program.ts';
import type { ClientFile, McpClient } from './clients.ts';
import { withoutTables } from './gateway-config.ts';
import { hooksFileOf, withHooks, withoutHooks } from './hooks-file.ts';
import { type ConnectPlan, planConnect, putBack } from './plan.ts';
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
  /** Where the gateway listens, without a trailing slash. */
  readonly gatewayUrl: string;
  readonly gatewayConfigPath: string;
}

export interface WholePlan {
  readonly changes: readonly FileChange[];
  readonly gateway: ConnectPlan | undefined;
}

/** The name our own tools get in a client. */
export const OWN_NAME = 'secateur';

/** Everything that connecting would change, each file once; nothing is written here. */
export function planAll(request: WholeRequest): WholePlan {
  const texts = new Texts();
  const gateway = request.parts.includes('gateway') ? planConnect(request, texts) : undefined;
  if (request.parts.includes('tools')) addTools(request, texts);
  if (request.parts.includes('hooks')) addHooks(request, texts);
  return { changes: texts.changes(), gateway };
}

/** What takes our part out of a file that was changed after we had written it. */
export function takeOut(request: WholeRequest, path: string): (text: string, before: string) => string {
  const { client, origin, files, gatewayConfigPath } = request;
  const hooks = hooksFileOf(client.name, origin);
  const userFile = client.userFile?.(origin);
  return (text, before) => {
    if (path === gatewayConfigPath) return withoutTables(text, client.name);
    if (path === hooks?.path) return withoutHooks(text, hooks);
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

function addHooks({ client, origin, program }: WholeRequest, texts: Texts): void {
  const file = hooksFileOf(client.name, origin);
  if (file === undefined) return;
  const command = shellLine([...program, 'hook', client.name]);
  const text = texts.get(file.path);
  if (!text.includes(JSON.stringify(command))) texts.set(file.path, withHooks(text, file, command));
}
