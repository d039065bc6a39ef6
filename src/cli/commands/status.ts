import type { ReadFiles } from '../../config/load.ts';
import { probeHealth } from '../../runtime/probe-health.ts';
import { defineCommand } from '../command.ts';
import { FAILURE, NOT_RUNNING, SUCCESS } from '../exit-codes.ts';
import { printable, printableJson } from '../printable.ts';
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
  run: async ({ config, files, options, terminal }) => {
    const state = await readLiveState(statePath(config.recovery));
    const { bearerToken } = config.wire;
    const healthy = await Promise.all(
      (state?.servers ?? []).map(({ healthUrl }) =>
        probeHealth({ url: healthUrl, timeoutMs: PROBE_TIMEOUT_MS, bearerToken }),
      ),
    );
    if (options.json)
      terminal.line(printableJson(JSON.stringify({ ...asJson(state, healthy), settings: files })));
    else {
      const up = state === undefined ? 'secateur is not up.' : asText(state, healthy, terminal.paint);
      terminal.line([up, ...settingsLines(files)].join('\n'));
    }
    if (state === undefined) return NOT_RUNNING;
    if (healthy.every(Boolean)) return SUCCESS;
    terminal.note(`A server does not answer. The log of a detached one: ${logPath(config.recovery)}`);
    return FAILURE;
  },
});

function settingsLines({ main, project }: ReadFiles): string[] {
  const lines = main === undefined ? [] : [`settings: ${main}`];
  if (project !== undefined) lines.push(`settings of this project: ${project.path}`);
  for (const line of project?.ignored ?? []) lines.push(`  ignored: ${line}`);
  return lines.map(printable);
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
