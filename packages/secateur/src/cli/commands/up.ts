import type { EventLog } from '@secateur/base/runtime/event-log.ts';
import { replaceFile } from '@secateur/base/runtime/writing-files.ts';
import { defineCommand } from '@secateur/serving/commands/command.ts';
import { parentGone } from '@secateur/serving/commands/serve-on-stdio.ts';
import type { Terminal, TerminalStream } from '@secateur/serving/commands/terminal.ts';
import { serveUntilInterrupted } from '../launch.ts';
import { redactedLog, withServerDeps } from '../server-deps.ts';
import { processStartOf, removeState, statePath, type UpState } from '../up/running.ts';
import {
  focusToken,
  isStartedByNpm,
  refuseSecond,
  sayUp,
  startAll,
  startInBackground,
  UP_SETTINGS,
  type UpCall,
  type UpConfig,
} from '../up/start.ts';

export const up = defineCommand({
  ...UP_SETTINGS,
  usage: '[--detach]',
  details:
    'Runs the servers in one process with one recovery store: text that one server removed can be recovered from all of them.',
  options: {
    detach: { type: 'boolean', short: 'd', doc: 'return when the servers answer; they keep running' },
  },
  examples: [
    { line: 'secateur up', does: 'runs until Ctrl-C' },
    { line: 'secateur up --detach', does: 'runs in the background; `secateur stop` ends it' },
    {
      line: 'secateur up --gateway-port 9000 --focus-root ~/project',
      does: 'another port, another directory',
    },
  ],
  run: async (call) => {
    const { config, options, terminal, origin, argv, interrupted } = call;
    await refuseSecond(config);
    if (options.detach) {
      await startInBackground(call);
      return;
    }
    const fromNpm = isStartedByNpm(origin.env);
    const stopped = fromNpm ? AbortSignal.any([interrupted(), parentGone()]) : interrupted();
    await inForeground({ config, terminal, origin, argv, stopped, fromNpm });
  },
});

async function inForeground(foreground: Omit<UpCall, 'self'> & { stopped: AbortSignal; fromNpm: boolean }) {
  const { config, terminal, origin, argv, stopped } = foreground;
  const { recovery, focus, wire } = config;
  const log = eventLogFor(terminal.errors);
  const local = await focusToken(config, origin.platform);
  await withServerDeps(config, log, async (parts) => {
    const started = await startAll(config, { ...parts, localToken: local?.token }, origin.env);
    const state: UpState = {
      pid: process.pid,
      processStart: processStartOf(process.pid),
      startedAt: new Date(parts.clock.now()).toISOString(),
      version: parts.version,
      servers: started.map(({ name, endpointPath, healthPath, offers, running }) => ({
        name,
        endpoint: `${running.url}${endpointPath}`,
        healthUrl: `${running.url}${healthPath}`,
        offers: name === 'focus' ? `${offers}, in ${focus.rootDir}` : offers,
      })),
      ...{ arguments: argv, cwd: origin.cwd, tokenFile: local?.path },
    };
    // The servers also work without a state file, for example in a read-only container.
    await replaceFile(statePath(recovery), JSON.stringify(state)).catch(() => warnOfHiding(config, terminal));
    sayUp(state, foreground);
    if (terminal.output.isTTY) terminal.line('\nCtrl-C stops everything.');
    const servers = started.map(({ running }) => running);
    await serveUntilInterrupted({ servers, interrupted: stopped, drainMs: wire.drainMs });
  });
  await removeState(statePath(recovery));
}

function warnOfHiding({ recovery }: UpConfig, { note, paintErrors }: Terminal): void {
  const reason = `${recovery.dataDir} cannot be written (SECATEUR_DATA_DIR)`;
  note(`${paintErrors('yellow', 'warning')} ${reason}: status and stop will not find these servers`);
}

/** Returns the event log. At a terminal it shows only failures; a log file gets every event. */
function eventLogFor(stream: TerminalStream): EventLog {
  const log = redactedLog(stream);
  if (!stream.isTTY) return log;
  return {
    emit: (event) => (event.level === 'warn' || event.level === 'error' ? log.emit(event) : undefined),
  };
}
