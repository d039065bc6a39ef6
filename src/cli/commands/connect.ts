import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Origin } from '../../config/origin.ts';
import { DomainError } from '../../runtime/domain-error.ts';
import { defineCommand } from '../command.ts';
import { CLIENTS, type ClientFile, type McpClient } from '../connect/clients.ts';
import { describePlan } from '../connect/describe.ts';
import { type ConnectPlan, type FileChange, planConnect, planUndo } from '../connect/plan.ts';
import { SUCCESS } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { usageError } from '../usage-error.ts';

export const connect = defineCommand({
  usage: `CLIENT [--write | --undo] [--file PATH]`,
  details:
    `Puts the MCP servers of a client behind the gateway. CLIENT is one of ${CLIENTS.map(({ name }) => name).join(', ')}. ` +
    'Prints what would change; --write changes it and keeps a backup beside each file; --undo puts the entries back.',
  sections: ['gateway', 'pruner', 'wire'],
  flagPrefixes: { gateway: 'gateway', pruner: false, wire: false },
  options: {
    write: { type: 'boolean', short: 'w', doc: 'change the files' },
    undo: { type: 'boolean', doc: 'put back what --write changed' },
    file: {
      type: 'string',
      placeholder: 'PATH',
      doc: "the client's file, where it is not in its usual place",
    },
    'gateway-config': {
      type: 'string',
      placeholder: 'PATH',
      doc: 'the config.toml the gateway reads (default: of the working directory)',
    },
  },
  positionals: { min: 1, max: 1 },
  examples: [
    { line: 'secateur connect claude-code', does: 'shows what would change' },
    { line: 'secateur connect codex --write', does: 'changes it' },
    { line: 'secateur connect codex --undo', does: 'as before' },
  ],
  run: async ({ config, options, positionals, terminal, origin }) => {
    const client = clientNamed(positionals[0] ?? '');
    const files = existingFiles(client, options.file, origin);
    const configPath = resolve(origin.cwd, options['gateway-config'] ?? 'config.toml');
    const gatewayConfig = {
      path: configPath,
      text: existsSync(configPath) ? readFileSync(configPath, 'utf8') : '',
    };
    if (options.undo) {
      undo(client, { files, config: gatewayConfig }, terminal);
      return SUCCESS;
    }
    const { host, port } = config.gateway;
    const gatewayUrl = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
    const plan = planConnect({ client, files: files.map(withText), config: gatewayConfig, gatewayUrl });
    terminal.line(describePlan(client, plan, { written: options.write, prunerPort: config.pruner.port }));
    if (config.wire.bearerToken !== undefined) terminal.note(TOKEN_NOTE);
    if (options.write) write(plan);
    return SUCCESS;
  },
});

const TOKEN_NOTE =
  'SECATEUR_BEARER_TOKEN is set: the client has to send it as "Authorization: Bearer …" to the gateway.';

function clientNamed(name: string): McpClient {
  const client = CLIENTS.find((each) => each.name === name);
  if (client !== undefined) return client;
  throw usageError(`${name}: no such client; one of ${CLIENTS.map((each) => each.name).join(', ')}`);
}

function existingFiles(client: McpClient, given: string | undefined, origin: Origin): ClientFile[] {
  const candidates = given === undefined ? client.files(origin) : [{ path: resolve(origin.cwd, given) }];
  if (candidates.length === 0) throw usageError(`${client.name}: name its file with --file`);
  const found = candidates.filter(({ path }) => existsSync(path));
  if (found.length > 0) return found;
  throw new DomainError('no_client_file', `${client.title} has no file of MCP servers here`, {
    hint: `Looked for ${candidates.map(({ path }) => path).join(' and ')}; --file names another one.`,
  });
}

function withText<File extends ClientFile>(file: File): File & { text: string } {
  return { ...file, text: readFileSync(file.path, 'utf8') };
}

function write({ changes }: ConnectPlan): void {
  for (const { path, before } of changes) {
    const backup = backupOf(path);
    // The first backup is the one before we came; a second --write must not replace it.
    if (before !== '' && !existsSync(backup)) writeFileSync(backup, before, { mode: modeOf(path) });
  }
  for (const change of changes) writeWhole(change);
}

function undo(
  client: McpClient,
  { files, config }: { files: readonly ClientFile[]; config: { path: string; text: string } },
  terminal: Terminal,
): void {
  const changed = files.filter(({ path }) => existsSync(backupOf(path)));
  if (changed.length === 0) {
    throw new DomainError('nothing_to_undo', `${client.title} was not connected here`, {
      hint: 'There is no backup beside its file.',
    });
  }
  const read = changed.map((file) => ({
    ...withText(file),
    backup: readFileSync(backupOf(file.path), 'utf8'),
  }));
  for (const change of planUndo({ client, files: read, config })) {
    if (change.before === change.after) continue;
    writeWhole(change);
    terminal.line(`${change.path}: as it was`);
  }
  for (const { path } of [...changed, config]) rmSync(backupOf(path), { force: true });
}

function backupOf(path: string): string {
  return `${path}.before-secateur`;
}

/** All of it or nothing: a client must never find half a file. */
function writeWhole({ path, after }: FileChange): void {
  const draft = `${path}.secateur-draft`;
  writeFileSync(draft, after, { mode: modeOf(path) });
  renameSync(draft, path);
}

/** What a client's file holds may be secret, and so is what we make of it. */
function modeOf(path: string): number {
  return existsSync(path) ? statSync(path).mode & 0o777 : 0o600;
}
