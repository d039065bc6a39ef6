import type { Paint } from '@secateur/serving/commands/terminal.ts';
import type { ServerState, UpState } from './state-file.ts';

const NEXT = 'secateur status | stats | stop, from any terminal';
const NEXT_IN_CHECKOUT = 'node dist/main/secateur.js status | stats | stop, in this folder';

/** Lists what runs where, and what to do next. */
export function describeUp(
  state: UpState,
  { paint, fromNpm, needsToken }: { paint: Paint; fromNpm: boolean; needsToken: boolean },
): string {
  const { version, pid, servers } = state;
  return [
    `${paint('bold', `secateur ${version}`)} is up (process ${pid})`,
    '',
    ...serverRows(servers, paint).map((row) => `  ${row}`),
    '',
    paint('bold', 'Next'),
    ...[...connectSteps(state, needsToken), fromNpm ? NEXT_IN_CHECKOUT : NEXT].map((step) => `  ${step}`),
  ].join('\n');
}

export function serverRows(servers: readonly ServerState[], paint: Paint): string[] {
  const nameWidth = Math.max(...servers.map(({ name }) => name.length));
  const endpointWidth = Math.max(...servers.map(({ endpoint }) => endpoint.length));
  return servers.map(({ name, endpoint, offers }) =>
    [name.padEnd(nameWidth), paint('cyan', endpoint.padEnd(endpointWidth)), paint('dim', offers)].join('  '),
  );
}

const TOKEN = 'SECATEUR_BEARER_TOKEN';

/** The focus tools are what an agent gains most from. The token is named, never shown: terminals are logged and shared. */
function connectSteps({ servers, tokenFile }: UpState, needsToken: boolean): string[] {
  const { endpoint } = servers.find(({ name }) => name === 'focus') ?? servers[0] ?? { endpoint: '' };
  const claude = `claude mcp add --transport http secateur ${endpoint}`;
  const codex = `codex mcp add secateur --url ${endpoint}`;
  // Codex takes a token from a variable alone; connected, it starts the tools itself and needs none.
  if (tokenFile !== undefined)
    return [
      `${claude} --header "Authorization: Bearer $(cat '${tokenFile}')"`,
      'secateur connect codex --write',
    ];
  if (!needsToken) return [claude, codex];
  return [`${claude} --header "Authorization: Bearer $${TOKEN}"`, `${codex} --bearer-token-env-var ${TOKEN}`];
}
