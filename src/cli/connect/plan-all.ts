import type { Origin } from '../../config/origin.ts';
import { DomainError } from '../../runtime/domain-error.ts';
import { type Fields, isFields } from '../../text/json-value.ts';
import { shellLine } from '../own-program.ts';
import { addRules, denyRule, removeRules, rulesFiles } from './client-rules.ts';
import { type ClientFile, type McpClient, OWN_NAME } from './clients.ts';
import { hasTables, withoutTables } from './gateway-config.ts';
import { hooksFileOf, withHooks, withoutHooks } from './hooks-file.ts';
import { type ConnectPlan, planConnect, putBack } from './plan.ts';
import { type FileChange, Texts } from './texts.ts';
import { isOwnServer } from './upstream-of.ts';

export const PARTS = ['hooks', 'tools', 'permissions', 'gateway'] as const;
export type Part = (typeof PARTS)[number];

export interface WholeRequest {
  readonly client: McpClient;
  readonly origin: Origin;
  /** Files with servers that may go behind the gateway. */
  readonly files: readonly ClientFile[];
  readonly parts: readonly Part[];
  /** The words that start this program. */
  readonly program: readonly string[];
  /** Adds read, bash and grep to recover_text. */
  readonly withTools: boolean;
  /** Where the gateway listens, without a trailing slash. */
  readonly gatewayUrl: string;
  readonly gatewayConfigPath: string;
}

export interface WholePlan {
  readonly changes: readonly FileChange[];
  readonly gateway: ConnectPlan | undefined;
  /** Rules added to the client's permissions. */
  readonly rules: readonly string[];
}

/** Plans everything that connecting would change, each file once; nothing is written here. */
export function planAll(request: WholeRequest): WholePlan {
  const texts = new Texts();
  const has = (part: Part) => request.parts.includes(part);
  const gateway = has('gateway') ? planConnect(request, texts) : undefined;
  if (has('tools')) addTools(request, texts);
  const rules = has('permissions') ? addRules(request, texts) : [];
  if (has('hooks')) addHooks(request, texts);
  return { changes: texts.changes(), gateway, rules };
}

/** Every file that connecting this client may have changed. */
export function filesOf({ client, origin, files, gatewayConfigPath }: WholeRequest): readonly string[] {
  const own = [...files, hooksFileOf(client.name, origin), client.userFile?.(origin)];
  const paths = own.flatMap((file) => file?.path ?? []);
  return [...new Set([...paths, ...rulesFiles(client.name, origin), gatewayConfigPath])];
}

/** Removes our part from a file that was changed after we had written it, or that other clients use, too. */
export function takeOut(
  request: WholeRequest,
  path: string,
  { text, before }: { text: string; before: string },
): string {
  const { client, origin, files, gatewayConfigPath } = request;
  if (path === gatewayConfigPath)
    return withoutTables(
      text,
      files.map((file) => file.path),
    );
  const hooks = hooksFileOf(client.name, origin);
  const ruled = removeRules(request, path, { text, before });
  if (path === hooks?.path) return withoutHooks(ruled, hooks, before);
  if (path !== client.userFile?.(origin).path && !files.some((file) => file.path === path)) return ruled;
  const withServers = files.filter((file) => file.path === path);
  const entries = putBack(client, { text: ruled, before }, withServers);
  const userFile = client.userFile?.(origin);
  return userFile?.path === path
    ? client.format.restore(entries, userFile, { name: OWN_NAME, before })
    : entries;
}

/** Whether other clients still have servers behind the gateway. */
export function isStillUsed({ gatewayConfigPath }: WholeRequest, path: string, text: string): boolean {
  return path === gatewayConfigPath && hasTables(text);
}

/** Adds our server, or renews an entry of it that starts another program. An entry that is not ours stays. */
function addTools(request: WholeRequest, texts: Texts): void {
  const { client, origin, program, withTools } = request;
  const file = client.userFile?.(origin);
  if (file === undefined) return;
  const denied = withTools ? denyRule(request, texts) : undefined;
  if (denied !== undefined) throw toolsDenied(client, denied);
  const words = [...program, 'mcp', withTools ? 'focus' : 'recover'];
  const entry = client.commandEntry?.(words) ?? { command: words[0], args: words.slice(1) };
  const text = texts.get(file.path);
  const present = text.trim() === '' ? undefined : client.format.read(text, file).get(OWN_NAME);
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

function toolsDenied({ title, name }: McpClient, rule: string): DomainError {
  return new DomainError(
    'tools_denied',
    `${title} has a deny rule (${rule}), which does not reach our bash, read and grep`,
    {
      hint: `Nothing was changed. secateur connect ${name} without --with-tools adds recover_text only.`,
    },
  );
}

function addHooks(request: WholeRequest, texts: Texts): void {
  const { client, origin, program } = request;
  const file = hooksFileOf(client.name, origin);
  if (file === undefined) return;
  const line = shellLine([...program, 'hook', client.name]);
  const command = hasRecoverTool(request, texts) ? line : `${WITHOUT_TOOL} ${line}`;
  const text = texts.get(file.path);
  if (!text.includes(JSON.stringify(command))) texts.set(file.path, withHooks(text, file, command));
}

/** In the hook's line if the client has no recover_text: the first line of a cut then names the command. */
export const WITHOUT_TOOL = 'SECATEUR_HOOK_RECOVER_TOOL=false';

function hasRecoverTool({ client, origin }: WholeRequest, texts: Texts): boolean {
  const file = client.userFile?.(origin);
  const text = file === undefined ? '' : texts.get(file.path);
  if (file === undefined || text.trim() === '') return false;
  return isFields(client.format.read(text, file).get(OWN_NAME));
}
