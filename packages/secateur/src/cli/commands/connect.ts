import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { attempt, DomainError } from '@secateur/base/runtime/domain-error.ts';
import { httpUrl, probeHealth } from '@secateur/base/runtime/probe-health.ts';
import { choiceOf, defineCommand, usageError } from '@secateur/serving/commands/command.ts';
import { printable, printableLines, type Terminal } from '@secateur/serving/commands/terminal.ts';
import { userConfigPath } from '@secateur/serving/config/config-file.ts';
import type { LaunchContext } from '@secateur/serving/config/values.ts';
import { runAttached } from '@secateur/serving/workspace/run-attached.ts';
import { hasPlugin } from '../connect/client-rules.ts';
import { CLIENTS, type McpClient } from '../connect/clients.ts';
import { describePlan } from '../connect/describe.ts';
import { type HooksFile, hooksFileOf, withoutShellPrefix, withShellPrefix } from '../connect/hooks-file.ts';
import { readClientFile } from '../connect/pending-edits.ts';
import { filesOf, PARTS, type Part, planAll, type WholeRequest } from '../connect/plan.ts';
import { FORWARDING_SCRIPT, isScript } from '../connect/scripts.ts';
import { copiesFolder, restoreFiles, writeFiles } from '../connect/write-files.ts';
import { isFetchedByNpx, ownProgram } from '../own-program.ts';

export const connect = defineCommand({
  usage: `CLIENT [--write | --undo] [--only ${PARTS.join('|')}] [--with-tools] [--file PATH]`,
  details:
    `Connects a client: installs hooks that cut the output of its tools, adds the tool recover_text and the rules that allow it, and moves its MCP servers behind the gateway (if the gateway runs). CLIENT is one of ${CLIENTS.map(({ name }) => name).join(', ')}. ` +
    'Prints what would change; --write changes the files and keeps a copy of each; --undo restores every file.',
  sections: ['gateway', 'wire'],
  flagPrefixes: { gateway: 'gateway', wire: false },
  options: {
    write: { type: 'boolean', short: 'w', doc: 'change the files' },
    undo: { type: 'boolean', doc: 'restore the files that --write changed' },
    only: { type: 'string', placeholder: 'PART', doc: `only one part: ${PARTS.join(', ')}` },
    'with-tools': {
      type: 'boolean',
      doc: "also add read, bash and grep of secateur; the client's deny rules do not apply to them",
    },
    file: {
      type: 'string',
      placeholder: 'PATH',
      doc: "the client's file of MCP servers, if it is not in the usual place",
    },
    'gateway-config': {
      type: 'string',
      placeholder: 'PATH',
      doc: 'the config.toml that the gateway reads (default: ~/.config/secateur/config.toml)',
    },
  },
  positionals: { min: 1, max: 1 },
  examples: [
    { line: 'secateur connect claude-code', does: 'prints what would change' },
    { line: 'secateur connect codex --write', does: 'changes the files' },
    { line: 'secateur connect codex --undo', does: 'restores the files' },
  ],
  run: async ({ config, options, positionals, terminal, origin, self }) => {
    const client = clientNamed(positionals[0] ?? '');
    const gatewayUrl = httpUrl(config.gateway.host, config.gateway.port);
    const { bearerToken } = config.wire;
    const probe = { url: `${gatewayUrl}/health`, timeoutMs: 500, bearerToken };
    const request = {
      client,
      origin,
      files: serverFiles(client, options.file, origin),
      parts: await partsFor({ client, origin }, options.only, probe),
      program: ownProgram({ origin, self }),
      self,
      replacesPrefix: false,
      withTools: options['with-tools'],
      gatewayUrl,
      gatewayConfigPath: gatewayConfigPath(options['gateway-config'], origin),
    };
    if (options.undo) undo(request, terminal);
    else await plan(request, { terminal, write: options.write, isFetched: isFetchedByNpx({ self }) });
    if (!options.undo && request.parts.includes('gateway') && bearerToken !== undefined)
      terminal.note(
        'SECATEUR_BEARER_TOKEN is set: the client has to send it as "Authorization: Bearer …" to the gateway.',
      );
  },
});

function gatewayConfigPath(named: string | undefined, origin: LaunchContext): string {
  const path = named === undefined ? userConfigPath(origin) : resolve(origin.cwd, named);
  const homeless = '--gateway-config is needed: there is no home folder for ~/.config/secateur/config.toml';
  if (path === undefined) throw usageError(homeless);
  return path;
}

function clientNamed(name: string): McpClient {
  const client = CLIENTS.find((each) => each.name === name);
  if (client !== undefined) return client;
  throw usageError(`${name}: no such client; one of ${CLIENTS.map((each) => each.name).join(', ')}`);
}

function serverFiles(client: McpClient, given: string | undefined, origin: LaunchContext) {
  const files = given === undefined ? client.files(origin) : [{ path: resolve(origin.cwd, given) }];
  if (files.length === 0) throw usageError(`${client.name}: name its file with --file`);
  return files;
}

