import type { Config } from '@secateur/serving/config/settings.ts';
import type { HttpRoute } from '@secateur/serving/wire/http-route.ts';
import type { Tokens } from '@secateur/serving/wire/tokens.ts';
import { savingsDirectory } from './open-stores.ts';
import { pricesOf } from './prices.ts';
import type { ServerParts } from './server-parts.ts';

/** The routes of the savings and audit page; none where it is switched off. */
export async function openPage(
  { audit, recovery, wire }: Pick<Config, 'audit' | 'recovery' | 'wire'>,
  {
    tokens,
    ...parts
  }: Omit<ServerParts, 'tokens'> & {
    /** Named tokens, each for its own figures; `undefined` if only the server's own user can call. */
    readonly tokens?: Tokens | undefined;
  },
): Promise<HttpRoute[]> {
  if (audit.level === 'off') return [];
  const { dashboardRoutes } = await import('../servers/dashboard/dashboard.ts');
  return dashboardRoutes({
    ...parts,
    directory: savingsDirectory(recovery),
    prices: pricesOf(audit),
    assets: new URL('../web/', import.meta.url),
    bearerToken: wire.bearerToken,
    tlsTerminated: wire.tlsTerminated,
    tokens,
  });
}
