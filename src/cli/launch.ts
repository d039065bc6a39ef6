import { configProblem } from '../config/config-error.ts';
import { type Config, type SectionName, settings } from '../config/settings.ts';
import { DomainError } from '../runtime/domain-error.ts';
import type { ServerParts } from './server-parts.ts';

/** A server that answers. */
export interface RunningServer {
  readonly name: string;
  readonly url: string;
  close(): Promise<void>;
}

/** How a server is started; `secateur <server>` and `secateur up` use the same one (`launches/<server>.ts`). */
export type Launch<Section extends SectionName> = (
  config: Pick<Config, Section>,
  parts: ServerParts,
) => Promise<RunningServer>;

type ListeningSection = 'pruner' | 'focus' | 'gateway';

export interface Listening {
  readonly section: ListeningSection;
  readonly address: { readonly host: string; readonly port: number };
  readonly wire: Config['wire'];
}

/** Listens, or says in the user's own terms why that address cannot be had. */
export async function listen<Server>(spec: Listening, start: () => Promise<Server>): Promise<Server> {
  checkReach(spec);
  try {
    return await start();
  } catch (cause) {
    throw addressTrouble(spec, cause) ?? cause;
  }
}

/** Other machines reach a server only when the user said so and set a token. */
function checkReach({ section, address: { host }, wire }: Listening): void {
  if (['127.0.0.1', '::1', 'localhost'].includes(host)) return;
  const name = settings[section].host.env;
  if (!wire.allowRemote) {
    throw configProblem(
      `${name}: ${host} can be reached by other machines; add --allow-remote if that is meant`,
    );
  }
  if (wire.bearerToken === undefined) {
    throw configProblem(
      `${name}: ${host} can be reached by other machines; set SECATEUR_BEARER_TOKEN to a long secret`,
    );
  }
}

const ADDRESS_TROUBLE: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (_host, port) => `port ${port} is taken by another program`,
  EACCES: (_host, port) => `port ${port} needs rights this user does not have`,
  EADDRNOTAVAIL: (host) => `this machine has no address ${host}`,
};

function addressTrouble({ section, address }: Listening, cause: unknown): DomainError | undefined {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const describe = ADDRESS_TROUBLE[code];
  if (describe === undefined) return undefined;
  const row = settings[section][code === 'EADDRNOTAVAIL' ? 'host' : 'port'];
  return new DomainError('cannot_listen', `${section}: ${describe(address.host, address.port)}`, {
    hint: `Set ${row.env} (or ${row.toml} in config.toml) to another one, or stop what uses it.`,
    data: { port: address.port, setting: row.env },
    cause,
  });
}
