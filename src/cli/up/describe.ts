import type { Paint } from '../terminal.ts';
import type { ServerState, UpState } from './state-file.ts';

const NEXT = 'secateur status | stats | stop, from any terminal';
const NEXT_IN_CHECKOUT = 'npx secateur status | stats | stop, in this folder';

/** What runs where, and what to do next. */
export function describeUp(
  { version, pid, servers }: UpState,
  { paint, fromNpm }: { paint: Paint; fromNpm: boolean },
): string {
  return [
    `${paint('bold', `secateur ${version}`)} is up (process ${pid})`,
    '',
    ...serverRows(servers, paint).map((row) => `  ${row}`),
    '',
    paint('bold', 'Next'),
    ...[...connectSteps(servers), fromNpm ? NEXT_IN_CHECKOUT : NEXT].map((step) => `  ${step}`),
  ].join('\n');
}

export function serverRows(servers: readonly ServerState[], paint: Paint): string[] {
  const nameWidth = Math.max(...servers.map(({ name }) => name.length));
  const endpointWidth = Math.max(...servers.map(({ endpoint }) => endpoint.length));
  return servers.map(({ name, endpoint, offers }) =>
    [name.padEnd(nameWidth), paint('cyan', endpoint.padEnd(endpointWidth)), paint('dim', offers)].join('  '),
  );
}

/** The focus tools are what an agent gains most from. */
function connectSteps(servers: readonly ServerState[]): string[] {
  const { endpoint } = servers.find(({ name }) => name === 'focus') ?? servers[0] ?? { endpoint: '' };
  return [`claude mcp add --transport http secateur ${endpoint}`, `codex mcp add secateur --url ${endpoint}`];
}