/**
 * Returns the parts to connect: the one named by the user, or all that the client has. If the gateway does
 * not run, a client with hooks keeps its servers, because calls through the gateway would fail. Hooks and
 * recover_text are omitted if the plugin provides them.
 */
async function partsFor(
  request: Pick<WholeRequest, 'client' | 'origin'>,
  only: string | undefined,
  gateway: Parameters<typeof probeHealth>[0],
): Promise<readonly Part[]> {
  const named = choiceOf('--only', only, PARTS);
  if (named !== undefined) return [named];
  if (hooksFileOf(request.client.name, request.origin) === undefined) return ['gateway'];
  const parts = hasPlugin(request) ? (['permissions', 'gateway'] as const) : PARTS;
  return (await probeHealth(gateway)) ? parts : parts.filter((part) => part !== 'gateway');
}

async function plan(
  request: WholeRequest,
  { terminal, write, isFetched }: { terminal: Terminal; write: boolean; isFetched: boolean },
): Promise<void> {
  const { client, files, parts } = request;
  const isNowhere = files.every(({ path }) => !existsSync(path));
  if (isNowhere && parts.length === 1 && parts[0] === 'gateway')
    throw new DomainError('no_client_file', `${client.title} has no file of MCP servers here`, {
      hint: `Looked for ${files.map(({ path }) => path).join(' and ')}; --file names another one.`,
    });
  const first = planAll(request);
  const replacesPrefix =
    write && first.keptPrefix !== undefined && (await mayReplace(first.keptPrefix, terminal));
  const whole = replacesPrefix ? planAll({ ...request, replacesPrefix }) : first;
  terminal.line(printableLines(describePlan(request, whole, { written: write, isFetched })));
  if (!write) return;
  writeFiles(whole.changes, copiesFolder(request.origin));
  await checkPrefix(request, terminal);
}

/** Removes Sécateur's shell prefix from the settings if the prefix cannot run, because all commands would then fail. */
async function checkPrefix({ client, origin }: WholeRequest, terminal: Terminal): Promise<void> {
  const file = hooksFileOf(client.name, origin);
  const text = file && readClientFile(file.path);
  if (file?.prefix === undefined || text === undefined || withShellPrefix(text, file) !== text) return;
  const { cwd, env } = origin;
  const { path } = file.prefix;
  const { end } = await runAttached({ file: path, args: ['exit 7'], input: '', cwd, env, maxBytes: 1024 });
  if (end.kind === 'exited' && end.exitCode === 7) return;
  const change = { path: file.path, before: text, after: withoutShellPrefix(text, file, '') };
  writeFiles([change], copiesFolder(origin));
  const consequence = 'outputs of failing commands are not shortened. The rest is set up.';
  terminal.note(printable(`${path} cannot run here: ${consequence}`));
}

/** Asks the user whether to replace the prefix; returns `false` without a terminal. */
async function mayReplace(prefix: string, { input, output }: Terminal): Promise<boolean> {
  if (input.isTTY !== true || output.isTTY !== true) return false;
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input, output });
  const question = `CLAUDE_CODE_SHELL_PREFIX already names ${printable(prefix)}. Replace it, so that outputs of failing commands are shortened? --undo restores it. [y/N] `;
  const answer = await terminal.question(question).finally(() => terminal.close());
  return /^y(?:es)?$/i.test(answer.trim());
}

function undo(request: WholeRequest, terminal: Terminal): void {
  const { origin } = request;
  const { name, title } = request.client;
  const hooks = hooksFileOf(name, origin);
  const kept = hooks && keepPrefix(hooks, origin);
  const paths = filesOf(request).filter((path) => path !== kept);
  const done = restoreFiles(paths, copiesFolder(origin), request);
  for (const [path, how] of done) terminal.line(printable(`${path}: ${how}`));
  if (kept !== undefined)
    terminal.line(printable(`${kept}: stays for running sessions of ${title}; --undo after them removes it`));
  if (hooks !== undefined && [...done.keys()].some((path) => isScript(path, hooks, origin)))
    terminal.line(`Restart ${title}: a session that runs would still start the scripts that are gone.`);
  if (done.size > 0 || kept !== undefined) return;
  throw new DomainError('nothing_to_undo', `${title} was not connected here`, {
    hint: `There is no copy of its files in ${copiesFolder(origin)}.`,
  });
}

/**
 * Replaces the shell prefix by a script that only runs commands, if running sessions use the prefix. Without
 * the script, these sessions could start no command.
 */
function keepPrefix({ prefix }: HooksFile, origin: LaunchContext): string | undefined {
  const before = prefix && readClientFile(prefix.path);
  if (prefix === undefined || before === undefined || !isPrefixInUse(prefix)) return undefined;
  if (before !== FORWARDING_SCRIPT)
    writeFiles([{ path: prefix.path, before, after: FORWARDING_SCRIPT, mode: 0o700 }], copiesFolder(origin));
  return prefix.path;
}

/** Whether a program of a running session, such as an MCP server, has this prefix in its environment. */
function isPrefixInUse({ variable, path }: NonNullable<HooksFile['prefix']>): boolean {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .flatMap((pid) => attempt(() => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')) ?? [])
    .includes(`${variable}=${path}`);
}
