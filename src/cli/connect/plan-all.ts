import { isUtf8 } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import type { Origin } from '../../config/origin.ts';
import { DomainError } from '../../runtime/domain-error.ts';
import type { ClientFile, McpClient } from './clients.ts';
import { withoutTables } from './gateway-config.ts';
import { hooksFileOf, withHooks, withoutHooks } from './hooks-file.ts';
import { type ConnectPlan, type FileChange, planConnect, putBack } from './plan.ts';

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
  const gateway = request.parts.includes('gateway') ? planGateway(request, texts) : undefined;
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

function planGateway(
  { client, files, gatewayUrl, gatewayConfigPath }: WholeRequest,
  texts: Texts,
): ConnectPlan {
  const present = files.filter(({ path }) => texts.before(path) !== undefined);
  const plan = planConnect({
    client,
    files: present.map((file) => ({ ...file, text: texts.get(file.path) })),
    config: { path: gatewayConfigPath, text: texts.get(gatewayConfigPath) },
    gatewayUrl,
  });
  for (const { path, after } of plan.changes) texts.set(path, after);
  return plan;
}

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
  const words = program.map((word) => (/^[\w./:@=-]+$/.test(word) ? word : `"${word}"`));
  const command = [...words, 'hook', client.name].join(' ');
  const text = texts.get(file.path);
  if (!text.includes(JSON.stringify(command))) texts.set(file.path, withHooks(text, file, command));
}

/** The files as they are, and as they will be. */
class Texts {
  readonly #before = new Map<string, string | undefined>();
  readonly #after = new Map<string, string>();

  before(path: string): string | undefined {
    if (!this.#before.has(path)) this.#before.set(path, readIfThere(path));
    return this.#before.get(path);
  }

  get(path: string): string {
    return this.#after.get(path) ?? this.before(path) ?? '';
  }

  set(path: string, text: string): void {
    this.before(path);
    this.#after.set(path, text);
  }

  changes(): FileChange[] {
    const all = [...this.#after].map(([path, after]) => ({ path, before: this.#before.get(path), after }));
    return all.filter(({ before, after }) => before !== after && !(before === undefined && after === ''));
  }
}

function readIfThere(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const bytes = readFileSync(path);
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new DomainError('cannot_read', `${path} is not UTF-8 text`, { hint: 'Change it by hand.' });
}
