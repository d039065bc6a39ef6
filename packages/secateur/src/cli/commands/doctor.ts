import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { createServer } from 'node:net';
import { httpUrl, probeHealth } from '@secateur/base/runtime/probe-health.ts';
import { makeFolder } from '@secateur/base/runtime/writing-files.ts';
import { checkStore } from '@secateur/engine/recovery/store.ts';
import { defineCommand, FAILURE, SUCCESS } from '@secateur/serving/commands/command.ts';
import { type Paint, printable, printableJson } from '@secateur/serving/commands/terminal.ts';
import type { ReadFiles } from '@secateur/serving/config/load.ts';
import { type Config, settings } from '@secateur/serving/config/settings.ts';
import { broken, examineClient, type Finding, fine, note } from '../doctor/examine-client.ts';
import { openRecoveryStore } from '../open-stores.ts';

export const doctor = defineCommand({
  usage: '[CLIENT] [--json]',
  details:
    'Checks this machine and these settings, and says what does not work and how to fix it. With a CLIENT it sends a sample event through the hook installed there and shows what the agent would see; hooks that point to an earlier installation are renewed.',
  sections: ['pruner', 'focus', 'gateway', 'recovery', 'wire', 'hook', 'audit'],
  flagPrefixes: { pruner: 'pruner', focus: 'focus', gateway: 'gateway', hook: false, audit: false },
  reportsWarnings: true,
  defaults: { recovery: { store: 'embedded' }, focus: { port: 8008, prunerEndpoint: 'embedded' } },
  options: { json: { type: 'boolean', doc: 'the findings as JSON' } },
  positionals: { min: 0, max: 1 },
  examples: [
    { line: 'secateur doctor', does: 'before the first `secateur up`, or if something does not work' },
    { line: 'secateur doctor claude-code', does: 'what the agent would see of a test run' },
  ],
  exitCodes: { [FAILURE]: 'something would not work' },
  run: async ({ config, files, warnings, options, positionals, terminal, origin, self }) => {
    const [client] = positionals;
    const findings = [
      ...examineSettings(files, warnings),
      ...(client === undefined ? await examine(config) : await examineClient(client, { origin, self })),
    ];
    if (options.json) terminal.line(printableJson(JSON.stringify(findings)));
    else for (const finding of findings) terminal.line(describe(finding, terminal.paint));
    return findings.some(({ state }) => state === 'broken') ? FAILURE : SUCCESS;
  },
});

const SIGNS = { fine: ['green', '✓'], note: ['yellow', '!'], broken: ['red', '✗'] } as const;

function describe({ what, state, found, advice }: Finding, paint: Paint): string {
  const [colour, sign] = SIGNS[state];
  const line = `${paint(colour, sign)} ${what}: ${found}`;
  return advice === undefined ? line : `${line}\n    ${paint('dim', advice)}`;
}

type Examined = Pick<Config, 'pruner' | 'focus' | 'gateway' | 'recovery' | 'wire'>;

/** Runs every check, even if others fail. */
async function examine(config: Examined): Promise<Finding[]> {
  return Promise.all([
    fine('Node', process.versions.node),
    ripgrep(),
    dataDirectory(config.recovery),
    recoveryStore(config.recovery),
    ...(['pruner', 'focus', 'gateway'] as const).map((server) => portOf(server, config)),
    backend(config.pruner),
  ]);
}

/** Reports the settings files, errors in the user's file, and keys that a project file may not set. */
function examineSettings({ main, project }: ReadFiles, warnings: readonly string[]): Finding[] {
  const advice = warnings.map(printable).join('\n    ');
  const own = (advice === '' ? fine : broken)('Settings', printable(main ?? 'defaults; no file'), advice);
  if (project === undefined) return [own];
  const ignored = project.ignored.map((line) => printable(`ignored: ${line}`)).join('\n    ');
  return [own, (ignored === '' ? fine : note)('Settings of this project', printable(project.path), ignored)];
}

async function ripgrep(): Promise<Finding> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    await access(rgPath, constants.X_OK);
    return fine('ripgrep', 'shipped with the package');
  } catch {
    const advice = 'Install again without --omit=optional: the binary is an optional dependency.';
    return broken('ripgrep', 'missing: `grep` of the focus tools cannot work', advice);
  }
}

async function dataDirectory({ dataDir }: Config['recovery']): Promise<Finding> {
  try {
    makeFolder(dataDir);
    await access(dataDir, constants.W_OK);
    return fine('Data directory', dataDir);
  } catch {
    const advice = 'Set SECATEUR_DATA_DIR to a directory you may write to.';
    return broken('Data directory', `${dataDir} cannot be written`, advice);
  }
}

/** Opens the recovery store as a server does, writes a text and reads the text back. */
async function recoveryStore(config: Config['recovery']): Promise<Finding> {
  const what = 'Recovery store';
  const moved: string[] = [];
  const advice =
    config.store === 'redis'
      ? 'Check SECATEUR_REDIS_URL and that the server runs.'
      : 'Check SECATEUR_DATA_DIR.';
  try {
    const store = await openRecoveryStore(config, {
      onSetAside: ({ reason, movedTo }) => void moved.push(`${movedTo}: ${reason}`),
    });
    const reason = await checkStore(store, randomBytes);
    await store.close();
    if (reason !== undefined) return broken(what, `${config.store}: ${reason}`, advice);
    if (moved.length === 0) return fine(what, config.store);
    return broken(what, `set aside ${moved.join('; ')}`, REPLACED);
  } catch {
    return broken(what, `${config.store} cannot be opened`, advice);
  }
}

const REPLACED = 'A new store was begun. `secateur forget --all` deletes what was set aside, with all texts.';

async function portOf(server: 'pruner' | 'focus' | 'gateway', config: Examined): Promise<Finding> {
  const { host, port } = config[server];
  const what = `Port ${port} (${server})`;
  if (port === 0 || (await canListen(host, port))) return fine(what, 'free');
  const { bearerToken } = config.wire;
  const probes = HEALTH_PATHS.map((path) =>
    probeHealth({ url: httpUrl(host, port) + path, timeoutMs: PROBE_TIMEOUT_MS, bearerToken }),
  );
  const isOurs = (await Promise.all(probes)).includes(true);
  if (isOurs) return fine(what, 'secateur is running there');
  return broken(what, 'taken by another program', `Stop what uses it, or set ${settings[server].port.env}.`);
}

function backend({ backend: chosen, deepinfraApiKey }: Config['pruner']): Finding {
  const what = 'Scoring';
  if (chosen === 'heuristic') return fine(what, 'on this machine; nothing leaves it');
  if (deepinfraApiKey !== undefined) return note(what, 'DeepInfra: lines leave this machine');
  return broken(what, 'DeepInfra without a key', 'Set DEEPINFRA_API_KEY.');
}

const HEALTH_PATHS = ['/health', '/healthz', '/api/mcp-gateway/servers'];
const PROBE_TIMEOUT_MS = 1000;

function canListen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host, port }, () => server.close(() => resolve(true)));
  });
}
