import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { defineCommand, NOT_RUNNING, SUCCESS } from '@secateur/serving/commands/command.ts';
import type { Terminal } from '@secateur/serving/commands/terminal.ts';
import { serveHttp } from '@secateur/serving/wire/http-host.ts';
import { openPage, serveUntilInterrupted, withMetrics } from '../launch.ts';
import { redactedLog, withServerDeps } from '../server-deps.ts';
import { readLiveState, statePath, type UpState } from '../up/running.ts';

export const page = defineCommand({
  usage: '[--serve]',
  details:
    '`secateur up` serves the dashboard on the port of the pruner. --serve serves it if no server runs.',
  sections: ['recovery', 'audit', 'wire'],
  defaults: { recovery: { store: 'embedded' } },
  options: { serve: { type: 'boolean', doc: 'serve only the dashboard, until Ctrl-C' } },
  examples: [
    { line: 'secateur page', does: 'the address of the dashboard while `secateur up` runs' },
    { line: 'secateur page --serve', does: 'only the dashboard, on 127.0.0.1:8010' },
  ],
  exitCodes: { [NOT_RUNNING]: 'nothing is up' },
  run: async ({ config, options, terminal, interrupted }) => {
    if (config.audit.level === 'off')
      throw new DomainError('audit_off', 'the page is switched off', {
        hint: 'SECATEUR_AUDIT=full switches it on.',
      });
    if (!options.serve) return printAddress(readLiveState(statePath(config.recovery)), terminal);
    const stopped = interrupted();
    const log = redactedLog(terminal.errors);
    await withServerDeps(config, log, async (parts) => {
      const routes = await openPage(config, { ...parts, tokens: undefined });
      const at = { host: '127.0.0.1', port: config.audit.pagePort };
      const http = await serveHttp({ ...config.wire, ...at, ...withMetrics('page', routes, parts) });
      terminal.line(`${http.url}/`);
      await serveUntilInterrupted({ servers: [http], interrupted: stopped });
    });
  },
});

function printAddress(state: UpState | undefined, terminal: Terminal): number {
  const pruner = state?.servers.find(({ name }) => name === 'pruner');
  if (pruner === undefined) {
    terminal.note('secateur is not up; `secateur page --serve` shows the page alone.');
    return NOT_RUNNING;
  }
  terminal.line(new URL('/', pruner.endpoint).href);
  return SUCCESS;
}
