import type { Config } from '../../config/settings.ts';
import { systemClock } from '../../runtime/clock.ts';
import { DomainError } from '../../runtime/domain-error.ts';
import { withSecrets } from '../../servers/gateway/credentials.ts';
import type { ServerEntry } from '../../servers/gateway/server-table.ts';
import { signIn } from '../../servers/gateway/sign-in.ts';
import { SignInStore } from '../../servers/gateway/sign-in-store.ts';
import { defineCommand } from '../command.ts';
import { SUCCESS } from '../exit-codes.ts';
import { signInFolder } from '../server-parts.ts';

const USER = {
  user: {
    type: 'string',
    placeholder: 'NAME',
    doc: 'the token of ours whose calls it is for; default: calls without one',
  },
} as const;

const PATIENCE_MS = 300_000;

export const gatewayLogin = defineCommand({
  usage: 'SERVER [--user NAME]',
  details:
    'Signs in to a server with `auth = "oauth"`: opens no browser by itself, prints the address to open. ' +
    'What it gets is kept in the data directory, readable by you alone, and renewed by the gateway.',
  sections: ['gateway', 'recovery'],
  flagPrefixes: { gateway: false },
  options: USER,
  positionals: { min: 1, max: 1 },
  examples: [{ line: 'secateur gateway login tickets', does: 'prints the address at which you agree' }],
  run: async ({ config, options, positionals: [name = ''], terminal, origin, interrupted }) => {
    const server = await oauthServer(name, config.gateway.servers, origin.env);
    const signal = AbortSignal.any([interrupted(), AbortSignal.timeout(PATIENCE_MS)]);
    const show = (url: URL) => terminal.line(`Open this address and agree:\n${url}`);
    const store = new SignInStore(signInFolder(config.recovery));
    await signIn({ server: name, user: options.user }, server, { store, clock: systemClock, show, signal });
    terminal.line(`Signed in to ${name}.`);
    return SUCCESS;
  },
});

export const gatewayLogout = defineCommand({
  usage: 'SERVER [--user NAME]',
  sections: ['recovery'],
  options: USER,
  positionals: { min: 1, max: 1 },
  examples: [{ line: 'secateur gateway logout tickets', does: 'forgets the sign-in' }],
  run: async ({ config, options, positionals: [name = ''], terminal }) => {
    const removed = await new SignInStore(signInFolder(config.recovery)).remove({
      server: name,
      user: options.user,
    });
    terminal.line(removed ? `Signed out of ${name}.` : `Nobody was signed in to ${name}.`);
    return SUCCESS;
  },
});

export const gatewayList = defineCommand({
  usage: '[--user NAME] [--json]',
  sections: ['gateway', 'recovery'],
  flagPrefixes: { gateway: false },
  options: { ...USER, json: { type: 'boolean', doc: 'as JSON' } },
  positionals: { min: 0, max: 0 },
  examples: [{ line: 'secateur gateway list', does: 'the servers of config.toml and who is signed in' }],
  run: async ({ config, options, terminal }) => {
    const store = new SignInStore(signInFolder(config.recovery));
    const rows = await Promise.all(
      Object.entries(config.gateway.servers).map(async ([name, entry]) => {
        const { tokens } = await store.read({ server: name, user: options.user });
        return {
          name,
          kind: entry.command === undefined ? 'http' : 'stdio',
          ...signInState(entry, tokens !== undefined),
        };
      }),
    );
    if (options.json) terminal.line(JSON.stringify(rows));
    else
      for (const row of rows) terminal.line([row.name, row.kind, row.signed_in ?? ''].join('  ').trimEnd());
    return SUCCESS;
  },
});

function signInState({ auth }: ServerEntry, isSignedIn: boolean): { signed_in?: string } {
  if (auth !== 'oauth') return {};
  return { signed_in: isSignedIn ? 'signed in' : 'not signed in' };
}

async function oauthServer(name: string, servers: Config['gateway']['servers'], env: NodeJS.ProcessEnv) {
  const entry = servers[name];
  const { url, auth } = entry ?? {};
  if (entry === undefined || url === undefined || auth !== 'oauth') {
    const known = Object.keys(servers).filter((each) => servers[each]?.auth === 'oauth');
    throw new DomainError('no_sign_in', `${name} is no server with auth = "oauth" in config.toml`, {
      hint: known.length === 0 ? 'Add auth = "oauth" to its table.' : `Such servers: ${known.join(', ')}.`,
    });
  }
  const { clientSecret } = await secretOf(entry, { name, env });
  return { url, clientId: entry.clientId, clientSecret, scope: entry.scope };
}

async function secretOf(entry: ServerEntry, { name, env }: { name: string; env: NodeJS.ProcessEnv }) {
  const resolved = await withSecrets({ [name]: entry }, { env });
  return resolved[name] ?? {};
}
