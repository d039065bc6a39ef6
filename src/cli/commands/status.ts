import { probeHealth } from '../../runtime/probe-health.ts';
import { defineCommand } from '../command.ts';
import { FAILURE, NOT_RUNNING, SUCCESS } from '../exit-codes.ts';
import type { Paint } from '../terminal.ts';
import { serverRows } from '../up/describe.ts';
import { logPath, readLiveState, statePath, type UpState } from '../up/state-file.ts';

const PROBE_TIMEOUT_MS = 2000;

export const status = defineCommand({
  usage: '[--json]',
  sections: ['recovery', 'wire'],
  options: { json: { type: 'boolean', doc: 'the same as JSON' } },
  examples: [
    { line: 'secateur status', does: 'which servers answer, and where' },
    { line: 'secateur status --json | jq .servers', does: 'for a script' },
  ],
  exitCodes: { [FAILURE]: 'something is up, but a server does not answer', [NOT_RUNNING]: 'nothing is up' },
  run: async ({ config, options, terminal }) => {
    const state = readLiveState(statePath(config.recovery));
    const { bearerToken } = config.wire;
    const healthy = await Promise.all(
      (state?.servers ?? []).map(({ healthUrl }) =>
        probeHealth({ url: healthUrl, timeoutMs: PROBE_TIMEOUT_MS, bearerToken }),
      ),
    );
    if (options.json) terminal.line(JSON.stringify(asJson(state, healthy)));
    else if (state === undefined) terminal.line('secateur is not up.');
    else terminal.line(asText(state, healthy, terminal.paint));
    if (state === undefined) return NOT_RUNNING;
    if (healthy.every(Boolean)) return SUCCESS;
    terminal.note(`A server does not answer. The log of a detached one: ${logPath(config.recovery)}`);
    return FAILURE;
  },
});

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
