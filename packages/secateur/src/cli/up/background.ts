import { systemClock } from '@secateur/base/runtime/clock.ts';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import type { CommandCall, CommandDefinition, OptionTable } from '@secateur/serving/commands/command.ts';
import type { Terminal } from '@secateur/serving/commands/terminal.ts';
import type { Environment } from '@secateur/serving/config/origin.ts';
import { AGENT_DEFAULTS } from '../launches/focus.ts';
import { describeUp } from './describe.ts';
import { startAndWait } from './detach.ts';
import type { UpConfig } from './start-all.ts';
import { logPath, readLiveStateIfSound, statePath, type UpState } from './state-file.ts';

/** The settings and flags of every command that starts the servers: `up`, `start` and `restart`. */
export const UP_SETTINGS = {
  sections: ['up', 'pruner', 'focus', 'gateway', 'hook', 'recovery', 'audit', 'wire'],
  readsWorkingDirectory: true,
  flagPrefixes: { pruner: 'pruner', focus: 'focus', gateway: 'gateway', hook: 'hook' },
  defaults: { recovery: { store: 'embedded' }, focus: { port: 8008, ...AGENT_DEFAULTS } },
} as const satisfies Pick<
  CommandDefinition<keyof UpConfig, OptionTable>,
  'sections' | 'flagPrefixes' | 'defaults' | 'readsWorkingDirectory'
>;

export type UpCall = Pick<
  CommandCall<keyof UpConfig, OptionTable>,
  'config' | 'terminal' | 'origin' | 'argv' | 'self'
>;

/** Starts the servers in a process of their own and prints where they are, once all of them answer. */
export async function startInBackground(call: UpCall, like?: UpState): Promise<void> {
  const { config, terminal, origin, self } = call;
  const argv = like?.arguments ?? call.argv;
  const foregroundArguments = argv.filter((word) => word !== '--detach' && word !== '-d');
  const state = await startAndWait({
    command: [...self, 'up', ...foregroundArguments],
    cwd: like?.cwd ?? origin.cwd,
    logPath: logPath(config.recovery),
    statePath: statePath(config.recovery),
    readyTimeoutMs: config.up.readyTimeoutMs,
    bearerToken: config.wire.bearerToken,
    clock: systemClock,
  });
  sayUp(state, { config, terminal, fromNpm: isStartedByNpm(origin.env) });
}

export function sayUp(
  state: UpState,
  { config, terminal, fromNpm }: { config: UpConfig; terminal: Terminal; fromNpm: boolean },
): void {
  const needsToken = config.wire.bearerToken !== undefined;
  terminal.line(describeUp(state, { paint: terminal.paint, fromNpm, needsToken }));
}

/** `npm start`: `secateur` may not be on the PATH, and a shell between npm and us dies without passing the signal on. */
export function isStartedByNpm(env: Environment): boolean {
  return env.npm_lifecycle_event === 'start';
}

/** Throws if servers of this data directory are running. */
export async function refuseSecond({ recovery }: UpConfig): Promise<void> {
  const running = readLiveStateIfSound(statePath(recovery));
  if (running === undefined) return;
  throw new DomainError('already_up', `secateur is up already (process ${running.pid})`, {
    hint: '`secateur status` shows it, `secateur stop` ends it, `secateur restart` starts it again; another SECATEUR_DATA_DIR allows a second one.',
  });
}
