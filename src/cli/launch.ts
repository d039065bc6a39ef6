import { configProblem } from '../config/config-error.ts';
import type { Environment } from '../config/origin.ts';
import { type Config, type SectionName, settings } from '../config/settings.ts';
import { DomainError } from '../runtime/domain-error.ts';
import type { ServerParts } from './server-parts.ts';

/** A server that answers. */
export interface RunningServer {
  readonly name: string;
  readonly url: string;
  /** Tells load balancers to send nobody new; calls are still answered. */
  drain(): void;
  close(): Promise<void>;
}

/** How a server is started; `secateur <server>` and `secateur up` use the same one (`launches/<server>.ts`). */
export type Launch<Section extends SectionName> = (
  config: Pick<Config, Section>,
  parts: ServerParts,
  /** What processes a server starts inherit. */
  env: Environment,
) => Promise<RunningServer>;

type ListeningSection = 'pruner' | 'focus' | 'gateway';

/** Starts to listen, or says which setting of the user's stands in the way. */
export async function listen<Server>(
  section: ListeningSection,
  start: () => Promise<Server>,
): Promise<Server> {
  try {
    return await start();
  } catch (error) {
    throw error instanceof DomainError ? inTermsOfSettings(error, section) : error;
  }
}

const SETTING_BEHIND = { port_in_use: 'port', port_forbidden: 'port', host_not_available: 'host' } as const;

const EXPOSURE_ADVICE: Readonly<Record<string, string>> = {
  remote_not_allowed: 'listen on 127.0.0.1, or add --allow-remote',
  bearer_token_required:
    'make tokens with `secateur token add`, or set SECATEUR_BEARER_TOKEN to a long secret',
  tls_required: 'put a proxy that speaks TLS in front and set SECATEUR_TLS_TERMINATED=true',
};

function inTermsOfSettings(error: DomainError, section: ListeningSection): DomainError {
  const advice = EXPOSURE_ADVICE[error.code];
  if (advice !== undefined)
    return configProblem(`${settings[section].host.env}: ${error.message}; ${advice}`);
  const key = SETTING_BEHIND[error.code as keyof typeof SETTING_BEHIND];
  if (key === undefined) return error;
  const { env, toml } = settings[section][key];
  return new DomainError(error.code, `${section}: ${error.message}`, {
    hint: `Set ${env} (${toml} in config.toml) to another ${key}${key === 'port' ? ', or stop that program' : ''}.`,
    data: { ...error.data, setting: env },
    cause: error,
  });
}
