import { setTimeout } from 'node:timers/promises';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { systemClock, withDeadline } from '@secateur/base/runtime/time.ts';
import { defineCommand } from '@secateur/serving/commands/command.ts';
import { printable } from '@secateur/serving/commands/terminal.ts';
import type { Config } from '@secateur/serving/config/settings.ts';
import { withSecrets } from '../../servers/gateway/server-table.ts';
import { signIn, signInByDevice } from '../../servers/gateway/sign-in.ts';
import { SignInStore } from '../../servers/gateway/sign-in-store.ts';
import { signInFolder } from '../server-deps.ts';

const USER = {
  user: {
    type: 'string',
    placeholder: 'NAME',
    doc: 'name of the token whose calls use this sign-in; default: calls without a token',
  },
} as const;

/** Maximum time in ms to wait for a sign-in. Codes for another device are valid for about as long. */
const MAX_WAIT_MS = 900_000;

export const gatewayLogin = defineCommand({
  usage: 'SERVER [--user NAME] [--device]',
  details:
    'Signs in to a server with `auth = "oauth"`: prints the address to open in a browser. ' +
    'The sign-in is stored in the data directory, readable only by you, and refreshed by the gateway.',
  sections: ['gateway', 'recovery'],
  readsWorkingDirectory: true,
  flagPrefixes: { gateway: false },
  options: {
    ...USER,
    device: { type: 'boolean', doc: 'approve the sign-in in a browser on another machine, with a code' },
  },
  positionals: { min: 1, max: 1 },
  examples: [
    { line: 'secateur gateway login tickets', does: 'prints the address at which you approve' },
    { line: 'secateur gateway login tickets --device', does: 'for a machine without a browser' },
  ],
  run: async ({ config, options, positionals: [name = ''], terminal, origin, interrupted }) => {
    const server = await oauthServer(name, config.gateway.servers, origin.env);
    const store = new SignInStore(signInFolder(config.recovery));
    const key = { server: name, user: options.user };
    await withDeadline({ timeoutMs: MAX_WAIT_MS, signal: interrupted() }, async (signal) => {
      const common = { store, clock: systemClock, signal };
      if (options.device !== true) {
        const show = (url: URL) =>
          terminal.line(`Open this address on this machine (on another one: --device) and agree:\n${url}`);
        return signIn(key, server, { ...common, show });
      }
      const show = ({ url, userCode }: { url: URL; userCode: string }) =>
        terminal.line(`Open this address on any device:\n${url}\nIts code is ${printable(userCode)}.`);
      const wait = (ms: number, until: AbortSignal) => setTimeout(ms, undefined, { signal: until });
      return signInByDevice(key, server, { ...common, show, wait });
    });
    terminal.line(`Signed in to ${name}, by ${printable((await store.issuerOf(key)) ?? server.url)}.`);
  },
});

export const gatewayLogout = defineCommand({
  usage: 'SERVER [--user NAME]',
  sections: ['recovery'],
  readsWorkingDirectory: true,
  options: USER,
  positionals: { min: 1, max: 1 },
  examples: [{ line: 'secateur gateway logout tickets', does: 'deletes the sign-in' }],
  run: async ({ config, options: { user }, positionals: [server = ''], terminal }) => {
    const removed = await new SignInStore(signInFolder(config.recovery)).remove({ server, user });
    terminal.line(removed ? `Signed out of ${server}.` : `There was no sign-in to ${server}.`);
  },
});

export const gatewayList = defineCommand({
  usage: '[--user NAME] [--json]',
  sections: ['gateway', 'recovery'],
  readsWorkingDirectory: true,
  flagPrefixes: { gateway: false },
  options: { ...USER, json: { type: 'boolean', doc: 'as JSON' } },
  examples: [{ line: 'secateur gateway list', does: 'the servers of config.toml and their sign-ins' }],
  run: async ({ config, options, terminal }) => {
    const store = new SignInStore(signInFolder(config.recovery));
    const rows = await Promise.all(
      Object.entries(config.gateway.servers).map(async ([name, entry]) => {
        const { tokens } = await store.read({ server: name, user: options.user });
        return {
          name,
          kind: entry.command === undefined ? 'http' : 'stdio',
          ...(entry.auth === 'oauth' && { signed_in: tokens ? 'signed in' : 'not signed in' }),
        };
      }),
    );
    if (options.json) terminal.line(JSON.stringify(rows));
    else
      for (const row of rows) terminal.line([row.name, row.kind, row.signed_in ?? ''].join('  ').trimEnd());
  },
});

async function oauthServer(name: string, servers: Config['gateway']['servers'], env: NodeJS.ProcessEnv) {
  const entry = servers[name];
  const { url, auth } = entry ?? {};
  if (entry === undefined || url === undefined || auth !== 'oauth') {
    const known = Object.keys(servers).filter((each) => servers[each]?.auth === 'oauth');
    throw new DomainError('no_sign_in', `${name} is no server with auth = "oauth" in config.toml`, {
      hint: known.length === 0 ? 'Add auth = "oauth" to its table.' : `Such servers: ${known.join(', ')}.`,
    });
  }
  const resolved = await withSecrets({ [name]: entry }, { env });
  const { clientId, scope, issuer } = entry;
  return { url, clientId, clientSecret: resolved[name]?.clientSecret, scope, issuer };
}
