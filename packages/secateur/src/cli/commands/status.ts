import { existsSync } from 'node:fs';
import type { StoreUsage } from '@secateur/engine/recovery/store.ts';
import { defineCommand, FAILURE, NOT_RUNNING, SUCCESS } from '@secateur/serving/commands/command.ts';
import { type Paint, printable, printableJson } from '@secateur/serving/commands/terminal.ts';
import type { ReadFiles, SettingSources } from '@secateur/serving/config/load.ts';
import { switchedOff } from '@secateur/serving/config/off-switch.ts';
import type { Config } from '@secateur/serving/config/settings.ts';
import { openRecoveryStore, storeDirectory } from '../open-stores.ts';
import { healthOf, logPath, readLiveState, serverRows, statePath, type UpState } from '../up/running.ts';

const PROBE_TIMEOUT_MS = 2000;

export const status = defineCommand({
  usage: '[--json]',
  sections: ['recovery', 'wire', 'hook'],
  flagPrefixes: { hook: false },
  defaults: { recovery: { store: 'embedded' } },
  options: { json: { type: 'boolean', doc: 'the status as JSON' } },
  examples: [
    { line: 'secateur status', does: 'whether outputs are cut and why, which servers answer, and where' },
    { line: 'secateur status --json | jq .servers', does: 'prints the servers for a script' },
  ],
  exitCodes: { [FAILURE]: 'something is up, but a server does not answer', [NOT_RUNNING]: 'nothing is up' },
  run: async ({ config, files, sources, options, terminal, origin }) => {
    const state = readLiveState(statePath(config.recovery));
    const probe = { timeoutMs: PROBE_TIMEOUT_MS, bearerToken: config.wire.bearerToken };
    const healthy = await healthOf(state ?? { servers: [] }, probe);
    const stored = await storedOutputs(config.recovery);
    const cuts = cutSwitches(config.hook, sources, switchedOff(origin, origin.cwd));
    if (options.json) {
      const json = { ...asJson(state, healthy), cuts, settings: files, ...(stored && { stored }) };
      terminal.line(printableJson(JSON.stringify(json)));
    } else {
      const up = state === undefined ? 'secateur is not up.' : asText(state, healthy, terminal.paint);
      const kept = stored === undefined ? [] : [describeStored(stored)];
      terminal.line([up, ...describeSwitches(cuts), ...kept, ...settingsLines(files)].join('\n'));
    }
    if (state === undefined) return NOT_RUNNING;
    if (healthy.every(Boolean)) return SUCCESS;
    terminal.note(`A server does not answer. The log of a detached one: ${logPath(config.recovery)}`);
    return FAILURE;
  },
});

/** Returns whether outputs in this folder are cut, the file that decides this, and the exclusions. */
function cutSwitches(
  { enabled, exclude, excludeCommands, writeGuard }: Config['hook'],
  sources: SettingSources,
  off: string | undefined,
) {
  const from = (key: string) => sources[`hook.${key}`] ?? 'default';
  const disabled = enabled ? undefined : `hook.enabled is false: ${from('enabled')}`;
  const why = off ?? disabled ?? (sources['hook.enabled'] ? `hook.enabled: ${from('enabled')}` : 'default');
  const listed = (what: string, key: 'exclude' | 'excludeCommands', globs: readonly string[]) =>
    globs.length === 0 ? [] : [{ what: `not cut: ${what} ${globs.join(', ')}`, from: from(key) }];
  const exceptions = [
    ...listed('files', 'exclude', exclude),
    ...listed('commands', 'excludeCommands', excludeCommands),
    ...(writeGuard ? [] : [{ what: 'write guard: off', from: from('writeGuard') }]),
  ];
  return { on: (off ?? disabled) === undefined, why, exceptions };
}

function describeSwitches({ on, why, exceptions }: ReturnType<typeof cutSwitches>): string[] {
  const state = on
    ? `Cuts are on here (${why}); \`secateur off\` switches them off.`
    : `Cuts are off here: ${why}.`;
  return [state, ...exceptions.map(({ what, from }) => `  ${what} (${from})`)].map(printable);
}

function settingsLines({ main, project }: ReadFiles): string[] {
  const lines = main === undefined ? [] : [`settings: ${main}`];
  if (project !== undefined) lines.push(`settings of this project: ${project.path}`);
  for (const line of project?.ignored ?? []) lines.push(`  ignored: ${line}`);
  return lines.map(printable);
}

/** Counts recoverable outputs; `undefined` without a store, or if another program locked the store. */
async function storedOutputs(config: Config['recovery']): Promise<StoreUsage | undefined> {
  if (config.store !== 'embedded' || !existsSync(storeDirectory(config))) return undefined;
  const store = await openRecoveryStore(config, {}).catch(() => undefined);
  const usage = await store?.usage?.().catch(() => undefined);
  await store?.close();
  return usage;
}

function describeStored({ texts, bytes, until }: StoreUsage): string {
  const size = `${(bytes / 1_000_000).toFixed(1)} MB`;
  if (until === undefined) return `No stored outputs (${size} on disk).`;
  const when = `${new Date(until).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `Stored outputs: ${texts} (${size} on disk), the last until ${when}; \`secateur forget --all\` deletes them.`;
}

function asText(state: UpState, healthy: readonly boolean[], paint: Paint): string {
  const rows = serverRows(state.servers, paint).map((row, index) => {
    const sign = healthy[index] ? paint('green', '✓') : paint('red', '✗');
    return `  ${sign} ${row}`;
  });
  return [`secateur ${state.version} is up (process ${state.pid}, since ${state.startedAt})`, ...rows].join(
    '\n',
  );
}

function asJson(state: UpState | undefined, healthy: readonly boolean[]) {
  if (state === undefined) return { running: false };
  const servers = state.servers.map((server, index) => ({ ...server, healthy: healthy[index] === true }));
  return { running: true, pid: state.pid, startedAt: state.startedAt, version: state.version, servers };
}
