import type { Environment, Origin } from '../../config/origin.ts';
import { systemClock } from '../../runtime/clock.ts';
import { DomainError } from '../../runtime/domain-error.ts';
import type { EventLog } from '../../runtime/event-log.ts';
import { defineCommand } from '../command.ts';
import { AGENT_DEFAULTS } from '../launches/focus.ts';
import { parentGone } from '../parent-gone.ts';
import { redactedLog } from '../redacted-log.ts';
import { serveUntilInterrupted } from '../serve-until-interrupted.ts';
import { type ServerParts, withServerParts } from '../server-parts.ts';
import type { Terminal, TerminalStream } from '../terminal.ts';
import { describeUp } from '../up/describe.ts';
import { startAndWait } from '../up/detach.ts';
import { focusToken } from '../up/focus-token.ts';
import { type StartedServer, startAll, type UpConfig } from '../up/start-all.ts';
import {
  logPath,
  processStartOf,
  readLiveStateIfSound,
  removeState,
  statePath,
  type UpState,
  writeState,
} from '../up/state-file.ts';

export const up = defineCommand({
  usage: '[--detach]',
  details:
    'Runs the servers in one process with one recovery store: what one of them removed, each of them gives back.',
  sections: ['up', 'pruner', 'focus', 'gateway', 'hook', 'recovery', 'audit', 'wire'],
  flagPrefixes: { pruner: 'pruner', focus: 'focus', gateway: 'gateway', hook: 'hook' },
  defaults: { recovery: { store: 'embedded' }, focus: { port: 8008, ...AGENT_DEFAULTS } },
  options: { detach: { type: 'boolean', short: 'd', doc: 'return when the servers answer; they go on' } },
  examples: [
    { line: 'secateur up', does: 'until Ctrl-C' },
    { line: 'secateur up --detach', does: 'in the background; `secateur stop` ends it' },
    {
      line: 'secateur up --gateway-port 9000 --focus-root ~/project',
      does: 'another port, another directory',
    },
  ],
  run: async ({ config, options, terminal, origin, argv, self, interrupted }) => {
    await refuseSecond(config);
    const fromNpm = isStartedByNpm(origin.env);
    if (!options.detach) {
      const stopped = fromNpm ? AbortSignal.any([interrupted(), parentGone()]) : interrupted();
      await inForeground({ config, terminal, origin, stopped, fromNpm });
      return;
    }
    const foregroundArguments = argv.filter((word) => word !== '--detach' && word !== '-d');
    const state = await startAndWait({
      command: [...self, 'up', ...foregroundArguments],
      cwd: origin.cwd,
      logPath: logPath(config.recovery),
      statePath: statePath(config.recovery),
      readyTimeoutMs: config.up.readyTimeoutMs,
      bearerToken: config.wire.bearerToken,
      clock: systemClock,
    });
    sayUp(state, { config, terminal, fromNpm });
  },
});

interface Foreground {
  readonly config: UpConfig;
  readonly terminal: Terminal;
  readonly origin: Origin;
  readonly stopped: AbortSignal;
  readonly fromNpm: boolean;
}

async function inForeground(foreground: Foreground): Promise<void> {
  const { config, terminal, origin, stopped } = foreground;
  const log = eventLogFor(terminal.errors);
  const local = await focusToken(config, origin.platform);
  await withServerParts(config, log, async (parts) => {
    const started = await startAll(config, { ...parts, localToken: local?.token }, origin.env);
    const state = { ...stateOf(started, parts, config.focus.rootDir), tokenFile: local?.path };
    // Servers do their work without it, as in a container that may not write.
    await writeState(statePath(config.recovery), state).catch(() => warnOfHiding(config, terminal));
    sayUp(state, foreground);
    if (terminal.output.isTTY) terminal.line('\nCtrl-C stops everything.');
    await serveUntilInterrupted({
      servers: started.map(({ running }) => running),
      interrupted: stopped,
      drainMs: config.wire.drainMs,
    });
  });
  await removeState(statePath(config.recovery));
}

function sayUp(
  state: UpState,
  { config, terminal, fromNpm }: Pick<Foreground, 'config' | 'terminal' | 'fromNpm'>,
): void {
  const needsToken = config.wire.bearerToken !== undefined;
  terminal.line(describeUp(state, { paint: terminal.paint, fromNpm, needsToken }));
}

function warnOfHiding({ recovery }: UpConfig, { note, paintErrors }: Terminal): void {
  const reason = `${recovery.dataDir} cannot be written (SECATEUR_DATA_DIR)`;
  note(`${paintErrors('yellow', 'warning')} ${reason}: status and stop will not find these servers`);
}

/** `npm start`: `secateur` may not be on the PATH, and a shell between npm and us dies without passing the signal on. */
function isStartedByNpm(env: Environment): boolean {
  return env.npm_lifecycle_event === 'start';
}

async function refuseSecond({ recovery }: UpConfig): Promise<void> {
  const running = readLiveStateIfSound(statePath(recovery));
  if (running === undefined) return;
  throw new DomainError('already_up', `secateur is up already (process ${running.pid})`, {
    hint: '`secateur status` shows it, `secateur stop` ends it; another SECATEUR_DATA_DIR allows a second one.',
  });
}

function stateOf(
  started: readonly StartedServer[],
  { clock, version }: ServerParts,
  rootDir: string,
): UpState {
  return {
    pid: process.pid,
    processStart: processStartOf(process.pid),
    startedAt: new Date(clock.now()).toISOString(),
    version,
    servers: started.map(({ name, endpointPath, healthPath, offers, running }) => ({
      name,
      endpoint: `${running.url}${endpointPath}`,
      healthUrl: `${running.url}${healthPath}`,
      offers: name === 'focus' ? `${offers}, in ${rootDir}` : offers,
    })),
  };
}

/** A person at a terminal sees failure only; a log file gets every event. */
function eventLogFor(stream: TerminalStream): EventLog {
  const log = redactedLog(stream);
  if (!stream.isTTY) return log;
  return {
    emit: (event) => (event.level === 'warn' || event.level === 'error' ? log.emit(event) : undefined),
  };
}
